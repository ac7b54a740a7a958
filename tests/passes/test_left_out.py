import numpy as np
import pytest

from simplexcoding.blocks import from_arrays
from simplexcoding.estimators.ridge import SimplexRidgeClassifier

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
