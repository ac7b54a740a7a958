import tracemalloc

import numpy as np
import pytest

from simplexcoding.blocks import block, from_arrays
from simplexcoding.estimators.abilities import ridge_from_blocks
from simplexcoding.estimators.ridge import SimplexRidgeClassifier
from simplexcoding.passes import knowledge, ridge
from simplexcoding.passes.left_out import write_left_out

rng = np.random.default_rng(0)
y = rng.integers(3, size=200)
X = rng.normal(size=(3, 4))[y] + rng.normal(size=(200, 4))
w = rng.choice([0.0, 1.0, 2.0], 200)


def test_every_row_gets_the_scores_of_a_fit_in_memory(tmp_path):
    model = SimplexRidgeClassifier("linear", alphas=3.0)
    model.fit_blocks(from_arrays(X, y, w, rows=33), left_out=tmp_path / "scores.npy")
    written = np.load(tmp_path / "scores.npy", mmap_mode="r")
    expected = SimplexRidgeClassifier("linear", alphas=3.0).fit(X, y, w).loo_scores_
    assert written.shape == (200, 3)
    assert np.allclose(written, expected, rtol=1e-10, atol=1e-12)


def test_a_pass_that_breaks_leaves_the_old_file(tmp_path):
    class Failing:
        """Gives its rows once, for the fit, and breaks off in the next reading."""

        readings = 0

        def __iter__(self):
            self.readings += 1
            if self.readings > 1:
                yield X[:50], y[:50]
                raise OSError("gone")
            yield X, y

    path = tmp_path / "scores.npy"
    path.write_text("old")
    with pytest.raises(OSError, match="gone"):
        SimplexRidgeClassifier("linear", alphas=3.0).fit_blocks(Failing(), left_out=path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("passes", [1, 2])
def test_many_classes_take_the_memory_of_some_rows(tmp_path, monkeypatch, passes):
    """Scores of all the rows, or of the block that they are, would be 14 MB."""
    monkeypatch.setattr(block, "_BLOCK_VALUES", 2**15)
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 2000)
    monkeypatch.setattr(ridge, "_SCORE_VALUES", 2**18)
    monkeypatch.setattr(ridge, "_WHOLE_VALUES", 2**20)
    n_classes, peaks = 600, []
    labels = np.random.default_rng(1).permutation(np.repeat(np.arange(n_classes), 5))
    rows = np.random.default_rng(2).normal(size=(3000, 4)) + labels[:, None] % 7
    path = tmp_path / "scores.npy"

    def traced(*args):
        tracemalloc.start()
        write_left_out(*args)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    monkeypatch.setattr(ridge_from_blocks, "write_left_out", traced)
    model = SimplexRidgeClassifier("linear", alphas=[1.0, 10.0, 100.0], calibration="none")
    model.fit_blocks(from_arrays(rows, labels, rows=3000), passes, left_out=path)
    assert peaks[0] < 6e6
    # Of the sample's 2,000 rows as many as the least of a sample.
    assert model.loo_scores_.shape == (500, n_classes)
    expected = SimplexRidgeClassifier("linear", alphas=model.alpha_).fit(rows, labels)
    assert np.allclose(np.load(path), expected.loo_scores_, rtol=1e-9, atol=1e-12)
    assert model.n_scored_rows_ == (3000 if passes == 2 else 500)
    if passes == 2:
        assert model.best_score_ == expected.best_score_
