"""Scores of the rows of a margin machine when each is left out, estimated from one fit.

Leaving row i out takes its dual b_i away, and the others answer as `free_directions` says:
with E the directions of the other rows and s their compliance,

u'(x_i) = u(x_i) - M_i b_i,   M_i = K_ii - K_i E (E'KE + s)^-1 E'K_i.

It is one Newton step towards the machine without the row: exact for squared error, and for
hinges where no other row moves to another face; with two classes and a hinge it is the span
rule. One inverse N = (E'KE + s)^-1 over the directions of all rows serves every i: without
those of row i, z = N h loses N_:i (N_ii)^-1 z_i. Since 0 <= M_i <= K_ii the answer lies in
the ball of `leave_one_out_bounds`. Rows near a tie take more steps, on the faces reached.
"""

import numpy as np

from simplexcoding.arrays import Floats, Indices, centred, leads, slices
from simplexcoding.design.operators import Data
from simplexcoding.inference.free_directions import FreeDirections
from simplexcoding.inference.margin_folds import fold_scores, solution_at
from simplexcoding.inference.newton_without import Solved, between, inverse
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

# Directions, or rows, whose inverse is still quick: 200 MB.
LARGEST_INVERSE = 5000
# What the further steps of rows near a tie may take in all, in multiplications.
_MULTIPLICATIONS_NEAR_TIES = 2e11
_ROWS_AT_A_TIME = 512
# What all folds may take, in multiplications for one iteration: there are about fifty.
_MULTIPLICATIONS_PER_ITERATION = 2e10
_FEWEST_FOLDS, _FOLDS_IN_STEP = 5, 32
_FOLD_STOP = Stop(1e-3, 5000)


def leave_one_out_scores(
    problem: MarginProblem, scores: Floats, duals: Floats, data: Data
) -> Floats:
    """Scores of each row by the machine without it, estimated, (n, T).

    Up to 5,000 directions all classes at once, O(m^3). Beyond, smooth losses take each class
    by itself, with the diagonal of D: T inverses of n x n, up to 5,000 rows. Kinks tie the
    classes of a row together: they take folds, see `in_folds`.

    Parameters
    ----------
    problem : MarginProblem without rows set aside
    scores, duals : (n, T) arrays of a solution, its gap small
    data : Gram or Spectral, the kernel
    """
    if data.mean_diagonal() <= 0:
        return scores
    machine = Solved.near(problem, data, scores, duals)
    size = len(machine.free.rows)
    if size <= LARGEST_INVERSE:
        machine = machine.polished()
        left_out = all_classes(machine.scores, machine.duals, data, machine.free)
        left_out = in_balls(left_out, machine.scores, machine.duals, data)
        near = _near_a_tie(problem, left_out, machine.duals, data)
        return _further(
            machine, left_out, near[: int(_MULTIPLICATIONS_NEAR_TIES / max(size, 1) ** 3)]
        )
    if problem.loss.smooth and len(scores) <= LARGEST_INVERSE:
        left_out = class_by_class(scores, duals, data, machine.free)
    else:
        left_out = in_folds(problem, scores, duals, data)
    return in_balls(left_out, scores, duals, data)


def in_balls(left_out: Floats, scores: Floats, duals: Floats, data: Data) -> Floats:
    """Estimates moved into the balls that hold what they estimate, and so nearer to it.

    The ball of row i, of a machine with no gap, has the diameter from its scores to its scores
    less K_ii b_i.
    """
    halves = data.diagonal()[:, None] * duals / 2
    centres = scores - halves
    away = left_out - centres
    lengths, radii = np.linalg.norm(away, axis=1), np.linalg.norm(halves, axis=1)
    out = lengths > radii
    left_out = left_out.copy()
    left_out[out] = centres[out] + (radii[out] / lengths[out])[:, None] * away[out]
    return left_out


def _further(machine: Solved, left_out: Floats, rows: Indices) -> Floats:
    """Left-out scores with more steps for some rows; where these lead nowhere, a refit."""
    alone = []
    for i in rows:
        found = machine.scores_without(int(i))
        if found is None:
            alone.append(np.array([i]))
        else:
            left_out[i] = found
    refitted = _set_aside(machine.problem, machine.scores, machine.duals, machine.data, alone)
    for fold in alone:
        left_out[fold] = refitted[fold]
    return left_out


def all_classes(scores: Floats, duals: Floats, data: Data, free: FreeDirections) -> Floats:
    """Left-out scores by one step, from one inverse over all directions."""
    N = inverse(between(data, free))
    E, diagonal = free.directions, data.diagonal()
    left_out = scores.copy()
    used = np.flatnonzero(duals.any(axis=1))
    for part in slices(len(used), _ROWS_AT_A_TIME):
        rows = used[part]
        K = data.among(free.rows, rows)
        Z = N @ (K * (E @ duals[rows].T))
        first = np.searchsorted(free.rows, rows)
        last = np.searchsorted(free.rows, rows, side="right")
        for column, (a, b) in enumerate(zip(first, last, strict=True)):
            if a < b:
                Z[:, column] -= N[:, a:b] @ np.linalg.solve(N[a:b, a:b], Z[a:b, column])
        left_out[rows] -= diagonal[rows, None] * duals[rows] - (K * Z).T @ E
    return left_out


def class_by_class(scores: Floats, duals: Floats, data: Data, free: FreeDirections) -> Floats:
    """Left-out scores by one step, with d_k = T/(T-1) D_kk: M_ii = (1/q_i - 1) / d_i.

    d_k is the stiffness along e_k less its mean, all there is for two classes; q is the
    diagonal of (I + d^1/2 K d^1/2)^-1.
    """
    T = scores.shape[1]
    D = np.zeros_like(scores)
    np.add.at(D, free.rows, np.square(free.directions) / free.compliance[:, None])
    D *= T / (T - 1)
    K = data.among(np.arange(len(scores)), np.arange(len(scores)))
    least = 1e-6 / data.mean_diagonal()  # Below it the quotient is rounding.
    left_out = scores.copy()
    for k in range(T):
        d = np.maximum(D[:, k], least)
        root = np.sqrt(d)
        A = root[:, None] * K * root
        A[np.diag_indices(len(A))] += 1
        q = np.diagonal(inverse(A))
        left_out[:, k] -= (1 / q - 1) / d * duals[:, k]
    return centred(left_out)


def in_folds(problem: MarginProblem, scores: Floats, duals: Floats, data: Data) -> Floats:
    """Left-out scores by folds that are set aside in place and solved in step.

    As many folds as some 1e12 multiplications allow, at least five and at most one per row:
    on small sets rows are left out one by one. Rows without a dual need no fold.
    """
    n, T = scores.shape
    used = np.flatnonzero(duals.any(axis=1))
    n_folds = int(
        np.clip(_MULTIPLICATIONS_PER_ITERATION / (n**2 * T), _FEWEST_FOLDS, max(len(used), 1))
    )
    drawn = np.random.default_rng(0).permutation(used)
    dealt = drawn[np.argsort(problem.y[drawn], kind="stable")]  # Each fold its share of a class.
    folds = [dealt[k::n_folds] for k in range(n_folds) if k < len(dealt)]
    return _set_aside(problem, scores, duals, data, folds)


def _set_aside(
    problem: MarginProblem, scores: Floats, duals: Floats, data: Data, folds: list[Indices]
) -> Floats:
    """Scores of the rows of each fold by a machine without it, the others as they are."""
    machine, solution = Splitting(data, _FOLD_STOP.tol), solution_at(problem, scores, duals)
    left_out = scores.copy()
    for part in slices(len(folds), _FOLDS_IN_STEP):
        some = folds[part]
        rows = np.concatenate(some)
        left_out[rows] = fold_scores(machine, problem, solution, some, _FOLD_STOP).scores[rows]
    return left_out


def _near_a_tie(problem: MarginProblem, left_out: Floats, duals: Floats, data: Data) -> Indices:
    """Rows whose lead is less than half of the radius of their ball, nearest to a tie first."""
    lead = np.abs(leads(left_out, problem.y))
    reach = data.diagonal() * np.linalg.norm(duals, axis=1) / np.sqrt(8)
    near = np.flatnonzero(lead < reach)
    return near[np.argsort(lead[near] / reach[near], kind="stable")]
