from types import SimpleNamespace

import pytest

import dask
from dask import delayed
from simplexcoding.dask import scheduler
from simplexcoding.dask.scheduler import NoWorkersError, compute, current_client, finished


def test_without_a_cluster_the_local_scheduler_computes():
    with dask.config.set(scheduler="synchronous"):
        assert current_client() is None
        assert compute(delayed(sum)([1, 2])) == 3


def test_a_cluster_computes_and_says_when_it_has_no_workers(monkeypatch):
    from distributed import Client, LocalCluster

    options = {"n_workers": 1, "processes": False, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        assert current_client() is client
        with dask.config.set(scheduler="threads"):
            assert current_client() is None
        assert compute(delayed(sum)([1, 2])) == 3
        with pytest.raises(ZeroDivisionError):
            compute(delayed(lambda: 1 / 0)())
        futures = client.map(lambda k: 1 / k, [0, 1, 2])
        assert {each.status for each in finished(client, futures)} == {"error", "finished"}
        monkeypatch.setattr(scheduler, "PATIENCE", 0.0)
        monkeypatch.setattr(scheduler, "_PAUSE", 0.1)
        alone = SimpleNamespace(nthreads=dict)
        with pytest.raises(NoWorkersError, match="no workers for 0 seconds; start some"):
            list(finished(alone, [client.submit(sum, [1, 2], workers=["tcp://nobody:1"])]))
