"""How parameters are chosen: the paper's grids, the hold-out, the seeds."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats


@dataclass(frozen=True)
class Protocol:
    """Sizes of the search; the defaults are those of the paper where it states them.

    Parameters
    ----------
    n_lambdas : int, default=100
        Values of lambda for the online methods, geometric between the extreme eigenvalues.
        Leave-one-out always takes the 100 of the estimator.
    n_costs : int, default=11
    least_cost, most_cost : float, default=10^-2 and 10^3
        Values of C for the support vector machines, geometric, and their ends.
    passes : int, default=20
        Most passes of the online methods; the held-out rows choose how many count.
    plain_passes : int, default=5
        Most passes of the paper's plain online rule.
    n_powers : int, default=25
        Values of lambda from 1 to 10^-6, geometric, that the plain rule tries beside those
        between the eigenvalues.
    rounds : int, default=400
        Rounds of boosting.
    hold_out : float, default=0.2
        Part of the training rows that hold-out sets aside.
    seed : int, default=0
    """

    n_lambdas: int = 100
    n_costs: int = 11
    least_cost: float = 1e-2
    most_cost: float = 1e3
    passes: int = 20
    plain_passes: int = 5
    n_powers: int = 25
    rounds: int = 400
    hold_out: float = 0.2
    seed: int = 0

    def costs(self) -> Floats:
        """Values of C.

        Examples
        --------
        >>> Protocol(n_costs=3).costs().round(2)
        array([1.00e-02, 3.16e+00, 1.00e+03])
        """
        return np.geomspace(self.least_cost, self.most_cost, self.n_costs)

    def lambdas(self, X: ArrayLike) -> Floats:
        """Values of lambda, falling from the largest to the least eigenvalue of X'X/n.

        Eigenvalues that are rounding error do not count. O(n p^2).

        Examples
        --------
        >>> import numpy as np
        >>> Protocol(n_lambdas=3).lambdas(np.diag([1.0, 10.0]))
        array([50. ,  5. ,  0.5])
        """
        X = np.asarray(X, dtype=np.float64)
        eigenvalues = np.linalg.eigvalsh(X.T @ X) / len(X)
        largest = eigenvalues.max()
        rounding = max(X.shape) * np.finfo(np.float64).eps * largest
        return np.geomspace(largest, eigenvalues[eigenvalues > rounding].min(), self.n_lambdas)


QUICK = Protocol(
    n_lambdas=20, n_costs=3, least_cost=0.1, most_cost=10.0, passes=10, rounds=60, n_powers=7
)
