"""audit_labels: which given labels a model fitted without them contradicts."""

from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, column_or_1d

from simplexcoding.estimators.ridge import SimplexRidgeClassifier
from simplexcoding.inference.audit import Suspects, rank_suspects
from simplexcoding.inference.profiles import audit_probabilities

# On noisy labels hits reward too small an alpha; the squared error does not. Landmarks in
# this number rank as well as the whole kernel, in a fraction of the time.
_DEFAULTS = {"kernel": "rbf", "scoring": "neg_mean_squared_error", "landmarks": 1000}
# A model this much smoother errs on other rows: the mean of both ranks better than either
# where classes are many and rows of each are few, and loses little elsewhere.
_SMOOTHER = 1000.0
_SHOWN = 10


@dataclass(frozen=True)
class LabelAudit:
    """Rows in order of suspicion, with labels.

    Attributes
    ----------
    row : (n,) array of row numbers, the most suspicious first
    given, suggested : (n,) arrays of labels
    given_probability, suggested_probability, score : (n,) arrays
        The score is -log of the probability of the given label.
    classes : (T,) array of labels
    errors : (T, T) array
        Estimated number of rows given classes[a] whose true label is classes[b].
    n_contradicted : int
        The first rows, that the left-out model would label otherwise.
    n_errors : float
        Estimated number of wrong labels.
    """

    suspects: Suspects
    classes: Any

    def __len__(self) -> int:
        return len(self.suspects)

    @property
    def row(self) -> Any:
        return self.suspects.row

    @property
    def given(self) -> Any:
        return self.classes[self.suspects.given]

    @property
    def suggested(self) -> Any:
        return self.classes[self.suspects.suggested]

    @property
    def given_probability(self) -> Any:
        return self.suspects.given_probability

    @property
    def suggested_probability(self) -> Any:
        return self.suspects.suggested_probability

    @property
    def score(self) -> Any:
        return self.suspects.score

    @property
    def errors(self) -> Any:
        return self.suspects.errors

    @property
    def n_contradicted(self) -> int:
        return self.suspects.n_contradicted

    @property
    def n_errors(self) -> float:
        return self.suspects.n_errors

    def pairs(self) -> list[tuple[Any, Any, float]]:
        """Given label, true label and estimated number of errors, the largest first."""
        a, b = np.nonzero(self.errors)
        order = np.argsort(-self.errors[a, b], kind="stable")
        return [
            (self.classes[i], self.classes[j], float(self.errors[i, j]))
            for i, j in zip(a[order], b[order], strict=True)
        ]

    def to_frame(self) -> Any:
        """All rows as a pandas DataFrame, one column a field."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame needs pandas; install it: pip install pandas") from error
        return pd.DataFrame({name: getattr(self, name) for name in _COLUMNS})

    def __str__(self) -> str:
        cells = [list(_COLUMNS), *self._top()]
        widths = [max(len(row[j]) for row in cells) for j in range(len(_COLUMNS))]
        lines = ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([self._headline(), "", *lines])

    def _repr_html_(self) -> str:
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._top()
        )
        head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in _COLUMNS)
        return (
            f"<p>{escape(self._headline())}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def _headline(self) -> str:
        return (
            f"{len(self)} labels: {self.n_contradicted} contradicted, "
            f"about {self.n_errors:.0f} estimated wrong"
        )

    def _top(self) -> list[list[str]]:
        columns = [getattr(self, name)[:_SHOWN] for name in _COLUMNS]
        return [
            [f"{value:.3g}" if isinstance(value, float) else str(value) for value in row]
            for row in zip(*columns, strict=True)
        ]


_COLUMNS = (
    "row",
    "given",
    "suggested",
    "given_probability",
    "suggested_probability",
    "score",
)


def audit_labels(model_or_X: Any, y: Any, **ridge_options: Any) -> LabelAudit:
    """Rank the rows of a training set by how strange their label is to a model without them.

    Parameters
    ----------
    model_or_X : fitted SimplexRidgeClassifier, or (n, p) array
        A model gives its `loo_scores_`. For X one is fitted, with kernel="rbf",
        scoring="neg_mean_squared_error" and 1,000 landmarks unless told otherwise, and its
        probabilities are averaged with those at a thousand times its alpha.
    y : (n,) array of labels
        Those that the model was fitted to.
    **ridge_options
        Parameters of SimplexRidgeClassifier, for X.

    Returns
    -------
    LabelAudit
        Print it for the first rows; `to_frame()` has them all. Rows that no fold of the
        model's `cv` left out are not in it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import audit_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y[[3, 80]] = 2, 0
    >>> sorted(audit_labels(X, y).row[:2].tolist())
    [3, 80]
    """
    y = column_or_1d(y)
    if isinstance(model_or_X, SimplexRidgeClassifier):
        model = model_or_X
        check_is_fitted(model)
        if ridge_options:
            raise ValueError(
                f"{', '.join(sorted(ridge_options))} cannot be set on a fitted model; give X "
                "in its place, or set them before fit."
            )
    else:
        model = SimplexRidgeClassifier(**{**_DEFAULTS, **ridge_options}).fit(model_or_X, y)
    index = _class_index(model, y)
    # A row that no fold left out has no opinion on its label.
    judged = np.flatnonzero(~np.isnan(model.loo_scores_[:, 0]))
    left_out, index = model.loo_scores_[judged], index[judged]
    probabilities = audit_probabilities(left_out, index)
    if model is not model_or_X:
        smoother = model.left_out_scores(_SMOOTHER * model.alpha_)[judged]
        probabilities = (probabilities + audit_probabilities(smoother, index)) / 2
    suspects = rank_suspects(left_out, index, probabilities)
    return LabelAudit(replace(suspects, row=judged[suspects.row]), model.classes_)


def _class_index(model: SimplexRidgeClassifier, y: Any) -> Any:
    if len(y) != len(model.loo_scores_):
        raise ValueError(
            f"y must hold the {len(model.loo_scores_)} labels that the model was fitted to, "
            f"got {len(y)}."
        )
    unknown = np.setdiff1d(y, model.classes_)
    if len(unknown):
        raise ValueError(
            f"y must hold the labels that the model was fitted to, got '{unknown[0]}', "
            "which it has not seen."
        )
    return np.searchsorted(model.classes_, y)
