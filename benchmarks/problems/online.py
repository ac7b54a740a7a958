"""One pass over the rows, against scikit-learn's one-vs-all SGDClassifier."""

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier

from benchmarks.data import load
from benchmarks.harness import Contender, problem
from simplexcoding import SimplexSGDClassifier

PEER = "SGDClassifier"
# The cone loss is the one the bars name; the others show what its absolute margins cost.
LOSSES = ("cone", "relative", "logistic", "least_squares")


def _race(X: Any, y: Any, X_test: Any, y_test: Any, n_seeds: int = 1) -> list[Contender]:
    """One pass each; the accuracy is the mean over the orders of `n_seeds` seeds."""
    peers: list[float] = []

    def notes(model: Any) -> dict[str, object]:
        scores = [model.score(X_test, y_test)]
        for seed in range(1, n_seeds):
            other = clone(model).set_params(random_state=seed).fit(X, y)
            scores.append(other.score(X_test, y_test))
        reached = 100 * float(np.mean(scores))
        found: dict[str, object] = {"test accuracy": f"{reached:.1f}"}
        if isinstance(model, SGDClassifier):
            peers[:] = [reached]
        elif model.loss == "cone":
            found["held"] = reached >= peers[0] - 1
        return found

    def ours(loss: str) -> Contender:
        model = SimplexSGDClassifier(loss, max_iter=1, tol=None, random_state=0)
        return Contender(f"{loss}", lambda: model.fit(X, y), notes, ours=loss == "cone")

    peer = SGDClassifier(max_iter=1, tol=None, random_state=0)
    return [Contender(PEER, lambda: peer.fit(X, y), notes), *map(ours, LOSSES)]


@problem(
    title="One pass over fashion_mnist, pixels in 0..1 (60,000 rows, 784 features, 10 classes)",
    bar="cone at least 2 times faster than SGDClassifier (hinge, one-vs-all), within a point of it",
    limit=0.5,
    baseline=PEER,
    repeat=3,
)
def online_fashion(quick: bool) -> list[Contender]:
    data = load("fashion_mnist")
    n = 500 if quick else None
    X, X_test = data["X_train"][:n] / 255.0, data["X_test"][:n] / 255.0
    return _race(X, data["y_train"][:n], X_test, data["y_test"][:n], n_seeds=3)


def _gaussian(n_rows: int, n_features: int, n_classes: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    centres = 0.25 * rng.standard_normal((n_classes, n_features))
    y = rng.integers(n_classes, size=n_rows + n_rows // 10)
    X = centres[y] + rng.standard_normal((len(y), n_features))
    return X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:]


@problem(
    title="One pass over 100,000 rows of 256 features, 100 Gaussian classes",
    bar="cone at least 7 times faster than SGDClassifier (hinge, one-vs-all), within a point of it",
    limit=1 / 7,
    baseline=PEER,
    repeat=2,
)
def online_many_classes(quick: bool) -> list[Contender]:
    return _race(*_gaussian(*((1_000, 32, 10) if quick else (100_000, 256, 100))))


@problem(
    title="One pass over sparse rows: 50,000 by 20,000 at 0.5 % density, 20 classes",
    bar="cone no slower than SGDClassifier (hinge, one-vs-all), within a point of it",
    limit=1.0,
    baseline=PEER,
    repeat=3,
)
def online_sparse(quick: bool) -> list[Contender]:
    n, p, T = (500, 1_000, 5) if quick else (50_000, 20_000, 20)
    rng = np.random.default_rng(0)
    y = rng.integers(T, size=n + n // 10)
    # A tenth of a row's words come from the 200 of its class, the rest from all.
    words = rng.integers(p, size=(T, 200))
    counts = round(0.005 * p)
    own = -(-counts // 10)
    drawn = rng.integers(p, size=(len(y), counts))
    drawn[:, :own] = np.take_along_axis(words[y], rng.integers(200, size=(len(y), own)), axis=1)
    start = np.arange(len(y) + 1) * counts
    X = sp.csr_matrix((rng.random(drawn.size), drawn.ravel(), start), shape=(len(y), p))
    X.sum_duplicates()
    return _race(X[:n], y[:n], X[n:], y[n:])


@problem(
    title="Share of the GEMM bound: one pass over 100,000 rows of 256 features, 100 classes",
    bar="no bar: 2 p T multiply-adds a row, by matrix products of all rows at once",
    limit=float("inf"),
    baseline="GEMM bound",
    repeat=3,
)
def online_gemm_share(quick: bool) -> list[Contender]:
    X, y, *_ = _gaussian(*((1_000, 32, 10) if quick else (100_000, 256, 100)))
    T = int(y.max()) + 1
    W, S = np.zeros((X.shape[1], T)), np.zeros((len(X), T))
    stream = SimplexSGDClassifier("cone")

    def bound() -> None:
        np.dot(X, W, out=S)
        np.dot(X.T, S, out=W)

    def learn() -> Any:
        return clone(stream).partial_fit(X, y, np.arange(T))

    def notes(model: Any) -> dict[str, object]:
        return {"rows": model.t_}

    return [
        Contender("GEMM bound", bound),
        Contender("partial_fit, cone", learn, notes, ours=True),
    ]
