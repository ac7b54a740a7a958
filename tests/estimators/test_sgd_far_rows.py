import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris

from simplexcoding import SimplexSGDClassifier


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_rows_far_from_zero_are_announced_once(dtype, kind):
    """One class for all rows, of iris a hundred spreads away, with no word."""
    X, y = load_iris(return_X_y=True)
    far = kind((X + 100 * X.std(axis=0)).astype(dtype))
    for learn in (SimplexSGDClassifier().fit, SimplexSGDClassifier().partial_fit):
        with pytest.warns(UserWarning, match="centre or scale X first") as caught:
            learn(far, y)
        assert len([w for w in caught if "centre or scale" in str(w.message)]) == 1
    near = kind((X + 10 * X.std(axis=0)).astype(dtype))
    stream = SimplexSGDClassifier().partial_fit(near, y)  # A warning is an error.
    stream.partial_fit(far[:40], y[:40])  # Said of the first rows only.
    SimplexSGDClassifier().partial_fit(far[:5], y[:5])  # Too few to tell.
