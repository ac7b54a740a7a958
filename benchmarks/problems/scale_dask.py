"""Rows on a cluster: one worker against none, two against one, and one that is killed."""

import os
import signal
import time
from dataclasses import replace
from threading import Timer
from typing import Any

import numpy as np

from benchmarks.harness import Contender, Timed, problem, require
from benchmarks.streams import read_once, written
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.dask.scheduler import KEEP_MEMORY

# Fits of each contender, of which the best counts.
_TURNS = 3


@problem(
    title="Dask on this machine, 1,600,000 x 256 rows, 50 classes, workers that keep freed memory; "
    "the best of three fits",
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
        """The best of some fits; with `kill` a worker is lost midway of each."""
        from distributed import Client, LocalCluster

        import dask

        source = replace(
            from_arrays(np.load(files[0], mmap_mode="r"), np.load(files[1])), on_dask=True
        )
        turns: list[float] = []
        with (
            dask.config.set({"distributed.nanny.pre-spawn-environ": KEEP_MEMORY}),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=not quick,
                dashboard_address=":0",
            ) as cluster,
            Client(cluster) as client,
        ):
            for _ in range(1 if quick else _TURNS):
                client.wait_for_workers(1 if quick else workers, timeout=60)
                SimplexRidgeClassifier("linear").fit_blocks(
                    replace(from_arrays(np.eye(40), np.arange(40) % 2), on_dask=True)
                )
                # Every worker has imported the package and made its first fit before the clock
                # runs, those too that came for a lost one.
                pids = list(client.run(warmed).values())
                killed: list[float] = []
                if kill and not quick:
                    Timer(0.5 * alone[-1], _kill, [pids[0], killed]).start()
                start = time.perf_counter()
                model = SimplexRidgeClassifier("linear").fit_blocks(source)
                end = time.perf_counter()
                if kill and not quick:
                    assert start < killed[0] < end, "the kill came too late"
                    assert pids[0] not in client.run(os.getpid).values(), "nobody was killed"
                turns.append(end - start)
        alone.append(min(turns))
        return Timed(alone[-1], (model, list(alone)))

    def warmed() -> int:
        from sklearn.datasets import load_digits

        X, y = load_digits(return_X_y=True)
        blocks = from_arrays(np.tile(X, (8, 1)), np.tile(y, 8))
        SimplexRidgeClassifier("linear").fit_blocks(blocks)
        return os.getpid()

    def without() -> Timed:
        X, y = np.load(files[0], mmap_mode="r"), np.load(files[1])
        turns = []
        for _ in range(1 if quick else _TURNS):
            start = time.perf_counter()
            model = SimplexRidgeClassifier("linear").fit_blocks(from_arrays(X, y))
            turns.append(time.perf_counter() - start)
        return Timed(min(turns), model)

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


def _kill(pid: int, when: list[float]) -> None:
    os.kill(pid, signal.SIGKILL)
    when.append(time.perf_counter())
