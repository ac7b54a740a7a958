"""Rows that do not fit: streams, and landmarks by blocks."""

from functools import partial
from math import inf
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.pipeline import make_pipeline

from benchmarks.data import load, split
from benchmarks.harness import Contender, Timed, problem
from benchmarks.models import accuracy
from benchmarks.streams import folder, in_child, read_once, streamed_products, told, written
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.functions import KernelExpansion


def _child(files: Any, work: str) -> Timed:
    X_file, y_file = map(str, files)
    setup = f"X = np.load({X_file!r}, mmap_mode='r')\ny = np.load({y_file!r})"
    return in_child(setup, work)


_STREAM = "model = SimplexRidgeClassifier('linear').fit_blocks(from_arrays(X, y))"
_WHOLE = "model = SimplexRidgeClassifier('linear').fit(np.array(X[:ROWS]), y[:ROWS])"


@problem(
    title="memmap of 2,000,000 x 512 float32 rows, 100 classes, 100 alphas, exact leave-one-out",
    bar="at most 5 times one streamed X'X, peak at most 0.8 GB above import; at most 1.3 times "
    "the time per row of fit in memory on a tenth of the rows",
    limit=5.0,
    baseline="one streamed X'X",
    repeat=0,
    threads=2,
)
def scale_memmap(quick: bool) -> list[Contender]:
    n_rows, n_features, n_classes = (4000, 16, 5) if quick else (2_000_000, 512, 100)
    files = written(n_rows, n_features, n_classes)
    read_once(files[0])
    few = n_rows // 10
    whole: list[float] = []

    def in_memory() -> Timed:
        found = _child(files, _WHOLE.replace("ROWS", str(few)))
        whole[:] = [found.seconds / few]
        return found

    def stream() -> Timed:
        found = _child(files, _STREAM)
        found.result["per row"] = found.seconds / n_rows / whole[0]
        return found

    def notes(found: dict[str, Any]) -> dict[str, object]:
        notes = told(0.8 * 1e9 / 2**30, found)
        notes["time per row of fit"] = f"{found['per row']:.2f} times"
        notes["held"] = bool(notes["held"] and found["per row"] <= 1.3)
        return notes

    return [
        Contender("one streamed X'X", partial(streamed_products, files[0])),
        Contender("fit in memory, a tenth of the rows", in_memory),
        Contender("fit_blocks", stream, notes, ours=True),
    ]


@problem(
    title="an ImageNet head: 1,280,000 x 768 float32 rows, 1,000 classes, two passes",
    bar="at most 6 times one streamed X'X",
    limit=6.0,
    baseline="one streamed X'X",
    repeat=0,
    threads=2,
)
def scale_imagenet(quick: bool) -> list[Contender]:
    n_rows, n_features, n_classes = (3000, 16, 20) if quick else (1_280_000, 768, 1000)
    files = written(n_rows, n_features, n_classes)
    read_once(files[0])
    few = min(n_rows, 20_000)

    def logistic() -> Timed:
        X, y = np.load(files[0], mmap_mode="r")[:few], np.load(files[1])[:few]
        start = perf_counter()
        model = LogisticRegression(max_iter=5).fit(np.array(X), y)
        steps = int(np.max(model.n_iter_))
        each = (perf_counter() - start) / max(steps, 1)
        return Timed(100 * each * n_rows / few, None)

    def said(_: Any) -> dict[str, object]:
        return {"how": f"extrapolated: 100 iterations of {n_rows} rows, from 5 of {few}"}

    return [
        Contender("one streamed X'X", partial(streamed_products, files[0])),
        Contender("fit_blocks", lambda: _child(files, _STREAM), partial(told, inf), ours=True),
        Contender("LogisticRegression, extrapolated", logistic, said),
    ]


@problem(
    title="kdd99, 494,021 rows, kernel auto, 1,000 landmarks, 20 alphas, read in blocks",
    bar="at least 5 times faster than Nystroem and RidgeClassifierCV on the same landmarks "
    "and grid, accuracy no lower",
    limit=1 / 5,
    baseline="Nystroem, RidgeClassifierCV",
    repeat=0,
    threads=2,
)
def scale_kdd(quick: bool) -> list[Contender]:
    z = load("kdd99")
    X, y = z["X"].astype(np.float32), z["y"]
    # Counts and bytes of very different sizes: to the same spread, by the rows to learn from.
    order = np.random.default_rng(0).permutation(len(y))[: 2000 if quick else None]
    held = len(order) // 10
    test, learn = order[:held], order[held:]
    spread = X[learn].std(axis=0)
    X = (X / np.where(spread > 0, spread, 1)).astype(np.float32)
    m = 50 if quick else 1000
    alphas = np.geomspace(1e3, 1e-7, 20)
    ours = SimplexRidgeClassifier("auto", landmarks=m, alphas=alphas)
    reached: list[float] = []
    chosen: list[Any] = []

    def stream() -> Any:
        model = ours.fit_blocks(from_arrays(X[learn], y[learn]))
        chosen[:] = [model.function_]
        return model

    def pipeline() -> Any:
        features = _Projected(chosen[0])
        return make_pipeline(features, RidgeClassifierCV(alphas)).fit(X[learn], y[learn])

    def own(model: Any) -> dict[str, object]:
        reached[:] = [100 * model.score(X[test], y[test])]
        inside = alphas[-1] < model.alpha_ < alphas[0]
        chosen = {"alpha": f"{model.alpha_:.1e}", "alpha within the grid": bool(inside)}
        return accuracy(X[test], y[test], model) | chosen

    def beside(model: Any) -> dict[str, object]:
        theirs = 100 * model.score(X[test], y[test])
        return {"test accuracy": f"{theirs:.2f} %", "held": bool(reached[0] >= theirs - 0.05)}

    return [
        Contender("fit_blocks", stream, own, ours=True),
        Contender("Nystroem, RidgeClassifierCV", pipeline, beside),
    ]


@problem(
    title="the same: peak memory of all rows and of a quarter of them, in MiB for seconds",
    bar="no more with four times the rows, but for a tenth",
    limit=1.1,
    baseline="a quarter of the rows",
    repeat=0,
    threads=2,
)
def scale_kdd_memory(quick: bool) -> list[Contender]:
    z = load("kdd99")
    X, y = z["X"].astype(np.float32), z["y"]
    spread = X.std(axis=0)
    files = folder() / "kdd-X.npy", folder() / "kdd-y.npy"
    order = np.random.default_rng(0).permutation(len(y))[: 2000 if quick else None]
    np.save(files[0], (X / np.where(spread > 0, spread, 1)).astype(np.float32)[order])
    np.save(files[1], y[order])
    m = 50 if quick else 1000

    def peak(rows: int) -> Timed:
        work = f"""
alphas = np.geomspace(1e3, 1e-7, 20)
model = SimplexRidgeClassifier("auto", landmarks={m}, alphas=alphas)
model.fit_blocks(from_arrays(X[:{rows}], y[:{rows}]))
"""
        found = _child(files, work)
        return Timed(2**10 * found.result["peak"], found.result)

    def features(rows: int, found: dict[str, Any]) -> dict[str, object]:
        whole = f"{rows * m * 4 / 2**20:.0f} MiB"
        return {"seconds": found["seconds"], "rows x landmarks in single precision": whole}

    few = len(order) // 4
    return [
        Contender("a quarter of the rows", partial(peak, few), partial(features, few)),
        Contender("all", partial(peak, len(order)), partial(features, len(order)), ours=True),
    ]


@problem(
    title="alpha of blocks whose sample is a tenth of the rows, against every alpha asked of all",
    bar="left-out score within 0.05 points of the best",
    limit=inf,
    baseline="bar: none on time",
    repeat=0,
    threads=2,
)
def scale_alpha(quick: bool) -> list[Contender]:
    from simplexcoding.passes import knowledge

    def lost(name: str) -> dict[str, object]:
        X, y = split(name, 1000 if quick else None)[:2]
        size, knowledge.SAMPLE_ROWS = knowledge.SAMPLE_ROWS, len(y) // 10
        try:
            model = SimplexRidgeClassifier("linear").fit_blocks(from_arrays(X, y, rows=500))
        finally:
            knowledge.SAMPLE_ROWS = size
        path = model.path_
        every = [path.alphas[0], model.alpha_]
        whole = SimplexRidgeClassifier("linear", alphas=every[0]).fit(X, y).path_.chosen
        own = whole.score[np.searchsorted(-whole.alphas, -every[1])]
        gap = 100 * float(whole.score.max() - own)
        return {
            "points below the best": gap,
            "same alpha": bool(whole.alphas[whole.best] == every[1]),
            "alphas asked of all rows": int(path.exact.sum()),
            "of": len(whole.alphas),
            "held": bool(gap <= 0.05 + 1e-9 and whole.exact.all()),
        }

    names = ("letter", "isolet", "banking77_minilm", "pendigits", "satimage", "optdigits")
    return [
        Contender("bar: none on time", lambda: Timed(1.0)),
        *(Contender(name, partial(lost, name), dict) for name in names),
    ]


class _Projected(TransformerMixin, BaseEstimator):
    """Nystroem's features of a kernel and landmarks that are given, as scikit-learn makes them."""

    def __init__(self, function: Any) -> None:
        self.function = function

    def fit(self, X: Any, y: Any = None) -> "_Projected":
        if isinstance(self.function, KernelExpansion):
            basis = self._values(self.function.basis)
            U, s, V = np.linalg.svd(basis)
            self.normalization_ = (U / np.sqrt(np.maximum(s, 1e-12))) @ V
        return self

    def transform(self, X: Any) -> Any:
        if not isinstance(self.function, KernelExpansion):
            return X
        return self._values(X) @ self.normalization_.T

    def _values(self, X: Any) -> Any:
        kernel, basis = self.function.kernel, self.function.basis
        if kernel.scale is not None:
            X, basis = X / kernel.scale, basis / kernel.scale
        squared = kernel.name == "rbf"
        return np.exp(-kernel.gamma * euclidean_distances(X, basis, squared=squared))


@problem(
    title="time against rows: 64 features, 10 classes, generated as they are read",
    bar="a straight line from 100,000 rows on: no size takes more than 1.5 times the seconds per "
    "row of 1,000,000 rows; with fewer rows the steps between the passes show",
    limit=inf,
    baseline="1,000,000 rows",
    repeat=0,
    threads=1,
)
def scale_rows(quick: bool) -> list[Contender]:
    sizes = (500, 1000, 2000) if quick else (10_000, 100_000, 1_000_000, 10_000_000)
    each: dict[int, float] = {}

    def stream(n_rows: int) -> Timed:
        start = perf_counter()
        model = SimplexRidgeClassifier("linear").fit_blocks(Generated(n_rows))
        seconds = perf_counter() - start
        each[n_rows] = seconds / n_rows
        return Timed(seconds, model)

    def said(n_rows: int, model: Any) -> dict[str, object]:
        notes: dict[str, object] = {
            "rows": n_rows,
            "left-out score": f"{100 * model.best_score_:.2f} %",
            "microseconds per row": f"{1e6 * each[n_rows]:.2f}",
        }
        if n_rows == sizes[-1]:
            most = max(each[n] for n in sizes[1:]) / each[sizes[-2]]
            notes["most seconds per row"] = f"{most:.2f} times those of {sizes[-2]:,} rows"
            notes["held"] = bool(most <= 1.5)
        return notes

    return [
        Contender(f"{n:,} rows", partial(stream, n), partial(said, n), ours=True) for n in sizes
    ]


class Generated:
    """Rows that are drawn anew, the same ones, at every reading."""

    def __init__(self, n_rows: int, n_features: int = 64, n_classes: int = 10) -> None:
        self._shape = (n_rows, n_features, n_classes)

    def __iter__(self) -> Any:
        n_rows, n_features, n_classes = self._shape
        means = 0.3 * np.random.default_rng(0).normal(size=(n_classes, n_features))
        for start in range(0, n_rows, 2**16):
            rng = np.random.default_rng(start + 1)
            y = rng.integers(n_classes, size=min(2**16, n_rows - start))
            yield rng.standard_normal((len(y), n_features)) + means[y], y
