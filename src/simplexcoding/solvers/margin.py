"""The regularised margin problem, its dual, and the certificate that ties them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from simplexcoding.arrays import Floats, Indices, centred
from simplexcoding.losses.loss import Loss

CONVERGED = "converged"
ITERATIONS = "iterations"

# Weight of the distance in a projection: V* is finite and of order one where it is taken.
_FAR = 1e8

Report = Callable[[float], None]


def silent(fraction: float) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class MarginProblem:
    """Minimise over f in the space of a kernel: 1/2 ||f||^2 + sum_i box_i V(u_i, y_i).

    With B the (n, T) coefficients of the scores, u = K B, and kappa = (T-1)/T:

    primal(B)  kappa/2 <B, K B> + sum_i box_i V((K B)_i, y_i)
    dual(B)   -kappa/2 <B, K B> - sum_i box_i V*(-kappa B_i / box_i, y_i)

    Rows of B sum to zero. box_i is C_0 times the weight of row i, and positive.
    """

    loss: Loss
    y: Indices
    box: Floats
    n_classes: int

    @property
    def kappa(self) -> float:
        """||f||^2 = kappa ||u||^2."""
        return (self.n_classes - 1) / self.n_classes

    @property
    def hull(self) -> bool:
        """Whether scores are held in the hull, so that the primal is infinite outside it."""
        return bool(getattr(self.loss, "hull", False))

    def scaled(self, factor: float) -> "MarginProblem":
        """Return the same problem with C_0 multiplied."""
        return replace(self, box=self.box * factor)

    def rows(self, chosen: Indices) -> "MarginProblem":
        """Return the problem of some rows."""
        return replace(self, y=self.y[chosen], box=self.box[chosen])

    def prox(self, S: Floats, scale: float) -> Floats:
        """Prox of box_i V with one more factor on the step."""
        return self.loss.prox(S, self.y, self.box * scale)


@dataclass(frozen=True)
class Certificate:
    """Primal value of f, dual value of a feasible point near it; both bound the optimum.

    `point` is the dual-feasible point, (n, T).
    """

    primal: float
    dual: float
    point: Floats = field(repr=False)

    @property
    def gap(self) -> float:
        """(primal - dual) / primal, a bound on the relative distance to the optimum."""
        return (self.primal - self.dual) / self.primal if self.primal > 0 else 0.0


def certify(
    problem: MarginProblem, B: Floats, near: Floats, scores: Callable[[Floats], Floats]
) -> tuple[Floats, Certificate]:
    """Coefficients of finite objective and their certificate, in float64.

    Outside the hull the objective is infinite: B is then shrunk towards zero, which is
    inside, until every row is. The certificate is that of the coefficients returned, with
    the dual value of feasible(near). `scores` maps coefficients to K B; it is called twice,
    the rest is O(n T). Under the hull every point is dual feasible, B itself too: `near` is
    not used.
    """
    S = scores(B)
    point = feasible(problem, B if problem.hull else near)
    dual = dual_value(problem, point, S if problem.hull else scores(point))
    if problem.hull:
        outside = -float(S.min()) * (problem.n_classes - 1)
        if outside > 1:
            # A hair inside, so that rounding cannot put a row back outside.
            shrink = (1 - 1e-12) / outside
            B, S = shrink * B, shrink * S
    values = problem.box * problem.loss.value(S, problem.y)
    primal = 0.5 * problem.kappa * float(np.vdot(B, S)) + float(values.sum())
    return B, Certificate(primal, dual, point)


def dual_value(problem: MarginProblem, point: Floats, scores: Floats) -> float:
    """Dual objective at a feasible point with its scores K @ point."""
    g = -problem.kappa * point / problem.box[:, None]
    conjugates = problem.box * problem.loss.conjugate(g, problem.y)
    return -0.5 * problem.kappa * float(np.vdot(point, scores)) - float(conjugates.sum())


def feasible(problem: MarginProblem, B: Floats) -> Floats:
    """Nearest dual-feasible point: each row moved to the conjugate's domain.

    With g = -kappa B / box, g - prox_t(t g)/t minimises V*/t + 1/2 ||. - g||^2: for large t
    the projection of g on the domain of V*, exact to rounding.
    """
    B = centred(B)
    g = -problem.kappa * B / problem.box[:, None]
    off = ~np.isfinite(problem.loss.conjugate(g, problem.y))
    if off.any():
        far = _FAR * g[off]
        inside = (far - problem.loss.prox(far, problem.y[off], _FAR)) / _FAR
        B[off] = -inside * problem.box[off, None] / problem.kappa
    B[np.abs(B).max(axis=1) <= 1e-9 * problem.box] = 0.0
    return B


@dataclass(frozen=True)
class Solution:
    """Coefficients of the scores, what they certify, and how the solver ended.

    status is "converged" or "iterations" (the bound on iterations came first).
    """

    coefficients: Floats
    certificate: Certificate
    iterations: int
    status: str

    @property
    def gap(self) -> float:
        """Relative duality gap."""
        return self.certificate.gap

    def merit(self, tol: float) -> float:
        """Gap, and below tol the iterations it took: smaller is better."""
        return self.gap if self.status != CONVERGED else tol * self.iterations / 1e6
