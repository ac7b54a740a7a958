from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_matrix, random

from simplexcoding.blocks import from_arrays
from simplexcoding.design import FeatureSpectrum, Moments, SparseFeatureSpectrum
from simplexcoding.design.spectra import sparse_cholesky, sparse_features
from simplexcoding.kernels import Kernel
from simplexcoding.passes import knowledge, ridge
from simplexcoding.passes.fold import fold
from simplexcoding.passes.knowledge import Plan
from simplexcoding.passes.ridge import fit_ridge
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import Accuracy
from simplexcoding.selection.search import search_all
from simplexcoding.solvers.ridge import RidgeProblem

rng = np.random.default_rng(0)
y = rng.integers(5, size=1500)
X = rng.normal(size=(5, 8))[y] * 0.5 + rng.normal(size=(1500, 8)) + 1
plan = Plan("linear", "quantile", 3, 1.0, "auto", None, True, None, lambda t, c: Accuracy(t), 0)


def run(source, leaf, stage):
    return fold(source, leaf)


def replaced(**changes):
    return Plan(**{**plan.__dict__, **changes})


@pytest.mark.parametrize("rows", [100, 1500, 4000])
def test_the_fit_is_that_of_all_rows(rows, monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", rows)
    targets = Rows.labelled(y, 5)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    fitted = fit_ridge(from_arrays(X, y, rows=64), plan, run)
    expected = spectrum.coefficients(fitted.alpha).simplex()
    assert np.allclose(fitted.coefficients.weights, expected.weights, rtol=1e-10, atol=1e-13)
    path = search_all(spectrum, fitted.path.alphas[0], Accuracy(targets))
    exact = fitted.path.exact[0]
    # Hits are counted to the row.
    assert np.array_equal(fitted.path.score[0][exact], path.score[exact])
    assert np.allclose(fitted.path.squared_error[0][exact], path.squared_error[exact], rtol=1e-6)
    assert exact.all() if rows >= 1500 else 4 <= exact.sum() <= 48
    assert fitted.scored == 1500
    if rows >= 1500:
        assert fitted.path.best[1] == path.best


def test_one_pass_says_that_its_score_is_the_samples(monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 200)
    fitted = fit_ridge(from_arrays(X, y, rows=64), plan, run, passes=1)
    assert not fitted.path.exact.any()
    assert fitted.scored == 200


def test_copies_count_as_rows(monkeypatch):
    rows = rng.integers(1500, size=1500)
    fitted = fit_ridge(from_arrays(X[rows], y[rows], rows=64), plan, run)
    targets = Rows.labelled(y[rows], 5)
    spectrum = FeatureSpectrum(X[rows], targets, Moments.of(X[rows], targets))
    path = search_all(spectrum, fitted.path.alphas[0], Accuracy(targets))
    assert np.array_equal(fitted.path.score[0], path.score)
    assert fitted.scored == 1500


def test_landmarks_are_rows_and_the_model_is_that_of_their_features(monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 300)
    source = from_arrays(X, y, rows=64)
    fitted = fit_ridge(source, replaced(kernel="rbf", gamma=[0.02, 0.1], landmarks=40), run)
    features = fitted.knowledge.features
    assert all((row == X).all(axis=1).any() for row in features.basis)
    assert len(np.unique(features.basis, axis=0)) == 40
    Phi, targets = features.of(X), Rows.labelled(y, 5)
    spectrum = FeatureSpectrum(Phi, targets, Moments.of(Phi, targets))
    expected = features.pull_back(spectrum.coefficients(fitted.alpha).simplex())
    K = features.kernel.matrix(X, features.basis)
    assert np.allclose(K @ fitted.coefficients.weights, K @ expected.weights, atol=1e-10)
    g = fitted.path.best[0]
    exact = fitted.path.exact[g]
    path = search_all(spectrum, fitted.path.alphas[g], Accuracy(targets))
    assert np.array_equal(fitted.path.score[g][exact], path.score[exact])


def test_auto_landmarks_are_a_thousand_or_more():
    fitted = fit_ridge(from_arrays(X, y, rows=200), replaced(kernel="rbf"), partial(run))
    assert fitted.knowledge.features.basis.shape[0] == 1500


def test_balanced_weights_are_those_of_the_counts():
    fitted = fit_ridge(from_arrays(X, y, rows=64), replaced(class_weight="balanced"), run)
    totals = fitted.knowledge.labelled.moments.class_totals
    assert np.allclose(totals, 300)


def test_sparse_rows_stay_sparse_and_give_the_same_fit(monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 200)
    S = random(1500, 100, 0.05, "csr", random_state=0)
    seen = []
    over = SparseFeatureSpectrum.over
    monkeypatch.setattr(
        SparseFeatureSpectrum, "over", lambda self, X, t: seen.append(X) or over(self, X, t)
    )
    fitted = fit_ridge(from_arrays(S, y, rows=100), plan, run)
    expected = fit_ridge(from_arrays(S.toarray(), y, rows=100), plan, run)
    assert len(seen) == 15
    # Dense rows are asked at more alphas; where both are, the answers are the same.
    both = fitted.path.exact & expected.path.exact
    assert both.sum() >= 4
    assert np.array_equal(fitted.path.score[both], expected.path.score[both])
    same = fit_ridge(from_arrays(S.toarray(), y), replaced(alphas=np.array([fitted.alpha])), run)
    assert np.allclose(fitted.coefficients.weights, same.coefficients.weights, atol=1e-12)


@pytest.mark.parametrize("size", [200, 10_000], ids=["sample", "whole"])
def test_many_sparse_features_take_no_eigenvectors_and_give_the_same_fit(size, monkeypatch):
    for module in (sparse_cholesky, ridge):
        monkeypatch.setattr(module, "MOST_ROTATED", 60)
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", size)
    monkeypatch.setattr(FeatureSpectrum, "__init__", None)
    S = random(1500, 100, 0.05, "csr", random_state=0)
    S = (S + csr_matrix(np.eye(5)[y] @ np.eye(5, 100) * (rng.random((1500, 1)) < 0.6))).tocsr()
    fitted = fit_ridge(from_arrays(S, y, rows=100), plan, run)
    exact, targets = fitted.path.exact[0], Rows.labelled(y, 5)
    monkeypatch.undo()
    assert 1 <= exact.sum() <= 8
    assert fitted.scored == 1500
    # Of all rows at every alpha, by eigenvectors of dense rows.
    spectrum = FeatureSpectrum(S.toarray(), targets, Moments.of(S, targets))
    path = search_all(spectrum, fitted.path.alphas[0], Accuracy(targets))
    assert np.array_equal(fitted.path.score[0][exact], path.score[exact])
    assert np.allclose(fitted.path.squared_error[0][exact], path.squared_error[exact], rtol=1e-9)
    same = spectrum.coefficients(fitted.alpha).simplex()
    assert np.allclose(fitted.coefficients.weights, same.weights, rtol=1e-10, atol=1e-12)


def test_in_memory_sparse_rows_stay_sparse_too(monkeypatch):
    monkeypatch.setattr(sparse_features, "DENSE_VALUES", 1000)
    S, targets = random(1500, 100, 0.05, "csr", random_state=0), Rows.labelled(y, 5)
    sparse = RidgeProblem(S, Kernel("linear"), targets, True).factorise()
    dense = RidgeProblem(S.toarray(), Kernel("linear"), targets, True).factorise()
    assert isinstance(sparse.spectrum, SparseFeatureSpectrum)
    a, b = sparse.coefficients(2.0), dense.coefficients(2.0)
    assert np.allclose(a.weights, b.weights, atol=1e-12)
    assert np.allclose(a.intercept, b.intercept, atol=1e-12)


@pytest.mark.parametrize("n_classes", [5, 20, 100])
@pytest.mark.parametrize("seed", range(4))
def test_the_choice_loses_at_most_a_twentieth_of_a_point(seed, n_classes, monkeypatch):
    """Of all rows' left-out score, though the sample is a quarter of them."""
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 2000)
    draw = np.random.default_rng([seed, n_classes])
    labels = draw.integers(n_classes, size=8000)
    rows = draw.normal(size=(n_classes, 40))[labels] * 0.3
    rows += draw.normal(size=(8000, 40)) * draw.uniform(0.05, 2, 40)
    fitted = fit_ridge(from_arrays(rows, labels), plan, run)
    targets = Rows.labelled(labels, n_classes)
    spectrum = FeatureSpectrum(rows, targets, Moments.of(rows, targets))
    path = search_all(spectrum, fitted.path.alphas[0], Accuracy(targets))
    exact = fitted.path.exact[0]
    assert not exact.all()
    assert np.array_equal(fitted.path.score[0][exact], path.score[exact])
    assert fitted.path.score[fitted.path.best] >= path.score.max() - 0.0005
