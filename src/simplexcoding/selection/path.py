"""Scores along the parameter that says how much is learnt, and the choice on them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Floats

# Scores closer than one row in a million count as equal.
TIE = 1e-6


@dataclass(frozen=True, eq=False)
class Path:
    """Scores of rows that a fit has not seen, along one parameter, or along it for each gamma.

    Parameters
    ----------
    values : (k,) array of the parameter, from the most regularised fit to the least; where a
        kernel has gammas to choose among (g, k), as the other arrays then are
    score : array, larger is better
    squared_error : array, mean of ||c_y - f||^2; NaN where it is not known
    effective_dimension : array, exact; NaN where it is not known
    exact : array; where False score and squared error are interpolated
    parameter : str, default="alpha"
        The name that the estimator gives to the parameter.
    gammas : (g,) array, default=None
        One for each row of the other arrays; None where these are one path.
    best_gamma : int, default=0
        Place of the chosen gamma.

    Examples
    --------
    >>> path = Path.along("C", [0.1, 1.0, 10.0], [0.8, 0.9, 0.9])
    >>> path.best, float(path.C[path.best])
    (1, 1.0)
    """

    values: Floats
    score: Floats
    squared_error: Floats
    effective_dimension: Floats
    exact: Bools
    parameter: str = "alpha"
    gammas: Floats | None = None
    best_gamma: int = 0

    @classmethod
    def along(cls, parameter: str, values: Any, score: Any) -> "Path":
        """Scores that were all asked, in any order of the values, and nothing beside them."""
        values, score = np.asarray(values, dtype=np.float64), np.asarray(score, dtype=np.float64)
        # A large alpha regularises much, a large C little.
        order = np.argsort(values if parameter == "C" else -values, kind="stable")
        unknown = np.full(len(values), np.nan)
        exact = np.ones(len(values), dtype=bool)
        return cls(values[order], score[order], unknown, unknown, exact, parameter)

    @classmethod
    def over(
        cls, gammas: Sequence[float], paths: Sequence["Path"], best: int | None = None
    ) -> "Path":
        """The paths of all gammas as one; the chosen gamma is that of most merit unless given."""
        if best is None:
            best = max(range(len(paths)), key=lambda g: paths[g].merit)
        stacked: dict[str, Any] = {
            name: np.stack([getattr(path, name) for path in paths]) for name in _COLUMNS
        }
        return replace(paths[best], **stacked, gammas=np.array(gammas), best_gamma=best)

    @property
    def alphas(self) -> Floats:
        """The values of alpha."""
        return self._named("alpha", "alphas")

    @property
    def C(self) -> Floats:
        """The values of C."""
        return self._named("C", "C")

    def _named(self, parameter: str, name: str) -> Floats:
        if self.parameter != parameter:
            raise AttributeError(f"a path along {self.parameter} has no {name}.")
        return self.values

    @property
    def chosen(self) -> "Path":
        """The path at the chosen gamma; itself where it is one path."""
        if self.gammas is None:
            return self
        return replace(self.at(self.best_gamma), gammas=None, best_gamma=0)

    @property
    def best(self) -> Any:
        """Place of the best exact score in the arrays, or of the best where none is exact.

        Among ties the lowest squared error, and where that is not known the most
        regularised fit. NaN, the score of a fit that has overflowed, is below every other.
        An int, with gammas a pair of the place of the gamma and that.
        """
        if self.gammas is not None:
            return self.best_gamma, self.chosen.best
        score = np.where(np.isnan(self.score), -np.inf, self.score)
        score = np.where(self.exact, score, -np.inf) if self.exact.any() else score
        ties = np.flatnonzero(score >= score.max() - TIE)
        errors = self.squared_error[ties]
        return int(ties[0 if np.isnan(errors).all() else np.nanargmin(errors)])

    @property
    def best_score(self) -> float:
        """Score of the choice."""
        return float(self.score[self.best])

    @property
    def merit(self) -> tuple[float, float]:
        """Score and negated squared error of the choice: larger is better."""
        return self.best_score, -float(self.squared_error[self.best])

    def at(self, places: int | Sequence[int]) -> "Path":
        """The path at some of its places, or the one of a gamma."""
        index = places if isinstance(places, int) else list(places)
        parts: dict[str, Any] = {name: getattr(self, name)[index] for name in _COLUMNS}
        return replace(self, **parts)

    def joined(self, other: "Path") -> "Path":
        """Both paths as one, from the most regularised fit to the least."""
        values = np.concatenate([self.values, other.values])
        order = np.argsort(values if self.parameter == "C" else -values, kind="stable")
        parts: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(other, name)])[order]
            for name in _COLUMNS
        }
        return replace(self, **parts)

    def edges(self, given: Floats | None) -> list[str]:
        """Grids that the choice lies at the end of, with it; `given` are alphas of the caller."""
        path, found = self.chosen, []
        if given is not None and len(given) > 1 and path.best in (0, len(given) - 1):
            found.append(f"alphas (best {path.values[path.best]:g})")
        gammas = () if self.gammas is None else self.gammas
        if len(gammas) > 2 and (gamma := gammas[self.best_gamma]) in (min(gammas), max(gammas)):
            found.append(f"gamma (best {gamma:g})")
        return found


_COLUMNS = ("values", "score", "squared_error", "effective_dimension", "exact")
