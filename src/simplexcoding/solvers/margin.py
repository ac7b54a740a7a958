"""The regularised margin problem, its dual, and the certificate that ties them."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, centred
from simplexcoding.design.design import Expansion
from simplexcoding.losses.loss import Loss
from simplexcoding.solvers.solution import Solution, Status

# What a loss must offer.
NEEDS = ("prox", "conjugate")

# Weight of the distance in a projection: V* is finite and of order one where it is taken.
_PROJECTION_STEP = 1e8


@dataclass(frozen=True)
class MarginProblem:
    """Minimise over f in the space of a kernel: 1/2 ||f||^2 + sum_i box_i V(u_i, y_i).

    With B the (n, T) coefficients of the scores, u = K B, and kappa = (T-1)/T:

    primal(B)  kappa/2 <B, K B> + sum_i box_i V((K B)_i, y_i)
    dual(B)   -kappa/2 <B, K B> - sum_i box_i V*(-kappa B_i / box_i, y_i)

    Rows of B sum to zero. box_i is C_0 times the weight of row i. A row with box_i = 0 is
    set aside: it has neither loss nor hull, its dual is zero, and the optimum is that
    without the row.

    Parameters
    ----------
    loss : Loss
    y : (n,) class indices
    box : (n,) array, the weight of each row's loss
    n_classes : int, T
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
        return self.loss.hull

    @cached_property
    def used(self) -> Bools | slice:
        """The rows that are not set aside."""
        used = self.box > 0
        return slice(None) if used.all() else used

    def scaled(self, factor: float) -> "MarginProblem":
        """Return the same problem with C_0 multiplied."""
        return replace(self, box=self.box * factor)

    def without(self, aside: Indices) -> "MarginProblem":
        """Return the problem with some rows set aside."""
        box = self.box.copy()
        box[aside] = 0.0
        return replace(self, box=box)

    def prox(self, S: Floats, scale: float) -> Floats:
        """Prox of box_i V with one more factor on the step; the identity on rows set aside."""
        if isinstance(self.used, slice):
            return self.loss.prox(S, self.y, self.box * scale)
        Z = S.copy()
        Z[self.used] = self.loss.prox(S[self.used], self.y[self.used], self.box[self.used] * scale)
        return Z

    def values(self, S: Floats) -> Floats:
        """box_i V(S_i, y_i), zero for rows set aside, (n,)."""
        values = np.zeros(len(self.y))
        used = self.used
        values[used] = self.box[used] * self.loss.value(S[used], self.y[used])
        return values

    def conjugates(self, point: Floats) -> Floats:
        """box_i V*(-kappa point_i / box_i, y_i), (n,); rows set aside must be zero."""
        values = np.zeros(len(self.y))
        used = self.used
        g = -self.kappa * point[used] / self.box[used, None]
        values[used] = self.box[used] * self.loss.conjugate(g, self.y[used])
        return values

    def primal_value(self, S: Floats, length: float) -> float:
        """The objective at scores S = K B, with length <B, K B>."""
        return 0.5 * self.kappa * length + float(self.values(S).sum())

    def dual_value(self, point: Floats, length: float) -> float:
        """The dual objective at a feasible point, with length <point, K point>."""
        return -0.5 * self.kappa * length - float(self.conjugates(point).sum())


@dataclass(frozen=True)
class Certificate:
    """Primal value of f, dual value of a feasible point near it; both bound the optimum.

    Parameters
    ----------
    primal, dual : float
    point : (n, T) array, dual feasible
    length : float
        <point, K point>, which gives the dual value of `point` at another C.
    """

    primal: float
    dual: float
    point: Floats = field(repr=False)
    length: float = field(repr=False)

    @property
    def gap(self) -> float:
        """A bound on the relative distance to the optimum, see `relative_gap`."""
        return relative_gap(self.primal, self.dual)


class State(NamedTuple):
    """Where an iteration stands, whatever its penalty: scores Z and their multipliers D.

    Both are (n, T); -D is dual feasible.
    """

    Z: Floats
    D: Floats


@dataclass(frozen=True)
class MarginSolution:
    """Coefficients with their scores K B at all rows, what they certify, and how it ended.

    Parameters
    ----------
    coefficients, scores : (n, T) arrays
    certificate : Certificate
    iterations : int
    status : Status
    state : State, from which a problem like this one can start
    rho : float, the penalty it ended with
    rounding : float
        What float64 may have added to the objective: kernel values times duals, rounded.
    """

    coefficients: Floats
    scores: Floats
    certificate: Certificate
    iterations: int
    status: Status
    state: State = field(repr=False)
    rho: float
    rounding: float = 0.0

    @property
    def gap(self) -> float:
        """Relative duality gap, rounding included."""
        gap = self.certificate.gap
        return gap + self.rounding / self.certificate.primal if 0 < gap < np.inf else gap

    def solution(self, expansion: Expansion) -> Solution:
        """The function with these coefficients, how the iteration ended, and its certificate."""
        learnt = expansion.function(self.coefficients)
        return Solution(learnt, self.status, self.iterations, self.certificate)

    def gap_at(self, problem: MarginProblem, stretch: float = 1.0) -> float:
        """Relative gap of the function, times `stretch`, and of the dual point for another box.

        Where the dual domain grows with the box and its conjugate is linear there, as for
        the cone and the relative margin, the dual value stays and the primal gains
        (C' - C) sum V. Infinite where the point is not feasible. O(n T).
        """
        length = stretch**2 * float(np.vdot(self.coefficients, self.scores))
        primal = problem.primal_value(stretch * self.scores, length)
        found = self.certificate
        return relative_gap(primal, problem.dual_value(found.point, found.length))


def relative_gap(primal: float, dual: float) -> float:
    """|primal - dual| / primal: how far the primal value may be above the optimum.

    No dual value is above a primal one, and no primal value below zero: where rounding has
    brought them there they are wrong by as much as that, and nothing is certified. Infinite
    where the primal value is not a positive finite number.

    Examples
    --------
    >>> round(relative_gap(2.0, 1.5), 3), round(relative_gap(2.0, 2.5), 3), relative_gap(-1.0, -2.0)
    (0.25, 0.25, inf)
    """
    if primal == dual == 0:
        return 0.0
    if not (0 < primal < np.inf and np.isfinite(dual)):
        return float(np.inf)
    return abs(primal - dual) / primal


def dual_point(problem: MarginProblem, B: Floats, near: Floats) -> Floats:
    """The dual-feasible point that goes with coefficients B, from one that is near.

    Under the hull every point is dual feasible, B itself too: `near` is used for rows set
    aside only.
    """
    return feasible(problem, B if problem.hull else near)


def certify(
    problem: MarginProblem, B: Floats, S: Floats, point: Floats, point_scores: Floats
) -> tuple[Floats, Floats, Certificate]:
    """Coefficients of finite objective, their scores and their certificate, in O(n T).

    Outside the hull the objective is infinite: B is then shrunk towards zero, which is
    inside, until every row is. The certificate is that of the coefficients returned, with
    the dual value of `point`, which is dual feasible. S = K B and point_scores = K point, in
    float64.
    """
    length = float(np.vdot(point, point_scores))
    dual = problem.dual_value(point, length)
    if problem.hull:
        outside = -float(S[problem.used].min()) * (problem.n_classes - 1)
        if outside > 1:
            # A hair inside, so that rounding cannot put a row back outside.
            shrink = (1 - 1e-12) / outside
            B, S = shrink * B, shrink * S
    primal = problem.primal_value(S, float(np.vdot(B, S)))
    return B, S, Certificate(primal, dual, point, length)


def feasible(problem: MarginProblem, B: Floats) -> Floats:
    """Nearest dual-feasible point: each row moved to the conjugate's domain.

    With g = -kappa B / box, g - prox_t(t g)/t minimises V*/t + 1/2 ||. - g||^2: for large t
    the projection of g on the domain of V*, exact to rounding.
    """
    point = np.zeros_like(B)
    used = problem.used
    box, y = problem.box[used], problem.y[used]
    inside = centred(B[used])
    g = -problem.kappa * inside / box[:, None]
    off = ~np.isfinite(problem.loss.conjugate(g, y))
    if off.any():
        far = _PROJECTION_STEP * g[off]
        moved = (far - problem.loss.prox(far, y[off], _PROJECTION_STEP)) / _PROJECTION_STEP
        inside[off] = -moved * box[off, None] / problem.kappa
    inside[np.abs(inside).max(axis=1) <= 1e-9 * box] = 0.0
    point[used] = inside
    return point
