import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.code import recursive_code
from simplexcoding import SimplexCode

SIZES = [2, 3, 4, 5, 7, 10, 31, 100, 316, 1000]


@pytest.mark.parametrize("T", SIZES)
def test_the_three_defining_properties(T):
    C = SimplexCode(T).codewords
    G = C @ C.T
    assert np.allclose(np.diag(G), 1, rtol=0, atol=1e-12)
    assert np.allclose(G[~np.eye(T, dtype=bool)], -1 / (T - 1), rtol=0, atol=1e-12)
    assert np.allclose(C.sum(axis=0), 0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("T", SIZES)
def test_identities_of_the_code(T):
    code = SimplexCode(T)
    C = code.codewords
    rng = np.random.default_rng(T)
    F = rng.normal(size=(5, T - 1)) / np.sqrt(T)
    close = dict(rtol=0, atol=1e-12)
    assert np.allclose(C.T @ C, T / (T - 1) * np.eye(T - 1), **close)
    assert np.allclose(np.sum((C[0] - C[-1]) ** 2), 2 * T / (T - 1), **close)
    U = code.scores(F)
    assert np.allclose(U, F @ C.T, **close)
    assert np.allclose(U.sum(axis=1), 0, **close)
    assert np.allclose((T - 1) / T * code.pull_back(U), F, **close)
    assert np.allclose(np.sum(U**2, axis=1), T / (T - 1) * np.sum(F**2, axis=1), **close)
    S = rng.normal(size=(5, T)) / np.sqrt(T)
    assert np.allclose(code.pull_back(S), S @ C, **close)


@pytest.mark.parametrize("T", SIZES)
def test_the_hull_is_where_the_barycentric_coordinates_are_probabilities(T):
    code = SimplexCode(T)
    p = np.random.default_rng(T).dirichlet(np.ones(T), size=3)
    U = code.scores(p @ code.codewords)
    assert np.allclose(((T - 1) * U + 1) / T, p, rtol=0, atol=1e-12)
    assert U.min() >= -1 / (T - 1) - 1e-12


@pytest.mark.parametrize("T", [2, 3, 6, 20])
def test_any_other_code_is_a_rotation_of_this_one(T):
    ours, theirs = SimplexCode(T).codewords, recursive_code(T)
    R = (T - 1) / T * ours.T @ theirs
    assert np.allclose(R @ R.T, np.eye(T - 1), atol=1e-12)
    assert np.allclose(ours @ R, theirs, atol=1e-12)


@given(st.integers(2, 40), st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_decode_is_the_nearest_vertex(T, seed):
    code = SimplexCode(T)
    F = np.random.default_rng(seed).normal(size=(20, T - 1))
    distances = ((F[:, None, :] - code.codewords[None]) ** 2).sum(axis=2)
    assert np.array_equal(code.decode(F), distances.argmin(axis=1))
    y = np.arange(T)
    assert np.array_equal(code.decode(code.encode(y)), y)


def test_two_classes_are_plus_and_minus_one_exactly():
    code = SimplexCode(2)
    assert code.codewords.tolist() == [[1.0], [-1.0]]
    f = np.array([[0.3], [-0.1], [0.0]])
    assert code.scores(f).tolist() == [[0.3, -0.3], [-0.1, 0.1], [0.0, 0.0]]
    assert code.pull_back(code.scores(f)).tolist() == (2 * f).tolist()
    assert code.decode(f).tolist() == [0, 1, 0]


def test_ties_decode_to_the_lowest_index():
    assert SimplexCode(5).decode(np.zeros((1, 4))).tolist() == [0]
    code = SimplexCode(4)
    middle = (code.codewords[2] + code.codewords[3])[None] / 2
    assert code.decode(middle).tolist() == [2]


def test_a_hundred_thousand_classes_need_no_square_matrix():
    T = 100_000
    tracemalloc.start()
    start = time.perf_counter()
    code = SimplexCode(T)
    y = np.array([0, 1, T - 1])
    F = code.encode(y)
    U = code.scores(F)
    decoded = code.decode(F)
    back = code.pull_back(U)
    seconds = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert decoded.tolist() == y.tolist()
    expected = np.full((3, T), -1 / (T - 1))
    expected[np.arange(3), y] = 1.0
    assert np.allclose(U, expected, rtol=0, atol=1e-12)
    assert np.allclose(U.sum(axis=1), 0, atol=1e-12)
    assert np.allclose((F**2).sum(axis=1), 1, rtol=0, atol=1e-12)
    assert np.allclose((T - 1) / T * back, F, rtol=0, atol=1e-12)
    f = np.random.default_rng(0).normal(size=(1, T - 1)) / np.sqrt(T)
    u = code.scores(f)
    assert np.allclose((u**2).sum(), T / (T - 1) * (f**2).sum(), rtol=0, atol=1e-12)
    assert peak < 100e6
    assert seconds < 3


@pytest.mark.parametrize("T", [2, 3, 50])
def test_float32_stays_float32(T):
    code = SimplexCode(T)
    F = code.encode([0, 1], dtype=np.float32)
    assert F.dtype == code.scores(F).dtype == code.pull_back(code.scores(F)).dtype == np.float32
    assert code.encode([0]).dtype == np.float64
    assert code.scores(np.ones((1, T - 1), dtype=np.int64)).dtype == np.float64


def test_codes_are_values():
    assert SimplexCode(4) == SimplexCode(np.int64(4)) != SimplexCode(5)
    assert len({SimplexCode(4), SimplexCode(4)}) == 1
    assert repr(SimplexCode(4)) == "SimplexCode(n_classes=4)"
    with pytest.raises(AttributeError):
        SimplexCode(4).n_classes = 5


def test_odd_layouts_are_taken():
    code = SimplexCode(4)
    F = np.asfortranarray(np.random.default_rng(0).normal(size=(6, 3)))
    F.flags.writeable = False
    assert np.array_equal(code.scores(F), code.scores(np.ascontiguousarray(F)))
    assert code.scores(np.empty((0, 3))).shape == (0, 4)
    assert code.encode([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: SimplexCode(1), ValueError, "at least 2, got 1"),
        (lambda: SimplexCode(2.5), TypeError, "integer, got 2.5"),
        (lambda: SimplexCode("3"), TypeError, "integer, got '3'"),
        (lambda: SimplexCode(True), TypeError, "integer"),
        (lambda: SimplexCode(3).encode([0, 3]), ValueError, r"y holds 3, outside 0\.\.2"),
        (lambda: SimplexCode(3).encode([-1]), ValueError, "y holds -1"),
        (lambda: SimplexCode(3).encode([0.5]), ValueError, "integer class indices"),
        (lambda: SimplexCode(3).encode([[0]]), ValueError, "one-dimensional"),
        (lambda: SimplexCode(3).scores(np.ones((2, 3))), ValueError, r"F must have shape \(n, 2\)"),
        (lambda: SimplexCode(3).decode(np.ones(2)), ValueError, r"got \(2,\)"),
        (lambda: SimplexCode(3).pull_back(np.ones((2, 2))), ValueError, "S must have shape"),
        (lambda: SimplexCode(2).scores([["a"]]), ValueError, "real numbers"),
    ],
)
def test_misuse_is_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
