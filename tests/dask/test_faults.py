"""Workers that die, leave and join late: real processes, under a Nanny that starts lost ones."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import dask.array as da
import numpy as np
import pytest

import dask
from reference.parts import (
    PARTS,
    Deed,
    Logged,
    N,
    X,
    collections,
    linear,
    local,
    rbf,
    readings,
    rows_of,
    same_bits,
    y,
)
from simplexcoding.blocks import from_arrays
from simplexcoding.dask import scheduler


@pytest.fixture(scope="module")
def cluster():
    from distributed import Client, LocalCluster

    # On a busy machine a Nanny takes long to start a worker anew, and none may be given up.
    options = {
        "distributed.comm.timeouts.connect": "20s",
        "distributed.deploy.lost-worker-timeout": "120s",
    }
    with (
        dask.config.set(options),
        LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as found,
        Client(found) as client,
    ):
        client.wait_for_workers(2, timeout=60)
        yield client


def scale(client, workers):
    client.cluster.scale(workers)
    until(lambda: len(client.nthreads()) == workers)


def until(holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def fail():
    raise OSError("once")


slow = pytest.mark.slow
passes = [
    pytest.param(linear, 1, id="moments"),
    pytest.param(linear, 2, id="judge"),
    pytest.param(rbf, 1, id="rbf, sample", marks=slow),
    pytest.param(rbf, 2, id="rbf, moments", marks=slow),
    pytest.param(rbf, 3, id="rbf, judge", marks=slow),
]


@pytest.mark.parametrize(("model", "reading"), passes)
@pytest.mark.parametrize("deed", [die, pytest.param(fail, marks=slow)])
def test_a_worker_killed_or_a_part_that_fails_once_changes_no_bit(
    cluster, tmp_path, model, reading, deed
):
    start = time.monotonic()
    found = model().fit(*collections(Deed(tmp_path, 7, reading, deed)))
    assert time.monotonic() - start < 60
    # The part was read once for each pass, and once more where the deed was done.
    assert len(os.listdir(tmp_path)) > reading
    assert same_bits(found, local(model))
    cluster.wait_for_workers(2, timeout=60)


def fitted_while(cluster, folder, change):
    """A fit of a third of a second for each part, and what another thread did meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        change = pool.submit(change)
        found = linear().fit(*collections(Logged(folder, 0.3)))
        ended = time.monotonic_ns()
        # Its exceptions are raised here.
        return found, change.result(60), ended


@slow
def test_a_worker_that_leaves_changes_no_bit(cluster, tmp_path):
    workers = set(cluster.run(os.getpid).values())

    def leave():
        until(lambda: all(sum(p == pid for _, p, _ in readings(tmp_path)) > 1 for pid in workers))
        cluster.cluster.scale(1)
        until(lambda: len(cluster.nthreads()) == 1)
        return time.monotonic_ns()

    found, left, ended = fitted_while(cluster, tmp_path, leave)
    assert same_bits(found, local())
    assert left < ended
    late = {pid for _, pid, when in readings(tmp_path) if when > left}
    assert late == set(cluster.run(os.getpid).values())
    assert len(workers - late) == 1
    scale(cluster, 2)


@slow
def test_a_worker_that_joins_late_does_its_share_and_changes_no_bit(cluster, tmp_path):
    scale(cluster, 1)
    (first,) = cluster.run(os.getpid).values()

    def join():
        until(lambda: len(readings(tmp_path)) >= 2)
        cluster.cluster.scale(2)
        cluster.wait_for_workers(2, timeout=60)
        return time.monotonic_ns()

    found, joined, ended = fitted_while(cluster, tmp_path, join)
    assert same_bits(found, local())
    assert joined < ended
    own = {pid for _, pid, when in readings(tmp_path) if when > joined}
    assert first in own and len(own) == 2
    assert {pid for _, pid, when in readings(tmp_path) if when < joined} == {first}


def test_a_block_with_nan_and_a_part_that_always_fails_are_named_from_afar(cluster):
    rows, labels = collections()
    with pytest.raises(ValueError, match=r"^block 2: X holds NaN"):
        linear().fit(da.where(rows == X[130, 2], np.nan, rows), labels)

    def read(number):
        if number == 3:
            raise OSError("disk on fire")
        return rows_of(number)

    with pytest.raises(RuntimeError, match="block 3 could not be read: disk on fire"):
        linear().fit(*collections(read))


@slow
def test_a_part_that_always_kills_its_worker_is_named(cluster):
    def read(number):
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return rows_of(number)

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="block 3 could not be read: 4 workers died"):
        linear().fit(*collections(read))
    assert time.monotonic() - start < 100
    cluster.wait_for_workers(2, timeout=60)


@slow
def test_one_two_and_four_workers_give_the_same_bits(cluster):
    expected = local()
    for workers in (1, 4, 2):
        scale(cluster, workers)
        assert same_bits(linear().fit(*collections()), expected)


def test_parts_of_any_source_travel_to_a_cluster(cluster):
    source = replace(from_arrays(X, y, rows=N // PARTS), on_dask=True)
    assert same_bits(linear().fit_blocks(source), local())


def test_a_cluster_without_workers_is_not_waited_for_for_ever(cluster, monkeypatch):
    monkeypatch.setattr(scheduler, "PATIENCE", 2.0)
    scale(cluster, 0)
    with pytest.raises(RuntimeError, match="no workers for 2 seconds"):
        linear().fit(*collections())
    scale(cluster, 2)
