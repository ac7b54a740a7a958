import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import laplacian_kernel, polynomial_kernel, rbf_kernel

from simplexcoding.kernels import (
    Kernel,
    distinct_sample,
    feature_spreads,
    gamma_values,
    quantile_width,
    row_keys,
    squared_distances,
)

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(30, 4)), rng.normal(size=(11, 4))


@pytest.mark.parametrize(
    ("kernel", "peer"),
    [
        (Kernel("linear"), lambda A, B: A @ B.T),
        (Kernel("rbf", gamma=0.3), lambda A, B: rbf_kernel(A, B, gamma=0.3)),
        (
            Kernel("exponential", gamma=0.3),
            lambda A, B: np.exp(-0.3 * cdist(A, B)),
        ),
        (Kernel("laplacian", gamma=0.3), lambda A, B: laplacian_kernel(A, B, gamma=0.3)),
        (
            Kernel("poly", gamma=0.3, degree=2, coef0=0.5),
            lambda A, B: polynomial_kernel(A, B, degree=2, gamma=0.3, coef0=0.5),
        ),
        (Kernel(rbf_kernel), lambda A, B: rbf_kernel(A, B)),
    ],
)
def test_values_agree_with_scikit_learn(kernel, peer):
    assert np.allclose(kernel.matrix(X, Z), peer(X, Z), atol=1e-12)
    assert np.allclose(kernel.matrix(X), peer(X, X), atol=1e-12)


@pytest.mark.parametrize("name", ["linear", "rbf", "exponential", "laplacian", "poly"])
def test_float32_stays_float32(name):
    assert Kernel(name).matrix(X.astype(np.float32)).dtype == np.float32


def test_a_large_offset_costs_no_digits():
    far = X + 2.0**30
    near = far - far.mean(axis=0)
    assert np.allclose(Kernel("rbf").matrix(far), Kernel("rbf").matrix(near), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_rows_are_at_distance_zero_for_the_exponential_kernel(dtype):
    # Far from their mean, so that products of equal rows round.
    rows = (1e3 * rng.normal(size=(40, 7))).astype(dtype)
    values = Kernel("exponential", gamma=1.0).matrix(np.concatenate([rows, rows]))
    assert np.array_equal(values[:40, 40:].diagonal(), np.ones(40, dtype))
    assert np.linalg.eigvalsh(values.astype(np.float64)).min() > -1e-6


@pytest.mark.parametrize(
    ("kernel", "gamma", "expected"),
    [
        ("rbf", 0.5, [0.5]),
        ("rbf", [0.5, 2], [0.5, 2.0]),
        ("rbf", "quantile", [1 / (2 * quantile_width(X) ** 2)]),
        ("exponential", "quantile", [1 / quantile_width(X)]),
        ("laplacian", "quantile", [1 / quantile_width(X)]),
        ("poly", "quantile", [1 / (4 * X.var())]),
        ("linear", "quantile", [1.0]),
        ("precomputed", "quantile", [1.0]),
    ],
)
def test_gammas_follow_the_rule_of_the_kernel(kernel, gamma, expected):
    assert gamma_values(kernel, gamma, X) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("kernel", "gamma", "words"),
    [
        ("rbf", 0.0, "gamma must be positive and finite, got 0"),
        ("rbf", [1.0, np.nan], "gamma must be positive and finite, got nan"),
        ("rbf", [], "gamma must not be empty"),
        ("rbf", "median", "gamma must be"),
        ("sigmoid", 1.0, "kernel must be one of linear, rbf"),
    ],
)
def test_misuse_is_named(kernel, gamma, words):
    with pytest.raises(ValueError, match=words):
        gamma_values(kernel, gamma, X)


def test_a_callable_of_the_wrong_shape_is_named():
    with pytest.raises(ValueError, match=r"must return shape \(30, 11\), got \(11, 30\)"):
        Kernel(lambda A, B: B @ A.T).matrix(X, Z)


def test_the_width_is_the_quartile_of_distances_between_distinct_rows():
    distances = [np.linalg.norm(X[i] - X[j]) for i in range(30) for j in range(i)]
    assert quantile_width(X) == pytest.approx(np.percentile(np.square(distances), 25) ** 0.5)
    assert quantile_width(np.repeat(X, 3, axis=0)[::-1]) == pytest.approx(quantile_width(X))
    assert quantile_width(csr_matrix(X)) == pytest.approx(quantile_width(X))


def test_the_width_of_many_rows_comes_from_a_sample_that_ignores_their_order():
    many = rng.normal(size=(4000, 3))
    again = many[rng.permutation(4000)]
    assert quantile_width(many) == pytest.approx(quantile_width(again), rel=1e-12)
    assert quantile_width(many) == pytest.approx(quantile_width(many, 1), rel=0.05)


def test_copies_of_one_row_have_no_width():
    with pytest.raises(ValueError, match="two distinct rows"):
        quantile_width(np.ones((5, 2)))


@pytest.mark.parametrize("kind", [np.float64, np.float32, csr_matrix])
def test_rows_are_told_apart_by_their_bits(kind):
    values = rng.integers(0, 4, size=(500, 6)).astype(float)
    expected = len(np.unique(values, axis=0))
    rows = csr_matrix(values) if kind is csr_matrix else values.astype(kind)
    assert len(np.unique(row_keys(rows))) == expected
    assert len(distinct_sample(rows, 10**6)) == expected
    assert len(distinct_sample(rows, 7)) == 7


def test_signed_zeros_are_equal():
    assert len(distinct_sample(np.array([[0.0, 1.0], [-0.0, 1.0]]), 5)) == 1


@pytest.mark.parametrize("name", ["linear", "rbf", "exponential", "laplacian", "poly"])
def test_a_scale_divides_the_features_first(name):
    rng = np.random.default_rng(0)
    A, B, scale = rng.normal(size=(5, 3)), rng.normal(size=(4, 3)), np.array([0.5, 2.0, 10.0])
    plain, scaled = Kernel(name, 0.3), Kernel(name, 0.3, scale=scale)
    np.testing.assert_allclose(scaled.matrix(A, B), plain.matrix(A / scale, B / scale))
    np.testing.assert_allclose(scaled.matrix(A), plain.matrix(A / scale))
    if name in ("linear", "rbf"):
        found = scaled.matrix(csr_matrix(A), csr_matrix(B))
        np.testing.assert_allclose(found, plain.matrix(A / scale, B / scale))


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_feature_spreads_are_standard_deviations(form, offset):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4)) * [1.0, 10.0, 0.1, 0.0] + offset
    weights = rng.integers(1, 4, 50)
    expected = np.repeat(X, weights, axis=0).std(axis=0)
    expected[3] = 1.0
    found = feature_spreads(form(X), weights.astype(float))
    np.testing.assert_allclose(found, expected, rtol=1e-7)


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
@pytest.mark.parametrize("name", ["rbf", "exponential"])
def test_radial_kernels_from_squared_distances(name, form):
    rows = np.vstack([X, X[:3]]) + 5
    kernel = Kernel(name, 0.3)
    squares = squared_distances(form(rows))
    np.testing.assert_allclose(squares, cdist(rows, rows) ** 2, atol=1e-12)
    assert not np.diagonal(squares[30:]).any()
    np.testing.assert_allclose(kernel.of_squares(squares), kernel.matrix(rows), atol=1e-7)
    assert kernel.radial and not Kernel("linear").radial


def test_kernels_proven_by_their_formula():
    for kernel in (Kernel("rbf"), Kernel("linear"), Kernel("poly"), Kernel("exponential")):
        assert kernel.proven
    for kernel in (Kernel("poly", coef0=-1), Kernel("poly", degree=2.5), Kernel("precomputed")):
        assert not kernel.proven
    assert not Kernel(lambda A, B: A @ B.T).proven


@pytest.mark.parametrize("name", ["rbf", "exponential"])
def test_sparse_rows_far_from_zero_keep_their_distances(name):
    kernel, far = Kernel(name, 0.3), 1e6
    A, B = X + far, Z + far
    A[3, 2] = 0  # A column with a zero stays where it is.
    near, other = A - far, B - far
    assert np.allclose(kernel.matrix(csr_matrix(B)), kernel.matrix(other), atol=1e-8)
    ours = kernel.matrix(csr_matrix(A[:3]), csr_matrix(B))
    assert np.allclose(ours, kernel.matrix(near[:3], other), atol=1e-8)


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
@pytest.mark.parametrize("far", [1e4, 1e8, 1e12])
def test_a_row_far_from_all_others_costs_them_no_digits(form, far):
    rows = X + 3
    rows[0] *= far
    squares = cdist(rows, rows, "sqeuclidean")
    for kernel in (Kernel("rbf", 0.3), Kernel("exponential", 0.3)):
        expected = kernel.of_squares(squares)
        assert np.allclose(kernel.matrix(form(rows)), expected, atol=1e-12)
        assert np.allclose(kernel.matrix(form(rows[5:]), form(rows)), expected[5:], atol=1e-12)
    found = squared_distances(form(rows))
    np.testing.assert_allclose(found[1:, 1:], squares[1:, 1:], atol=1e-12)
    upper = squares[np.triu_indices(30, k=1)]
    assert quantile_width(form(rows)) == pytest.approx(np.percentile(upper, 25) ** 0.5)
