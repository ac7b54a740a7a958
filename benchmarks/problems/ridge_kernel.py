"""Kernel least squares on the simplex: whole paths, landmarks, and what interpolation costs."""

from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import cholesky
from sklearn.svm import SVC

from benchmarks.data import split
from benchmarks.harness import Contender, Timed, problem
from benchmarks.models import accuracy, fit, path_error
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.kernels import Kernel

# Rows of a problem on small sizes.
FEW = 300
SETS = (
    "satimage",
    "optdigits",
    "pendigits",
    "letter",
    "isolet",
    "banking77_minilm",
    "sun397_clip",
)


@problem(
    title="banking77, rbf, whole kernel (float32), 100 alphas, exact leave-one-out at the choice",
    bar="at most 7 times one Cholesky factorisation of the same matrix; at least 93.5 %",
    limit=7,
    baseline="one Cholesky",
    repeat=2,
    threads=2,
)
def ridge_kernel(quick: bool) -> list[Contender]:
    X, y, Xt, yt = split("banking77_minilm", FEW if quick else None, np.float32)
    ours = SimplexRidgeClassifier("rbf", landmarks=None)
    gamma = SimplexRidgeClassifier("rbf", landmarks=None, alphas=1.0).fit(X[:3000], y[:3000]).gamma_
    K = Kernel("rbf", gamma).matrix(X)
    K.flat[:: len(K) + 1] += 0.1
    notes = partial(accuracy, Xt, yt, least=93.5)
    return [
        Contender("one Cholesky", lambda: cholesky(K, lower=True, check_finite=False)),
        Contender("SimplexRidgeClassifier rbf", partial(fit, ours, X, y), notes, ours=True),
    ]


@problem(
    title="the same against one default SVC (no selection)",
    bar="report the ratio",
    limit=np.inf,
    baseline="SVC, one C and gamma",
    repeat=0,
    threads=2,
)
def ridge_kernel_svc(quick: bool) -> list[Contender]:
    X, y, Xt, yt = split("banking77_minilm", FEW if quick else None, np.float32)
    notes = partial(accuracy, Xt, yt)
    ours = SimplexRidgeClassifier("rbf", landmarks=None)
    return [
        Contender("SVC, one C and gamma", partial(fit, SVC(), X, y), notes),
        Contender("SimplexRidgeClassifier rbf", partial(fit, ours, X, y), notes, ours=True),
    ]


@problem(
    title="letter, rbf, 4,000 landmarks against the whole kernel",
    bar="at most a fifth of the time, at least 97 %",
    limit=1 / 5,
    baseline="whole kernel",
    repeat=0,
    threads=2,
)
def ridge_landmarks(quick: bool) -> list[Contender]:
    X, y, Xt, yt = split("letter", FEW if quick else None)
    notes = partial(accuracy, Xt, yt)
    few = SimplexRidgeClassifier("rbf", landmarks=40 if quick else 4000)
    whole = SimplexRidgeClassifier("rbf", landmarks=None)
    return [
        Contender("whole kernel", partial(fit, whole, X, y), notes),
        Contender(
            "4,000 landmarks",
            partial(fit, few, X, y),
            partial(accuracy, Xt, yt, least=97.0),
            ours=True,
        ),
    ]


@problem(
    title="fashion_mnist (60,000 rows), rbf, 2,000 landmarks (float32), 100 alphas with exact LOO",
    bar="at most 3 times one general product m x n by n x m",
    limit=3,
    baseline="one product",
    repeat=2,
    threads=2,
)
def ridge_fashion(quick: bool) -> list[Contender]:
    X, y, Xt, yt = split("fashion_mnist", FEW if quick else None, np.float32)
    m = 50 if quick else 2000
    rng = np.random.default_rng(0)
    A = rng.normal(size=(len(X), m)).astype(X.dtype)
    B = rng.normal(size=(len(X), m)).astype(X.dtype)
    ours = SimplexRidgeClassifier("rbf", landmarks=m)
    return [
        Contender("one product", lambda: A.T @ B),
        Contender(
            "SimplexRidgeClassifier rbf",
            partial(fit, ours, X, y),
            partial(accuracy, Xt, yt),
            ours=True,
        ),
    ]


def kernel_path_error(kind: str, X: Any, y: Any) -> dict[str, object]:
    """The path of a large kernel against the whole path by eigenvectors."""
    from simplexcoding.design import CholeskySpectrum, GramSpectrum, WeightedKernel
    from simplexcoding.design.design import Basis
    from simplexcoding.rows import Rows
    from simplexcoding.selection.choice import Question, path_of
    from simplexcoding.selection.scoring import SCORINGS
    from simplexcoding.selection.search import search_all
    from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem

    targets = Rows.labelled(y.astype(np.intp), int(y.max()) + 1)
    scoring = SCORINGS[kind](targets)
    model = SimplexRidgeClassifier("rbf", alphas=1.0).fit(X, y)
    kernel = WeightedKernel.of(Kernel("rbf", model.gamma_).matrix(X), targets, True)
    problem = RidgeProblem(X, Kernel("rbf", model.gamma_), targets, True)
    factor = RidgeFactor(problem, CholeskySpectrum(kernel), Basis(X, problem.kernel, by_row=True))
    few = path_of(factor, Question(None, scoring))
    return path_error(few, search_all(GramSpectrum(kernel), few.alphas, scoring))


@problem(
    title="Error of interpolated path values, rbf, 2,500 rows of each set",
    bar="within 0.002 in score and 0.2 points in accuracy inside a decade of the choice",
    limit=np.inf,
    baseline="bar: none on time",
    repeat=0,
    threads=2,
)
def ridge_path_error(quick: bool) -> list[Contender]:
    contenders = [Contender("bar: none on time", lambda: Timed(1.0))]
    for name in ("satimage",) if quick else SETS:
        X, y, _, _ = split(name, FEW if quick else 2500)
        for kind in ("accuracy", "neg_mean_squared_error"):
            run = partial(kernel_path_error, kind, X, y)
            contenders.append(Contender(f"{name} {kind}", run, lambda notes: notes))
    return contenders
