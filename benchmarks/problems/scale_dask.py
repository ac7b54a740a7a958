"""Rows on a cluster: one worker against none, two against one, and one that is killed."""

from typing import Any

import numpy as np

from benchmarks.harness import Contender, Timed, problem, require
from benchmarks.streams import read_once, written
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays

# Dask's nannies make workers give freed memory back at once, and blocks are then paged in anew
# every time: 1.6 times the seconds without any Dask. These are the C library's own limits.
_MALLOC = {"MALLOC_TRIM_THRESHOLD_": 2**26, "MALLOC_MMAP_THRESHOLD_": 2**25, "OMP_NUM_THREADS": 1}


@problem(
    title="Dask on this machine, 1,600,000 x 256 rows, 50 classes, workers that keep freed memory",
    bar="one worker at most 1.2 times no Dask",
    limit=1.2,
    baseline="no Dask",
    repeat=0,
    threads=1,
)
def scale_dask(quick: bool) -> list[Contender]:
    require("distributed")
    files = written(*((3000, 16, 5) if quick else (1_600_000, 256, 50)))
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
