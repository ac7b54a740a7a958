"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import (
    boosting,
    calibration,
    inference,
    losses,
    online,
    package,
    ridge_default,
    ridge_kernel,
    ridge_linear,
    ridge_paper,
    scale,
    svc,
)

__all__ = [
    "boosting",
    "calibration",
    "inference",
    "losses",
    "online",
    "package",
    "ridge_default",
    "ridge_kernel",
    "ridge_linear",
    "ridge_paper",
    "scale",
    "svc",
]
