"""Which part of a source a pass failed at."""

from collections.abc import Callable, Sequence
from typing import Any

from simplexcoding.dask.scheduler import NoWorkersError, compute, current_client, finished


def named(
    error: Exception,
    names: Sequence[str],
    states: Sequence[Any],
    total: Callable[[Sequence[Any]], Any],
) -> Exception:
    """The error with the name of the part that fails; our own errors have it already.

    A part whose workers die is told by its task. Others are read again until one fails: all at
    once on a cluster, half and half of a half elsewhere. Either takes no longer than one more
    pass.

    Parameters
    ----------
    error : Exception
    names : sequence of str, of the parts
    states : sequence of Dask objects, one for each part
    total : function of some states, gives their sum as a Dask object
    """
    if isinstance(error, NoWorkersError):
        return error
    if isinstance(error, ValueError) and str(error).startswith(("blocks", *names)):
        return error
    if type(error).__name__ == "KilledWorker":
        return _killed(error, names, states, total)
    client = current_client()
    found = _by_halves(states, total) if client is None else _at_once(client, states)
    if found is None:
        return error
    place, reason = found
    if isinstance(reason, NoWorkersError):
        return reason
    return RuntimeError(f"{names[place]} could not be read: {reason}")


def _killed(error: Any, names: Sequence[str], states: Sequence[Any], total: Any) -> Exception:
    """The part that the task of a KilledWorker belongs to."""
    from dask.core import get_deps

    places = {state.key: place for place, state in enumerate(states)}
    _, dependents = get_deps(dict(total(states).dask))
    above = [error.task]
    for key in above:
        if key in places:
            died = error.allowed_failures + 1
            return RuntimeError(
                f"{names[places[key]]} could not be read: {died} workers died that were to read it."
            )
        above += dependents.get(key, ())
    return error


def _by_halves(states: Sequence[Any], total: Any) -> tuple[int, Exception] | None:
    """Place and error of a part that fails."""
    first, last = 0, len(states)
    while last - first > 1:
        middle = (first + last) // 2
        if _fails(total(states[first:middle])) is None:
            first = middle
        else:
            last = middle
    reason = _fails(states[first])
    return None if reason is None else (first, reason)


def _at_once(client: Any, states: Sequence[Any]) -> tuple[int, Exception] | None:
    """The same of a cluster, whose sums stay where they are made and go at once."""
    futures = client.compute(list(states))
    places = {future.key: place for place, future in enumerate(futures)}
    try:
        for future in finished(client, futures):
            if future.status == "error":
                return places[future.key], future.exception()
            future.release()
    except NoWorkersError as error:
        return 0, error
    finally:
        client.cancel(futures)
    return None


def _fails(value: Any) -> Exception | None:
    try:
        compute(value)
    except Exception as error:
        return error
    return None
