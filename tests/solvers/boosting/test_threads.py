from threading import Thread

from simplexcoding.solvers.boosting.threads import with_threads


def test_only_one_python_thread_has_them_and_gives_them_back():
    seen = []

    def ask():
        with with_threads() as mine:
            seen.append(mine)

    with with_threads() as mine:
        assert mine
        other = Thread(target=ask)
        other.start()
        other.join()
    assert seen == [False]
    ask()
    assert seen == [False, True]


def test_who_does_not_want_them_leaves_them_to_others():
    with with_threads(False) as mine, with_threads() as other:
        assert (mine, other) == (False, True)
