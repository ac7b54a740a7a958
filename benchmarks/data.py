"""Real data for the benchmarks, from a folder of .npz files."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Skip

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def load(name: str) -> dict[str, np.ndarray]:
    """Arrays of `name`.npz in the folder SIMPLEXCODING_DATA, else ../shared/data."""
    path = Path(os.environ.get("SIMPLEXCODING_DATA", FOLDER)) / f"{name}.npz"
    if not path.exists():
        raise Skip(f"no {name}.npz; point SIMPLEXCODING_DATA to the folder that holds it")
    with np.load(path) as arrays:
        return dict(arrays)


def split(name: str, rows: int | None = None, dtype: Any = np.float64) -> tuple[Any, ...]:
    """Train and test arrays of `name`: X, y, X_test, y_test; the first training rows only."""
    z = load(name)
    X, y = z["X_train"][:rows].astype(dtype), z["y_train"][:rows]
    return X, y, z["X_test"].astype(dtype), z["y_test"]
