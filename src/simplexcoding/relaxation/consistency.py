"""A search for a distribution on which minimising a loss leads to the wrong class."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, centred
from simplexcoding.losses.loss import Loss
from simplexcoding.relaxation.cutting_planes import is_minimal

# The least likely class keeps this probability and the most likely leads by it, so that a
# consistent loss tells the two best classes apart by more than rounding.
_LEAD = 0.01
_TIE = 1e-6
_FIRST_BATCH = 8


@dataclass(frozen=True, eq=False)
class ConsistencyCheck:
    """What a search for an inconsistency came to.

    Attributes
    ----------
    loss : Loss
    found : bool
        Whether a distribution with a wrongly decoded minimiser was found.
    distribution : (T,) array or None
    minimizer : (T,) array or None
        Scores that minimise the expected loss and put a wrong class on top.
    n_tried : int
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
    with others: no decoding can mend it. The conditional minimiser only proposes; a
    failure counts once cutting planes prove that no scores do better by more than 1e-9.

    P is drawn from Dirichlet distributions of several concentrations, near ties of the
    two best classes and near the uniform, in growing batches, and the search stops at
    the first failure. No class is less likely than about 0.01 and the best leads by at
    least about 0.01: failures that need a class of probability zero are not looked for.

    Parameters
    ----------
    loss : Loss
    n_classes : int
    n_distributions : int, default=2000
    random_state : int, default=0

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
    kinds = [rng.dirichlet(np.full(n_classes, a), n_distributions) for a in (0.3, 1.0, 5.0)]
    tied = rng.dirichlet(np.ones(n_classes), n_distributions)
    order = tied.argsort(axis=1)
    rows = np.arange(n_distributions)
    tied[rows, order[:, -2]] = tied[rows, order[:, -1]]
    uniform = 1 + 0.1 * rng.standard_normal((n_distributions, n_classes)).clip(-2, 2)
    P = np.stack([*kinds, tied, uniform])[rows % 5, rows]
    P = P / P.sum(axis=1, keepdims=True) + _LEAD
    P[rows, P.argmax(axis=1)] += _LEAD
    return np.asarray(P / P.sum(axis=1, keepdims=True))


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
