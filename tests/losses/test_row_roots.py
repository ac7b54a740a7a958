"""The compiled roots against scipy and against a bisection in NumPy."""

import numpy as np
import pytest
from scipy.special import wrightomega

from simplexcoding.losses import row_roots
from simplexcoding.losses.row_roots import box_weights, wright_omega


@pytest.mark.parametrize("T", [2, 5, 40])
@pytest.mark.parametrize("kind", ["cone", "relative"])
@pytest.mark.parametrize("scale", [0.1, 1.0, 1e4])
def test_box_weights_solve_their_equation(T, kind, scale):
    rng = np.random.default_rng(T)
    lines = rng.normal(size=(300, T)) * scale
    lines[np.arange(300), rng.integers(T, size=300)] = -np.inf
    box = rng.choice([0.01, 1.0, 100.0], size=300)
    slope = 1 / T if kind == "cone" else -1.0
    weights = box_weights(lines, slope, box)
    total = weights.sum(axis=1, keepdims=True)
    expected = np.clip(lines + slope * total, 0, box[:, None])
    assert np.allclose(weights, expected, rtol=1e-10, atol=1e-10 * scale)
    assert np.allclose(total[:, 0], bisected(lines, slope, box), rtol=1e-9, atol=1e-9 * scale)


def bisected(lines, slope, box):
    low, high = np.zeros(len(lines)), lines.shape[1] * box
    for _ in range(200):
        middle = (low + high) / 2
        total = np.clip(lines + slope * middle[:, None], 0, box[:, None]).sum(axis=1)
        low, high = np.where(total > middle, middle, low), np.where(total > middle, high, middle)
    return middle


def test_wright_omega_agrees_with_scipy():
    x = np.concatenate([np.linspace(-60, 60, 4001), [-700.0, 1e3, 1e8, 1e15]])
    ours = np.array([wright_omega(v) for v in x])
    assert np.allclose(ours, wrightomega(x), rtol=1e-14, atol=0)


@pytest.mark.parametrize("scale", [1.0, 10.0, 100.0])
@pytest.mark.parametrize("step", [0.1, 1.0, 1000.0])
def test_the_roots_of_the_logistic_prox_take_few_iterations(monkeypatch, scale, step):
    calls = []

    def counted(x):
        calls.append(x)
        return wright_omega(x)

    monkeypatch.setattr(row_roots, "wright_omega", counted)
    rng = np.random.default_rng(0)
    S, y = scale * rng.normal(size=(100, 8)), rng.integers(8, size=100)
    weights = row_roots.logistic_weights.py_func(S, y, np.full(100, step))
    assert np.allclose(weights.sum(axis=1), step, rtol=1e-13)
    assert len(calls) <= 20 * S.size
