"""The state of learning from a stream of rows, as a value."""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from simplexcoding.arrays import Bools, Floats

PERIOD = 64


class Rule(NamedTuple):
    """What a pass over rows follows, in a form that compiled code can read.

    Parameters
    ----------
    reach : float, T/(T-1) |g_y| at u = 0: with a step of 1/(reach ||x||^2) the first row
        goes from 0 to the score 1 of its own vertex
    largest_pull : float, that of the loss; the radius is sqrt(largest_pull mean w / (2 lambda)),
        mean w = 1 where normalised
    project, intercept : bool
    period : int, the average takes in every period-th iterate; 0 keeps no average
    plain : bool, the step 1/(2 lambda t) as it is
    emphasis : float, 1 weighs the k-th iterate of the average with k, 0 all alike
    normalised : bool, weights count as multiples of their running mean
    """

    reach: float
    largest_pull: float
    project: bool
    intercept: bool
    period: int
    plain: bool
    emphasis: float
    normalised: bool


@dataclass(frozen=True)
class Stream:
    """What a stream of rows has taught m models, one for each lambda.

    Weights are held as scores, U = C W and b, so that u(x) = U'x + b sums to zero.

    Parameters
    ----------
    lambdas : (m,) array
    U, U_mean : (m, p, T) arrays, the last iterate and the average
    b, b_mean : (m, T) arrays, the intercepts of both
    means : (2,) array, (mean w, mean w ||x||^2) over the rows
    losses : (m,) array, sum of w V over the rows seen, each taken just before its step
    t : int, rows of positive weight seen
    """

    lambdas: Floats
    U: Floats
    b: Floats
    U_mean: Floats
    b_mean: Floats
    means: Floats
    losses: Floats
    t: int = 0

    @classmethod
    def start(
        cls, n_features: int, n_classes: int, lambdas: Any, dtype: DTypeLike = np.float64
    ) -> "Stream":
        """Return the stream before its first row: every score is zero."""
        lambdas = np.atleast_1d(np.asarray(lambdas, dtype=np.float64))
        U = np.zeros((len(lambdas), n_features, n_classes), dtype=dtype)
        b = np.zeros((len(lambdas), n_classes))
        return cls(lambdas, U, b, U.copy(), b.copy(), np.zeros(2), np.zeros(len(lambdas)))

    @property
    def n_classes(self) -> int:
        """T."""
        return self.U.shape[2]

    def copy(self) -> "Stream":
        """Return a stream that shares no array with this one."""
        arrays = {name: value.copy() for name, value in self._arrays().items()}
        return replace(self, **arrays)

    def only(self, model: int) -> "Stream":
        """Return the stream of one model."""
        arrays = {name: value[model : model + 1] for name, value in self._arrays().items()}
        return replace(self, **(arrays | {"means": self.means}))

    def spread(self, lambdas: Any) -> "Stream":
        """Return the stream of one model as the start of one for each of `lambdas`."""
        lambdas = np.atleast_1d(np.asarray(lambdas, dtype=np.float64))
        names = ("U", "b", "U_mean", "b_mean", "losses")
        repeated: dict[str, Any] = {
            name: np.repeat(getattr(self, name), len(lambdas), axis=0) for name in names
        }
        return replace(self, lambdas=lambdas, **repeated)

    def widen(self, position: int) -> "Stream":
        """Return the stream with a new class at `position`.

        Its score is zero on every row and the other scores stay what they were.
        """
        names = ("U", "b", "U_mean", "b_mean")
        grown: dict[str, Any] = {
            name: np.insert(getattr(self, name), position, 0.0, axis=-1) for name in names
        }
        return replace(self, **grown)

    def counting(self, weight: float, square: float, n_rows: int) -> "Stream":
        """Return the stream after rows of the one class there is: nothing to learn as yet."""
        t = self.t + n_rows
        sums = self.t * self.means + np.array([weight, square])
        return replace(self, means=sums / max(t, 1), t=t)

    def finite(self) -> Bools:
        """Which models have not overflowed, (m,); none if the rows themselves are too large."""
        whole = np.full(len(self.lambdas), bool(np.isfinite(self.means).all()))
        for array in (self.U, self.b, self.U_mean, self.b_mean, self.losses):
            whole &= np.isfinite(array.reshape(len(array), -1)).all(axis=1)
        return whole

    def weights(self, period: int) -> tuple[Floats, Floats]:
        """U (m, p, T) and b (m, T): the average where it has begun, else the last iterate."""
        if period and self.t >= period:
            return self.U_mean, self.b_mean
        return self.U, self.b

    def column(self) -> float:
        """Size of the constant column: the root mean square length of the rows seen."""
        return sqrt(self.means[1] / self.means[0]) if self.means[1] > 0 else 1.0

    def norms(self) -> Floats:
        """||U||^2 of each model's last iterate, (m,)."""
        return _squares(self.U)

    def penalty(self, period: int) -> Floats:
        """||W||_F^2 = (T-1)/T (||U||^2 + ||b||^2 / s^2) of each model, (m,)."""
        U, b = self.weights(period)
        ratio = (self.n_classes - 1) / self.n_classes
        return ratio * (_squares(U) + _squares(b) / self.column() ** 2)

    def _arrays(self) -> dict[str, Any]:
        names = ("lambdas", "U", "b", "U_mean", "b_mean", "means", "losses")
        return {name: getattr(self, name) for name in names}


def _squares(arrays: Floats) -> Floats:
    """Squared lengths of arrays, (m, ...), in float64, (m,)."""
    flat = arrays.reshape(len(arrays), -1).astype(np.float64, copy=False)
    return np.einsum("ij,ij->i", flat, flat)
