import numpy as np
import pytest
from scipy.sparse import csr_matrix, random
from sklearn.datasets import load_iris

from reference.ridge import simplex_scores
from simplexcoding import SimplexRidgeClassifier
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


def with_one_long_row(factor):
    X, y = load_iris(return_X_y=True)
    X[0] *= factor
    return X, y, Rows.labelled(y, 3)


@pytest.mark.parametrize("factor", [1.0, 1e2, 1e4, 1e6])
def test_left_out_scores_are_off_by_no_more_than_what_is_said_to_be_lost_allows(factor):
    X, y, t = with_one_long_row(factor)
    spectrum = FeatureSpectrum(X, t, Moments.of(X, t))
    found = spectrum.leave_one_out(1.0).scores()
    kept = np.arange(150) > 0
    for row in range(1, 150, 7):
        rest = np.arange(150) != row
        mean, share = X[rest].mean(axis=0), np.eye(3)[y[rest]].mean(axis=0)
        A, B = X[rest] - mean, np.eye(3)[y[rest]] - share
        weights = np.linalg.solve(A.T @ A + np.eye(4), A.T @ B)
        refit = simplex_scores((X[row : row + 1] - mean) @ weights + share)[0]
        assert np.abs(found[row] - refit).max() <= 300 * spectrum.lost() + 1e-12
    plain = FeatureSpectrum(X[kept], t.take(kept), Moments.of(X[kept], t.take(kept)))
    assert plain.lost() == 0
    # It grows as the square of the length.
    assert spectrum.lost() == 0 if factor == 1 else 1e-18 < spectrum.lost() / factor**2 < 1e-16


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
def test_a_row_that_dwarfs_all_others_is_announced(kind):
    X, y, _ = with_one_long_row(1e8)
    with pytest.warns(UserWarning, match=r"One row of X dwarfs all others: .* lost to rounding"):
        SimplexRidgeClassifier("linear", alphas=1.0).fit(kind(X), y)
    with pytest.warns(UserWarning, match="One row of X dwarfs"):
        SimplexRidgeClassifier("linear", alphas=1.0, cv=3).fit(kind(X), y)
    X, y, _ = with_one_long_row(1e4)
    SimplexRidgeClassifier("linear", alphas=1.0).fit(kind(X), y)  # Warnings are errors.


@pytest.mark.parametrize(
    "made",
    [
        lambda X: np.c_[X, X],
        lambda X: X[:, :1].repeat(3, axis=1),
        lambda X: X * [1, 1e10, 1e-10, 1e5],
        lambda X: X + 1e6,
    ],
    ids=["copies", "rank one", "units", "far"],
)
def test_what_is_no_long_row_is_none(made):
    X, y = load_iris(return_X_y=True)
    SimplexRidgeClassifier("linear", alphas=1.0).fit(made(X), y)
