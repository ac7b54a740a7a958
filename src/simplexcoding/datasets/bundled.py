"""Small data sets carried by scikit-learn, cut 70/30 with a fixed seed."""

from collections.abc import Callable
from typing import Any

from sklearn import datasets
from sklearn.model_selection import train_test_split

from simplexcoding.datasets.checks import checked
from simplexcoding.datasets.split import Split

_LOADERS: dict[str, Callable[..., Any]] = {
    "digits": datasets.load_digits,
    "wine": datasets.load_wine,
    "iris": datasets.load_iris,
}
_DECIMALS = {"digits": 0, "wine": 3, "iris": 1}


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
