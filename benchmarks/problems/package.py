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


_FIRST_FIT = """
import os, tempfile, time, warnings
with tempfile.TemporaryDirectory() as folder:
    os.environ["NUMBA_CACHE_DIR"] = folder
    warnings.simplefilter("ignore")
    from sklearn.datasets import load_wine
    from simplexcoding import {name}
    X, y = load_wine(return_X_y=True)
    start = time.perf_counter()
    {name}(verbose=False).fit(X, y).predict(X)
    print(time.perf_counter() - start)
"""


def _first_fit(name: str) -> Timed:
    return Timed(float(fresh(_FIRST_FIT.format(name=name))))


@problem(
    title="First fit of an installation: wine at the defaults, nothing compiled yet",
    bar="under 3 seconds, compilation included",
    limit=1,
    baseline="3 seconds",
    repeat=3,
)
def first_fit(quick: bool) -> list[Contender]:
    names = [
        "SimplexSGDClassifier",
        "SimplexSVC",
        "SimplexBoostingClassifier",
        "SimplexRidgeClassifier",
    ]
    return [
        Contender("3 seconds", lambda: Timed(3.0)),
        *(
            Contender(name, lambda name=name: _first_fit(name), ours=True)
            for name in names[: 1 if quick else None]
        ),
    ]


_DEMO = """
import tempfile, time, warnings
warnings.simplefilter("ignore")
start = time.perf_counter()
from pathlib import Path
from simplexcoding.demo.tour import main
with tempfile.TemporaryDirectory() as folder:
    main(["--output", folder, *{arguments}])
    assert (Path(folder) / "report.html").stat().st_size > 10**5
print(time.perf_counter() - start)
"""


@problem(
    title="The demo, from start to its report, the installation not counted",
    bar="under 120 seconds",
    limit=1,
    baseline="120 seconds",
    repeat=1,
)
def demo_time(quick: bool) -> list[Contender]:
    code = _DEMO.format(arguments=["--datasets", "iris"] if quick else [])
    return [
        Contender("120 seconds", lambda: Timed(120.0)),
        Contender("simplexcoding demo", lambda: Timed(float(fresh(code))), ours=True),
    ]
