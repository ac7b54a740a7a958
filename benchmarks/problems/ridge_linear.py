"""Linear least squares on the simplex: whole paths with exact leave-one-out."""

from functools import partial
from typing import Any

import numpy as np
from sklearn.linear_model import RidgeClassifier, RidgeClassifierCV

from benchmarks.data import split
from benchmarks.harness import Contender, Timed, fresh, peak_memory, problem
from benchmarks.models import accuracy, fit, fit_aeon, path_error
from simplexcoding import SimplexRidgeClassifier

# Rows of a problem on small sizes.
FEW = 300


def linear_path(name: str, quick: bool) -> list[Contender]:
    X, y, Xt, yt = split(name, FEW if quick else None)
    alphas = SimplexRidgeClassifier("linear").fit(X, y).path_.alphas[0]
    notes = partial(accuracy, Xt, yt)
    theirs: list[float] = []

    def peer(model: Any) -> dict[str, object]:
        theirs[:] = [100 * model.score(Xt, yt)]
        return notes(model)

    def beside(model: Any) -> dict[str, object]:
        return accuracy(Xt, yt, model, least=theirs[0] - 0.5 if theirs else None)

    return [
        Contender("RidgeClassifierCV", partial(fit, RidgeClassifierCV(alphas), X, y), peer),
        Contender(
            "SimplexRidgeClassifier",
            partial(fit, SimplexRidgeClassifier("linear", alphas=alphas), X, y),
            beside,
            ours=True,
        ),
        Contender("aeon PrevalidatedRidgeClassifier", partial(fit_aeon, X, y), notes),
    ]


@problem(
    title="isolet, linear, 100 alphas with exact leave-one-out",
    bar="at least 20 times faster than RidgeClassifierCV, accuracy within 0.5 points",
    limit=1 / 20,
    baseline="RidgeClassifierCV",
    repeat=3,
    threads=2,
)
def ridge_isolet(quick: bool) -> list[Contender]:
    return linear_path("isolet", quick)


@problem(
    title="banking77 sentence embeddings, linear, 100 alphas with exact leave-one-out",
    bar="at least 15 times faster than RidgeClassifierCV, accuracy within 0.5 points",
    limit=1 / 15,
    baseline="RidgeClassifierCV",
    repeat=3,
    threads=2,
)
def ridge_banking77(quick: bool) -> list[Contender]:
    return linear_path("banking77_minilm", quick)


def many_classes(n_rows: int, n_features: int, n_classes: int) -> tuple[Any, Any]:
    """Rows around class means, with eigenvalues falling over six decades."""
    rng = np.random.default_rng(0)
    scales = np.logspace(0, -3, n_features)
    y = rng.integers(n_classes, size=n_rows)
    means = 0.5 * rng.normal(size=(n_classes, n_features)) * scales
    turn, _ = np.linalg.qr(rng.normal(size=(n_features, n_features)))
    return (rng.normal(size=(n_rows, n_features)) * scales + means[y]) @ turn, y


def size(quick: bool) -> tuple[int, int, int]:
    return (600, 32, 50) if quick else (20_000, 512, 1000)


@problem(
    title="20,000 x 512, eigenvalues over six decades: 1,000 classes against 10",
    bar="at most 2.2 times",
    limit=2.2,
    baseline="10 classes",
    repeat=3,
    threads=2,
)
def ridge_classes(quick: bool) -> list[Contender]:
    n, p, many = size(quick)
    few, lot = many_classes(n, p, 10), many_classes(n, p, many)

    def notes(model: Any) -> dict[str, object]:
        exact = int(model.path_.exact.sum())
        return {"left-out accuracy": model.best_score_, "alphas asked exactly": exact}

    return [
        Contender("10 classes", partial(fit, SimplexRidgeClassifier("linear"), *few), notes),
        Contender(
            "1,000 classes", partial(fit, SimplexRidgeClassifier("linear"), *lot), notes, ours=True
        ),
    ]


@problem(
    title="the same: extra time of 1,000 classes in products X @ W (p x 1000)",
    bar="at most 8 products",
    limit=8,
    baseline="one product",
    repeat=3,
    threads=2,
)
def ridge_classes_products(quick: bool) -> list[Contender]:
    n, p, many = size(quick)
    few, lot = many_classes(n, p, 10), many_classes(n, p, many)
    W = np.random.default_rng(1).normal(size=(p, many))

    def extra() -> Timed:
        from time import perf_counter

        start = perf_counter()
        fit(SimplexRidgeClassifier("linear"), *few)
        middle = perf_counter()
        fit(SimplexRidgeClassifier("linear"), *lot)
        return Timed(perf_counter() - middle - (middle - start))

    return [
        Contender("one product", lambda: lot[0] @ W),
        Contender("extra time", extra, ours=True),
    ]


@problem(
    title="the same at 1,000 classes against the peers (n = 8,000 for aeon's sake)",
    bar="faster than aeon's PrevalidatedRidgeClassifier",
    limit=1,
    baseline="aeon PrevalidatedRidgeClassifier",
    repeat=1,
    threads=2,
)
def ridge_classes_peers(quick: bool) -> list[Contender]:
    n, p, many = (600, 32, 50) if quick else (8000, 512, 1000)
    X, y = many_classes(n, p, many)
    alphas = SimplexRidgeClassifier("linear").fit(X, y).path_.alphas[0]
    return [
        Contender("aeon PrevalidatedRidgeClassifier", partial(fit_aeon, X, y)),
        Contender(
            "SimplexRidgeClassifier, 100 alphas",
            partial(fit, SimplexRidgeClassifier("linear"), X, y),
            ours=True,
        ),
        Contender(
            "RidgeClassifierCV, 10 alphas", partial(fit, RidgeClassifierCV(alphas[::10]), X, y)
        ),
    ]


def around_means(n_rows: int, n_features: int, n_classes: int, seed: int) -> tuple[Any, Any]:
    """Classes half a spread apart, on features that fall over two decades: hard to choose for."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    means = rng.normal(size=(n_classes, n_features))
    X = means[y] + 0.5 * rng.normal(size=(n_rows, n_features))
    return X * np.logspace(0, -2, n_features), y


def linear_path_error(kind: str, X: Any, y: Any) -> dict[str, object]:
    """The path of a linear model that asks a few alphas against one that asks all."""
    from simplexcoding.design import FeatureSpectrum, Moments
    from simplexcoding.rows import Rows
    from simplexcoding.selection.grids import auto_grid
    from simplexcoding.selection.pilot import row_pilot
    from simplexcoding.selection.scoring import SCORINGS
    from simplexcoding.selection.search import search_all, search_few

    y = np.unique(y, return_inverse=True)[1]
    targets = Rows.labelled(y, int(y.max()) + 1)
    scoring = SCORINGS[kind](targets)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    alphas = auto_grid(spectrum.eigenvalues, len(X), float(np.finfo(X.dtype).eps))
    few = search_few(spectrum, row_pilot(spectrum, alphas, scoring), scoring)
    return path_error(few, search_all(spectrum, alphas, scoring))


@problem(
    title="Error of interpolated path values, linear, many rows x classes",
    bar="within 0.002 in score and 0.2 points in accuracy inside a decade of the choice",
    limit=np.inf,
    baseline="bar: none on time",
    repeat=0,
    threads=2,
)
def ridge_path_error_linear(quick: bool) -> list[Contender]:
    n, p, many = (600, 40, 50) if quick else (5200, 40, 1000)
    cases = {f"5,200 x 40, 1,000 classes, draw {k}": around_means(n, p, many, k) for k in range(3)}
    cases["5,200 x 40, 1,000 classes, close"] = many_classes(n, p, many)
    for name in () if quick else ("sun397_clip", "banking77_minilm"):
        cases[name] = split(name)[:2]
    return [
        Contender("bar: none on time", lambda: Timed(1.0)),
        *(
            Contender(f"{label}, {kind}", partial(linear_path_error, kind, X, y), dict)
            for label, (X, y) in cases.items()
            for kind in ("accuracy", "neg_mean_squared_error")
        ),
    ]


@problem(
    title="isolet against aeon",
    bar="faster than aeon's PrevalidatedRidgeClassifier",
    limit=1,
    baseline="aeon PrevalidatedRidgeClassifier",
    repeat=3,
    threads=2,
)
def ridge_isolet_aeon(quick: bool) -> list[Contender]:
    return [c for c in linear_path("isolet", quick) if "CV" not in c.label]


MEMORY = """
import numpy as np
from benchmarks.problems.ridge_linear import many_classes
X, y = many_classes({n}, {p}, {T})
"""


@problem(
    title="peak memory above the data at 20,000 x 512 and 1,000 classes, in MiB for seconds",
    bar="at most 500 MB (477 MiB)",
    limit=1,
    baseline="allowed",
    repeat=1,
    threads=2,
)
def ridge_memory(quick: bool) -> list[Contender]:
    n, p, many = size(quick)
    setup = MEMORY.format(n=n, p=p, T=many)
    # The data is made by larger temporaries: both sides pay for them once, before the mark.
    touch = "import simplexcoding.estimators.ridge\nX = X.copy()\n"
    work = "from simplexcoding import SimplexRidgeClassifier as Ridge\nRidge('linear').fit(X, y)\n"
    reset = "open('/proc/self/clear_refs', 'w').write('5')\n"

    def above() -> Timed:
        resting = peak_memory(setup + touch + reset)
        return Timed(peak_memory(setup + touch + reset + work) - resting)

    return [
        Contender("allowed", lambda: Timed(500e6 / 2**20)),
        Contender("SimplexRidgeClassifier", above, ours=True),
    ]


@problem(
    title="one row predicted, linear, 100 classes, 512 features",
    bar="no slower than RidgeClassifier.predict",
    limit=1,
    baseline="RidgeClassifier",
    repeat=7,
)
def ridge_predict(quick: bool) -> list[Contender]:
    X, y = many_classes(2000, 512, 100)
    ours = SimplexRidgeClassifier("linear", alphas=1.0).fit(X, y)
    peer = RidgeClassifier(1.0).fit(X, y)
    row = X[:1]
    turns = 10 if quick else 300
    return [
        Contender("RidgeClassifier", lambda: [peer.predict(row) for _ in range(turns)]),
        Contender(
            "SimplexRidgeClassifier",
            lambda: [ours.predict(row) for _ in range(turns)],
            ours=True,
        ),
    ]


COLD = """
import time
start = time.perf_counter()
from sklearn.datasets import load_digits
from {module} import {name}
X, y = load_digits(return_X_y=True)
{name}().fit(X, y)
print(time.perf_counter() - start)
"""


def cold(module: str, name: str) -> Timed:
    return Timed(float(fresh(COLD.format(module=module, name=name))))


@problem(
    title="a fresh process to the first fit of digits",
    bar="under 1 s",
    limit=1,
    baseline="allowed",
    repeat=3,
    threads=2,
)
def ridge_cold(quick: bool) -> list[Contender]:
    return [
        Contender("allowed", lambda: Timed(1.0)),
        Contender("RidgeClassifier", partial(cold, "sklearn.linear_model", "RidgeClassifier")),
        Contender(
            "SimplexRidgeClassifier",
            partial(cold, "simplexcoding", "SimplexRidgeClassifier"),
            ours=True,
        ),
    ]
