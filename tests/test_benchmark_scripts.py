import numpy as np

from benchmarks import few_sites
from benchmarks.harness import (
    peak_memory,
)


def test_peak_memory_sees_a_large_array():
    small, large = peak_memory("pass"), peak_memory("x = bytearray(b'1') * (100 * 2**20)")
    assert 90 < large - small < 130


def test_few_sites_are_fitted_and_counted_with_plain_steps_and_without(monkeypatch, capsys):
    monkeypatch.setattr(few_sites, "DRAWS", 1)
    monkeypatch.setattr(few_sites, "MOST_ITERATIONS", 20)
    X, y = few_sites.drawn(0)
    assert X.shape == (800, 6) and set(y) == {0, 1, 2}
    for plain_steps in (True, False):
        few_sites.main(plain_steps)
        *missed, told = capsys.readouterr().out.splitlines()
        assert told.startswith(f"{len(missed)} of 4 problems have not converged after 20 ")
        assert len(missed) >= 1 and missed[0].startswith("draw 0, half_space, C = 1: gap ")
    step = few_sites.Unpunished().step
    for F in (np.ones((3, 2)), 9 * np.ones((3, 2))):
        H = step(np.zeros((3, 2)), F)
    assert not np.array_equal(step(H, np.ones((3, 2)) * 2), H + 2)  # No plain step follows.
