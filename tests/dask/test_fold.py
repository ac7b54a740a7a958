import os
import signal
import time
import tracemalloc

import dask.array as da
import numpy as np
import pytest

import dask
from dask import delayed
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays, from_dask
from simplexcoding.dask import fold as folds
from simplexcoding.dask.fold import fold_on_dask
from simplexcoding.kernels import Kernel
from simplexcoding.passes import knowledge
from simplexcoding.passes.features import Columns, Landmarks
from simplexcoding.passes.fold import fold
from simplexcoding.passes.gather import Gather

rng = np.random.default_rng(0)
N, PARTS = 1200, 20
y = rng.integers(5, size=N)
X = rng.normal(size=(5, 6))[y] + rng.normal(size=(N, 6))


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    """A sample that is not all rows, so that fits take both passes."""
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 300)


def model():
    return SimplexRidgeClassifier("linear")


def local():
    return model().fit_blocks(from_arrays(X, y, rows=N // PARTS))


def same_bits(a, b):
    return (
        np.array_equal(a.coef_, b.coef_)
        and np.array_equal(a.intercept_, b.intercept_)
        and np.array_equal(a.path_.score, b.path_.score)
        and np.array_equal(a.loo_scores_, b.loo_scores_)
    )


def collections(read=None):
    """Chunks that are read where they are needed, by a function of their number."""
    size = N // PARTS
    pieces = [da.from_delayed(delayed(read or _rows)(k), (size, 6), float) for k in range(PARTS)]
    return da.concatenate(pieces), da.from_array(y, size)


def _rows(number):
    size = N // PARTS
    return X[number * size : (number + 1) * size]


@pytest.mark.parametrize("scheduler", ["synchronous", "threads"])
def test_collections_give_the_bits_of_blocks_on_any_local_scheduler(scheduler):
    with dask.config.set(scheduler=scheduler):
        assert same_bits(model().fit(*collections()), local())


def test_weights_and_landmarks_too():
    w = rng.integers(0, 3, N).astype(float)
    rows, labels = collections()
    with dask.config.set(scheduler="synchronous"):
        found = model().fit(rows, labels, da.from_array(w, N // PARTS))
        kernel = SimplexRidgeClassifier("rbf", landmarks=30).fit(rows, labels)
    assert same_bits(found, model().fit_blocks(from_arrays(X, y, w, rows=N // PARTS)))
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
    # The same pieces, the same sums.
    assert np.array_equal(
        found.moments[0].moments.scatter, fold(source, leaf).moments[0].moments.scatter
    )


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
        model().fit(*change(*collections()))
    assert "\n" not in str(caught.value)


def test_files_for_one_process_are_refused(tmp_path):
    with pytest.raises(ValueError, match="checkpoint must be None on Dask"):
        model().fit_blocks(from_dask(*collections()), checkpoint=tmp_path)


def test_a_part_that_always_fails_raises_with_its_name():
    def read(number):
        if number == 3:
            raise OSError("disk on fire")
        return _rows(number)

    with (
        dask.config.set(scheduler="synchronous"),
        pytest.raises(RuntimeError, match="block 3 could not be read: disk on fire"),
    ):
        model().fit(*collections(read))


# The rest runs on real processes, under a Nanny that starts lost ones again.


@pytest.fixture(scope="module")
def cluster():
    from distributed import Client, LocalCluster

    options = {"distributed.comm.timeouts.connect": "20s"}
    with (
        dask.config.set(options),
        LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as found,
        Client(found) as client,
    ):
        client.wait_for_workers(2, timeout=60)
        yield client


def scale(client, workers):
    client.cluster.scale(workers)
    deadline = time.monotonic() + 60
    while len(client.nthreads()) != workers:
        assert time.monotonic() < deadline
        time.sleep(0.1)


class Deed:
    """Do something once while a pass runs, at the reading of some part."""

    def __init__(self, folder, part, reading, deed):
        self.marks, self.part, self.reading, self.deed = str(folder), part, reading, deed

    def __call__(self, number):
        if number == self.part:
            mark = os.path.join(self.marks, f"{time.monotonic_ns()}")
            open(mark, "w").close()
            if len(os.listdir(self.marks)) == self.reading:
                self.deed()
        return _rows(number)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def fail():
    raise OSError("once")


@pytest.mark.parametrize("reading", [1, 2], ids=["first pass", "second pass"])
@pytest.mark.parametrize("deed", [die, pytest.param(fail, marks=pytest.mark.slow)])
def test_a_worker_killed_or_a_part_that_fails_once_changes_no_bit(cluster, tmp_path, reading, deed):
    start = time.monotonic()
    found = model().fit(*collections(Deed(tmp_path, 7, reading, deed)))
    assert time.monotonic() - start < 60
    assert len(os.listdir(tmp_path)) > reading
    assert same_bits(found, local())
    cluster.wait_for_workers(2, timeout=60)


@pytest.mark.slow
def test_a_worker_that_leaves_and_one_that_joins_late_change_no_bit(cluster):
    def slow(number):
        time.sleep(0.1)
        return _rows(number)

    rows, labels = collections(slow)
    leaving = next(iter(cluster.scheduler_info()["workers"]))

    def change(future):
        cluster.retire_workers([leaving], close_workers=True, remove=True)
        cluster.cluster.scale(3)

    from threading import Timer

    timer = Timer(0.5, change, [None])
    timer.start()
    found = model().fit(rows, labels)
    timer.join(30)
    assert same_bits(found, local())
    cluster.cluster.scale(2)


def test_a_block_with_nan_and_a_part_that_always_fails_are_named_from_afar(cluster):
    rows, labels = collections()
    with pytest.raises(ValueError, match=r"^block 2: X holds NaN"):
        model().fit(da.where(rows == X[130, 2], np.nan, rows), labels)

    def read(number):
        if number == 3:
            raise OSError("disk on fire")
        return _rows(number)

    with pytest.raises(RuntimeError, match="block 3 could not be read: disk on fire"):
        model().fit(*collections(read))


@pytest.mark.slow
def test_one_two_and_four_workers_give_the_same_bits(cluster):
    expected = local()
    for workers in (1, 4, 2):
        scale(cluster, workers)
        assert same_bits(model().fit(*collections()), expected)


def test_parts_of_any_source_travel_to_a_cluster(cluster):
    from dataclasses import replace

    source = replace(from_arrays(X, y, rows=N // PARTS), on_dask=True)
    assert same_bits(model().fit_blocks(source), local())


def test_a_cluster_without_workers_is_not_waited_for_for_ever(cluster, monkeypatch):
    monkeypatch.setattr(folds, "PATIENCE", 2.0)
    scale(cluster, 0)
    with pytest.raises(RuntimeError, match="no workers for 2 seconds"):
        model().fit(*collections())
    scale(cluster, 2)


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
