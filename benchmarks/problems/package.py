"""The package as a whole."""

from benchmarks.harness import Contender, Timed, fresh, problem


def _import(module: str) -> Timed:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return Timed(float(fresh(code)))


@problem(
    title="Import in a fresh interpreter",
    bar="under twice the import of sklearn.linear_model",
    limit=2,
    baseline="sklearn.linear_model",
    repeat=7,
)
def import_time(quick: bool) -> list[Contender]:
    return [
        Contender("sklearn.linear_model", lambda: _import("sklearn.linear_model")),
        Contender("simplexcoding", lambda: _import("simplexcoding"), ours=True),
    ]
