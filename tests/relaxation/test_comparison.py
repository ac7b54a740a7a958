import numpy as np
import pytest

from simplexcoding.losses import ConeHinge, HalfSpaceHinge, LeastSquares, Logistic
from simplexcoding.relaxation import NoiseCondition, comparison_bound


def test_values_by_hand():
    assert comparison_bound(LeastSquares(), 4, 0.06) == pytest.approx(0.3)
    assert comparison_bound(HalfSpaceHinge(), 5, [0.1, 0.0]) == pytest.approx([0.4, 0.0])


def test_noise_sharpens_small_excesses_and_never_harms():
    noise = NoiseCondition(q=2, B=3)
    excess = np.geomspace(1e-8, 1, 50)
    plain = comparison_bound(LeastSquares(), 3, excess)
    sharpened = comparison_bound(LeastSquares(), 3, excess, noise)
    assert np.all(sharpened <= plain)
    assert sharpened[0] < 0.1 * plain[0]
    assert sharpened[0] == pytest.approx(noise.constant * (4 / 3 * 1e-8) ** 0.75)


def test_noise_leaves_a_linear_bound_alone():
    noise = NoiseCondition(q=2, B=3)
    assert comparison_bound(ConeHinge(), 3, 1e-6, noise) == comparison_bound(ConeHinge(), 3, 1e-6)


def test_what_has_no_inequality_is_refused():
    with pytest.raises(ValueError, match=r"Logistic\(\) has no comparison inequality for 3"):
        comparison_bound(Logistic(), 3, 0.1)
    with pytest.raises(ValueError, match="hull=False"):
        comparison_bound(HalfSpaceHinge(hull=False), 3, 0.1)
    with pytest.raises(ValueError, match=r"excess must be at least 0, got -0\.1"):
        comparison_bound(ConeHinge(), 3, [-0.1, 0.2])
