"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import (
    boosting,
    calibration,
    inference,
    losses,
    online,
    package,
    ridge,
    svc,
)

__all__ = [
    "boosting",
    "calibration",
    "inference",
    "losses",
    "online",
    "package",
    "ridge",
    "svc",
]
