"""Boosting with plain loops: histograms, the best split, a walk down a tree, w and d."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shift:
    """A round's part that adds a constant to every row, whatever X is."""

    amount: float

    def add(self, X, F):
        F += self.amount


def histogram(codes, features, rows, table, bins):
    sums = np.zeros((len(features), bins, table.shape[1]))
    for j, feature in enumerate(features):
        np.add.at(sums[j], codes[feature][rows], table[rows])
    return sums


def squared_error(targets, weights):
    """Least weighted squared error of a constant vector."""
    if weights.sum() == 0:
        return 0.0
    mean = weights @ targets / weights.sum()
    return weights @ ((targets - mean) ** 2).sum(axis=1)


def best_split(X, targets, weights, min_samples_leaf=1):
    """Gain, feature and threshold of the regression stump of least squared error."""
    best = (0.0, -1, np.nan)
    whole = squared_error(targets, weights)
    for j, column in enumerate(X.T):
        values = np.unique(column)
        for threshold in (values[:-1] + values[1:]) / 2:
            left = column <= threshold
            if min(left.sum(), (~left).sum()) < min_samples_leaf:
                continue
            sides = [squared_error(targets[side], weights[side]) for side in (left, ~left)]
            if whole - sum(sides) > best[0]:
                best = (whole - sum(sides), j, threshold)
    return best


def walk(tree, x):
    """Value of the leaf that x reaches."""
    node = 0
    while node < len(tree.features):
        value, place = x[tree.features[node]], tree.set_of[node]
        if np.isnan(value):
            left = tree.missing_left[node]
        elif place >= 0:
            word = int(tree.sets[place][int(value) // 64])
            left = bool(word >> (int(value) % 64) & 1)
        else:
            left = value <= tree.thresholds[node]
        node = 2 * node + 1 if left else 2 * node + 2
    return tree.values[node - len(tree.features)]


def weight_and_direction(name, f, y, C):
    """w and d of one row, as Saberian and Vasconcelos write them.

    v_k = <f, c_y - c_k>/2, loss gamma(sum phi(v_k)); exponential: gamma(v) = v, phi = e^-v;
    logistic: gamma = log(1 + v), phi = e^(-2v).
    """
    others = [k for k in range(len(C)) if k != y]
    v = np.array([f @ (C[y] - C[k]) / 2 for k in others])
    if name == "exponential":
        outer, slopes = 1.0, -np.exp(-v)
    else:
        outer, slopes = 1 / (1 + np.exp(-2 * v).sum()), -2 * np.exp(-2 * v)
    w = -outer * slopes.sum()
    tau = slopes / slopes.sum()
    return w, C[y] - sum(t * C[k] for t, k in zip(tau, others, strict=True))


def newton_round(S, y, weights, leaf, n_leaves, l2):
    """Newton step of every class in every leaf for the logistic loss, row by row, centred."""
    T = S.shape[1]
    descent, curvature = np.zeros((n_leaves, T)), np.zeros((n_leaves, T))
    for u, label, w, q in zip(S, y, weights, leaf, strict=True):
        p = np.exp(u - u.max())
        p /= p.sum()
        for k in range(T):
            descent[q, k] += w * ((k == label) - p[k])
            curvature[q, k] += w * p[k] * (1 - p[k])
    leaves = descent / (curvature + l2)
    return (T - 1) / T * (leaves - leaves.mean(axis=1, keepdims=True))
