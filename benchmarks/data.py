"""Real data for the benchmarks, from a folder of .npz files."""

import os
from pathlib import Path

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
