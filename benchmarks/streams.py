"""Rows of any number for the benchmarks of scale: written to a file, read in blocks."""

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Skip, Timed

BLOCK = 8192
# How far the class means lie apart: leaves errors to be made at every size.
_SPREAD = 0.12


def folder() -> Path:
    """Where files of rows are kept, from run to run; SIMPLEXCODING_SCRATCH, else temporary."""
    path = Path(os.environ.get("SIMPLEXCODING_SCRATCH", tempfile.gettempdir()))
    path = path / "simplexcoding-scale"
    path.mkdir(parents=True, exist_ok=True)
    return path


def read_once(X_file: Path) -> None:
    """Read a file through, so that the first to be timed finds its pages as the others do.

    A file larger than the memory left for pages stays cold for all of them alike.
    """
    with X_file.open("rb") as file:
        while file.read(2**24):
            pass


@cache
def written(n_rows: int, n_features: int, n_classes: int) -> tuple[Path, Path]:
    """Files of float32 rows around class means and of labels, the same at every call."""
    stem = f"{n_rows}x{n_features}x{n_classes}"
    X_file, y_file = folder() / f"X-{stem}.npy", folder() / f"y-{stem}.npy"
    if y_file.exists():
        return X_file, y_file
    rng = np.random.default_rng(0)
    means = (_SPREAD * rng.normal(size=(n_classes, n_features))).astype(np.float32)
    y = rng.integers(n_classes, size=n_rows)
    X = np.lib.format.open_memmap(X_file, "w+", np.float32, (n_rows, n_features))
    for start in range(0, n_rows, BLOCK):
        part = y[start : start + BLOCK]
        rows = rng.standard_normal((len(part), n_features), dtype=np.float32)
        X[start : start + BLOCK] = rows + means[part]
    X.flush()
    np.save(y_file, y)
    return X_file, y_file


def streamed_products(X_file: Path) -> Any:
    """X'X of a file, block by block, in double precision: what any such fit must do."""
    X = np.load(X_file, mmap_mode="r")
    total = np.zeros((X.shape[1],) * 2)
    for start in range(0, len(X), BLOCK):
        block = X[start : start + BLOCK].astype(np.float64)
        total += block.T @ block
    return total


_CHILD = """
import json, time
import numpy as np
import simplexcoding.estimators.ridge
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays

def peak():
    status = open("/proc/self/status").read()
    return int(status.split("VmHWM:")[1].split()[0]) / 2**20

bare = peak()
SETUP
before = peak()
start = time.perf_counter()
WORK
seconds, most = time.perf_counter() - start, peak() - before
print(json.dumps({"seconds": seconds, "peak": most, "above import": peak() - bare,
                  "score": model.best_score_,
                  "alpha": model.alpha_, "asked": int(model.path_.exact.sum()), "test": TEST}))
"""


def told(limit: float, found: dict[str, Any]) -> dict[str, object]:
    """What a child found, and whether its peak above the data is within a limit in GiB."""
    notes: dict[str, object] = {
        "left-out score": f"{100 * found['score']:.2f} %",
        "alphas asked": found["asked"],
        "peak above import": f"{found['above import']:.2f} GiB",
        "peak above data": f"{found['peak']:.2f} GiB",
        "held": bool(found["peak"] <= limit),
    }
    if found["test"] is not None:
        notes["test accuracy"] = f"{100 * found['test']:.2f} %"
    return notes


def in_child(setup: str, work: str, test: str = "None") -> Timed:
    """Seconds of some work in a process of its own, with the GiB it takes above its data.

    And above its imports, which count what reading the data takes.

    `test` is an expression for the test accuracy of the `model`.
    """
    if not Path("/proc/self/status").exists():
        raise Skip("peak memory is read from /proc")
    code = _CHILD.replace("SETUP", setup).replace("WORK", work).replace("TEST", test)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found = json.loads(done.stdout.strip().splitlines()[-1])
    return Timed(found["seconds"], found)
