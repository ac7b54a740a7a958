"""The noise condition: how rarely the two most likely classes are nearly tied."""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.relaxation.risks import FiniteDistribution


@dataclass(frozen=True)
class NoiseCondition:
    """Prob(gap(x) <= s) <= B s^q for every s in [0, 1].

    gap(x) is the lead of the most likely class at x over the next. The paper states it
    on the minimiser of least squares, gap = min_j (T-1)/T <c_b - c_j, f_rho>, which is
    the same number. B is at least 1, because gap <= 1 always; q = 0, B = 1 says nothing.

    Parameters
    ----------
    q : float, at least 0
    B : float, at least 1

    Examples
    --------
    >>> from simplexcoding.relaxation import NoiseCondition
    >>> condition = NoiseCondition(q=1, B=1)
    >>> round(condition.constant, 4), round(condition.paper_constant, 4)
    (1.1204, 4.0)
    """

    q: float
    B: float

    def __post_init__(self) -> None:
        if not 0 <= self.q < inf:
            raise ValueError(f"q must be finite and at least 0, got {self.q}.")
        if not self.B >= 1:
            raise ValueError(f"B must be at least 1, since no gap exceeds 1; got {self.B}.")

    @property
    def exponent(self) -> float:
        """(q+1)/(q+2), between 1/2 and 1."""
        return (self.q + 1) / (self.q + 2)

    @property
    def constant(self) -> float:
        """Sharp K of: excess misclassification <= K A^((q+1)/(q+2)).

        K = (q+2)/(2(q+1)) (2 B (1 + q 2^(q+1))/(q+2))^(1/(q+2)), for
        A = C^2 excess loss, C the constant of a comparison inequality of exponent 1/2.

        Notes
        -----
        Where labels are wrong let D be the loss of probability, D >= gap, D^2 <= C^2
        times the conditional excess; D = 0 elsewhere. For any c > 0,

            D = D^2/(2c) + (D - D^2/(2c)) <= D^2/(2c) + g(gap),

        with g(d) = c/2 up to c, d - d^2/(2c) from c to 2c, 0 beyond: the largest value
        of the bracket over D >= d, or 0. As g falls, the condition gives
        E g(gap) = int Prob(gap <= s) (-g'(s)) ds <= int_c^2c B s^q (s/c - 1) ds
        = B c^(q+1) h/((q+1)(q+2)), h = 1 + q 2^(q+1). Hence E D <= A/(2c) + that, least
        at c^(q+2) = A (q+2)/(2 B h). It is attained at T = 2 by gaps that meet the
        condition with equality between c and 2c and a mass B c^q at c. The paper's
        constant (see `paper_constant`) and 1 + sqrt(B) are valid and larger.
        """
        q = self.q
        spread = 2 * self.B * (1 + q * 2 ** (q + 1)) / (q + 2)
        return float((q + 2) / (2 * (q + 1)) * spread ** (1 / (q + 2)))

    @property
    def paper_constant(self) -> float:
        """The paper's K = (2 sqrt(B+1))^((2q+2)/(q+2)), larger than `constant`."""
        return float((4 * (self.B + 1)) ** self.exponent)


def noise_condition(
    P: ArrayLike, weights: ArrayLike | None = None, q: float = 1.0
) -> NoiseCondition:
    """Noise condition of exponent q that a finite distribution satisfies, B least.

    Prob(gap <= s) jumps at the gaps of the points and s^q grows, so the least B is the
    largest of Prob(gap <= g)/g^q over those gaps g: O(m T + m log m). It is infinite when
    q > 0 and the two most likely classes of some point are tied.

    Parameters
    ----------
    P : (m, T) array of conditional class probabilities
    weights : (m,) array that sums to one, default=None
        None is 1/m each.
    q : float, default=1.0
        The exponent, at least 0.

    Examples
    --------
    >>> from simplexcoding.relaxation import noise_condition
    >>> noise_condition([[0.75, 0.25], [0.0, 1.0]], q=1).B
    1.0
    """
    rho = FiniteDistribution(P, weights)
    mass = np.asarray(rho.weights)
    ordered = np.sort(np.asarray(rho.P)[mass > 0], axis=1)
    gap = ordered[:, -1] - ordered[:, -2]
    order = gap.argsort()
    # At equal gaps the last of the running sums, the largest, is the probability.
    below = np.cumsum(mass[mass > 0][order])
    with np.errstate(divide="ignore"):
        needed = below / gap[order] ** q
    return NoiseCondition(q, max(1.0, float(needed.max())))
