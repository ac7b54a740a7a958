"""Benchmarks: problems by libraries, as ratios against a named baseline."""

from collections.abc import MutableMapping

# The most threads that a problem may ask for.
THREADS = 2
THREAD_VARIABLES = [
    f"{name}_NUM_THREADS" for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
]
THREAD_VARIABLES += ["VECLIB_MAXIMUM_THREADS"]


def pin_threads(environment: MutableMapping[str, str], threads: int = THREADS) -> None:
    """Set what libraries read once, when they are first imported."""
    environment.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
