import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from simplexcoding.design import LeaveOneOut
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection import sampled_scores
from simplexcoding.selection.candidates import judge
from simplexcoding.selection.grids import candidate_kernels
from simplexcoding.selection.sampled_scores import JudgingRule
from simplexcoding.selection.scoring import NegLogLoss
from simplexcoding.solvers.ridge import RidgeProblem

WINE, KINDS = load_wine(return_X_y=True)
DIGITS, LABELS = load_digits(return_X_y=True)
LOG_LOSS = JudgingRule("neg_log_loss", NegLogLoss)


def table(X, y, kernels):
    problem = RidgeProblem(X, Kernel(), Rows.labelled(y, y.max() + 1), True)
    return judge(problem, kernels, LOG_LOSS, True, seed=0)[0]


@pytest.mark.parametrize("rule", ["_LEAST_GAIN", "_HOPELESS_LAG"])
def test_steps_that_gain_next_to_nothing_are_not_gone(monkeypatch, rule):
    problem = RidgeProblem(DIGITS, Kernel(), Rows.labelled(LABELS, 10), True)
    # The loss of the second kernel falls slowly for decades, far behind the first.
    kernels = [Kernel("rbf", 5e-4), Kernel("exponential", 0.01), Kernel("rbf", 1e-6)]
    others = {"_LEAST_GAIN": 0.0, "_HOPELESS_LAG": np.inf}

    def judged(settings):
        asked = []
        climb = sampled_scores.Leaving.score
        with monkeypatch.context() as patch:
            for name, value in settings.items():
                patch.setattr(sampled_scores, name, value)
            patch.setattr(
                sampled_scores.Leaving,
                "score",
                lambda self, spectrum, alpha: asked.append(alpha) or climb(self, spectrum, alpha),
            )
            found, kernel, _ = judge(problem, kernels, LOG_LOSS, True, seed=0)
        return len(asked), found, kernel

    many, patient, first = judged(others)
    few, hasty, second = judged({name: value for name, value in others.items() if name != rule})
    assert few < many
    assert second is first
    best = hasty.best
    assert hasty.score[best] == pytest.approx(patient.score[best], rel=0.01)


def test_an_exponential_kernel_has_no_finer_widths():
    problem = RidgeProblem(DIGITS, Kernel(), Rows.labelled(LABELS, 10), True)
    kernels = [Kernel("exponential", 0.03), Kernel("linear")]
    found, kernel, alpha = judge(problem, kernels, LOG_LOSS, True, seed=0, finer=True)
    assert kernel is kernels[0] and len(found) == 2 and alpha > 0


def test_scalings_are_scored_side_by_side_as_one_after_the_other(monkeypatch):
    kernels = candidate_kernels("auto", "auto", "auto", WINE, None, 0)
    together = table(WINE, KINDS, kernels)
    monkeypatch.setattr(sampled_scores, "threadpool_info", list)
    alone = table(WINE, KINDS, kernels)
    np.testing.assert_array_equal(together.score, alone.score)
    scaled = [kernel for kernel in kernels if kernel.scale is not None]
    np.testing.assert_allclose(
        together.score[together.scaling == "standard"], table(WINE, KINDS, scaled).score, rtol=1e-5
    )


def test_an_alpha_that_rounding_eats_has_no_score():
    targets = Rows.labelled(np.array([0, 1, 0, 1]), 2)

    class Rounded:
        def roughly(self, alpha):
            slack = np.array([0.5, 0.5, 0.5, 0.0 if alpha < 1 else 0.5], dtype=np.float32)
            return LeaveOneOut(np.zeros((4, 2), dtype=np.float32), slack, targets.y), None

    leave = sampled_scores.Leaving(LOG_LOSS, targets, None)
    assert np.isfinite(leave.score(Rounded(), 2.0))
    assert leave.score(Rounded(), 0.1) == -np.inf


def test_standings_that_were_handed_over_stay_as_they_were():
    problem = RidgeProblem(WINE, Kernel(), Rows.labelled(KINDS, 3), True)
    kernels = candidate_kernels("auto", "auto", "auto", WINE, None, 0)
    begun = tuple(sampled_scores.Standing(kernel) for kernel in kernels)
    found = sampled_scores.score_on_sample(problem, begun, np.arange(178), LOG_LOSS, None, 10.0)
    assert [each.kernel for each in found] == kernels
    assert all(each.rows == 178 and np.isfinite(each.score) for each in found)
    assert not any(each.rows for each in begun)
