"""What every loss offers: a function of scores and labels, and nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Bools, Floats, Indices, class_indices
from simplexcoding.losses.consensus import consensus_minimizer


class Comparison(NamedTuple):
    """Excess misclassification <= constant * (excess expected loss) ** exponent.

    Parameters
    ----------
    constant : float C_T of the inequality
    exponent : float between 0 and 1 to which the excess loss is raised
    """

    constant: float
    exponent: float


RowStep: TypeAlias = Callable[[Floats, int, Floats], float]


class Odds(Enum):
    """How a loss is made of odds: with o = sum over k != y of exp(pace (u_k - u_y)).

    Either way the centred logarithms of the class probabilities minimise the expected loss.
    """

    SUM = 0.5
    """V(u, y) = o, at pace 1/2."""
    LOGARITHM = 1.0
    """V(u, y) = log(1 + o), at pace 1."""

    @property
    def pace(self) -> float:
        """The pace."""
        return self.value


class Loss(ABC):
    """A convex loss V(u, y) on scores u = C f, rows that sum to zero.

    Shapes: S is (n, T) with rows that sum to zero, y is (n,) with class indices,
    step is a number or (n,). A loss knows no data, no kernel and no code.

    Everything lives in the space of rows that sum to zero: subgradients and prox
    points sum to zero, and a conjugate depends on its argument only up to a constant
    added to a row.

    A loss says what it can do: `value`, `subgradient` and `largest_pull` it must have; `prox`,
    `conjugate`, `row_step`, `odds` and `class_probabilities` it has where those who need
    them are to take it, see `offers`.
    """

    name: ClassVar[str]
    smooth: ClassVar[bool] = False
    sparse: ClassVar[bool] = False
    """Whether a lead is all it asks for: at a minimum most rows then have no multiplier."""
    hull: bool = False
    """Whether V is infinite where f leaves the convex hull of the code."""
    odds: ClassVar[Odds | None] = None
    """How V is made of odds, None where it is not."""

    @abstractmethod
    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        """V(S_i, y_i) of each row, (n,)."""

    @abstractmethod
    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        """One subgradient of V in its first argument, (n, T), rows summing to zero."""

    # What a loss lacks it does not offer (`offers`), and no solver that needs it takes the loss.
    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        """Minimiser over sum-zero S' of V(S', y) + ||S' - S||^2 / (2 step), (n, T)."""
        raise NotImplementedError(f"{self.name} has no prox.")

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        """Supremum over sum-zero S of <Z, S> - V(S, y), (n,); +inf off its domain."""
        raise NotImplementedError(f"{self.name} has no conjugate.")

    @property
    def row_step(self) -> RowStep | None:
        """Function of one row (u, y, g): V(u, y), with a subgradient written into g.

        It is written for numbers and float64 vectors and calls nothing but `math`, so that
        solvers can compile it: a static method, but where it depends on the loss's
        parameters; None where there is none. O(T).
        """
        return None

    def offers(self, *needs: str) -> bool:
        """Whether the loss has all of these.

        Parameters
        ----------
        *needs : "prox", "conjugate", "row_step", "odds" or "class_probabilities"

        Examples
        --------
        >>> from simplexcoding.losses import HalfSpaceHinge
        >>> HalfSpaceHinge().offers("prox"), HalfSpaceHinge().offers("prox", "row_step")
        (True, False)
        """
        return all(self._has(need) for need in needs)

    def _has(self, need: str) -> bool:
        part = getattr(self, need)
        return part is not None and getattr(part, "__func__", part) is not getattr(Loss, need)

    @property
    def title(self) -> str:
        """The name in words, for figures."""
        return self.name.replace("_", " ")

    def without_hull(self) -> "Loss":
        """Return the loss freed of the hull; itself where it knows none."""
        return self

    @abstractmethod
    def is_consistent(self, n_classes: int) -> bool:
        """Whether minimising the expected loss always decodes to the Bayes rule."""

    @abstractmethod
    def largest_pull(self, n_classes: int) -> float:
        """Supremum of -<g, u> over scores u and subgradients g there.

        At the minimiser of mean V + lambda ||f||^2 it bounds 2 lambda ||f||^2 = -mean <g, u>.
        """

    def conditional_minimizer(self, P: ArrayLike) -> Floats:
        """Scores that minimise sum_y P_y V(u, y), (m, T), for each row of P.

        Found numerically by splitting over the classes where a loss has no closed form.
        """
        return consensus_minimizer(self.prox, probabilities(P))

    def class_probabilities(self, S: ArrayLike) -> Floats:
        """Probabilities whose expected loss the scores minimise, (n, T).

        The inverse of `conditional_minimizer`, for losses whose minimiser tells all of them
        and not the most likely class alone.
        """
        raise NotImplementedError(f"{self.name} has no class_probabilities.")

    def comparison(self, n_classes: int) -> Comparison | None:
        """Constants of the comparison inequality, None where the theory has none."""
        return None


def scores_and_labels(S: ArrayLike, y: ArrayLike) -> tuple[Floats, Indices]:
    """Check the shapes of scores and labels and return them as arrays."""
    scores = np.asarray(S)
    if scores.dtype.kind != "f":
        scores = scores.astype(np.float64)
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise ValueError(f"S must have shape (n, T) with T >= 2, got {scores.shape}.")
    labels = class_indices(y, scores.shape[1])
    if len(labels) != len(scores):
        raise ValueError(f"S has {len(scores)} rows, y has {len(labels)}.")
    return scores, labels


def step_sizes(step: ArrayLike, S: Floats) -> Floats:
    """Return step as one number for each row of S, (n,)."""
    column = np.asarray(step, dtype=S.dtype)
    if column.shape not in ((), (len(S),)) or not np.all((column >= 0) & (column < np.inf)):
        raise ValueError(
            f"step must be a finite number >= 0 or one for each of {len(S)} rows, got {step!r}."
        )
    return np.broadcast_to(column, (len(S),))


def from_vertex(S: Floats, y: Indices) -> Floats:
    """S - G_y: scores measured from those of the row's own vertex, G = C C'."""
    n_classes = S.shape[1]
    away = S + 1 / (n_classes - 1)
    away[np.arange(len(y)), y] -= n_classes / (n_classes - 1)
    return away


def own(S: Floats, y: Indices) -> Floats:
    """Score of the row's own class, (n,)."""
    return S[np.arange(len(y)), y]


def vertex_scores(labels: Indices, n_classes: int) -> Floats:
    """Scores G_y of code vectors, (n, T)."""
    return -from_vertex(np.zeros((len(labels), n_classes)), labels)


def probabilities(P: ArrayLike) -> Floats:
    """Return P as an (m, T) array of probability vectors, or say why it is none."""
    rows = np.asarray(P, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] < 2:
        raise ValueError(f"P must have shape (m, T) with T >= 2, got {rows.shape}.")
    if np.any(rows < 0) or not np.allclose(rows.sum(axis=1), 1.0, atol=1e-6):
        raise ValueError("P must hold probabilities: no entry below 0, each row summing to 1.")
    return rows


def within(violation: Floats, scale: float = 1.0) -> Bools:
    """Whether a constraint's violation, (n,), is no more than rounding."""
    return violation <= 1e4 * np.finfo(violation.dtype).eps * scale
