import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from reference.ridge import left_out_scores
from simplexcoding.inference.temperature import fit_temperature, log_loss
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection import candidates, sampled_scores
from simplexcoding.selection.candidates import judge, stratified_order
from simplexcoding.selection.grids import candidate_kernels
from simplexcoding.selection.sampled_scores import JudgingRule
from simplexcoding.selection.scoring import Accuracy, NegLogLoss
from simplexcoding.solvers.ridge import RidgeProblem

WINE, KINDS = load_wine(return_X_y=True)
DIGITS, LABELS = load_digits(return_X_y=True)
LOG_LOSS = JudgingRule("neg_log_loss", NegLogLoss)


def table(X, y, kernels, rule=LOG_LOSS, whole=True, weights=None):
    problem = RidgeProblem(X, Kernel(), Rows.labelled(y, y.max() + 1, weights), True)
    found, kernel, _ = judge(problem, kernels, rule, whole, seed=0)
    assert kernel is kernels[found.best]
    return found


def test_widths_beside_the_best_are_tried():
    problem = RidgeProblem(DIGITS, Kernel(), Rows.labelled(LABELS, 10), True)
    kernels = [Kernel("exponential", 0.01), Kernel("rbf", 1e-4), Kernel("rbf", 4e-4)]
    coarse, _, _ = judge(problem, kernels, LOG_LOSS, True, seed=0)
    finer, kernel, _ = judge(problem, kernels, LOG_LOSS, True, seed=0, finer=True)
    best = coarse.gamma[coarse.best]
    np.testing.assert_allclose(finer.gamma, [*coarse.gamma, best / 2, 2 * best])
    assert finer.score[finer.best] >= coarse.score[coarse.best]
    assert kernel.gamma == finer.gamma[finer.best] and kernel.name == "rbf"


def test_the_reason_names_the_score_and_the_next():
    found = table(WINE, KINDS, [Kernel("linear"), Kernel("rbf", 1e-5)])
    first, second = found.order()
    assert found.reason() == (
        f"log-loss {-found.score[first]:.4f} on 178 left-out rows, best of 2; "
        f"next {found.label(second)} with {-found.score[second]:.4f}"
    )
    assert found.label(0) == "linear" and found.label(1) == "rbf, gamma 1e-05"
    alone = table(WINE, KINDS, [Kernel("linear")], JudgingRule("accuracy", Accuracy))
    assert alone.reason() == f"accuracy {alone.score[0]:.4f} on 178 left-out rows"


@pytest.mark.parametrize("weighted", [False, True])
def test_scores_are_those_of_refits_without_each_row(weighted):
    X, y = WINE[::2] / WINE.std(axis=0), KINDS[::2]
    w = np.random.default_rng(0).uniform(0.5, 2, len(y)) if weighted else None
    kernel = Kernel("rbf", 0.05)
    found = table(X, y, [kernel], weights=w)
    best = -np.inf
    for alpha in 0.1 * 10.0 ** np.arange(-6, 3):
        scores = left_out_scores(kernel.matrix(X), y, 3, alpha, w=w, intercept=True)
        best = max(best, -log_loss(fit_temperature(scores, y, w) * scores, y, w))
    assert found.score[0] == pytest.approx(best, rel=0.02)
    assert found.rows[0] == len(y)


def test_scaling_is_chosen_where_units_differ():
    kernels = candidate_kernels("auto", "auto", "auto", WINE, None, 0)
    found = table(WINE, KINDS, kernels)
    assert found.scaling[found.best] == "standard"
    assert found.best == found.order()[0] == found.score.argmax()


def test_only_candidates_near_the_best_see_more_rows(monkeypatch):
    monkeypatch.setattr(candidates, "_FIRST_ROWS", 200)
    monkeypatch.setattr(candidates, "_SECOND_ROWS", 500)
    kernels = candidate_kernels("auto", "auto", "none", DIGITS, None, 0)
    found = table(DIGITS, LABELS, kernels)
    assert set(found.rows) == {200, 500}
    first = found.score[found.rows == 200]
    assert found.rows[found.best] == 500 and found.score[found.best] > first.max()
    assert found.kernel[found.best] == "rbf"


def test_a_slow_spectrum_that_leads_is_judged_on_landmarks_in_the_end(monkeypatch):
    monkeypatch.setattr(candidates, "_FIRST_ROWS", 200)
    monkeypatch.setattr(candidates, "_SECOND_ROWS", 400)
    for module in (candidates, sampled_scores):
        monkeypatch.setattr(module, "LANDMARKS", 60)
    monkeypatch.setattr(candidates, "_FINALIST_SHORTFALL", 10.0)
    exponential, wide, good = (
        Kernel("exponential", 0.03),
        Kernel("rbf", 1.5e-6),
        Kernel("rbf", 5e-6),
    )
    whole = table(DIGITS, LABELS, [exponential, wide])
    assert whole.kernel[whole.best] == "exponential" and not whole.landmarks.any()
    found = table(DIGITS, LABELS, [exponential, wide], whole=False)
    np.testing.assert_array_equal(found.landmarks, [60, 60])
    # On so few landmarks the slow spectrum of the exponential kernel costs most.
    assert found.kernel[found.best] == "rbf"
    # Where the fast one leads without them nothing is left to ask.
    found = table(DIGITS, LABELS, [exponential, good], whole=False)
    assert found.kernel[found.best] == "rbf" and not found.landmarks.any()


def test_another_rule_is_followed():
    kernels = candidate_kernels("auto", "auto", "auto", WINE, None, 0)
    found = table(WINE, KINDS, kernels, JudgingRule("accuracy", Accuracy))
    assert found.scoring == "accuracy"
    np.testing.assert_array_equal(found.score, found.accuracy)


def test_every_beginning_holds_each_class_by_its_share():
    y = np.repeat([0, 1, 2], [600, 300, 100])
    order = stratified_order(y, np.random.default_rng(0))
    assert sorted(order) == list(range(1000))
    for size in (10, 100, 500):
        np.testing.assert_allclose(
            np.bincount(y[order[:size]]), size * np.array([0.6, 0.3, 0.1]), atol=1
        )
