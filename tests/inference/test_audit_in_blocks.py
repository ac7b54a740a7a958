import tracemalloc

import numpy as np
import pytest

from simplexcoding.inference.audit_in_blocks import ScoreFile, rank_in_blocks
from simplexcoding.inference.suspects import rank_suspects

rng = np.random.default_rng(0)


def drawn(n_rows, n_classes, dtype, path):
    y = rng.integers(n_classes, size=n_rows)
    scores = rng.normal(size=(n_rows, n_classes)) + 2 * np.eye(n_classes)[y]
    scores = (scores - scores.mean(axis=1, keepdims=True)).astype(dtype)
    np.save(path, scores)
    return scores, y


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_suspects_are_those_of_all_scores_at_once(tmp_path, dtype):
    scores, y = drawn(30_000, 6, dtype, tmp_path / "scores.npy")
    found, expected = rank_in_blocks(tmp_path / "scores.npy", y), rank_suspects(scores, y)
    assert found.n_contradicted == expected.n_contradicted
    assert np.allclose(found.errors, expected.errors)
    assert np.allclose(found.score, expected.score, rtol=1e-6)
    for name in ("row", "given", "suggested"):
        # Scores that tie to rounding may change places.
        assert np.mean(getattr(found, name) == getattr(expected, name)) > 0.999


def test_memory_is_a_few_numbers_for_each_row(tmp_path):
    _, y = drawn(60_000, 50, np.float64, tmp_path / "scores.npy")
    tracemalloc.start()
    rank_in_blocks(tmp_path / "scores.npy", y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # The scores themselves are 24 MB, and their probabilities as much again.
    assert peak < 12e6


def test_a_file_gives_the_rows_that_are_asked_for(tmp_path):
    scores, _ = drawn(20, 3, np.float64, tmp_path / "scores.npy")
    file = ScoreFile(tmp_path / "scores.npy")
    assert file.shape == (20, 3)
    assert np.array_equal(file[5:9], scores[5:9])
    assert np.array_equal(file[np.array([7, 2])], scores[[7, 2]])
