"""Least squares on the simplex: whole paths with exact leave-one-out."""

from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import cholesky
from sklearn.linear_model import RidgeClassifier, RidgeClassifierCV
from sklearn.svm import SVC

from benchmarks.data import load
from benchmarks.harness import Contender, Timed, fresh, peak_memory, problem, require
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.kernels import Kernel


def split(name: str, quick: bool, dtype: Any = np.float64, rows: int | None = None) -> Any:
    """Train and test arrays; a few hundred rows where quick."""
    z = load(name)
    keep = 300 if quick else rows
    X, y = z["X_train"][:keep].astype(dtype), z["y_train"][:keep]
    return X, y, z["X_test"].astype(dtype), z["y_test"]


def fit(estimator: Any, X: Any, y: Any) -> Any:
    return estimator.fit(X, y)


def accuracy(Xt: Any, yt: Any, model: Any) -> dict[str, object]:
    notes: dict[str, object] = {"test accuracy": f"{100 * model.score(Xt, yt):.2f} %"}
    if hasattr(model, "alpha_"):
        notes["alpha"] = float(model.alpha_)
    return notes


def linear_path(name: str, quick: bool) -> list[Contender]:
    X, y, Xt, yt = split(name, quick)
    alphas = SimplexRidgeClassifier().fit(X, y).path_.alphas[0]
    notes = partial(accuracy, Xt, yt)
    return [
        Contender("RidgeClassifierCV", partial(fit, RidgeClassifierCV(alphas), X, y), notes),
        Contender(
            "SimplexRidgeClassifier",
            partial(fit, SimplexRidgeClassifier(alphas=alphas), X, y),
            notes,
            ours=True,
        ),
        Contender("aeon PrevalidatedRidgeClassifier", partial(fit_aeon, X, y), notes),
    ]


def fit_aeon(X: Any, y: Any) -> Any:
    module = require("aeon.classification.sklearn")
    return module.PrevalidatedRidgeClassifier().fit(X, y)


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
    bar="at least 15 times faster than RidgeClassifierCV",
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
    bar="at most 4 times",
    limit=4,
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
        Contender("10 classes", partial(fit, SimplexRidgeClassifier(), *few), notes),
        Contender("1,000 classes", partial(fit, SimplexRidgeClassifier(), *lot), notes, ours=True),
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
        fit(SimplexRidgeClassifier(), *few)
        middle = perf_counter()
        fit(SimplexRidgeClassifier(), *lot)
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
    alphas = SimplexRidgeClassifier().fit(X, y).path_.alphas[0]
    return [
        Contender("aeon PrevalidatedRidgeClassifier", partial(fit_aeon, X, y)),
        Contender(
            "SimplexRidgeClassifier, 100 alphas",
            partial(fit, SimplexRidgeClassifier(), X, y),
            ours=True,
        ),
        Contender(
            "RidgeClassifierCV, 10 alphas", partial(fit, RidgeClassifierCV(alphas[::10]), X, y)
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
from benchmarks.problems.ridge import many_classes
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
    work = "from simplexcoding import SimplexRidgeClassifier\nSimplexRidgeClassifier().fit(X, y)\n"
    reset = "open('/proc/self/clear_refs', 'w').write('5')\n"

    def above() -> Timed:
        resting = peak_memory(setup + touch + reset)
        return Timed(peak_memory(setup + touch + reset + work) - resting)

    return [
        Contender("allowed", lambda: Timed(500e6 / 2**20)),
        Contender("SimplexRidgeClassifier", above, ours=True),
    ]


@problem(
    title="banking77, rbf, whole kernel (float32), 100 alphas, exact leave-one-out at the choice",
    bar="at most 12 times one Cholesky factorisation of the same matrix; at least 93.5 %",
    limit=12,
    baseline="one Cholesky",
    repeat=2,
    threads=2,
)
def ridge_kernel(quick: bool) -> list[Contender]:
    X, y, Xt, yt = split("banking77_minilm", quick, np.float32, rows=None)
    ours = SimplexRidgeClassifier("rbf", landmarks=None)
    gamma = SimplexRidgeClassifier("rbf", landmarks=None, alphas=1.0).fit(X[:3000], y[:3000]).gamma_
    K = Kernel("rbf", gamma).matrix(X)
    K.flat[:: len(K) + 1] += 0.1
    notes = partial(accuracy, Xt, yt)
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
    X, y, Xt, yt = split("banking77_minilm", quick, np.float32)
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
    X, y, Xt, yt = split("letter", quick)
    notes = partial(accuracy, Xt, yt)
    few = SimplexRidgeClassifier("rbf", landmarks=40 if quick else 4000)
    whole = SimplexRidgeClassifier("rbf", landmarks=None)
    return [
        Contender("whole kernel", partial(fit, whole, X, y), notes),
        Contender("4,000 landmarks", partial(fit, few, X, y), notes, ours=True),
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
    X, y, Xt, yt = split("fashion_mnist", quick, np.float32)
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


@problem(
    title="one row predicted, linear, 100 classes, 512 features",
    bar="no slower than RidgeClassifier.predict",
    limit=1,
    baseline="RidgeClassifier",
    repeat=7,
)
def ridge_predict(quick: bool) -> list[Contender]:
    X, y = many_classes(2000, 512, 100)
    ours = SimplexRidgeClassifier(alphas=1.0).fit(X, y)
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


UCI = ("satimage", "optdigits", "pendigits", "letter", "isolet")
PAPER = {
    "rbf": (90.15, 97.09, 98.17, 96.48, 97.05),
    "linear": (65.88, 91.90, 80.69, 54.96, 92.55),
}


def paper_row(kernel: str, slack: float, quick: bool) -> list[Contender]:
    contenders = [Contender("bar: none on time", lambda: Timed(1.0))]
    for name, published in list(zip(UCI, PAPER[kernel], strict=True))[: 2 if quick else 5]:
        X, y, Xt, yt = split(name, quick)

        def notes(model: Any, Xt: Any = Xt, yt: Any = yt, least: float = published) -> Any:
            reached = 100 * model.score(Xt, yt)
            verdict = "held" if reached >= least - slack else "MISSED"
            return {"test accuracy": f"{reached:.2f} % (paper {least}, {verdict})"}

        model = SimplexRidgeClassifier(kernel)
        contenders.append(Contender(name, partial(fit, model, X, y), notes))
    return contenders


@problem(
    title="The paper's S-LS rbf row: raw features, quantile width, leave-one-out alpha",
    bar="the paper's accuracy less 0.5 points",
    limit=np.inf,
    baseline="bar: none on time",
    repeat=0,
    threads=2,
)
def ridge_paper_rbf(quick: bool) -> list[Contender]:
    return paper_row("rbf", 0.5, quick)


@problem(
    title="The paper's S-LS linear row",
    bar="the paper's accuracy less 1 point",
    limit=np.inf,
    baseline="bar: none on time",
    repeat=0,
    threads=2,
)
def ridge_paper_linear(quick: bool) -> list[Contender]:
    return paper_row("linear", 1.0, quick)


def path_error(kind: str, X: Any, y: Any) -> dict[str, object]:
    """Error of the interpolated values against the whole path by eigenvectors."""
    from simplexcoding.selection.choice import _path
    from simplexcoding.selection.scoring import SCORINGS
    from simplexcoding.selection.search import search_all
    from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem
    from simplexcoding.spectrum import CholeskySpectrum, GramSpectrum, Targets, WeightedKernel

    targets = Targets(y.astype(np.intp), int(y.max()) + 1)
    scoring = SCORINGS[kind](targets)
    model = SimplexRidgeClassifier("rbf", alphas=1.0).fit(X, y)
    kernel = WeightedKernel.of(Kernel("rbf", model.gamma_).matrix(X), targets, True)
    problem = RidgeProblem(X, Kernel("rbf", model.gamma_), targets, True)
    few = _path(
        RidgeFactor(problem, CholeskySpectrum(kernel)), None, scoring, None, lambda done: None
    )
    whole = search_all(GramSpectrum(kernel), few.alphas, scoring)
    near = np.abs(np.log10(few.alphas / few.alphas[few.best])) <= 1
    error = np.abs(few.score - whole.score)
    return {
        f"{kind}, within a decade": float(error[near].max()),
        f"{kind}, elsewhere": float(error[~near].max()),
        f"{kind}, lost at the choice": float(whole.score.max() - few.score[few.best]),
        "asked": int(few.exact.sum()),
    }


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
    for name in ("satimage",) if quick else (*UCI, "banking77_minilm", "sun397_clip"):
        X, y, _, _ = split(name, quick, rows=2500)
        for kind in ("accuracy", "neg_mean_squared_error"):
            run = partial(path_error, kind, X, y)
            contenders.append(Contender(f"{name} {kind}", run, lambda notes: notes))
    return contenders
