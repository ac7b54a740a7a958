import numpy as np
from scipy.sparse import csr_matrix, random

from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.rows import Rows


def test_sparse_rows_give_the_same_spectrum():
    X = random(60, 8, density=0.3, random_state=0, format="csr")
    y = np.random.default_rng(0).integers(3, size=60)
    t = Rows.labelled(y, 3, np.random.default_rng(1).uniform(1, 2, 60))
    for centred in (True, False):
        sparse = FeatureSpectrum(X, t, Moments.of(X, t, centred))
        dense = FeatureSpectrum(X.toarray(), t, Moments.of(X.toarray(), t, centred))
        for alpha in (0.1, 3.0):
            assert np.allclose(
                sparse.leave_one_out(alpha).scores(), dense.leave_one_out(alpha).scores()
            )
    assert isinstance(X, csr_matrix) or X.format == "csr"


def test_a_sample_answers_for_its_rows_only():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 4)), rng.integers(3, size=50)
    t = Rows.labelled(y, 3)
    whole = FeatureSpectrum(X, t, Moments.of(X, t))
    rows = np.array([3, 10, 44])
    part = whole.sample(rows).leave_one_out(0.5).scores()
    assert np.allclose(part, whole.leave_one_out(0.5).scores()[rows])
