"""From the words of the command line to an estimator."""

from typing import Any

import numpy as np

import simplexcoding
from simplexcoding.cli.complaint import Complaint

_RIDGE, _SVC, _SGD, _BOOST = (
    "SimplexRidgeClassifier",
    "SimplexSVC",
    "SimplexSGDClassifier",
    "SimplexBoostingClassifier",
)
# Kernel machines take these losses; least squares is the ridge, exponential is boosting.
LOSSES = {
    "least_squares": _RIDGE,
    "cone": _SVC,
    "half_space": _SVC,
    "relative": _SVC,
    "vertex": _SVC,
    "logistic": _SVC,
    "exponential": _BOOST,
}
_COSTS = np.geomspace(1e-2, 1e3, 11).tolist()
_LAMBDAS = np.geomspace(1, 1e-6, 13).tolist()


def make_estimator(loss: str, kernel: str, online: bool = False, seed: int = 0) -> Any:
    """Estimator that chooses its own regularisation.

    Parameters
    ----------
    loss : str
        A name in LOSSES.
    kernel : str
        "linear", "rbf", "exponential", "laplacian" or "poly".
    online : bool
        Learn row by row; linear only.
    seed : int

    Returns
    -------
    estimator, not fitted
    """
    if loss not in LOSSES:
        raise Complaint(f"--loss {loss}: unknown; choose among {', '.join(LOSSES)}.")
    if kernel not in ("linear", "rbf", "exponential", "laplacian", "poly"):
        raise Complaint(f"--kernel {kernel}: unknown; choose linear, rbf, laplacian or poly.")
    name = _SGD if online else LOSSES[loss]
    if name in (_SGD, _BOOST) and kernel != "linear":
        raise Complaint(f"--kernel {kernel}: not with this loss; leave --kernel away.")
    if name not in simplexcoding.__all__:
        raise Complaint(f"--loss {loss}: this release has no {name}.")
    make = getattr(simplexcoding, name)
    if name == _RIDGE:
        return make(kernel=kernel, random_state=seed)
    if name == _SVC:
        return make(loss=loss, kernel=kernel, C=_COSTS, random_state=seed)
    if name == _SGD:
        return make(loss=loss, alpha=_LAMBDAS, random_state=seed)
    return make(loss=loss, random_state=seed)
