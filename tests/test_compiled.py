import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import event

import simplexcoding
from simplexcoding.compiled import compiled

# The estimators that compile something; the modules that these fits do not reach are imported.
FITS = """
import numpy, warnings
import simplexcoding as s
warnings.simplefilter("ignore")
X, y = numpy.eye(6).repeat(4, axis=0), numpy.arange(24) // 4 % 3
for model, rows in [
    (s.SimplexRidgeClassifier(kernel="linear", calibration="none"), X),
    (s.SimplexSVC("half_space", max_iter=3), X),
    (s.SimplexSGDClassifier(max_iter=1), X),
    (s.SimplexBoostingClassifier(n_estimators=2), X),
]:
    model.fit(rows, y).predict(rows)
import simplexcoding.losses.row_roots, simplexcoding.solvers.stochastic.sparse_pass
print("fitted in", s.__file__)
"""


def without_a_place_to_cache(folder):
    """Return an environment whose package lies where nothing can be written, nor at home.

    A file stands where each folder of caches would be made: that binds every user, root too.
    """
    package = folder / "simplexcoding"
    shutil.copytree(
        Path(simplexcoding.__file__).parent,
        package,
        ignore=shutil.ignore_patterns("__pycache__", "cli", "experiments"),
    )
    for place in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (place / "__pycache__").write_text("")
    environment = {key: os.environ[key] for key in os.environ if not key.startswith("NUMBA_")}
    return {
        **environment,
        "PYTHONPATH": str(folder),
        "HOME": os.devnull,
        "XDG_CACHE_HOME": os.devnull,
        "LOCALAPPDATA": os.devnull,
        "NUMBA_OPT": "0",  # compiles in half the time
    }


def test_estimators_fit_where_nothing_can_be_cached(tmp_path):
    environment = without_a_place_to_cache(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", FITS], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"fitted in {tmp_path}")


def test_what_is_compiled_is_cached_where_it_can_be():
    from simplexcoding.solvers.stochastic.row_step import running_means

    assert running_means.targetoptions["nogil"]
    assert type(running_means._cache).__name__ == "FunctionCache"


def test_other_errors_of_numba_are_not_hidden(monkeypatch):
    def fail(**_):
        raise RuntimeError("something else")

    monkeypatch.setattr("numba.njit", fail)
    with pytest.raises(RuntimeError, match="something else"):
        compiled(len)


@pytest.mark.parametrize("enabled", [True, False])
def test_no_garbage_is_looked_for_while_a_function_compiles(enabled):
    seen = []

    class Witness(event.Listener):
        def on_start(self, event):
            seen.append(gc.isenabled())

        def on_end(self, event):
            pass

    @numba.njit
    def inner(x):
        return 2 * x

    def outer(x):
        return inner(x)

    def fails(x):
        return x.nothing

    was = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with event.install_listener("numba:compile", Witness()):
            assert numba.njit(outer)(2.0) == 4.0
            assert gc.isenabled() == enabled
            with pytest.raises(numba.TypingError):
                numba.njit(fails)(2.0)
            assert gc.isenabled() == enabled
    finally:
        (gc.enable if was else gc.disable)()
    assert len(seen) >= 2 and not any(seen)
