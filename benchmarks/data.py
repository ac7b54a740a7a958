"""Real data for the benchmarks, from a folder of .npz files; stand-ins for runs on small sizes."""

import os
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Skip

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"
# Features and classes of the stand-in for a file that is not there, on small sizes only.
_SHAPE = (20, 8)
_ROWS = 800
_small_sizes = False


def allow_stand_ins(allowed: bool) -> None:
    """Whether drawn rows take the place of missing files: the code then runs everywhere."""
    global _small_sizes
    _small_sizes = allowed


def load(name: str) -> dict[str, np.ndarray]:
    """Arrays of `name`.npz in the folder SIMPLEXCODING_DATA, else ../shared/data."""
    path = Path(os.environ.get("SIMPLEXCODING_DATA", FOLDER)) / f"{name}.npz"
    if not path.exists():
        if _small_sizes:
            return _stand_in(name)
        raise Skip(f"no {name}.npz; point SIMPLEXCODING_DATA to the folder that holds it")
    with np.load(path) as arrays:
        return dict(arrays)


def _stand_in(name: str) -> dict[str, np.ndarray]:
    """Rows around class means, seeded by the name."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    n_features, n_classes = _SHAPE
    means = rng.normal(size=(n_classes, n_features))
    arrays = {}
    for part in ("train", "test"):
        y = np.arange(_ROWS) % n_classes
        X = means[y] + 0.7 * rng.normal(size=(_ROWS, n_features))
        arrays |= {f"X_{part}": X.astype(np.float32), f"y_{part}": y}
    return arrays | {"X": arrays["X_train"], "y": arrays["y_train"]}


def split(name: str, rows: int | None = None, dtype: Any = np.float64) -> tuple[Any, ...]:
    """Train and test arrays of `name`: X, y, X_test, y_test; the first training rows only."""
    z = load(name)
    X, y = z["X_train"][:rows].astype(dtype), z["y_train"][:rows]
    return X, y, z["X_test"].astype(dtype), z["y_test"]
