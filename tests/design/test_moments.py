import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.design import Moments, Targets, moments

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 4)) + 5
y = rng.integers(3, size=60)
w = rng.uniform(0.5, 2, 60)


def close(a, b):
    return all(
        np.allclose(getattr(a, name), getattr(b, name))
        for name in ("total", "mean", "scatter", "class_totals", "class_sums")
    )


@pytest.mark.parametrize("centred", [True, False])
def test_they_are_what_they_say(centred, monkeypatch):
    monkeypatch.setattr(moments, "BLOCK", 7)
    m = Moments.of(X, Targets(y, 3, w), centred)
    mean = np.average(X, axis=0, weights=w) if centred else np.zeros(4)
    Z = X - mean
    assert np.allclose(m.mean, mean)
    assert np.allclose(m.scatter, (Z * w[:, None]).T @ Z)
    assert np.allclose(m.class_sums, (np.eye(3)[y] * w[:, None]).T @ Z)
    assert close(m, Moments.of(csr_matrix(X), Targets(y, 3, w), centred))


@pytest.mark.parametrize("centred", [True, False])
def test_moments_add_and_subtract(centred):
    t = Targets(y, 3, w)
    whole = Moments.of(X, t, centred)
    head = Moments.of(X[:20], t.rows(slice(0, 20)), centred)
    tail = Moments.of(X[20:], t.rows(slice(20, 60)), centred)
    assert close(head + tail, whole)
    assert close(whole - tail, head)


def test_a_large_mean_costs_no_digits():
    t = Targets(y, 3)
    far = Moments.of(X + 2.0**26, t)
    assert np.allclose(far.scatter, Moments.of(X, t).scatter, rtol=1e-6)
