import threading
import tracemalloc
from itertools import pairwise

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from threadpoolctl import threadpool_limits

import dask
from reference.parts import PARTS, N, X, collections, linear, local, rows_of, same_bits, y
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays, from_dask
from simplexcoding.dask.fold import fold_on_dask
from simplexcoding.estimators.progress import Progress
from simplexcoding.kernels import Kernel
from simplexcoding.passes.features import Columns, Landmarks
from simplexcoding.passes.fold import fold
from simplexcoding.passes.gather import Gather


@pytest.mark.parametrize(
    "scheduler", ["synchronous", "threads", pytest.param("processes", marks=pytest.mark.slow)]
)
def test_collections_give_the_bits_of_blocks_on_any_local_scheduler(scheduler):
    with dask.config.set(scheduler=scheduler):
        assert same_bits(linear().fit(*collections()), local())


def test_weights_and_landmarks_too():
    w = np.random.default_rng(1).integers(0, 3, N).astype(float)
    rows, labels = collections()
    with dask.config.set(scheduler="synchronous"):
        found = linear().fit(rows, labels, da.from_array(w, N // PARTS))
        kernel = SimplexRidgeClassifier("rbf", landmarks=30).fit(rows, labels)
    assert same_bits(found, linear().fit_blocks(from_arrays(X, y, w, rows=N // PARTS)))
    expected = SimplexRidgeClassifier("rbf", landmarks=30)
    expected.fit_blocks(from_arrays(X, y, rows=N // PARTS))
    assert np.array_equal(kernel.dual_coef_, expected.dual_coef_)


@pytest.mark.parametrize("landmarks", [0, 500])
def test_a_long_chunk_takes_the_memory_of_its_pieces(landmarks):
    """Kernel values of 60,000 rows against 500 landmarks would be 240 MB in one piece."""
    rows, labels = np.tile(X, (50, 1)), np.tile(y, 50)
    rows += 1e-3 * np.random.default_rng(1).normal(size=rows.shape)
    source = from_dask(da.from_array(rows, (60_000, 6)), da.from_array(labels, 60_000))
    kernel = Kernel("rbf", 0.1)
    features = Landmarks.on(kernel, rows[:500]) if landmarks else Columns(kernel)
    leaf = Gather(None, (features,), True)
    with dask.config.set(scheduler="synchronous"):
        tracemalloc.start()
        found = fold_on_dask(source, leaf)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 100e6
    # The same pieces, the same sums, with one BLAS thread as tasks have.
    with threadpool_limits(1):
        expected = fold(source, leaf)
    assert np.array_equal(found.moments[0].moments.scatter, expected.moments[0].moments.scatter)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows, labels: (rows.rechunk({1: 3}), labels), "along its columns"),
        (lambda rows, labels: (rows, labels.rechunk(100)), "cut differently"),
        (lambda rows, labels: (rows[rows[:, 0] > 0], labels), "unknown size"),
        (lambda rows, labels: (rows[:0], labels[:0]), "X has no rows"),
        (lambda rows, labels: (da.where(rows == X[130, 2], np.nan, rows), labels), "^block 2: X"),
    ],
    ids=["columns", "misaligned", "unknown", "empty", "nan"],
)
def test_errors_are_one_line_and_name_the_block(change, message):
    with (
        dask.config.set(scheduler="synchronous"),
        pytest.raises(ValueError, match=message) as caught,
    ):
        linear().fit(*change(*collections()))
    assert "\n" not in str(caught.value)


def test_files_for_one_process_are_refused(tmp_path):
    with pytest.raises(ValueError, match="checkpoint must be None on Dask"):
        linear().fit_blocks(from_dask(*collections()), checkpoint=tmp_path)


@pytest.mark.parametrize("part", [0, 3, PARTS - 1])
def test_a_part_that_always_fails_raises_with_its_name_after_one_more_pass(part):
    read = []

    def reading(number):
        read.append(number)
        if number == part:
            raise OSError("disk on fire")
        return rows_of(number)

    with (
        dask.config.set(scheduler="synchronous"),
        pytest.raises(RuntimeError, match=f"block {part} could not be read: disk on fire"),
    ):
        linear().fit(*collections(reading))
    # The pass, at most another one by halves, and the part once for each half it is in.
    assert len(read) <= 2 * PARTS + np.log2(PARTS) + 1


def test_the_order_of_completion_changes_no_bit():
    """All parts are read at once, and end from the last to the first."""
    ended, over = [], [threading.Event() for _ in range(PARTS + 1)]
    over[PARTS].set()

    def reading(number):
        assert over[number + 1].wait(30)  # In the second pass all have come to their end.
        ended.append(number)
        over[number].set()
        return rows_of(number)

    with dask.config.set(scheduler="threads", num_workers=PARTS):
        found = linear().fit(*collections(reading))
    assert ended[:PARTS] == sorted(range(PARTS), reverse=True)
    assert same_bits(found, local())


def test_data_frames_are_fitted_as_arrays_are():
    frame = pd.DataFrame(X, columns=list("abcdef"))
    # Blocks of uneven length: a frame does not know that of its partitions.
    cuts = [0, 100, 101, 700, N - 1]
    rows = dd.from_pandas(frame, npartitions=1).repartition(divisions=cuts)
    labels = dd.from_pandas(pd.Series(y), npartitions=1).repartition(divisions=cuts)
    with dask.config.set(scheduler="synchronous"):
        found = linear().fit(rows, labels)
    edges = [0, 100, 101, 700, N]
    blocks = [(X[a:b], y[a:b]) for a, b in pairwise(edges)]
    expected = linear().fit_blocks(blocks)
    assert found.feature_names_in_.tolist() == list("abcdef")
    assert found.alpha_ == pytest.approx(expected.alpha_)
    assert np.allclose(found.coef_, expected.coef_, rtol=1e-10)
    assert found.best_score_ == expected.best_score_


def test_progress_counts_the_rows_of_each_pass(monkeypatch):
    seen = []
    monkeypatch.setattr(Progress, "rows", lambda self, *rows: seen.append(rows))
    with dask.config.set(scheduler="synchronous"):
        linear().fit(*collections())
    assert seen == [(N, 2 * N), (2 * N, 2 * N)]


def test_a_pass_is_the_fold_of_its_parts():
    class Count:
        n_rows = 0

        def __init__(self, keys):
            self.keys = keys

        def __add__(self, other):
            return Count(self.keys + other.keys)

    def leaf(block, name):
        return Count([name])

    source = from_dask(*collections())
    with dask.config.set(scheduler="synchronous"):
        found = fold_on_dask(source, leaf, "count").keys
    assert found == fold(source, leaf).keys == [f"block {k}" for k in range(PARTS)]
