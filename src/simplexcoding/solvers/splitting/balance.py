"""Whether a larger penalty rho would serve a run of the splitting better: its residuals tell."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats

# Penalties on offer are this factor apart, from the one a run began with.
FACTOR = 3.0
_TINY = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class Iterate:
    """State H, Z = prox(H) with the one before it, and scores S = A (2 Z - H)."""

    H: Floats
    Z: Floats
    before: Floats
    S: Floats


def imbalance(iterate: Iterate) -> float:
    """Distance of the two halves over the move of one, each relative: one in balance.

    ||S - Z|| / max(||S||, ||Z||) over ||Z - Z_before|| / ||H - Z||. A large rho holds the
    halves together and lets them move little; the rate is best where both fall alike.
    """
    apart = _norm(iterate.S - iterate.Z) / max(_norm(iterate.S), _norm(iterate.Z), _TINY)
    moved = _norm(iterate.Z - iterate.before) / max(_norm(iterate.H - iterate.Z), _TINY)
    return max(apart, _TINY) / max(moved, _TINY)


def growth(iterate: Iterate, left: float, price: float) -> int:
    """Powers of three by which rho should grow; zero where it pays too little.

    Residuals ask for rho times the square root of their imbalance. Each factor of three
    towards it is taken to halve the iterations left, and an operator costs as much as
    `price` iterations. rho never falls: a small imbalance grows as Z comes to rest, and
    under the hull larger rho are the better ones long after.
    """
    steps = int(np.log(imbalance(iterate)) / (2 * np.log(FACTOR)) + 0.25)
    return steps if steps > 0 and left * (1 - 0.5**steps) > price else 0


def _norm(array: Floats) -> float:
    return float(np.linalg.norm(array))
