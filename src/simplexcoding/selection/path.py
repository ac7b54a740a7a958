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
    """Scores of rows that a fit has not seen, along one parameter.

    Parameters
    ----------
    values : (k,) array of the parameter, from the most regularised fit to the least
    score : (k,) array, larger is better
    squared_error : (k,) array, mean of ||c_y - f||^2; NaN where it is not known
    effective_dimension : (k,) array, exact; NaN where it is not known
    exact : (k,) array; where False score and squared error are interpolated
    parameter : str, default="alpha"
        The name that the estimator gives to the parameter.

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

    @classmethod
    def along(cls, parameter: str, values: Any, score: Any) -> "Path":
        """Scores that were all asked, in any order of the values, and nothing beside them."""
        values, score = np.asarray(values, dtype=np.float64), np.asarray(score, dtype=np.float64)
        # A large alpha regularises much, a large C little.
        order = np.argsort(values if parameter == "C" else -values, kind="stable")
        unknown = np.full(len(values), np.nan)
        exact = np.ones(len(values), dtype=bool)
        return cls(values[order], score[order], unknown, unknown, exact, parameter)

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
    def best(self) -> int:
        """Place of the best exact score, or of the best where none is exact.

        Among ties the lowest squared error, and where that is not known the most
        regularised fit. NaN, the score of a fit that has overflowed, is below every other.
        """
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

    @property
    def chosen(self) -> "Path":
        """Itself: a path along one parameter alone."""
        return self

    def at(self, places: Sequence[int]) -> "Path":
        """The path at some of its places."""
        index = list(places)
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


_COLUMNS = ("values", "score", "squared_error", "effective_dimension", "exact")


@dataclass(frozen=True, eq=False)
class RidgePath:
    """Left-out results along the regularisation path, one row for each gamma.

    Parameters
    ----------
    gammas : (g,) array
    alphas : (g, k) array, falling
    score, squared_error : (g, k) arrays
    effective_dimension : (g, k) array, exact; NaN where it is not known
    exact : (g, k) array; where False score and squared error are interpolated
    best : (int, int), place of the chosen gamma and alpha
    """

    gammas: Floats
    alphas: Floats
    score: Floats
    squared_error: Floats
    effective_dimension: Floats
    exact: Bools
    best: tuple[int, int]

    @classmethod
    def of(
        cls, gammas: Sequence[float], paths: Sequence[Path], best: int | None = None
    ) -> "RidgePath":
        """The paths of all gammas and the place of the choice: by merit unless it is given."""
        if best is None:
            best = max(range(len(paths)), key=lambda g: paths[g].merit)
        stacked = {name: np.stack([getattr(path, name) for path in paths]) for name in _COLUMNS}
        alphas = stacked.pop("values")
        return cls(np.array(gammas), alphas, **stacked, best=(best, paths[best].best))

    @property
    def chosen(self) -> Path:
        """The path along alpha at the chosen gamma."""
        g = self.best[0]
        return Path(
            self.alphas[g],
            self.score[g],
            self.squared_error[g],
            self.effective_dimension[g],
            self.exact[g],
        )

    def edges(self, given: Floats | None) -> list[str]:
        """Grids that the choice lies at the end of, with it; `given` are alphas of the caller."""
        g, k = self.best
        found = []
        if given is not None and len(given) > 1 and k in (0, len(given) - 1):
            found.append(f"alphas (best {self.alphas[g, k]:g})")
        if len(self.gammas) > 2 and self.gammas[g] in (self.gammas.min(), self.gammas.max()):
            found.append(f"gamma (best {self.gammas[g]:g})")
        return found
