"""Data sets from a folder of .npz files."""

import os
from pathlib import Path

import numpy as np

from simplexcoding.datasets.catalogue import CATALOGUE
from simplexcoding.datasets.checks import DataError, checked
from simplexcoding.datasets.split import Split

_ARRAYS = ("X_train", "y_train", "X_test", "y_test")


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path | None:
    """The folder given, else the one that SIMPLEXCODING_DATA names, else None."""
    chosen = folder or os.environ.get("SIMPLEXCODING_DATA")
    if not chosen:
        return None
    path = Path(chosen)
    if not path.is_dir():
        raise DataError(f"{path} is no folder; give --data one that holds the .npz files.")
    return path


def load_local(name: str, folder: Path) -> Split | None:
    """Read X_train, y_train, X_test, y_test of FILE.npz; None where there is no such file."""
    info = CATALOGUE[name]
    path = folder / f"{info.file}.npz"
    if not path.exists():
        return None
    try:
        with np.load(path) as arrays:
            parts = [arrays[key] for key in _ARRAYS]
    except (OSError, KeyError, ValueError) as error:
        raise DataError(
            f"{path} cannot be read as an .npz file with {', '.join(_ARRAYS)}: {error}"
        ) from None
    split = Split.of(name, (parts[0], parts[1], parts[2], parts[3]), f"the file {path.name}")
    return checked(split, info.decimals)
