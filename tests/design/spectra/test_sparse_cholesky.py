import pickle

import numpy as np
import pytest
from scipy.sparse import random

from simplexcoding.design import (
    FeatureSpectrum,
    Folds,
    GramSpectrum,
    Moments,
    SparseCholesky,
    SparseFeatureSpectrum,
    design,
)
from simplexcoding.design.design import feature_spectrum
from simplexcoding.design.spectra import sparse_cholesky
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
X = random(300, 61, 0.05, "csr", random_state=0)
y = rng.integers(4, size=300)
w = rng.uniform(0.5, 2, 300)
alphas = np.geomspace(100, 0.01, 7)


@pytest.fixture(params=[True, False], ids=["intercept", "no intercept"])
def centred(request):
    return request.param


@pytest.fixture(params=[None, w], ids=["plain", "weighted"])
def pair(request, centred, monkeypatch):
    """By inverses, and rotated densely."""
    monkeypatch.setattr(design, "MOST_ROTATED", 60)
    targets = Rows.labelled(y, 4, request.param)
    moments = Moments.of(X, targets, centred)
    found = feature_spectrum(X, targets, moments)
    assert type(found) is SparseCholesky
    return found, FeatureSpectrum(X.toarray(), targets, moments)


def test_left_out_rows_and_coefficients_are_those_of_rotated_rows(pair):
    sparse, dense = pair
    for alpha in alphas:
        a, b = sparse.leave_one_out(alpha), dense.leave_one_out(alpha)
        assert np.allclose(a.scores(), b.scores(), rtol=1e-10, atol=1e-12)
        a, b = sparse.coefficients(alpha), dense.coefficients(alpha)
        assert np.allclose(a.weights, b.weights, rtol=1e-10, atol=1e-12)
        assert np.allclose(a.intercept, b.intercept, rtol=1e-10, atol=1e-12)


def test_scans_and_dimensions_are_those_of_rotated_rows(pair):
    sparse, dense = pair
    a, b = sparse.scan(alphas), dense.scan(alphas)
    assert np.array_equal(a.correct, b.correct)
    assert np.allclose(a.squared_error, b.squared_error, rtol=1e-10)
    expected = dense.effective_dimension(alphas)
    assert np.allclose(sparse.effective_dimension(alphas), expected, rtol=1e-9)
    assert sparse.eigenvalues[-1] == pytest.approx(dense.eigenvalues[-1], rel=1e-3)


def test_some_rows_other_rows_and_rows_sent_elsewhere(pair):
    sparse, dense = pair
    some = np.array([3, 5, 200])
    expected = dense.sample(some).leave_one_out(1.0).scores()
    assert np.allclose(sparse.sample(some).leave_one_out(1.0).scores(), expected, atol=1e-12)
    sent = pickle.loads(pickle.dumps(sparse)).over(X[some], sparse.targets.take(some))
    assert np.allclose(sent.leave_one_out(1.0).scores(), expected, atol=1e-12)


def test_whole_folds_take_the_eigenvectors(pair):
    sparse, dense = pair
    folds = Folds([np.arange(0, 100), np.arange(100, 300)], 300)
    a, b = sparse.leave_out(folds, 1.0), dense.leave_out(folds, 1.0)
    assert np.allclose(a.scores(), b.scores(), atol=1e-9)


def test_where_a_factorisation_fails_the_eigenvectors_take_over(pair):
    sparse, dense = pair
    # Not positive definite to rounding, but for its largest eigenvalues.
    sparse.moments.scatter.flat[:: 61 + 1] -= 0.9999 * dense.eigenvalues[0] + 1e-3
    found = SparseCholesky(X, sparse.targets, sparse.moments)
    rotated = FeatureSpectrum(X.toarray(), sparse.targets, sparse.moments)
    assert rotated.eigenvalues[0] == 0
    a, b = found.coefficients(1e-4), rotated.coefficients(1e-4)
    assert np.allclose(a.weights, b.weights, rtol=1e-9, atol=1e-9)
    a, b = found.leave_one_out(1e-4).scores(), rotated.leave_one_out(1e-4).scores()
    assert np.allclose(a, b, rtol=1e-6, atol=1e-6)


def test_samples_of_the_stand_in_are_fits_of_their_own_rows(pair):
    sparse, _ = pair
    rows = np.arange(0, 300, 3)
    part = sparse.stand_in(100).sample(rows)
    assert isinstance(part, GramSpectrum)
    targets = sparse.targets.take(rows)
    own = FeatureSpectrum(
        X[rows].toarray(), targets, Moments.of(X[rows], targets, sparse.base is not None)
    )
    a, b = part.leave_one_out(1.0).scores(), own.leave_one_out(1.0).scores()
    assert np.allclose(a, b, atol=1e-9)


def test_few_features_and_dense_rows_are_rotated():
    targets = Rows.labelled(y, 4)
    moments = Moments.of(X, targets)
    assert type(feature_spectrum(X, targets, moments)) is FeatureSpectrum
    assert type(feature_spectrum(X.toarray(), targets, moments)) is FeatureSpectrum


def test_as_many_inverses_are_kept_as_memory_allows():
    assert SparseCholesky.most_kept(8192) == 2
    assert SparseCholesky.most_kept(30_000) == 1
    assert SparseCholesky.most_kept(2049) == 12


def test_inverses_that_are_kept_serve_every_block(monkeypatch):
    targets = Rows.labelled(y, 4)
    moments, made = Moments.of(X, targets), []
    make = sparse_cholesky.Inverses._make
    monkeypatch.setattr(
        sparse_cholesky.Inverses, "_make", lambda self, a: made.append(a) or make(self, a)
    )
    fit = SparseCholesky(X, targets, moments, keep=2)
    for rows in (slice(0, 100), slice(100, 300)):
        fit.over(X[rows], targets.take(rows)).scan(alphas[:2])
    assert made == alphas[:2].tolist()
    assert isinstance(fit, SparseFeatureSpectrum)
