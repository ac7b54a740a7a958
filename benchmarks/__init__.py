"""Benchmarks: problems by libraries, as ratios against a named baseline."""

import os

# The most threads that a problem may ask for.
THREADS = 2

# Libraries read these once, when first imported, and subprocesses inherit them.
for _name in ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA"):
    os.environ[f"{_name}_NUM_THREADS"] = str(THREADS)
os.environ["VECLIB_MAXIMUM_THREADS"] = str(THREADS)
