"""The objective behind one temperature, written as its definition."""

import numpy as np
from scipy.special import logsumexp


def smoothed_log_loss(logits, y, weights=None, rows=None):
    """Mean cross-entropy of softmax(logits) under targets (1 - s) e_y + s/T, s = 1/(rows + 1)."""
    weights = np.ones(len(y)) if weights is None else weights
    rows = weights.sum() if rows is None else rows
    smoothing = 1 / (rows + 1)
    targets = (1 - smoothing) * np.eye(logits.shape[1])[y] + smoothing / logits.shape[1]
    log_p = logits - logsumexp(logits, axis=1, keepdims=True)
    return -np.average(np.sum(targets * log_p, axis=1), weights=weights)
