"""What left-out scores say after the fit: prediction sets and wrong labels."""

from collections import defaultdict
from functools import partial
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import cross_val_predict

from benchmarks.data import load
from benchmarks.harness import Contender, problem, require
from simplexcoding import SimplexRidgeClassifier, audit_labels

COVERAGES = (0.8, 0.9, 0.95)
# A set that is never empty covers at least as often as the model is right, so coverage can be
# on target only where accuracy is below it: linear models, below 80 % on all three.
POOLS = {"letter": 4000, "sun397_clip": 5000, "satimage": 3000}


def pool(name: str) -> Any:
    z = load(name)
    X = np.concatenate([z["X_train"], z["X_test"]]).astype(np.float64)
    return X, np.concatenate([z["y_train"], z["y_test"]]).astype(np.intp)


def left_out_sets(X: Any, y: Any, new: Any) -> Any:
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y)
    return model.classes_, [model.predict_set(new, coverage) for coverage in COVERAGES]


def split_sets(X: Any, y: Any, new: Any) -> Any:
    mapie = require("mapie.classification")
    cut = len(X) * 3 // 4
    model = SimplexRidgeClassifier(kernel="linear").fit(X[:cut], y[:cut])
    # A class that is not among the rows fitted to is unknown to the peer.
    known = np.isin(y[cut:], model.classes_)
    peer = mapie.SplitConformalClassifier(
        model, confidence_level=list(COVERAGES), conformity_score="lac", prefit=True
    )
    peer.conformalize(X[cut:][known], y[cut:][known])
    _, sets = peer.predict_set(new)
    return model.classes_, [sets[:, :, k] for k in range(len(COVERAGES))]


def covered(sets: Any, classes: Any, y: Any) -> float:
    place = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    return float(np.mean(sets[np.arange(len(y)), place] & (classes[place] == y)))


def over_splits(method: Any, pools: dict[str, int], quick: bool) -> dict[tuple[str, float], Any]:
    """Coverage and size by set and target, averaged over random splits."""
    found = defaultdict(list)
    for name, n_rows in pools.items():
        X, y = pool(name)
        for seed in range(2 if quick else 50):
            order = np.random.default_rng(seed).permutation(len(y))[: 600 if quick else None]
            train, new = np.split(order, [400 if quick else n_rows])
            classes, results = method(X[train], y[train], X[new[:3000]])
            for target, sets in zip(COVERAGES, results, strict=True):
                hit = covered(sets, classes, y[new[:3000]])
                found[name, target].append((hit, sets.sum(axis=1).mean()))
    return {case: np.mean(values, axis=0) for case, values in found.items()}


def set_notes(peer: dict[Any, Any], ours: bool, means: dict[Any, Any]) -> dict[str, object]:
    """Coverage and size; ours with a verdict against the peer, whose figures are kept."""
    notes: dict[str, object] = {}
    verdicts = []
    for (name, target), (hit, size) in means.items():
        text = f"{100 * hit:.1f} % with {size:.2f} classes"
        if not ours:
            peer[name, target] = size
        elif (name, target) in peer:
            # No set is empty: where all have one class, coverage is the accuracy.
            on_target = abs(hit - target) <= 0.015 or (hit > target and size < 1.01)
            good = on_target and size <= peer[name, target]
            text += "" if good else " (missed)"
            verdicts.append(good)
        notes[f"{name} {100 * target:g} %:"] = text
    return notes | ({"held": all(verdicts)} if verdicts else {})


MAPIE = "MAPIE, split-conformal (LAC), a quarter of the rows for calibration"


@problem(
    title="Prediction sets, linear models, 50 random splits of three sets",
    bar="mean coverage within 1.5 points of 80, 90 and 95 %, sets no larger than split-conformal",
    limit=np.inf,
    baseline=MAPIE,
    repeat=0,
)
def prediction_sets(quick: bool) -> list[Contender]:
    return set_contenders(POOLS, quick)


@problem(
    title="Prediction sets, linear models, 50 random splits of a set that no choice was made on",
    bar="mean coverage within 1.5 points of 80, 90 and 95 %, sets no larger than split-conformal",
    limit=np.inf,
    baseline=MAPIE,
    repeat=0,
)
def prediction_sets_other(quick: bool) -> list[Contender]:
    return set_contenders({"pendigits": 1500}, quick)


def set_contenders(pools: dict[str, int], quick: bool) -> list[Contender]:
    for name in pools:
        load(name)
    peer: dict[Any, Any] = {}
    return [
        Contender(
            MAPIE,
            partial(over_splits, split_sets, pools, quick),
            partial(set_notes, peer, False),
        ),
        Contender(
            "predict_set, all rows",
            partial(over_splits, left_out_sets, pools, quick),
            partial(set_notes, peer, True),
        ),
    ]


AUDITED = {"letter": "letter", "banking77": "banking77_minilm", "fashion_mnist": "fashion_mnist"}
FLIPS = (0.05, 0.1, 0.2)


def flipped(name: str, rate: float, quick: bool, seed: int = 0) -> Any:
    """The first 20,000 rows, their labels with a share flipped at random, and which."""
    z = load(name)
    X, y = z["X_train"][:20_000].astype(np.float32), z["y_train"][:20_000].astype(np.intp)
    if name == "fashion_mnist":
        X /= 255
    rng = np.random.default_rng(seed)
    if quick:
        few = rng.permutation(len(y))[:400]
        X, y = X[few], np.unique(y[few], return_inverse=True)[1]
    wrong = rng.choice(len(y), round(rate * len(y)), replace=False)
    given = y.copy()
    given[wrong] = (y[wrong] + rng.integers(1, y.max() + 1, len(wrong))) % (y.max() + 1)
    return X, given, given != y


def by_cleanlab(X: Any, y: Any) -> Any:
    """Label quality, from probabilities of five-fold logistic regression; low is suspicious."""
    rank = require("cleanlab.rank")
    P = cross_val_predict(LogisticRegression(), X, y, cv=5, method="predict_proba")
    return rank.get_label_quality_scores(y, P)


def by_us(X: Any, y: Any, **options: Any) -> Any:
    audit = audit_labels(X, y, **options)
    quality = np.empty(len(y))
    quality[audit.row] = np.arange(len(y))
    return quality


def precision(wrong: Any, peer: list[float], role: str, quality: Any) -> dict[str, object]:
    """Both precisions; the default's with a verdict against the peer's, which are kept."""
    first = np.argsort(quality, kind="stable")[: wrong.sum()]
    values = [float(wrong[first].mean()), float(average_precision_score(wrong, -quality))]
    notes: dict[str, object] = {
        "precision at the number of flips": f"{values[0]:.3f}",
        "average precision": f"{values[1]:.3f}",
    }
    if role == "peer":
        peer[:] = values
    elif role == "default" and peer:
        notes["held"] = all(mine >= theirs for mine, theirs in zip(values, peer, strict=True))
    return notes


@problem(
    title="Labels flipped at random, 5, 10 and 20 %: which rows were they",
    bar="the default (rbf) at or above cleanlab with 5-fold LogisticRegression, in less time",
    limit=np.inf,
    baseline="letter 5 %: cleanlab",
    repeat=0,
)
def label_audit(quick: bool) -> list[Contender]:
    return audit_contenders(FLIPS[: 1 if quick else 3], quick)


@problem(
    title="Labels flipped at random, 10 %, by a seed that no choice was made on",
    bar="the default (rbf) at or above cleanlab with 5-fold LogisticRegression, in less time",
    limit=np.inf,
    baseline="letter 10 %: cleanlab",
    repeat=0,
)
def label_audit_other(quick: bool) -> list[Contender]:
    return audit_contenders((0.1,), quick, seed=1)


def audit_contenders(rates: tuple[float, ...], quick: bool, seed: int = 0) -> list[Contender]:
    contenders = []
    for label, name in list(AUDITED.items())[: 1 if quick else 3]:
        for rate in rates:
            X, y, wrong = flipped(name, rate, quick, seed)
            peer: list[float] = []
            theirs, ours, other = (
                partial(precision, wrong, peer, role) for role in ("peer", "default", "linear")
            )
            case = f"{label} {100 * rate:g} %"
            linear = partial(by_us, X, y, kernel="linear")
            contenders += [
                Contender(f"{case}: cleanlab", partial(by_cleanlab, X, y), theirs),
                Contender(f"{case}: audit_labels", partial(by_us, X, y), ours),
                Contender(f"{case}: audit_labels, linear", linear, other),
            ]
    return contenders
