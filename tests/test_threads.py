import os
from threading import get_ident

import pytest

from simplexcoding import threads
from simplexcoding.threads import in_parts


@pytest.fixture
def three(monkeypatch):
    monkeypatch.setattr(threads, "_wanted", lambda: 3)


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_parts_cover_everything_once(three, size):
    parts = []
    in_parts(lambda first, last: parts.append((first, last)), size)
    assert len(parts) == min(size, 3)
    assert sorted(i for first, last in parts for i in range(first, last)) == list(range(size))


def test_threads_only_where_they_are_asked_for(three):
    seen = []
    in_parts(lambda first, last: seen.append((first, last, get_ident())), 10, threads=False)
    assert seen == [(0, 10, get_ident())]


def test_an_error_in_a_thread_is_raised(three):
    def task(first, last):
        if first:
            raise KeyError(first)

    with pytest.raises(KeyError):
        in_parts(task, 9)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(three):
    in_parts(lambda first, last: None, 9)
    child = os.fork()
    if not child:
        seen = []
        in_parts(lambda first, last: seen.append(last), 9)
        os._exit(0 if sorted(seen) == [3, 6, 9] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
