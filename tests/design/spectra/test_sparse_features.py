import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random

from simplexcoding.design import FeatureSpectrum, Folds, Moments
from simplexcoding.design.design import feature_spectrum
from simplexcoding.design.linear_algebra.packed import Packed
from simplexcoding.design.spectra import sparse_features
from simplexcoding.design.spectra.sparse_features import (
    Inverses,
    SparseFeatureSpectrum,
    stays_sparse,
)
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
X = random(300, 60, 0.05, "csr", random_state=0)
y = rng.integers(4, size=300)
w = rng.uniform(0.5, 2, 300)
alphas = np.geomspace(100, 0.01, 7)


@pytest.fixture(params=["float64", "float32"])
def dtype(request):
    return request.param


@pytest.fixture(params=[True, False], ids=["intercept", "no intercept"])
def centred(request):
    return request.param


@pytest.fixture(params=[None, w], ids=["plain", "weighted"])
def pair(request, dtype, centred, monkeypatch):
    """A sparse and a dense spectrum of the same rows."""
    monkeypatch.setattr(sparse_features, "DENSE_VALUES", 0)
    targets = Rows.labelled(y, 4, request.param)
    rows = X.astype(dtype)
    moments = Moments.of(rows, targets, centred)
    sparse = feature_spectrum(rows, targets, moments)
    assert isinstance(sparse, SparseFeatureSpectrum)
    # The dense twin in double precision: sparse sums are taken so, whatever the rows are.
    return sparse, FeatureSpectrum(rows.toarray().astype(float), targets, moments)


def test_left_out_rows_are_those_of_rotated_rows(pair):
    sparse, dense = pair
    tolerance = 1e-10 if sparse.rows.dtype == np.float64 else 1e-5
    for alpha in alphas:
        a, b = sparse.leave_one_out(alpha), dense.leave_one_out(alpha)
        assert np.allclose(a.scores(), b.scores(), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("rotating", [True, False])
def test_scans_are_those_of_rotated_rows(pair, rotating, monkeypatch):
    sparse, dense = pair
    monkeypatch.setattr(SparseFeatureSpectrum, "_rotating_is_less", lambda self, n: rotating)
    monkeypatch.setattr(sparse_features, "_BLOCK_VALUES", 60 * 37)
    a, b = sparse.scan(alphas), dense.scan(alphas)
    assert np.array_equal(a.correct, b.correct)
    tolerance = 1e-9 if sparse.rows.dtype == np.float64 or not rotating else 1e-5
    assert np.allclose(a.squared_error, b.squared_error, rtol=tolerance)


def test_some_rows_and_other_rows(pair, monkeypatch):
    sparse, dense = pair
    some = np.array([3, 5, 200])
    expected = dense.sample(some).leave_one_out(1.0).scores()
    assert isinstance(sparse.sample(some), SparseFeatureSpectrum)
    assert np.allclose(sparse.sample(some).leave_one_out(1.0).scores(), expected, atol=1e-5)
    monkeypatch.setattr(sparse_features, "DENSE_VALUES", 10**6)
    assert type(sparse.sample(some)) is FeatureSpectrum
    assert np.allclose(sparse.sample(some).leave_one_out(1.0).scores(), expected, atol=1e-5)
    sent = pickle.loads(pickle.dumps(sparse)).over(sparse.rows[some], sparse.targets.take(some))
    assert np.allclose(sent.leave_one_out(1.0).scores(), expected, atol=1e-5)


def test_whole_folds(pair):
    sparse, dense = pair
    folds = Folds([np.arange(0, 100), np.arange(100, 300)], 300)
    a, b = sparse.leave_out(folds, 1.0), dense.leave_out(folds, 1.0)
    assert np.allclose(a.scores(), b.scores(), atol=1e-4)


def test_the_lowest_class_wins_ties():
    # Two classes of the same rows: every prediction is a tie but for the row left out.
    rows = csr_matrix(np.repeat(np.eye(20)[:2], 2, axis=0))
    targets = Rows.labelled(np.array([0, 1, 0, 1]), 3)
    moments = Moments.of(rows, targets, False)
    fit = FeatureSpectrum(rows[:0], targets.take(slice(0, 0)), moments)
    sparse = SparseFeatureSpectrum(fit, rows, targets)
    alphas = np.array([1.0])
    assert np.array_equal(sparse.scan(alphas).correct, fit.over(rows, targets).scan(alphas).correct)


def test_duplicate_entries_are_summed(pair):
    sparse, _ = pair
    twice = csr_matrix(
        (
            np.repeat(sparse.rows.data / 2, 2),
            np.repeat(sparse.rows.indices, 2),
            2 * sparse.rows.indptr,
        ),
        shape=sparse.rows.shape,
    )
    again = sparse.over(twice, sparse.targets)
    assert np.allclose(
        again.leave_one_out(1.0).scores(), sparse.leave_one_out(1.0).scores(), atol=1e-6
    )


def test_full_rows_and_rows_far_from_zero_are_rotated():
    targets = Rows.labelled(y, 4)
    assert stays_sparse(X, Moments.of(X, targets))
    assert not stays_sparse(X.toarray(), Moments.of(X, targets))
    full = random(300, 60, 0.5, "csr", random_state=0)
    assert not stays_sparse(full, Moments.of(full, targets))
    far = X.toarray()
    far[:, 0] = rng.normal(size=300) + 1e4
    far = csr_matrix(far)
    assert not stays_sparse(far, Moments.of(far, targets))


def test_as_many_inverses_are_kept_as_asked_for():
    targets = Rows.labelled(y, 4)
    moments = Moments.of(X, targets)
    inverses = Inverses(moments, None)
    expected = np.linalg.inv(moments.scatter + 2 * np.eye(60))
    assert np.allclose(inverses.at(2.0).packed.values, Packed.of(expected).values)
    assert inverses.at(2.0) is inverses.at(2.0)
    first = inverses.at(1.0)
    assert inverses.at(1.0) is first
    inverses.at(3.0)
    assert inverses.at(1.0) is not first
    more = Inverses(moments, None, keep=2)
    first = more.at(1.0)
    more.at(3.0)
    assert more.at(1.0) is first


def test_inverses_by_eigenvectors_are_those_by_cholesky():
    targets = Rows.labelled(y, 4)
    moments = Moments.of(X, targets)
    fit = FeatureSpectrum(X[:0], targets.take(slice(0, 0)), moments)
    a, b = (Inverses(moments, each).at(2.0) for each in (fit, None))
    assert np.allclose(a.packed.values, b.packed.values, atol=1e-14)
    assert np.allclose(a.solved, b.solved, atol=1e-12)
