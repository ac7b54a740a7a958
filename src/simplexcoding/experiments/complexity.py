"""Processor time of a fit against the number of rows and of classes, with slopes."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import ArrayLike
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

import simplexcoding
from simplexcoding.arrays import Floats, Indices
from simplexcoding.datasets import Split
from simplexcoding.experiments.methods import ours
from simplexcoding.kernels import gamma_values


@dataclass(frozen=True)
class Contender:
    """A method at fixed parameters, with the order of its operation count in n and in T.

    paper_n and paper_T are the exponents that the paper has for training: "-" where its text
    was not read, "inferred" where they follow from its problem and are not its words.
    """

    title: str
    build: Callable[[float], Any]
    order_n: str
    order_T: str
    needs: str | None = None
    paper_n: str = "-"
    paper_T: str = "-"


@dataclass(frozen=True)
class Series:
    """Processor seconds of fits along one axis, "n" or "T", and the slope in logarithms."""

    title: str
    axis: str
    values: list[int]
    seconds: list[float]
    slope: float
    order: str
    paper: str = "-"


_ONE_PASS = {"alpha": 0.1, "max_iter": 1, "tol": None, "random_state": 0}
# Of several turns the least is nearest to the cost without disturbance; a long one is enough.
_TURNS = 3
_LONG_SECONDS = 5.0
_RIDGE, _SVC, _SGD = "SimplexRidgeClassifier", "SimplexSVC", "SimplexSGDClassifier"

CONTENDERS = [
    Contender(
        "S-RLS rbf, one alpha",
        lambda gamma: ours(_RIDGE, kernel="rbf", gamma=gamma, alphas=0.1, landmarks=None),
        "3",
        "0, then 1",
        _RIDGE,
        paper_T="0",
    ),
    Contender(
        "Least squares one-vs-all rbf, T solutions",
        lambda gamma: OneVsRestClassifier(
            ours(
                _RIDGE,
                kernel="rbf",
                gamma=gamma,
                alphas=0.1,
                landmarks=None,
                calibration="none",
            )
        ),
        "3",
        "1",
        _RIDGE,
        paper_T="1, inferred",
    ),
    Contender(
        "SC-SVM rbf",
        lambda gamma: ours(_SVC, loss="cone", C=1.0, kernel="rbf", gamma=gamma),
        "2 to 3",
        "0 to 1",
        _SVC,
    ),
    Contender(
        "SH-SVM rbf, hull",
        lambda gamma: ours(_SVC, loss="half_space", C=1.0, kernel="rbf", gamma=gamma),
        "2 to 3",
        "0 to 1",
        _SVC,
    ),
    Contender(
        "SH-SVM rbf, no hull",
        lambda gamma: ours(_SVC, loss="half_space", hull=False, C=1.0, kernel="rbf", gamma=gamma),
        "2 to 3",
        "0 to 1",
        _SVC,
        paper_T="0, inferred",
    ),
    Contender(
        "SVM one-vs-all rbf",
        lambda gamma: OneVsRestClassifier(SVC(gamma=gamma)),
        "2 to 3",
        "1",
        paper_T="1, inferred",
    ),
    Contender(
        "SC-SVM online, one pass",
        lambda _: ours(_SGD, loss="cone", **_ONE_PASS),
        "1",
        "1",
        _SGD,
    ),
    Contender(
        "SH-SVM online, one pass",
        lambda _: ours(_SGD, loss="half_space", **_ONE_PASS),
        "1",
        "1",
        _SGD,
    ),
    Contender(
        "S-LS online, one pass",
        lambda _: ours(_SGD, loss="least_squares", **_ONE_PASS),
        "1",
        "1",
        _SGD,
    ),
]


def available_contenders() -> list[Contender]:
    """The contenders whose estimator the package has."""
    known = simplexcoding.__all__
    return [each for each in CONTENDERS if each.needs is None or each.needs in known]


def slope(x: ArrayLike, y: ArrayLike) -> float:
    """Slope of the line of least squares through (log x, log y).

    Examples
    --------
    >>> round(slope([1, 2, 4], [3, 12, 48]), 3)
    2.0
    """
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def sample(split: Split, n_rows: int, n_classes: int, seed: int = 0) -> tuple[Floats, Indices]:
    """Draw rows of the first classes, about as many of each; standardised."""
    rng = np.random.default_rng(seed)
    share = -(-n_rows // n_classes)
    places = [np.flatnonzero(split.y_train == k) for k in range(n_classes)]
    taken = np.concatenate([rng.permutation(each)[:share] for each in places])
    taken = rng.permutation(taken)[:n_rows]
    return split.standardised().X_train[taken], split.y_train[taken]


def measure(
    split: Split,
    rows: list[int],
    classes: list[int],
    contenders: list[Contender] | None = None,
    watch: Callable[[str], None] | None = None,
) -> list[Series]:
    """Fit along both axes: n at the most classes, and T at a row count every T can fill.

    Parameters
    ----------
    split : Split
    rows, classes : list of int, rising
    contenders : list of Contender, default those available
    watch : function of a line of text, default=None

    Returns
    -------
    list of Series
    """
    found = []
    fixed = int(np.bincount(split.y_train).min()) * classes[0]
    for each in available_contenders() if contenders is None else contenders:
        for axis, values in (("n", rows), ("T", classes)):
            if watch is not None:
                watch(f"{each.title} against {axis}")
            sizes = [(v, classes[-1]) if axis == "n" else (fixed, v) for v in values]
            seconds = [_seconds(each, *sample(split, *size)) for size in sizes]
            stated = (each.order_n, each.paper_n) if axis == "n" else (each.order_T, each.paper_T)
            found.append(Series(each.title, axis, values, seconds, slope(values, seconds), *stated))
    return found


def _seconds(each: Contender, X: Floats, y: Indices) -> float:
    gamma = gamma_values("rbf", "quantile", X)[0]
    with catch_warnings():
        simplefilter("ignore")
        # The first fit may compile; it is not counted.
        each.build(gamma).fit(X[:200], y[:200])
        best = _timed(each.build(gamma), X, y)
        turns = 1 if best > _LONG_SECONDS else _TURNS
        return min([best, *(_timed(each.build(gamma), X, y) for _ in range(turns - 1))])


def _timed(model: Any, X: Floats, y: Indices) -> float:
    start = process_time()
    model.fit(X, y)
    return process_time() - start


def as_rows(series: list[Series]) -> list[dict[str, Any]]:
    """Series for JSON."""
    return [asdict(each) for each in series]
