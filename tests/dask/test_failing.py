from distributed.scheduler import KilledWorker

import dask
from dask import delayed
from simplexcoding.dask.failing import named
from simplexcoding.dask.scheduler import NoWorkersError

names = [f"part {k}" for k in range(10)]


def state(number, read, fails):
    read.append(number)
    if number in fails:
        raise OSError(f"no disk\nfor {number}")
    return number


def total(states):
    return delayed(sum)(states)


def named_among(fails, error):
    read = []
    states = [delayed(state)(k, read, fails) for k in range(10)]
    with dask.config.set(scheduler="synchronous"):
        return named(error, names, states, total), read


def test_the_part_that_fails_is_found_by_halves():
    for number in range(10):
        found, read = named_among({number}, OSError("?"))
        assert str(found).startswith(f"part {number} could not be read: no disk")
        assert len(read) <= 10 + 4


def test_the_part_that_kills_is_told_by_its_task():
    """The task that died is often what reads a part, not what folds it."""
    pieces = [delayed(int)(k, dask_key_name=f"read-{k}") for k in range(10)]
    states = [delayed(abs)(each, dask_key_name=f"fold-{k}") for k, each in enumerate(pieces)]
    for task in ("read-7", "fold-7"):
        found = named(KilledWorker(task, None, 3), names, states, total)
        assert str(found) == "part 7 could not be read: 4 workers died that were to read it."
    strange = KilledWorker("elsewhere", None, 3)
    assert named(strange, names, states, total) is strange


def test_errors_that_name_their_part_or_whose_cause_is_gone_stay():
    for error in (ValueError("part 3: X holds NaN"), ValueError("blocks gave"), NoWorkersError()):
        assert named_among(set(), error) == (error, [])
    once = OSError("once")
    assert named_among(set(), once)[0] is once
