import numpy as np
import pytest

from simplexcoding.datasets.bundled import load_bundled
from simplexcoding.datasets.catalogue import BUNDLED


@pytest.mark.parametrize("name", BUNDLED)
def test_every_class_is_in_both_parts_in_like_shares(name):
    split = load_bundled(name)
    shares = [np.bincount(y) / len(y) for y in (split.y_train, split.y_test)]
    np.testing.assert_allclose(shares[0], shares[1], atol=0.02)
