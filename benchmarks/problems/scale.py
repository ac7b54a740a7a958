"""Rows that do not fit: streams, sparse rows, landmarks by blocks, and a cluster."""

from functools import partial
from math import inf
from typing import Any

import numpy as np
from scipy.sparse import save_npz
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV, SGDClassifier
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.pipeline import make_pipeline

from benchmarks.brown import brown
from benchmarks.data import load
from benchmarks.harness import Contender, Timed, problem, require
from benchmarks.models import accuracy
from benchmarks.streams import folder, in_child, read_once, streamed_products, written
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.functions import KernelExpansion


def _child(files: Any, work: str) -> Timed:
    X_file, y_file = map(str, files)
    setup = f"X = np.load({X_file!r}, mmap_mode='r')\ny = np.load({y_file!r})"
    return in_child(setup, work)


_STREAM = "model = SimplexRidgeClassifier('linear').fit_blocks(from_arrays(X, y))"
_WHOLE = "model = SimplexRidgeClassifier('linear').fit(np.array(X[:ROWS]), y[:ROWS])"


def _told(limit: float, found: dict[str, Any]) -> dict[str, object]:
    return {
        "left-out score": f"{100 * found['score']:.2f} %",
        "alphas asked": found["asked"],
        "peak above import": f"{found['peak']:.2f} GiB",
        "held": bool(found["peak"] <= limit),
    }


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

    def told(found: dict[str, Any]) -> dict[str, object]:
        notes = _told(0.8 * 1e9 / 2**30, found)
        notes["time per row of fit"] = f"{found['per row']:.2f} times"
        notes["held"] = bool(notes["held"] and found["per row"] <= 1.3)
        return notes

    return [
        Contender("one streamed X'X", partial(streamed_products, files[0])),
        Contender("fit in memory, a tenth of the rows", in_memory),
        Contender("fit_blocks", stream, told, ours=True),
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
        import time

        start = time.perf_counter()
        model = LogisticRegression(max_iter=5).fit(np.array(X), y)
        steps = int(np.max(model.n_iter_))
        each = (time.perf_counter() - start) / max(steps, 1)
        return Timed(100 * each * n_rows / few, None)

    def said(_: Any) -> dict[str, object]:
        return {"how": f"extrapolated: 100 iterations of {n_rows} rows, from 5 of {few}"}

    return [
        Contender("one streamed X'X", partial(streamed_products, files[0])),
        Contender("fit_blocks", lambda: _child(files, _STREAM), partial(_told, inf), ours=True),
        Contender("LogisticRegression, extrapolated", logistic, said),
    ]


@problem(
    title="Brown corpus, 1.04 million sparse rows of 1,024 hashed features, 145 classes, linear",
    bar="peak at most 1.5 GB above import, left-out score within 0.05 points of fit's",
    limit=inf,
    baseline="SimplexRidgeClassifier.fit",
    repeat=0,
    threads=2,
)
def scale_brown(quick: bool) -> list[Contender]:
    X, y, Xt, yt = brown(30_000 if quick else None)
    file, labels = folder() / "brown.npz", folder() / "brown-labels.npy"
    save_npz(file, X, compressed=False)
    np.save(labels, y)
    setup = (
        "from scipy.sparse import load_npz\n"
        f"X, y = load_npz({str(file)!r}), np.load({str(labels)!r})"
    )
    seen: list[float] = []
    spent: list[float] = []

    def whole() -> Any:
        model = SimplexRidgeClassifier("linear").fit(X, y)
        seen[:] = [model.best_score_]
        return model

    def stream() -> Timed:
        found = in_child(setup, _STREAM)
        spent[:] = [found.seconds]
        return found

    def told(found: dict[str, Any]) -> dict[str, object]:
        notes = _told(1.5e9 / 2**30, found)
        notes["held"] = bool(notes["held"] and found["score"] >= seen[0] - 0.0005)
        return notes

    def sgd() -> Any:
        import time

        model, start, classes = SGDClassifier(random_state=0), time.perf_counter(), np.unique(y)
        while time.perf_counter() - start < spent[0]:
            model.partial_fit(X, y, classes=classes)
        return model

    notes = partial(accuracy, Xt, yt)
    return [
        Contender("SimplexRidgeClassifier.fit", whole, notes),
        Contender("fit_blocks", stream, told, ours=True),
        Contender("SGDClassifier, whole passes in the time of fit_blocks", sgd, notes),
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
    alphas = np.geomspace(1e3, 1e-4, 20)
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

    def told(model: Any) -> dict[str, object]:
        reached[:] = [100 * model.score(X[test], y[test])]
        return accuracy(X[test], y[test], model)

    def beside(model: Any) -> dict[str, object]:
        theirs = 100 * model.score(X[test], y[test])
        return {"test accuracy": f"{theirs:.2f} %", "held": bool(reached[0] >= theirs - 0.05)}

    return [
        Contender("fit_blocks", stream, told, ours=True),
        Contender("Nystroem, RidgeClassifierCV", pipeline, beside),
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


# Dask's nannies make workers give freed memory back at once, and blocks are then paged in anew
# every time: 1.6 times the seconds without any Dask. These are the C library's own limits.
_MALLOC = {"MALLOC_TRIM_THRESHOLD_": 2**26, "MALLOC_MMAP_THRESHOLD_": 2**25, "OMP_NUM_THREADS": 1}


@problem(
    title="Dask on this machine, 400,000 x 256 rows, 50 classes, workers that keep freed memory",
    bar="one worker at most 1.2 times no Dask",
    limit=1.2,
    baseline="no Dask",
    repeat=0,
    threads=1,
)
def scale_dask(quick: bool) -> list[Contender]:
    require("distributed")
    files = written(*((3000, 16, 5) if quick else (400_000, 256, 50)))
    read_once(files[0])
    alone: list[float] = []

    def fitted(workers: int, kill: bool = False) -> Timed:
        import os
        import signal
        import time
        from dataclasses import replace
        from threading import Timer

        from distributed import Client, LocalCluster

        import dask

        source = replace(
            from_arrays(np.load(files[0], mmap_mode="r"), np.load(files[1])), on_dask=True
        )
        with (
            dask.config.set({"distributed.nanny.pre-spawn-environ": _MALLOC}),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=not quick,
                dashboard_address=":0",
            ) as cluster,
            Client(cluster) as client,
        ):
            client.wait_for_workers(1 if quick else workers, timeout=60)
            SimplexRidgeClassifier("linear").fit_blocks(
                replace(from_arrays(np.eye(40), np.arange(40) % 2), on_dask=True)
            )
            # Every worker has imported the package and made its first fit before the clock runs.
            pids = list(client.run(warmed).values())
            if kill and not quick:
                Timer(0.5 * alone[-1], os.kill, [pids[0], signal.SIGKILL]).start()
            start = time.perf_counter()
            model = SimplexRidgeClassifier("linear").fit_blocks(source)
            seconds = time.perf_counter() - start
        alone.append(seconds)
        return Timed(seconds, (model, list(alone)))

    def warmed() -> int:
        import os

        from sklearn.datasets import load_digits

        X, y = load_digits(return_X_y=True)
        blocks = from_arrays(np.tile(X, (8, 1)), np.tile(y, 8))
        SimplexRidgeClassifier("linear").fit_blocks(blocks)
        return os.getpid()

    def without() -> Any:
        X, y = np.load(files[0], mmap_mode="r"), np.load(files[1])
        return SimplexRidgeClassifier("linear").fit_blocks(from_arrays(X, y))

    def second(found: Any) -> dict[str, object]:
        gain = found[1][0] / found[1][1]
        return {"faster than one worker": f"{gain:.2f} times", "held": bool(gain >= 1.6)}

    def third(found: Any) -> dict[str, object]:
        delay = found[1][2] / found[1][1]
        return {"time without the kill": f"{delay:.2f} times", "held": bool(delay <= 1.6)}

    return [
        Contender("no Dask", without),
        Contender("1 worker", lambda: fitted(1), ours=True),
        Contender("2 workers", lambda: fitted(2), second),
        Contender("2 workers, one killed midway", lambda: fitted(2, kill=True), third),
    ]


@problem(
    title="time against rows: 64 features, 10 classes, generated as they are read",
    bar="a straight line: no size takes more than 1.5 times the seconds per row of 1,000,000 rows",
    limit=inf,
    baseline="1,000,000 rows",
    repeat=0,
    threads=1,
)
def scale_rows(quick: bool) -> list[Contender]:
    sizes = (1000, 2000) if quick else (10_000, 100_000, 1_000_000, 10_000_000)

    def stream(n_rows: int) -> Any:
        return SimplexRidgeClassifier("linear").fit_blocks(Generated(n_rows))

    def told(n_rows: int, model: Any) -> dict[str, object]:
        return {"rows": n_rows, "left-out score": f"{100 * model.best_score_:.2f} %"}

    return [
        Contender(f"{n:,} rows", partial(stream, n), partial(told, n), ours=True) for n in sizes
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
