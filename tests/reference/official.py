"""Data sets of the paper with their official splits, float64."""

from dataclasses import replace
from pathlib import Path

import pytest

from simplexcoding.datasets.sources import data_folder, load_keel, load_local

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "data"


def official(name):
    """A split that a package carries; only Isolet, which none carries, needs a folder."""
    split = load_keel(name)
    if split is None:
        split = load_local(name, data_folder() or BESIDE)
    if split is None:
        pytest.skip(f"no file of {name}; point SIMPLEXCODING_DATA to the folder that holds it")
    return replace(split, X_train=split.X_train.astype(float), X_test=split.X_test.astype(float))
