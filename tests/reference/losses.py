"""Losses written in code coordinates with plain loops, and their prox by a convex solver."""

import cvxpy as cp
import numpy as np

from reference.code import recursive_code
from reference.convex import solve


def value(name, u, y, hull=True):
    """V of one row, from f and the code vectors where the formula has them."""
    T = len(u)
    C = recursive_code(T)
    f = (T - 1) / T * C.T @ u
    others = [k for k in range(T) if k != y]
    if name == "least_squares":
        return np.sum((C[y] - f) ** 2)
    if name == "cone":
        return sum(max(0, 1 / (T - 1) + C[k] @ f) for k in others)
    if name == "half_space":
        inside = all(C[k] @ f >= -1 / (T - 1) - 1e-12 for k in range(T))
        return max(0, 1 - C[y] @ f) if inside or not hull else np.inf
    if name == "relative":
        lead = [(C[y] - C[k]) @ f for k in others]
        return np.sqrt((T - 1) / (2 * T)) * sum(max(0, T / (T - 1) - gap) for gap in lead)
    if name == "vertex":
        eps = 0.5 if T == 2 else 0.5 * np.sqrt(2 * T / (T - 1))
        return max(0, np.linalg.norm(C[y] - f) - eps)
    if name == "exponential":
        return sum(np.exp(-(C[y] - C[k]) @ f / 2) for k in others)
    if name == "logistic":
        return np.log(sum(np.exp(C @ f))) - C[y] @ f
    raise KeyError(name)


def expression(name, u, y, T, hull=True):
    """V as a cvxpy expression of the scores u, and the constraints it brings."""
    others = [k for k in range(T) if k != y]
    G = T / (T - 1) * (np.eye(T) - 1 / T)
    if name == "least_squares":
        return (T - 1) / T * cp.sum_squares(u - G[y]), []
    if name == "cone":
        return cp.sum(cp.pos(1 / (T - 1) + u[others])), []
    if name == "half_space":
        return cp.pos(1 - u[y]), [u >= -1 / (T - 1)] if hull else []
    if name == "relative":
        return np.sqrt((T - 1) / (2 * T)) * cp.sum(cp.pos(T / (T - 1) - u[y] + u[others])), []
    if name == "vertex":
        eps = 0.5 if T == 2 else 0.5 * np.sqrt(2 * T / (T - 1))
        return cp.pos(np.sqrt((T - 1) / T) * cp.norm(u - G[y]) - eps), []
    if name == "exponential":
        return cp.sum(cp.exp((u[others] - u[y]) / 2)), []
    if name == "logistic":
        return cp.log_sum_exp(u) - u[y], []
    raise KeyError(name)


def prox(name, s, y, step, hull=True):
    """Return the prox point of one row by an interior-point solver."""
    T = len(s)
    u = cp.Variable(T)
    loss, constraints = expression(name, u, y, T, hull)
    problem = cp.Problem(
        cp.Minimize(loss + cp.sum_squares(u - s) / (2 * step)), [cp.sum(u) == 0, *constraints]
    )
    solve(problem, solver=cp.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
    return u.value


def conditional_minimum(name, rho, hull=True):
    """Least expected loss over scores, by an interior-point solver."""
    T = len(rho)
    u = cp.Variable(T)
    total, constraints = 0, [cp.sum(u) == 0]
    for y in range(T):
        loss, extra = expression(name, u, y, T, hull)
        total, constraints = total + rho[y] * loss, constraints + extra
    problem = cp.Problem(cp.Minimize(total), constraints)
    solve(problem, solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return problem.value
