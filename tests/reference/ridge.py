"""Regularised least squares by plain linear algebra, refitted for every row or fold left out."""

import numpy as np


def fit(K, Y, w, alpha, intercept):
    """Dual coefficients A and intercept b of (K + alpha diag(1/w)) A + 1 b = Y, 1'A = 0."""
    n = len(K)
    system = K + alpha * np.diag(1 / w)
    if not intercept:
        return np.linalg.solve(system, Y), np.zeros(Y.shape[1])
    ones = np.ones((n, 1))
    bordered = np.block([[system, ones], [ones.T, np.zeros((1, 1))]])
    solved = np.linalg.solve(bordered, np.vstack([Y, np.zeros((1, Y.shape[1]))]))
    return solved[:-1], solved[-1]


def simplex_scores(one_hot):
    T = one_hot.shape[1]
    return T / (T - 1) * (one_hot - one_hot.mean(axis=1, keepdims=True))


def left_out_scores(K, y, T, alpha, *, w=None, intercept=True, folds=None):
    """Scores of each fold (each row, if folds is None) by the model fitted without it."""
    n = len(y)
    w = np.ones(n) if w is None else np.asarray(w, float)
    Y = np.eye(T)[y]
    predictions = np.empty((n, T))
    for fold in [[i] for i in range(n)] if folds is None else folds:
        rest = np.setdiff1d(np.arange(n), fold)
        A, b = fit(K[np.ix_(rest, rest)], Y[rest], w[rest], alpha, intercept)
        predictions[fold] = K[np.ix_(fold, rest)] @ A + b
    return simplex_scores(predictions)
