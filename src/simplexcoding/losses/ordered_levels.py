"""Scores that minimise an expected relative hinge: classes on evenly spaced levels."""

import numpy as np

from simplexcoding.arrays import Floats, centred


def ordered_levels(P: Floats, spacing: float) -> Floats:
    """Minimise sum over y != k of P_y max(0, spacing - (u_y - u_k)), (m, T).

    The objective is piecewise linear in differences of scores and breaks at multiples of
    the spacing, so some minimiser lies on such multiples (the constraint matrix is a
    network's). Scores fall with P, and a step of more than one spacing only costs. So a
    minimiser cuts the classes, in order of P, into blocks one spacing apart. Up to the
    factor spacing and a constant, a cut after i classes costs i times the probability
    below it, and a block costs P_y for every pair y above k in it: the best cuts by
    dynamic programming, O(T^2) per row.
    """
    n_rows, n_classes = P.shape
    order = np.argsort(-P, axis=1, kind="stable")
    falling = np.take_along_axis(P, order, axis=1)
    start = np.zeros((n_rows, 1))
    above = np.hstack([start, falling.cumsum(axis=1)])
    ranked = np.hstack([start, (falling * np.arange(n_classes)).cumsum(axis=1)])
    best = np.zeros((n_rows, n_classes + 1))
    origin = np.zeros((n_rows, n_classes + 1), dtype=np.intp)
    for end in range(1, n_classes + 1):
        mass = above[:, [end]] - above[:, :end]
        block = (end - 1) * mass - (ranked[:, [end]] - ranked[:, :end])
        cut = np.arange(end) * (1 - above[:, :end])
        costs = best[:, :end] + block + cut
        origin[:, end] = costs.argmin(axis=1)
        best[:, end] = costs.min(axis=1)
    cuts = np.zeros((n_rows, n_classes))
    rows, place = np.arange(n_rows), np.full(n_rows, n_classes)
    for _ in range(n_classes):
        place = origin[rows, place]
        cuts[rows, place] = 1
    cuts[:, 0] = 0  # A block starts with the first class without a step down.
    levels = np.empty_like(P)
    np.put_along_axis(levels, order, -spacing * cuts.cumsum(axis=1), axis=1)
    return centred(levels)
