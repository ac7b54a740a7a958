"""Real data: a local folder, a package that carries it, a download, or what scikit-learn ships.

>>> from simplexcoding.datasets import load
>>> split = load("digits")
>>> split.X_train.shape, split.X_test.shape, split.n_classes
((1257, 64), (540, 64), 10)
"""

from simplexcoding.datasets.catalogue import BUNDLED, CATALOGUE, SetInfo
from simplexcoding.datasets.checks import DataError
from simplexcoding.datasets.find import load
from simplexcoding.datasets.split import Split

__all__ = ["BUNDLED", "CATALOGUE", "DataError", "SetInfo", "Split", "load"]
