"""What a margin machine without one row can say of it: a ball that its scores certainly lie in.

Write F for the objective of all rows, f for the function and P for a dual-feasible point near
it, f_P for its function. Without row i the same pair, P with its row i set to zero, has

G_i = F(f) - D(P) - L_i(f) - L*_i(P_i) - kappa <P_i, u_P(x_i)> + kappa/2 K_ii ||P_i||^2

as its duality gap. Objective and dual are strongly convex, so the left-out function f' obeys
||f - f'||^2 + ||g - f'||^2 <= 2 G_i with g = f_P - k_i P_i, and by the parallelogram law

||f' - (f + g)/2||^2 <= G_i - ||f - g||^2 / 4.

At an exact solution this is the ball whose diameter goes from f - k_i b_i to f.
"""

from typing import NamedTuple

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, leads
from simplexcoding.design.operators import Data
from simplexcoding.solvers.margin import MarginProblem, MarginSolution

# Share of the objective that rounding may have cost the gap.
_ROUNDING = 1e-12


class LeaveOneOutBalls(NamedTuple):
    """Where the scores of each row lie when it is left out.

    Parameters
    ----------
    centres : (n, T) array of scores, rows summing to zero
    radii : (n,) array, in the Euclidean norm of scores
    """

    centres: Floats
    radii: Floats

    def certainly_right(self, y: Indices) -> Bools:
        """Rows whose class leads every other one in the whole ball, (n,)."""
        return leads(self.centres, y) > np.sqrt(2) * self.radii

    def certainly_wrong(self, y: Indices) -> Bools:
        """Rows whose class is behind some other one in the whole ball, (n,)."""
        return leads(self.centres, y) < -np.sqrt(2) * self.radii

    def error_bounds(self, y: Indices, weights: Floats | None = None) -> tuple[float, float]:
        """Certainly wrong, and one less certainly right, as shares of the rows' weight."""
        wrong = np.average(self.certainly_wrong(y), weights=weights)
        right = np.average(self.certainly_right(y), weights=weights)
        return float(wrong), float(1 - right)


def leave_one_out_balls(
    problem: MarginProblem, solution: MarginSolution, data: Data
) -> LeaveOneOutBalls:
    """Balls around the left-out scores of every row, from one product with the kernel.

    They hold for solutions that are not exact, whose gap widens them, for every loss, weight
    and hull, and for the projected kernel where there are landmarks, which stay in place. A
    row leaves with its whole weight, and C stays.

    Parameters
    ----------
    problem : MarginProblem without rows set aside
    solution : MarginSolution of it
    data : Gram or Spectral, the kernel
    """
    kappa, width = problem.kappa, data.diagonal()
    found = solution.certificate
    P, S = found.point, solution.scores
    S_P = data.scores(P)
    length = kappa * width * np.square(P).sum(axis=1)  # ||k_i P_i||^2
    away = S - S_P
    gap = abs(found.primal - found.dual) + _ROUNDING * abs(found.primal)
    own = problem.values(S) + problem.conjugates(P) + kappa * (P * S_P).sum(axis=1)
    gaps = gap - own + length / 2
    apart = kappa * float(np.vdot(solution.coefficients - P, away))  # ||f - f_P||^2
    squares = apart + 2 * kappa * (P * away).sum(axis=1) + length  # ||f - g||^2
    radii = np.sqrt(np.maximum(gaps - squares / 4, 0) * width / kappa)
    return LeaveOneOutBalls((S + S_P - width[:, None] * P) / 2, radii)
