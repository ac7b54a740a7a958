"""Any scikit-learn regressor as the weak learner of simplex boosting."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.solvers.boosting.curves import LossCurve, longest_step
from simplexcoding.solvers.boosting.forest import EVERY
from simplexcoding.solvers.boosting.line_search import exact_step
from simplexcoding.solvers.boosting.rounds import BoostingProblem, OnScores, Round, State


@dataclass(frozen=True)
class ScaledRegressor:
    """A fitted regressor times its step, on every coordinate or on one."""

    regressor: Any
    step: float
    coordinate: int = EVERY

    def add(self, X: Floats, F: Floats) -> None:
        """Add its answers at the rows of X to F, (n, T-1), in place."""
        target = F if self.coordinate == EVERY else F[:, self.coordinate : self.coordinate + 1]
        target += self.step * self.regressor.predict(X).reshape(len(X), -1)


@dataclass(frozen=True)
class RegressorEnsemble:
    """The regressors of each round; it answers as `Forest` does.

    Parameters
    ----------
    rounds : tuple of the regressors of each round
    """

    rounds: tuple[tuple[ScaledRegressor, ...], ...]

    @classmethod
    def of(cls, rounds: Sequence[Sequence[ScaledRegressor]]) -> "RegressorEnsemble":
        """Gather the parts of each round."""
        return cls(tuple(tuple(parts) for parts in rounds))

    def __len__(self) -> int:
        """Count the rounds."""
        return len(self.rounds)

    def __add__(self, later: "RegressorEnsemble") -> "RegressorEnsemble":
        """Chain the rounds of this ensemble and those of a later one."""
        return RegressorEnsemble(self.rounds + later.rounds)

    def add(self, X: Floats, F: Floats) -> None:
        """Add all answers at the rows of X to F, (n, T-1), in place."""
        for _ in self.staged(X, F):
            pass

    def staged(self, X: Floats, F: Floats) -> Iterator[Floats]:
        """Add round after round to F in place, yielding it after each."""
        for parts in self.rounds:
            for part in parts:
                part.add(X, F)
            yield F

    def importances(self, falls: Floats, p: int) -> Floats | None:
        """Falls of the risk shared by the regressors' own importances; None if they have none."""
        total = np.zeros(p)
        for fall, parts in zip(falls, self.rounds, strict=True):
            for part in parts:
                own = getattr(part.regressor, "feature_importances_", None)
                if own is None:
                    return None
                total += fall / len(parts) * own
        return total / total.sum() if total.any() else total


@dataclass(frozen=True)
class RegressorMethod(OnScores):
    """Rounds that fit clones of a regressor to the directions d_i with weights w_i.

    With r = -dR/du of a row, w = 2 r_y and d = 2 C'r / w. The step is exact, by the loss's own
    value and gradient: O(n T) an evaluation.

    Parameters
    ----------
    problem : BoostingProblem
    X : (n, p) array
    regressor : unfitted regressor
    learning_rate : float in (0, 1]
    gradient : bool, one regressor of T-1 outputs per round, or one for each coordinate
    every : bool, whether all coordinates are stepped or only that of least risk
    seed : int
    """

    problem: BoostingProblem
    X: Floats
    regressor: Any
    learning_rate: float
    gradient: bool
    every: bool
    seed: int

    def round(self, state: State, number: int) -> Round | None:
        code, y = self.problem.code, self.problem.y
        descent = self.problem.descent(state.S)
        weights = 2 * descent[np.arange(len(y)), y]
        targets = 2 * code.pull_back(descent)
        targets = np.divide(
            targets, weights[:, None], where=weights[:, None] > 0, out=np.zeros_like(targets)
        )
        if self.gradient:
            return self._stepped([self._fitted(targets, weights, EVERY, number)], state)
        weak = [self._fitted(targets, weights, j, number) for j in range(code.dim)]
        # As for the built-in trees: the largest gain is stepped first.
        weak.sort(key=lambda part: self._error(part, targets, weights))
        return self._stepped(weak, state)

    def _fitted(self, targets: Floats, weights: Floats, j: int, number: int) -> ScaledRegressor:
        regressor = deepcopy(self.regressor)
        rng = np.random.default_rng([self.seed, number, j + 1])
        open_seeds = [
            name
            for name, value in regressor.get_params().items()
            if name.split("__")[-1] == "random_state" and value is None
        ]
        regressor.set_params(**{name: int(rng.integers(2**31)) for name in open_seeds})
        wanted = targets if j == EVERY else targets[:, j]
        wanted = wanted.ravel() if wanted.shape[-1] == 1 else wanted
        regressor.fit(self.X, wanted, sample_weight=weights / weights.mean())
        return ScaledRegressor(regressor, 1.0, j)

    def _error(self, part: ScaledRegressor, targets: Floats, weights: Floats) -> float:
        """Weighted squared error of a regressor, less that of the best constant."""
        wanted = targets[:, part.coordinate]
        mean = np.average(wanted, weights=weights)
        left = (wanted - part.regressor.predict(self.X).ravel()) ** 2 - (wanted - mean) ** 2
        return float(weights @ left)

    def _stepped(self, weak: list[ScaledRegressor], state: State) -> Round | None:
        """Step the learners one after another, or only the best of them."""
        if len(weak) > 1 and not self.every:
            weak = [min(weak, key=lambda part: self._search(part, state)[2])]
        parts, risk = [], 0.0
        for part in weak:
            D, step, value = self._search(part, state)
            if step > 0.0:
                parts.append(ScaledRegressor(part.regressor, step, part.coordinate))
                state.S += step * D
                risk = value
        return Round(tuple(parts), risk) if parts else None

    def _search(self, part: ScaledRegressor, state: State) -> tuple[Floats, float, float]:
        """Scores of its answers at the training rows, the step along them, the risk after it."""
        problem = self.problem
        answers = np.zeros((len(self.X), problem.n_classes - 1))
        part.add(self.X, answers)
        D = problem.code.scores(answers)
        curve = LossCurve(problem.loss, state.S, D, problem.y, problem.weights)
        step = self.learning_rate * exact_step(curve, longest_step(D))
        return D, step, curve.value(step)
