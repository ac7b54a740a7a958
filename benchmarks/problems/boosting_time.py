"""Boosting at equal time, and how long libraries take that the other tables leave out."""

from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks import THREADS
from benchmarks.data import split
from benchmarks.harness import Contender, Timed, problem
from benchmarks.problems.boosting import (
    LIBRARIES,
    OURS,
    VECTOR_LEAVES,
    Data,
    Make,
    fitted,
    halves,
    quality,
    simplex,
)


def _equal_time(name: str, quick: bool) -> list[Contender]:
    """Every library with as many rounds as fit in the time of ours, as a pilot has it."""
    data = split(name, 500 if quick else None)
    budget: list[float] = []

    def ours() -> Timed:
        make = partial(simplex, 2 if quick else None)
        make().fit(*data[:2])  # compiles
        start = perf_counter()
        model = make().fit(*data[:2])
        budget.append(perf_counter() - start)
        return Timed(budget[0], model)

    def peer(make: Make) -> Timed:
        few = 2 if quick else 10
        start = perf_counter()
        make(few).fit(*data[:2])
        rounds = max(1, int(few * budget[0] / (perf_counter() - start)))
        start = perf_counter()
        model = make(min(rounds, 4) if quick else rounds).fit(*data[:2])
        return Timed(perf_counter() - start, model)

    notes = partial(quality, data)
    peers = [name for name in LIBRARIES if name != OURS]
    return [
        Contender(OURS, ours, notes, ours=True),
        *(Contender(name, partial(peer, LIBRARIES[name]), notes) for name in peers),
    ]


_EQUAL_TIME: dict[str, Any] = {
    "bar": "the accuracies in the notes; rounds are chosen by a pilot, so times are about equal",
    "limit": float("inf"),
    "baseline": OURS,
    "repeat": 0,
    "threads": THREADS,
}


@problem(
    title="Letter, every library for as long as SimplexBoostingClassifier takes", **_EQUAL_TIME
)
def boosting_equal_time(quick: bool) -> list[Contender]:
    return _equal_time("letter", quick)


@problem(
    title="Satimage, every library for as long as SimplexBoostingClassifier takes", **_EQUAL_TIME
)
def boosting_equal_time_satimage(quick: bool) -> list[Contender]:
    return _equal_time("satimage", quick)


@problem(
    title="Pendigits, every library for as long as SimplexBoostingClassifier takes", **_EQUAL_TIME
)
def boosting_equal_time_pendigits(quick: bool) -> list[Contender]:
    return _equal_time("pendigits", quick)


# Rounds of libraries that take many minutes at their defaults, and rounds of those defaults.
SLOW = {VECTOR_LEAVES: 100, "HistGradientBoostingClassifier": 100, "CatBoost": 1000}


def _extrapolated(name: str, data: Data, few: int, many: int) -> Timed:
    """Time of the default's rounds, on the line through those of few and of many."""
    seconds = []
    for rounds in (few, many):
        start = perf_counter()
        fitted(LIBRARIES[name], rounds, data)
        seconds.append(perf_counter() - start)
    per_round = (seconds[1] - seconds[0]) / (many - few)
    return Timed(seconds[0] + per_round * (SLOW[name] - few), per_round)


def _slow(data: Data, quick: bool) -> list[Contender]:
    few, many = (1, 2) if quick else (4, 12)

    def notes(name: str, per_round: float) -> dict[str, object]:
        return {"seconds per round": f"{per_round:.2f}", "rounds": SLOW[name]}

    def ours() -> Timed:
        start = perf_counter()
        model = fitted(simplex, 2 if quick else None, data)
        return Timed(perf_counter() - start, model)

    simplex(2).fit(np.arange(2400.0).reshape(1200, 2), np.arange(1200) % 3)  # compiles
    return [
        Contender(OURS, ours, lambda model: {"rounds": model.n_estimators_}, True),
        *(
            Contender(name, partial(_extrapolated, name, data, few, many), partial(notes, name))
            for name in SLOW
        ),
    ]


_EXTRAPOLATED: dict[str, Any] = {
    "bar": "how long the defaults would take that the tables leave out, from 4 and 12 rounds",
    "limit": float("inf"),
    "baseline": OURS,
    "repeat": 0,
    "threads": THREADS,
}


@problem(title="Isolet, times of slow libraries, extrapolated", **_EXTRAPOLATED)
def boosting_slow_isolet(quick: bool) -> list[Contender]:
    return _slow(split("isolet", 500 if quick else None), quick)


@problem(title="KDD Cup 1999, times of slow libraries, extrapolated", **_EXTRAPOLATED)
def boosting_slow_many_rows(quick: bool) -> list[Contender]:
    return _slow(halves("kdd99", 400_000, quick), quick)
