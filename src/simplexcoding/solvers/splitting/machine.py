"""Several margin problems on one kernel, each product with one operator serving all of them."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design.operators import Data, Resolvent
from simplexcoding.solvers.margin import MarginProblem, MarginSolution
from simplexcoding.solvers.solution import Report, silent
from simplexcoding.solvers.splitting.iteration import (
    Order,
    Request,
    Steps,
    Stop,
    deflated,
    rounding,
    steps,
)

# Rows fewer than this are worth no rounding: everything in float64.
_EXACT_ROWS = 1500
# Above this multiple of the tolerance the rounding of float32 keeps the iteration from the optimum.
_SPOILING_ROUNDING = 100.0
# What a pilot is asked for, and its landmarks: between the two numbers, one for so many rows.
_PILOT = Stop(3e-2, 150)
_LEAST_LANDMARKS, _MOST_LANDMARKS, _ROWS_PER_LANDMARK = 250, 500, 16
# Penalties that differ by less share an operator.
_SHARED_RATIO = 9.0


class Splitting:
    """Solves margin problems that differ in their boxes, on the rows of one kernel.

    One operator is held at a time, and stays from one call to the next: a fit that starts
    where a search has ended finds it there.

    Parameters
    ----------
    data : Gram or Spectral
    tol : float
        The finest relative gap that will be asked for: it sets the precision of operators.
    """

    def __init__(self, data: Data, tol: float) -> None:
        self.data = data
        self._tol = tol
        self._held: tuple[Order, Resolvent] | None = None
        self._asked: dict[int, Request] = {}

    def solve(
        self,
        problems: Sequence[MarginProblem],
        stop: Stop,
        starts: Sequence[MarginSolution] | None = None,
        report: Report = silent,
    ) -> list[MarginSolution]:
        """Solve the problems in step.

        Parameters
        ----------
        problems : sequence of MarginProblem
        stop : Stop
        starts : a solution of a similar problem for each, or None
        report : called with the fraction done
        """
        if starts is None:
            starts = self.pilot(problems)
        done = np.zeros(len(problems))

        def step(place: int, fraction: float) -> None:
            done[place] = fraction
            report(float(done.mean()))

        penalties = self._shared(problems, starts)
        sharing = len(problems) > 1 and not self.data.any_penalty
        order_for = self._shared_order if sharing else self.order_for
        runs = [
            steps(
                problem,
                self.data,
                order_for,
                penalties[k],
                stop,
                None if starts is None else starts[k].state,
                partial(step, k),
            )
            for k, problem in enumerate(problems)
        ]
        return self._in_step(runs)

    def pilot(self, problems: Sequence[MarginProblem]) -> list[MarginSolution] | None:
        """Rough solutions on a cheap projection of the kernel; None where none is cheaper.

        They say which penalty suits, and are a place to start from.
        """
        size = max(_LEAST_LANDMARKS, len(self.data) // _ROWS_PER_LANDMARK)
        cheap = self.data.projection(min(size, _MOST_LANDMARKS))
        if cheap is None:
            return None
        return Splitting(cheap, _PILOT.tol).solve(problems, _PILOT)

    def order_for(self, rho: float) -> Order:
        """Order with products of the least precision that serves the tolerance.

        Float32 halves the time of an iteration, and its rounding goes with the steps until it
        moves the iterations themselves off their way.
        """
        exact = len(self.data) <= _EXACT_ROWS or self._tol < 1e-4
        exact = exact or rounding(self.data, rho, self._tol) > _SPOILING_ROUNDING * self._tol
        return Order(rho, np.float64 if exact else np.float32)

    def _shared(
        self, problems: Sequence[MarginProblem], starts: Sequence[MarginSolution] | None
    ) -> list[float]:
        if starts is None:
            width = self.data.mean_diagonal()
            boxes = [float(np.median(problem.box[problem.used])) for problem in problems]
            return [first_penalty(box, width) for box in boxes]
        wanted = [start.rho for start in starts]
        if self.data.any_penalty:
            return wanted
        held = None if self._held is None else self._held[0].rho
        return shared_penalties(wanted, held)

    def _shared_order(self, rho: float) -> Order:
        """Order of a penalty, or of one near it that a run in step has ordered.

        Runs at one penalty share their products, which is worth more than the best penalty.
        """
        orders = [order for order, _ in self._asked.values() if order is not None]
        near = [order.rho for order in orders if _near(order.rho, rho)]
        return self.order_for(min(near, key=lambda other: abs(np.log(other / rho)), default=rho))

    def _in_step(self, runs: Sequence[Steps]) -> list[MarginSolution]:
        """Run several problems at once, so that one pass over an operator serves them all.

        A thin product takes the time of reading the operator, whatever its width. Runs that
        want another operator than the one held wait until nobody wants this one, and all
        of them while some want the kernel itself.
        """
        solutions: dict[int, MarginSolution] = {}
        asked = self._asked = {}
        for k, run in enumerate(runs):
            asked[k] = next(run)
        while asked:
            places = [k for k, (order, _) in asked.items() if order is None]
            if places:
                parts = self._scores([asked[k][1] for k in places])
            else:
                orders = [order for order, _ in asked.values() if order is not None]
                order = next((order for order in orders if self._serves(order)), orders[0])
                resolvent = self._operator(order)
                places = [k for k, (wanted, _) in asked.items() if self._serves(wanted)]
                parts = _split(resolvent, [asked[k] for k in places])
            for k, part in zip(places, parts, strict=True):
                try:
                    asked[k] = runs[k].send(part)
                except StopIteration as end:
                    solutions[k] = end.value
                    del asked[k]
        return [solutions[k] for k in range(len(runs))]

    def _scores(self, blocks: Sequence[Floats]) -> list[tuple[Floats, ...]]:
        """K B of each block, from one product."""
        return [(part,) for part in _pieces(self.data.scores(_joined(blocks)), blocks)]

    def _serves(self, order: Order | None) -> bool:
        """Whether the operator held is the one ordered."""
        if self._held is None or order is None:
            return False
        held = self._held[0]
        same = self.data.any_penalty or held.rho == order.rho
        return same and held.dtype == order.dtype

    def _operator(self, order: Order) -> Resolvent:
        """The operator of an order, precise enough for the tolerance.

        Where the rounding of float32 tells, it is kept from the leading part of the kernel.
        """
        if self._held is None or not self._serves(order):
            self._held = None  # The last one makes room.
            apart = order.dtype == np.float32 and deflated(self.data, order.rho, self._tol)
            self._held = order, self.data.resolvent(order.rho, order.dtype, apart)
        return self._held[1]


def first_penalty(box: float, width: float) -> float:
    """A penalty to begin with, from C_0 and the mean diagonal of the kernel.

    In units where that diagonal is one: C_0 while duals are at their bounds, its root where
    few are.
    """
    if width <= 0:
        return 1.0
    scaled = box * width
    return float(min(3 * scaled, 3 * np.sqrt(scaled)) / width)


def shared_penalties(wanted: Sequence[float], held: float | None = None) -> list[float]:
    """Each penalty moved to one that it shares with others near it, or to the one held.

    A group spans a factor of nine and takes its geometric middle: a rho three times off
    costs less than another factorisation.
    """
    found = list(wanted)
    waiting = sorted(range(len(wanted)), key=lambda k: wanted[k])
    if held is not None:
        for k in [k for k in waiting if _near(held, wanted[k])]:
            found[k] = held
            waiting.remove(k)
    while waiting:
        least = wanted[waiting[0]]
        near = [k for k in waiting if wanted[k] <= least * _SHARED_RATIO * 1.01]
        for k in near:
            found[k] = float(np.sqrt(least * wanted[near[-1]]))
        waiting = waiting[len(near) :]
    return found


def _near(held: float, wanted: float) -> bool:
    """Whether a penalty is so near to one that is there that it is not worth an operator."""
    return bool(abs(np.log(wanted / held)) <= np.log(1.01 * np.sqrt(_SHARED_RATIO)))


def _split(resolvent: Resolvent, asked: Sequence[Request]) -> list[tuple[Floats, ...]]:
    """A Q and Q - A Q of each block, from one product."""
    blocks = [block for _, block in asked]
    rhos = np.repeat(
        [order.rho for order, _ in asked if order is not None], [block.shape[1] for block in blocks]
    )
    S, rest = resolvent.split(_joined(blocks), rhos)
    return list(zip(_pieces(S, blocks), _pieces(rest, blocks), strict=True))


def _joined(blocks: Sequence[Floats]) -> Floats:
    return np.hstack(blocks) if len(blocks) > 1 else blocks[0]


def _pieces(whole: Floats, blocks: Sequence[Floats]) -> list[Floats]:
    """Columns of a product of joined blocks, block by block."""
    cuts = np.cumsum([block.shape[1] for block in blocks])[:-1]
    return np.split(whole, cuts, axis=1)
