"""The margin problem by an interior-point solver, and its values by plain loops."""

from dataclasses import replace

import cvxpy as cp
import numpy as np

from reference.code import recursive_code
from reference.convex import solve
from reference.losses import expression, value
from simplexcoding.design.operators import Spectral
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

TIGHT = dict(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)


def root(K):
    s, V = np.linalg.eigh(K)
    return V * np.sqrt(np.maximum(s, 0))


def optimum(name, K, y, box, T, hull=True):
    """Least 1/2 ||f||^2 + sum box V, over f in code coordinates."""
    L = root(K)
    A = cp.Variable((len(y), T - 1))
    U = L @ A @ recursive_code(T).T
    total, constraints = 0.5 * cp.sum_squares(A), []
    for i in range(len(y)):
        loss, extra = expression(name, U[i], y[i], T, hull)
        total, constraints = total + box[i] * loss, constraints + extra
    problem = cp.Problem(cp.Minimize(total), constraints)
    solve(problem, **TIGHT)
    return problem.value


def norm(K, B, T):
    A = (T - 1) / T * B @ recursive_code(T)
    return np.trace(A.T @ K @ A)


def values(name, K, y, box, B, point, hull=True):
    """Primal of B, dual of `point`, and how far `point` is off the dual's constraints.

    The dual variables of each loss are those of the paper's duals, read off the point.
    """
    n, T = B.shape
    S = K @ B
    if name == "half_space" and hull:
        worst = -S.min() * (T - 1)
        shrink = min(1, 1 / worst) if worst > 0 else 1
    else:
        shrink = 1
    total = sum(box[i] * value(name, (shrink - 1e-12) * S[i], y[i], hull) for i in range(n))
    primal = 0.5 * shrink**2 * norm(K, B, T) + total
    gain, violation = 0.0, 0.0
    for i in range(n):
        g = -(T - 1) / T * point[i]
        others = [k for k in range(T) if k != y[i]]
        if name == "cone":
            alpha = g - g[y[i]]
            gain += alpha.sum() / (T - 1)
            violation = max(violation, -alpha.min(), alpha.max() - box[i])
        elif name == "relative":
            beta, bound = g[others], box[i] * np.sqrt((T - 1) / (2 * T))
            gain += T / (T - 1) * beta.sum()
            violation = max(violation, -beta.min(), beta.max() - bound, abs(g.sum()))
        elif name == "half_space" and not hull:
            alpha = -g[y[i]] * T / (T - 1)
            gain += alpha
            rest = np.abs(g[others] - alpha / T).max()
            violation = max(violation, rest, -alpha, alpha - box[i])
        elif name == "half_space":
            # -g = box e_y + mu up to a constant, mu >= 0 with its least entry zero.
            mu = -g - box[i] * (np.arange(T) == y[i])
            mu -= mu.min()
            gain += box[i] - mu.sum() / (T - 1)
        elif name == "vertex":
            eps = 0.5 if T == 2 else np.sqrt(T / (2 * (T - 1)))
            length = np.linalg.norm(g) * np.sqrt(T / (T - 1))
            gain -= g[y[i]] * T / (T - 1) + eps * length
            violation = max(violation, length - box[i])
        else:
            p = g / box[i] + (np.arange(T) == y[i])
            violation = max(violation, -p.min() * box[i], abs(p.sum() - 1))
            p = np.maximum(p, 1e-300)
            gain -= box[i] * np.sum(p * np.log(p))
    return primal, gain - 0.5 * norm(K, point, T), violation


def hinge_scores(K, y, C):
    """Scores of the two-class hinge machine without intercept; positive for class 1."""
    L = root(K)
    w = cp.Variable(len(y))
    sign = 2.0 * y - 1
    loss = cp.sum(cp.pos(1 - cp.multiply(sign, L @ w)))
    solve(cp.Problem(cp.Minimize(0.5 * cp.sum_squares(w) + C * loss)), **TIGHT)
    return L @ w.value


def lee_lin_wahba(K, y, T, C):
    """T sum-zero functions; 1/2 sum ||f_k||^2 + C' sum over k != y of [f_k + 1]_+."""
    L = root(K)
    W = cp.Variable((len(y), T))
    F = L @ W
    hinge = cp.sum(cp.multiply(1.0 - np.eye(T)[y], cp.pos(F + 1)))
    # In units where f_k = (T-1) u_k and 1/2 sum ||f_k||^2 = T (T-1)/2 ||f||^2, this C is T C_0.
    problem = cp.Problem(cp.Minimize(0.5 * cp.sum_squares(W) + C * hinge), [cp.sum(W, axis=1) == 0])
    solve(problem, **TIGHT)
    return F.value


def maximum_margin_regression(K, y, T, C):
    """1/2 ||W||^2 + C sum [1 - <e_y - 1/T, W phi>]_+ with one-hot targets, centred."""
    L = root(K)
    W = cp.Variable((len(y), T))
    F = L @ W
    centred = np.eye(T)[y] - 1 / T
    hinge = cp.sum(cp.pos(1 - cp.sum(cp.multiply(centred, F), axis=1)))
    solve(cp.Problem(cp.Minimize(0.5 * cp.sum_squares(W) + C * hinge)), **TIGHT)
    return F.value - F.value.mean(axis=1, keepdims=True)


def leave_one_out_scores(problem, K, tol=1e-6):
    """Scores of each row by a machine that is fitted to the others, and how exact they are."""
    scores, slack = np.empty((len(K), problem.n_classes)), np.empty(len(K))
    for i in range(len(K)):
        rest = np.delete(np.arange(len(K)), i)
        part = replace(problem, y=problem.y[rest], box=problem.box[rest])
        machine = Splitting(Spectral.of_kernel(K[np.ix_(rest, rest)]), tol)
        (alone,) = machine.solve([part], Stop(tol, 5000))
        scores[i] = K[i, rest] @ alone.coefficients
        # The objective is strongly convex: ||f - optimum||^2 <= 2 gap.
        # A difference of two objectives is known to a few roundings of them and no better.
        rounding = 1e-15 * (1 + abs(alone.certificate.primal))
        gap = max(alone.certificate.primal - alone.certificate.dual, 0.0) + rounding
        slack[i] = np.sqrt(2 * gap * K[i, i] / problem.kappa)
    return scores, slack


def leave_one_out_balls(K, B):
    """Centre and radius of the ball with diameter from f - k_i b_i to f, at row i."""
    centres, radii = np.empty_like(B), np.empty(len(B))
    for i in range(len(B)):
        ends = K[i] @ B, K[i] @ B - K[i, i] * B[i]
        centres[i], radii[i] = (ends[0] + ends[1]) / 2, np.linalg.norm(ends[0] - ends[1]) / 2
    return centres, radii


def span_rule(K, y, C):
    """Left-out scores of class 1 by the span rule of Vapnik and Chapelle, two-class hinge.

    f(x_i) - alpha_i sign_i S_i^2, with S_i^2 the squared distance of row i to the span of
    the other rows whose alpha is strictly between 0 and C.
    """
    sign = 2.0 * y - 1
    alpha = cp.Variable(len(y))
    gain = cp.sum(alpha) - 0.5 * cp.sum_squares(root(K).T @ cp.multiply(sign, alpha))
    solve(cp.Problem(cp.Maximize(gain), [alpha >= 0, alpha <= C]), **TIGHT)
    alpha = alpha.value
    left_out = K @ (sign * alpha)
    between = np.flatnonzero((alpha > 1e-5 * C) & (alpha < (1 - 1e-5) * C))
    for i in np.flatnonzero(alpha > 1e-5 * C):
        others = between[between != i]
        weights = np.linalg.solve(K[np.ix_(others, others)], K[others, i])
        left_out[i] -= alpha[i] * sign[i] * (K[i, i] - K[i, others] @ weights)
    return left_out


def logistic_step(K, y, box, S, B):
    """Left-out scores of the logistic loss by one Newton step, each row by its own system."""
    n, T = S.shape
    left_out = np.empty_like(S)
    for i in range(n):
        H = np.zeros((n * T, n * T))
        for j in range(n):
            p = np.exp(S[j] - S[j].max())
            p /= p.sum()
            block = slice(j * T, (j + 1) * T)
            H[block, block] = (j != i) * box[j] * T / (T - 1) * (np.diag(p) - np.outer(p, p))
        M = np.kron(K, np.eye(T))
        M = M - M @ np.linalg.solve(np.eye(n * T) + H @ M, H @ M)
        block = slice(i * T, (i + 1) * T)
        left_out[i] = S[i] - M[block, block] @ B[i]
    return left_out
