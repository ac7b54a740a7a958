import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from simplexcoding.dask import threads as module
from simplexcoding.dask.threads import one_thread
from simplexcoding.threads import in_parts


def threads():
    np.ones((4, 4)) @ np.ones((4, 4))
    return {info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"}


@pytest.fixture
def two_threads():
    before = max(threads())

    def set_to(number):
        # In a thread that ends: the one that set a limit last may be the only one to set another.
        setter = Thread(target=threadpool_limits, args=[number])
        setter.start()
        setter.join()

    set_to(2)
    yield
    set_to(before)


def test_tasks_that_overlap_hold_one_thread(two_threads):
    barrier = Barrier(4, timeout=20)

    def task(_):
        with one_thread():
            barrier.wait()
            inside = threads()
            barrier.wait()
        return inside

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(task, range(4))) == [{1}] * 4


def test_what_was_there_is_restored():
    # In a process of its own: a library that another test has held to one thread stays there.
    code = """
import numpy, scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits
from simplexcoding.dask.threads import one_thread
def threads():
    return {i["num_threads"] for i in threadpool_info() if i["user_api"] == "blas"}
with threadpool_limits(2):
    print(threads())
    with one_thread(), one_thread():
        print(threads())
    print(threads())
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.split() == ["{2}", "{1}", "{2}"]


def test_libraries_are_looked_for_again_where_more_was_imported(two_threads, monkeypatch):
    found, modules = [], dict(sys.modules)
    controller = module.ThreadpoolController
    monkeypatch.setattr(
        module, "ThreadpoolController", lambda: found.append(controller()) or found[-1]
    )
    monkeypatch.setattr(module, "_known", (0, None))
    monkeypatch.setattr(sys, "modules", modules)
    for number, expected in ((0, 1), (0, 1), (1, 2)):
        modules.update({f"a module {number}": None} if number else {})
        with one_thread():
            assert threads() == {1}
        assert len(found) == expected


def test_compiled_code_is_held_to_one_thread_too():
    seen = []
    with one_thread():
        in_parts(lambda first, last: seen.append((first, last)), 10)
    assert seen == [(0, 10)]
