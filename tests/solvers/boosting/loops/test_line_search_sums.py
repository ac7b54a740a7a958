"""The compiled sums against NumPy on whole arrays."""

import numpy as np
import pytest

from simplexcoding.solvers.boosting.loops import line_search_sums


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    n, T, L = 80, 5, 2
    Q = rng.exponential(size=(n, T))
    y, leaf = rng.integers(T, size=n), rng.integers(L, size=n)
    mask = np.arange(T) != y[:, None]
    return Q, (Q * mask).sum(axis=1), mask, y, leaf, rng.random(n), rng.normal(size=(L, 2))


def moved(Q, leaf, rates, j, a):
    """Q after class 0 and class j+1 have grown by e^(a rates)."""
    grown = Q.copy()
    grown[:, 0] *= np.exp(a * rates[leaf, 0])
    grown[:, j + 1] *= np.exp(a * rates[leaf, 1])
    return grown


def wrong(Q, mask, y):
    return (Q * mask).sum(axis=1) / Q[np.arange(len(y)), y]


@pytest.mark.parametrize("logarithm", [False, True])
@pytest.mark.parametrize("j", [0, 3])
def test_terms_along_a_coordinate(rows, j, logarithm):
    Q, others, mask, y, leaf, weights, rates = rows
    terms, key = line_search_sums.coordinate_terms(Q, others, y, leaf, j)
    for a in (0.0, 0.7, -1.3):

        def value(a):
            x = wrong(moved(Q, leaf, rates, j, a), mask, y)
            return weights @ (np.log1p(x) if logarithm else x)

        arguments = terms, key, weights, rates, a, logarithm
        assert line_search_sums.terms_value(*arguments) == pytest.approx(value(a), rel=1e-12)
        difference = (value(a + 1e-6) - value(a - 1e-6)) / 2e-6
        assert line_search_sums.terms_slope(*arguments) == pytest.approx(
            difference, rel=1e-6, abs=1e-6
        )


def test_rows_of_one_key_act_as_one(rows):
    Q, others, _, y, leaf, weights, rates = rows
    terms, key = line_search_sums.coordinate_terms(Q, others, y, leaf, 1)
    sums = line_search_sums.sums_by_key(terms, key, weights, 6)
    assert np.allclose(sums, [weights[key == q] @ terms[key == q] for q in range(6)])
    by_key = line_search_sums.terms_value(sums, np.arange(6), np.ones(6), rates, 0.4, False)
    by_row = line_search_sums.terms_value(terms, key, weights, rates, 0.4, False)
    assert by_key == pytest.approx(by_row, rel=1e-12)


def test_move_keeps_the_sums_of_wrong_classes(rows):
    Q, others, mask, y, leaf, _, rates = rows
    expected = moved(Q, leaf, rates, 2, 0.9)
    line_search_sums.move(Q, others, y, leaf, 2, 0.9 * rates)
    assert np.allclose(Q, expected, rtol=1e-13)
    assert np.allclose(others, (Q * mask).sum(axis=1), rtol=1e-12)


def test_multiplied_terms_keep_rows_summing_to_zero(rows):
    Q, _, mask, y, leaf, _, _ = rows
    terms = -Q * mask
    table = np.c_[terms, np.zeros(len(Q)), np.ones(len(Q))]
    table[np.arange(len(y)), y] = -terms.sum(axis=1)
    factors = np.random.default_rng(2).exponential(size=(2, 5, 5))
    line_search_sums.multiply_terms(table, leaf, y, factors)
    expected = terms * factors[leaf, y]
    assert np.allclose(table[:, :5] * mask, expected)
    assert np.allclose(table[np.arange(len(y)), y], -expected.sum(axis=1))
    assert np.allclose(table[:, 5], -expected.sum(axis=1))
    assert np.all(table[:, 6] == 1)


def test_log_odds_along_leaves(rows):
    Q, _, mask, y, leaf, weights, _ = rows
    leaves = np.random.default_rng(1).normal(size=(2, 5))
    odds = Q * mask
    gaps = leaves[leaf] - leaves[leaf, y][:, None]
    for a in (0.0, 1.5):
        terms = odds * np.exp(a * gaps)
        total = terms.sum(axis=1)
        value, slope = line_search_sums.log_odds_along(odds, leaf, y, weights, leaves, a)
        assert value == pytest.approx(weights @ np.log1p(total), rel=1e-12)
        assert slope == pytest.approx(weights @ ((terms * gaps).sum(axis=1) / (1 + total)))
