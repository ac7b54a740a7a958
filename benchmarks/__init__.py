"""Benchmarks: problems by libraries, as ratios against a named baseline."""

import os

# The most threads that a problem may ask for.
THREADS = 2
THREAD_VARIABLES = [
    f"{name}_NUM_THREADS" for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
]
THREAD_VARIABLES += ["VECLIB_MAXIMUM_THREADS"]

# Libraries read these once, when first imported, and subprocesses inherit them.
os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(THREADS)))
