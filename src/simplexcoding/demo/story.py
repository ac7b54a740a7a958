"""The story of one data set: fit, choice, probabilities, sets, labels, a row forgotten."""

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from simplexcoding.arrays import Bools, Floats
from simplexcoding.audit import audit_labels
from simplexcoding.datasets import Split
from simplexcoding.estimators.ridge import SimplexRidgeClassifier
from simplexcoding.kernels import has_gamma

COVERAGES = (0.99, 0.995, 0.999)
_SUSPECTS = 5
_EXAMPLES = 5


class Sets(NamedTuple):
    """Sets of one coverage on the test rows: how often they hold the label, how large they are."""

    asked: float
    found: float
    size: float
    inside: Bools


class Suspect(NamedTuple):
    """A training row whose label the model without it contradicts."""

    row: int
    given: int
    suggested: int
    probability: float


class Forgotten(NamedTuple):
    """A row taken out of a linear model, against a fit without it."""

    row: int
    difference: float
    left: int


class Story(NamedTuple):
    """What was found, in the order in which it is told."""

    split: Split
    model: Any
    seconds: float
    left_out: float
    test: float
    log_loss: float
    sets: list[Sets]
    suspects: list[Suspect]
    n_contradicted: int
    forgotten: Forgotten

    @property
    def examples(self) -> list[int]:
        """Test rows with the largest sets at the middle coverage, largest first."""
        sizes = self.sets[1].inside.sum(axis=1)
        largest = np.argsort(-sizes, kind="stable")[:_EXAMPLES]
        return [int(row) for row in largest if sizes[row] > 1]


def tell(split: Split) -> Story:
    """Carry a data set through everything; its classes are the numbers 0 to T-1.

    Examples
    --------
    >>> from simplexcoding.datasets import load
    >>> story = tell(load("digits"))
    >>> abs(story.left_out - story.test) < 0.02
    True
    """
    # Warm: the first call of a process compiles and loads.
    SimplexRidgeClassifier(verbose=False).fit(split.X_train[:50], split.y_train[:50])
    start = perf_counter()
    model = SimplexRidgeClassifier(verbose=False).fit(split.X_train, split.y_train)
    seconds = perf_counter() - start
    p = model.predict_proba(split.X_test)[np.arange(len(split.y_test)), split.y_test]
    audit = audit_labels(model, split.y_train)
    suspects = [
        Suspect(
            int(audit.row[k]),
            int(audit.given[k]),
            int(audit.suggested[k]),
            float(audit.suggested_probability[k]),
        )
        for k in range(_SUSPECTS)
    ]
    return Story(
        split,
        model,
        seconds,
        float(np.mean(model.loo_scores_.argmax(axis=1) == split.y_train)),
        float(model.score(split.X_test, split.y_test)),
        float(-np.log(p).mean()),
        [_sets(model, split, coverage) for coverage in COVERAGES],
        suspects,
        int(audit.n_contradicted),
        _forgotten(split, suspects[0].row),
    )


def _sets(model: Any, split: Split, coverage: float) -> Sets:
    inside = model.predict_set(split.X_test, coverage=coverage)
    hits = inside[np.arange(len(inside)), split.y_test]
    return Sets(coverage, float(hits.mean()), float(inside.sum(axis=1).mean()), inside)


def _forgotten(split: Split, row: int) -> Forgotten:
    """A linear model forgets exactly: compare it with one that never saw the row."""
    model = SimplexRidgeClassifier(kernel="linear", verbose=False)
    scores: Floats = (
        model.fit(split.X_train, split.y_train).forget([row]).decision_function(split.X_test)
    )
    X, y = np.delete(split.X_train, row, axis=0), np.delete(split.y_train, row)
    again = SimplexRidgeClassifier(kernel="linear", verbose=False).fit(X, y)
    difference = np.abs(scores - again.decision_function(split.X_test)).max()
    return Forgotten(row, float(difference), len(y))


def choice(model: Any) -> dict[str, str]:
    """What the fit chose, in words."""
    found = {"kernel": str(model.kernel_), "scaling": model.scaling_}
    if has_gamma(model.kernel_):
        found["gamma"] = f"{model.gamma_:.3g}"
    found["alpha"] = f"{model.alpha_:.3g}"
    if model.n_landmarks_:
        found["landmarks"] = str(model.n_landmarks_)
    return found


def tried(model: Any, count: int = 6) -> list[list[str]]:
    """The best of what was tried, the chosen one first: kernel, scaling, gamma, score, rows."""
    found = model.candidates_
    if found is None:
        return []
    return [
        [
            str(found.kernel[k]),
            str(found.scaling[k]),
            f"{found.gamma[k]:.3g}" if has_gamma(found.kernel[k]) else "",
            f"{-found.score[k]:.4f}",
            f"{100 * found.accuracy[k]:.1f} %",
            f"{found.rows[k]:,}",
        ]
        for k in found.order()[:count]
    ]
