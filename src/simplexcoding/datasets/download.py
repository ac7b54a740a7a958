"""Data sets from openml.org, through scikit-learn and its cache."""

import numpy as np
from sklearn.datasets import fetch_openml

from simplexcoding.datasets.catalogue import CATALOGUE
from simplexcoding.datasets.checks import DataError, checked, known_fingerprints
from simplexcoding.datasets.labels import class_indices
from simplexcoding.datasets.official_order import official_parts
from simplexcoding.datasets.split import Split


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
        table = fetch_openml(
            info.openml, version=1, as_frame=False, parser="liac-arff", data_home=cache
        )
    # Whatever the network or the server does wrong: the cure is the same.
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise DataError(f"{name} could not be downloaded from openml.org: {reason}") from error
    X = np.asarray(table.data, dtype=np.float64)
    n_train = known_fingerprints()[name].shapes[0][0]
    parts = official_parts(name, X, class_indices(table.target), n_train, info.decimals)
    return checked(Split.of(name, parts, "openml.org"), info.decimals)
