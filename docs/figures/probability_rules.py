"""What else was tried for probabilities: other rules for linear scores, a stronger prior.

python docs/figures/probability_rules.py

Log-loss over three folds as a multiple of LogisticRegression's on the same standardised rows.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.problems.calibration_small import folds, tables
from simplexcoding import SimplexRidgeClassifier

STARTS = ([0.0, -1.0], [1.0, 0.0])


def peer():
    return LogisticRegression(max_iter=1000)


def log_loss(L, y, smoothing=0.0):
    own = L[np.arange(len(y)), y]
    return -float(np.mean((1 - smoothing) * own + smoothing * L.mean(axis=1)))


def powers(S, theta):
    """Logs of p_k proportional to softplus(q_k / e)^b, q the estimated mixture of vertices."""
    b, e = np.exp(np.clip(theta, -6, 6))
    q = ((S.shape[1] - 1) * S + 1) / S.shape[1]
    return log_softmax(b * np.log(np.logaddexp(0, q / e) + 1e-300), axis=1)


def scale(S, theta):
    return log_softmax(np.exp(np.clip(theta[0], -6, 6)) * S, axis=1)


def best(link, S, y, smoothing):
    fits = (
        minimize(lambda theta: log_loss(link(S, theta), y, smoothing), start, method="Nelder-Mead")
        for start in STARTS
    )
    return min(fits, key=lambda fit: fit.fun).x


def ratios(name, rules, **options):
    """Sums over folds and draws, over those of the peer; a rule sees (S, y, S test, y test)."""
    ours, theirs = np.zeros(len(rules)), 0.0
    for table in tables(False)[name]:
        for X, y, Xt, yt in folds(*table):
            other = peer().fit(X, y)
            k, kt = (np.searchsorted(other.classes_, labels) for labels in (y, yt))
            theirs += log_loss(other.predict_log_proba(Xt), kt)
            model = SimplexRidgeClassifier(**options).fit(X, y)
            seen = model.loo_scores_, k, model.function_.scores(Xt), kt
            ours += [rule(*seen) for rule in rules]
    return ours / theirs


def learnt(link, pseudo_rows=1):
    def rule(S, y, St, yt):
        theta = best(link, S, y, pseudo_rows / (len(y) + pseudo_rows))
        return log_loss(link(St, theta), yt)

    return rule


def in_hindsight(link):
    return lambda S, y, St, yt: log_loss(link(St, best(link, St, yt, 0.0)), yt)


def discriminant(S, y, St, yt):
    """Gaussians of one covariance on all scores but one, which the others tell."""
    return log_loss(LinearDiscriminantAnalysis().fit(S[:, 1:], y).predict_log_proba(St[:, 1:]), yt)


def as_fitted(name, **options):
    """The ratio of the probabilities that a model states itself."""
    ours, theirs = 0.0, 0.0
    for table in tables(False)[name]:
        for X, y, Xt, yt in folds(*table):
            for add, model in enumerate((peer(), SimplexRidgeClassifier(**options))):
                model.fit(X, y)
                L = np.log(model.predict_proba(Xt))
                loss = log_loss(L, np.searchsorted(model.classes_, yt))
                theirs, ours = theirs + (1 - add) * loss, ours + add * loss
    return ours / theirs


def line(name, values):
    print(f"| {name} | " + " | ".join(f"{value:.2f}" for value in values) + " |")


KEEP = "temperature | alpha by log-loss | two parameters | in hindsight"
print(f"| linear | {KEEP} | pooled | vector, alpha by log-loss | discriminant |")
print("|---|---:|---:|---:|---:|---:|---:|---:|")
for name in ("iris", "wine", "breast cancer", "satimage", "digits"):
    rules = [learnt(scale), learnt(powers), in_hindsight(powers), discriminant]
    first, second, third, last = ratios(name, rules, kernel="linear")
    by_loss = {"kernel": "linear", "scoring": "neg_log_loss"}
    chosen = ratios(name, [learnt(scale)], **by_loss)[0]
    vector = as_fitted(name, calibration="vector", **by_loss)
    pooled = as_fitted(name, kernel="linear", calibration="pooled")
    line(name, [first, chosen, second, third, pooled, vector, last])
print("\n| default, rows of unknown label | 1 | 2 | 3 |")
print("|---|---:|---:|---:|")
for name in ("iris", "wine", "breast cancer", "satimage"):
    few = f"{name}, five per class"
    line(few, ratios(few, [learnt(scale, count) for count in (1, 2, 3)]))
