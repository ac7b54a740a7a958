"""What two ways to one ridge model must agree on, and rows of random classes."""

import numpy as np
import pytest

# Losses of margin machines, and whether the half-space has its hull.
MARGINS = [("cone", True), ("half_space", True), ("half_space", False), ("relative", True)]
MARGINS += [("vertex", True), ("logistic", True)]
each_margin = pytest.mark.parametrize(("loss", "hull"), MARGINS)


def assert_same(one, other, rows):
    """One model in two ways: path, choice, scores, left-out scores and probabilities."""
    assert one.classes_.tolist() == other.classes_.tolist()
    assert np.allclose(one.path_.alphas, other.path_.alphas, rtol=1e-6)
    assert np.allclose(one.path_.score, other.path_.score, atol=1e-8)
    assert one.alpha_ == pytest.approx(other.alpha_, rel=1e-6)
    assert np.allclose(one.decision_function(rows), other.decision_function(rows), atol=1e-8)
    assert np.allclose(one.loo_scores_, other.loo_scores_, atol=1e-8)
    assert np.allclose(one.predict_proba(rows), other.predict_proba(rows), atol=1e-6)


def random_classes(T, n=24, p=3, seed=0):
    """Rows around T random centres, their classes in turn, and the generator that drew them."""
    rng = np.random.default_rng([seed, T])
    y = np.arange(n) % T
    return rng.normal(size=(n, p)) + 1.5 * rng.normal(size=(T, p))[y], y, rng
