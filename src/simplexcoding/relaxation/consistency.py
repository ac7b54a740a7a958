"""A search for a distribution on which minimising a loss leads to the wrong class."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, centred
from simplexcoding.losses.loss import Loss
from simplexcoding.relaxation.cutting_planes import is_minimal

# The most likely class leads by this, so that a consistent loss tells the two best classes
# apart by more than rounding.
_LEAD_OF_THE_LIKELIEST = 0.01
# Near a face or a corner the classes away from it are this likely, on a scale of logarithms.
_RARE_PROBABILITIES = (1e-4, 1e-2)
# Conditional minimisers are exact or checked to well below this.
_TIE = 1e-9
_FIRST_BATCH = 8


@dataclass(frozen=True, eq=False)
class ConsistencyCheck:
    """What a search for an inconsistency came to.

    Parameters
    ----------
    loss : Loss that was searched
    found : bool
        Whether a distribution with a wrongly decoded minimiser was found.
    distribution : (T,) array or None
        Its class probabilities.
    minimizer : (T,) array or None
        Scores that minimise the expected loss and put a wrong class on top.
    n_tried : int
        Distributions that were looked at.
    """

    loss: Loss
    found: bool
    distribution: Floats | None
    minimizer: Floats | None
    n_tried: int

    def __str__(self) -> str:
        if self.distribution is None or self.minimizer is None:
            return f"{self.loss!r}: no failure in {self.n_tried} distributions"
        p, u = self.distribution, self.minimizer
        top = np.flatnonzero(u >= u.max() - _TIE)
        return (
            f"{self.loss!r}: at P = {_listed(p)} class {p.argmax()} is the most likely, "
            f"but scores {_listed(u)} minimise the loss and put "
            f"{' = '.join(f'class {k}' for k in top)} on top"
        )


def check_consistency(
    loss: Loss, n_classes: int, n_distributions: int = 2000, random_state: int = 0
) -> ConsistencyCheck:
    """Search for a distribution at which a minimiser of the loss decodes wrongly.

    A failure is a vector P of class probabilities and scores that minimise
    sum_k P_k V(u, k), yet put a class other than the most likely on top, alone or tied
    with others: no decoding can fix it. The conditional minimiser only proposes; a
    failure counts once cutting planes prove that no scores do better by more than 1e-9.

    P is drawn from Dirichlet distributions of several concentrations, near ties of the
    two best classes, near the uniform, and near faces and corners of the simplex, where
    some or all but one of the classes have probabilities from 1e-4 to 1e-2; in growing
    batches, and the search stops at the first failure. The best leads by at least about
    0.01. Failures that need a class of probability zero are not looked for.

    Parameters
    ----------
    loss : Loss to be searched
    n_classes : int
        T, the classes of the distributions.
    n_distributions : int, default=2000
        How many are drawn at most.
    random_state : int, default=0
        Seed of the draws.

    Examples
    --------
    >>> from simplexcoding.losses import ConeHinge, HalfSpaceHinge
    >>> from simplexcoding.relaxation import check_consistency
    >>> print(check_consistency(ConeHinge(), 3))
    ConeHinge(): no failure in 2000 distributions
    >>> check_consistency(HalfSpaceHinge(hull=False), 3).found
    True
    """
    rng = np.random.default_rng(random_state)
    P = draw_distributions(rng, n_classes, n_distributions)
    for start, batch in _growing(P):
        proposed, suspect = _wrong_on_top(loss.conditional_minimizer(batch), batch.argmax(axis=1))
        for i in np.flatnonzero(suspect):
            if is_minimal(loss, proposed[i], batch[i]):
                return ConsistencyCheck(loss, True, batch[i], proposed[i], start + int(i) + 1)
    return ConsistencyCheck(loss, False, None, None, len(P))


def draw_distributions(rng: np.random.Generator, n_classes: int, n_distributions: int) -> Floats:
    """Draw class probabilities of many shapes, (n_distributions, T), kinds in turn.

    Examples
    --------
    >>> import numpy as np
    >>> draw_distributions(np.random.default_rng(0), 3, 5).shape
    (5, 3)
    """
    inner = [rng.dirichlet(np.full(n_classes, a), n_distributions) for a in (0.3, 1.0, 5.0)]
    tied = _tied(rng.dirichlet(np.ones(n_classes), n_distributions))
    uniform = 1 + 0.1 * rng.standard_normal((n_distributions, n_classes)).clip(-2, 2)
    inner = [_floored(kind) for kind in (*inner, tied, uniform)]
    # A face of two to T - 1 classes, its two best tied in every other row; a corner has one.
    flat = rng.dirichlet(np.ones(n_classes), n_distributions)
    flat[::2] = _tied(flat[::2])
    sizes = rng.integers(min(2, n_classes - 1), n_classes, n_distributions)
    kinds = [*inner, _rare(rng, flat, sizes), _rare(rng, flat, np.ones_like(sizes))]
    rows = np.arange(n_distributions)
    P = np.stack(kinds)[rows % len(kinds), rows]
    P[rows, P.argmax(axis=1)] += _LEAD_OF_THE_LIKELIEST
    return np.asarray(P / P.sum(axis=1, keepdims=True))


def _tied(P: Floats) -> Floats:
    """P with the second-best class raised to the best."""
    tied, rows = P.copy(), np.arange(len(P))
    order = P.argsort(axis=1)
    tied[rows, order[:, -2]] = tied[rows, order[:, -1]]
    return tied


def _floored(P: Floats) -> Floats:
    return P / P.sum(axis=1, keepdims=True) + _LEAD_OF_THE_LIKELIEST


def _rare(rng: np.random.Generator, P: Floats, sizes: Indices) -> Floats:
    """P with all but the likeliest `sizes` classes of each row made rare."""
    rank = (-P).argsort(axis=1).argsort(axis=1)
    kept = np.where(rank < sizes[:, None], P, 0.0)
    low, high = np.log(_RARE_PROBABILITIES)
    rare = np.exp(rng.uniform(low, high, P.shape))
    return np.where(kept > 0, kept / kept.sum(axis=1, keepdims=True), rare)


def _growing(P: Floats) -> Iterator[tuple[int, Floats]]:
    start, size = 0, _FIRST_BATCH
    while start < len(P):
        yield start, P[start : start + size]
        start, size = start + size, 4 * size


def _wrong_on_top(S: Floats, best: Indices) -> tuple[Floats, Bools]:
    """Scores with the best wrong class raised to a tie where it is within rounding of one."""
    rows = np.arange(len(S))
    wrong = S.copy()
    wrong[rows, best] = -np.inf
    rival = wrong.argmax(axis=1)
    suspect = S[rows, rival] >= S[rows, best] - _TIE
    raised = S.copy()
    raised[rows, rival] = np.maximum(S[rows, rival], S[rows, best])
    return centred(raised), suspect


def _listed(values: Floats) -> str:
    return "(" + ", ".join(f"{v:.3g}" for v in values) + ")"
