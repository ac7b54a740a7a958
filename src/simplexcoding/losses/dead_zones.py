"""The point of least expected distance to the vertices, beyond dead zones that touch."""

import numpy as np

from simplexcoding.arrays import Bools, Floats, slices

# Vertices e_k are sqrt(2) apart; dead zones of half that touch in pairs.
_RADIUS = np.sqrt(0.5)
_DESCENTS = 20
_MAX_ROUNDS = 200
# What rounding leaves of the optimality condition, a vector of size one at most.
_STATIONARY = 1e-12
_BLOCK = 2_000_000


def dead_zone_minimizer(P: Floats) -> Floats:
    """Minimise sum_k P_k max(0, ||x - e_k|| - sqrt(1/2)) over x that sums to one, T >= 3.

    At the minimiser x = sum_k w_k e_k / sum_k w_k with w_k = lambda_k / ||x - e_k|| and
    lambda_k = P_k, except at a vertex whose dead zone x borders: there 0 <= lambda_k <= P_k.
    No vertex has x strictly inside its dead zone, for its weight w_k would be zero and x
    elsewhere, and two dead zones share no more than the point where they touch. So at most
    the most likely class is bordered on, and two steps in turn find the answer:

    - a descent that never fails: the other distances are majorised by squares, what remains
      is the prox of the most likely class at the others' centre;
    - Newton's method on the optimality condition of the case so found, kept where it lowers
      the residual.

    O(T^3) per round and O(T^2) memory per row. A row whose condition is not met to rounding
    raises an error: nothing is returned unchecked.

    Parameters
    ----------
    P : (m, T) array of probabilities

    Returns
    -------
    (m, T) array of points; the vertex where one class alone is possible
    """
    size = max(1, _BLOCK // P.shape[1] ** 2)
    blocks = [_minimize(P[part]) for part in slices(len(P), size)]
    return np.concatenate(blocks) if blocks else np.zeros_like(P)


def _minimize(P: Floats) -> Floats:
    best = P.argmax(axis=1)
    answer = np.eye(P.shape[1])[best]
    rows = np.flatnonzero(np.count_nonzero(P, axis=1) > 1)
    # The most likely class comes first: every formula below then has one shape.
    order = np.argsort(-P, axis=1, kind="stable")
    sorted_P = np.take_along_axis(P, order, axis=1)
    x = _toward_centre(sorted_P)
    for _ in range(_MAX_ROUNDS):
        for _ in range(_DESCENTS):
            x[rows], border = _descend(x[rows], sorted_P[rows])
        x[rows] = _newton(x[rows], sorted_P[rows], border)
        going = _residual(x[rows], sorted_P[rows], border) > _STATIONARY
        done = rows[~going]
        answer[done[:, None], order[done]] = x[done]
        rows = rows[going]
        if not rows.size:
            return answer
    raise ArithmeticError(
        f"no minimiser found for P = {P[rows[0]]}: the optimality condition is not met after "
        f"{_MAX_ROUNDS} rounds."
    )


def _toward_centre(P: Floats) -> Floats:
    """The border of the first class's dead zone on the way to the centre of the others."""
    x = P.copy()
    x[:, 0] = 0.0
    x /= np.maximum(x.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return _at_distance(x, _RADIUS)


def _at_distance(x: Floats, distance: Floats | float) -> Floats:
    """The point of the ray from the first vertex through x at a distance from that vertex."""
    away = x.copy()
    away[:, 0] -= 1.0
    length = np.linalg.norm(away, axis=1)
    away *= (distance / np.where(length > 0, length, 1.0))[:, None]
    away[:, 0] += 1.0
    return away


def _distances(x: Floats) -> Floats:
    """Distances to the vertices, (m, T)."""
    squares = np.einsum("ij,ij->i", x, x)[:, None] + 1 - 2 * x
    return np.sqrt(np.maximum(squares, 0.0))


def _descend(x: Floats, P: Floats) -> tuple[Floats, Bools]:
    """One step of descent, and whether it ends on the border of the first dead zone."""
    weights = P / np.maximum(_distances(x), _RADIUS)
    weights[:, 0] = 0.0
    total = weights.sum(axis=1)
    centre = weights / total[:, None]
    far = np.linalg.norm(np.column_stack([centre[:, 0] - 1, centre[:, 1:]]), axis=1)
    free = far - P[:, 0] / total
    return _at_distance(centre, np.maximum(free, _RADIUS)), free <= _RADIUS


def _pull(x: Floats, P: Floats, border: Bools) -> tuple[Floats, Floats]:
    """Sum-zero gradient of the expected distance, and weights w_k = P_k / distance.

    A bordered vertex has the weight that lessens the gradient most, between none and its own.
    """
    weights = P / np.maximum(_distances(x), _RADIUS)
    pull = weights.sum(axis=1, keepdims=True) * x - weights
    away = x.copy()
    away[:, 0] -= 1.0
    others = pull - weights[:, :1] * away
    held = -np.einsum("ij,ij->i", others, away) / np.einsum("ij,ij->i", away, away)
    weights[:, 0] = np.where(border, np.clip(held, 0.0, weights[:, 0]), weights[:, 0])
    pull = others + weights[:, :1] * away
    return pull - pull.mean(axis=1, keepdims=True), weights


def _residual(x: Floats, P: Floats, border: Bools) -> Floats:
    """How far the optimality condition is from being met, (m,)."""
    first = np.linalg.norm(np.column_stack([x[:, 0] - 1, x[:, 1:]]), axis=1)
    off_border = np.where(border, np.abs(first - _RADIUS), 0.0)
    return np.maximum(np.abs(_pull(x, P, border)[0]).max(axis=1), off_border)


def _newton(x: Floats, P: Floats, border: Bools) -> Floats:
    """A few Newton steps on the optimality condition; only steps that lower its residual."""
    n_rows, n_classes = x.shape
    residual = _residual(x, P, border)
    for _ in range(8):
        pull, weights = _pull(x, P, border)
        away = x[:, :, None] - np.eye(n_classes)
        # Hessian of distance k: (I - n n')/distance; of the held square: I.
        scaled = weights / np.maximum(_distances(x), _RADIUS) ** 2
        scaled[border, 0] = 0.0
        system = np.zeros((n_rows, n_classes + 2, n_classes + 2))
        system[:, :n_classes, :n_classes] = -np.einsum("mik,mk,mjk->mij", away, scaled, away)
        diagonal = np.arange(n_classes)
        system[:, diagonal, diagonal] += weights.sum(axis=1, keepdims=True)
        system[:, :n_classes, -2] = system[:, -2, :n_classes] = 1.0
        system[:, :n_classes, -1] = system[:, -1, :n_classes] = np.where(
            border[:, None], away[:, :, 0], 0.0
        )
        system[:, -1, -1] = ~border
        gap = (np.einsum("mi,mi->m", away[:, :, 0], away[:, :, 0]) - _RADIUS**2) / 2
        right = np.column_stack([-pull, np.zeros(n_rows), np.where(border, -gap, 0.0)])
        trial = x + np.linalg.solve(system, right[:, :, None])[:, :n_classes, 0]
        reached = _residual(trial, P, border)
        better = reached < residual
        if not better.any():
            break
        x = np.where(better[:, None], trial, x)
        residual = np.where(better, reached, residual)
    return x
