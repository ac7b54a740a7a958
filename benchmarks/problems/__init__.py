"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import (
    boosting,
    boosting_published,
    calibration,
    calibration_small,
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
    svc_search,
    tensors,
)

__all__ = [
    "boosting",
    "boosting_published",
    "calibration",
    "calibration_small",
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
    "svc_search",
    "tensors",
]
