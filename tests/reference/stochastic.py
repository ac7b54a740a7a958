"""The stream in code coordinates, one row at a time with dense W: slow and obvious.

And the least value of what it descends, by an interior-point solver.
"""

import cvxpy as cp
import numpy as np

from reference.code import recursive_code
from simplexcoding.losses import get_loss


def stream(
    loss,
    X,
    y,
    lambda_,
    w=None,
    project=True,
    intercept=True,
    period=64,
    plain=False,
    normalised=False,
):
    """Yield (W, averaged W) in R^((T-1) x (p+1)) after each row, and the constant column s.

    W multiplies (x, s); scores are C W (x, s). Without an intercept the column is zero. `plain`
    is the paper's rule: W <- (1 - 1/t) W - dV/(2 lambda t), and the mean of the iterates.
    `normalised` weights are divided by the mean weight of the rows so far.
    """
    T = int(y.max()) + 1
    C = recursive_code(T)
    W = np.zeros((T - 1, X.shape[1] + 1))
    mean = np.zeros_like(W)
    w = np.ones(len(y)) if w is None else w
    previous = 1.0
    start = -float(loss.subgradient(np.zeros((1, T)), [0])[0, 0])
    for t in range(1, len(y) + 1):
        v = w[:t] / w[:t].mean() if normalised else w[:t]
        weight, square, own_weight = v.mean(), (v * (X[:t] ** 2).sum(axis=1)).mean(), v[-1]
        s = np.sqrt(square / weight) if intercept else 0.0
        # The intercept is W's last column times s: it stays when s moves.
        W[:, -1] *= previous / s if intercept else 0.0
        previous = s
        x = np.append(X[t - 1], s)
        u = C @ W @ x
        value = loss.value(u[None], y[t - 1 : t])[0]
        gradient = own_weight * np.outer(C.T @ loss.subgradient(u[None], y[t - 1 : t])[0], x)
        spread = square + weight * s**2
        eta = 1 / (2 * lambda_ * (t + 1) + start * T / (T - 1) * spread)
        length = np.sum(gradient**2)
        if length > 0:
            eta = min(eta, own_weight * value / length)
        if plain:
            eta = 1 / (2 * lambda_ * t)
        W = (1 - 2 * lambda_ * eta) * W - eta * gradient
        radius = np.sqrt(loss.largest_pull(T) * weight / (2 * lambda_))
        if project and np.linalg.norm(W) > radius:
            W *= radius / np.linalg.norm(W)
        if t % period == 0:
            k = t // period
            # The average holds the intercept itself, which does not depend on s.
            now = W.copy()
            now[:, -1] *= s
            mean += (1 / k if plain else 2 / (k + 1)) * (now - mean)
        yield W, mean, s


def mean_loss(name, S, y, T):
    n, Y = len(y), np.eye(T)[y]
    G = (T * Y - 1) / (T - 1)
    own = cp.reshape(cp.sum(cp.multiply(S, Y), axis=1), (n, 1), order="C")
    lead = S - own @ np.ones((1, T))
    if name == "least_squares":
        return (T - 1) / T * cp.sum_squares(S - G) / n
    if name == "cone":
        return cp.sum(cp.multiply(1 - Y, cp.pos(S + 1 / (T - 1)))) / n
    if name == "half_space":
        return cp.sum(cp.pos(1 - own)) / n
    if name == "relative":
        hinges = cp.multiply(1 - Y, cp.pos(T / (T - 1) + lead))
        return np.sqrt((T - 1) / (2 * T)) * cp.sum(hinges) / n
    if name == "vertex":
        distance = np.sqrt((T - 1) / T) * cp.norm(S - G, axis=1)
        return cp.sum(cp.pos(distance - np.sqrt(T / (2 * (T - 1))))) / n
    if name == "exponential":
        return cp.sum(cp.multiply(1 - Y, cp.exp(lead / 2))) / n
    return cp.sum(cp.log_sum_exp(lead, axis=1)) / n


def optimum(name, X, y, lambda_):
    """Least mean V + lambda ||W||^2 with the constant column of the rows' length."""
    T = int(y.max()) + 1
    column = np.sqrt((X**2).sum(axis=1).mean())
    A = np.hstack([X, np.full((len(X), 1), column)])
    U = cp.Variable((A.shape[1], T))
    penalty = (T - 1) / T * cp.sum_squares(U)
    loss = mean_loss(name, A @ U, y, T)
    problem = cp.Problem(cp.Minimize(loss + lambda_ * penalty), [cp.sum(U, axis=1) == 0])
    problem.solve(solver=cp.CLARABEL)
    return problem.value


def objective(model, X, labels):
    """Mean loss and penalty of a model at rows X, from its coefficients."""
    S, T = model.decision_function(X), len(model.classes_)
    column = np.mean(np.sum(X**2, axis=1))
    norm = (T - 1) / T * (np.sum(model.coef_**2) + np.sum(model.intercept_**2) / column)
    return get_loss(model.loss).value(S, labels).mean() + model.alpha_ * norm
