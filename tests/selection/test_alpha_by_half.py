import numpy as np
import pytest
from sklearn.datasets import load_digits

from reference.ridge import left_out_scores
from simplexcoding.design import CholeskySpectrum, WeightedKernel
from simplexcoding.inference.temperature import fit_temperature, log_loss
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection import alpha_by_half
from simplexcoding.selection.alpha_by_half import choose_by_half
from simplexcoding.selection.scoring import Accuracy, NegLogLoss
from simplexcoding.solvers.ridge import RidgeProblem

DIGITS, LABELS = load_digits(return_X_y=True)
KERNELS = [Kernel("rbf", 5e-4), Kernel("exponential", 0.02), Kernel("rbf", 5e-5)]


def chosen(kernel, scoring=Accuracy, near=None, alphas=None):
    problem = RidgeProblem(DIGITS, kernel, Rows.labelled(LABELS, 10), True)
    return choose_by_half(problem, alphas, scoring(problem.targets), 0, near)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_alpha_is_nearly_the_best_of_all_rows(kernel):
    path, factor = chosen(kernel)
    assert factor.problem.landmarks is None and path.exact.sum() == 1
    targets = Rows.labelled(LABELS, 10)
    spectrum = CholeskySpectrum(WeightedKernel.of(kernel.matrix(DIGITS), targets, True))

    def loss(alpha):
        scores = spectrum.leave_one_out(alpha).scores()
        return log_loss(fit_temperature(scores, LABELS) * scores, LABELS)

    alpha = float(path.alphas[path.best])
    assert loss(alpha) <= 1.05 * min(loss(alpha * 10.0**k) for k in np.arange(-1.5, 1.6, 0.5))
    # The score of the choice is exact, and its left-out scores are right to three digits.
    exact = spectrum.leave_one_out(alpha).scores()
    np.testing.assert_allclose(factor.spectrum.leave_one_out(alpha).scores(), exact, atol=1e-3)
    assert path.best_score == pytest.approx((exact.argmax(axis=1) == LABELS).mean(), abs=6e-4)


def test_an_alpha_known_to_be_near_leads_to_the_same_place():
    alone, _ = chosen(KERNELS[0])
    alpha = alone.alphas[alone.best]
    led, _ = chosen(KERNELS[0], near=2 * alpha)
    assert abs(np.log10(led.alphas[led.best] / alpha)) < 0.3


def test_other_rules_ask_all_rows_twice():
    path, _ = chosen(KERNELS[0], scoring=NegLogLoss)
    assert path.exact.sum() == 2


def test_digits_that_single_precision_lacks_are_kept(monkeypatch):
    _, factor = chosen(KERNELS[0])
    assert factor.spectrum.kernel.matrix.dtype == np.float32
    monkeypatch.setattr(alpha_by_half, "SAFE_VALUES", 1.0)
    path, factor = chosen(KERNELS[0])
    assert factor.spectrum.kernel.matrix.dtype == np.float64
    # Values in double precision, factorised in single: nothing to be seen is lost.
    alpha = float(path.alphas[path.best])
    found = factor.spectrum.leave_one_out(alpha)
    exact = CholeskySpectrum(factor.spectrum.kernel).leave_one_out(alpha)
    assert found.errors.dtype == np.float32 and exact.errors.dtype == np.float64
    assert np.abs(found.scores() - exact.scores()).max() < 1e-4


def test_a_guess_does_not_leave_what_single_precision_can_tell(monkeypatch):
    path, _ = chosen(KERNELS[0])
    alpha = float(path.alphas[path.best])
    largest = CholeskySpectrum(
        WeightedKernel.of(KERNELS[0].matrix(DIGITS), Rows.labelled(LABELS, 10), True)
    ).eigenvalues[-1]
    # What all rows want is just out of reach, and next to it little is lost.
    monkeypatch.setattr(alpha_by_half, "SAFE_VALUES", 1.3 * alpha / largest)
    bounded, factor = chosen(KERNELS[0])
    assert factor.spectrum.kernel.matrix.dtype == np.float32
    assert 1.29 * alpha <= bounded.alphas[bounded.best] <= 1.8 * alpha


@pytest.mark.parametrize("weighted", [False, True])
def test_some_rows_alone_are_a_fit_of_their_own(weighted):
    w = np.random.default_rng(0).uniform(0.5, 2, 300) if weighted else None
    targets = Rows.labelled(LABELS[:300], 10, w)
    K = KERNELS[0].matrix(DIGITS[:300])
    rows = np.arange(0, 300, 2)
    part = CholeskySpectrum(WeightedKernel.of(K.copy(), targets, True)).alone(rows)
    slow = left_out_scores(
        K[np.ix_(rows, rows)],
        LABELS[rows],
        10,
        0.1,
        w=None if w is None else w[rows],
        intercept=True,
    )
    np.testing.assert_allclose(part.leave_one_out(0.1).scores(), slow, atol=1e-8)
