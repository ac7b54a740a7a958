"""An interior-point solver asked for more digits than it may have; tests say how many count."""

import warnings


def solve(problem, **options):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Solution may be inaccurate", UserWarning)
        problem.solve(**options)
