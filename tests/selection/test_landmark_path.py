import numpy as np
import pytest
from sklearn.datasets import load_digits, make_blobs

from simplexcoding.design.features import FeatureSpectrum
from simplexcoding.inference.temperature import fit_temperature, log_loss
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection import landmark_path
from simplexcoding.selection.landmark_path import enough_landmarks
from simplexcoding.selection.scoring import Accuracy
from simplexcoding.solvers.ridge import RidgeProblem

DIGITS, LABELS = load_digits(return_X_y=True)


def grown(X, y, kernel, monkeypatch, first=50, **limits):
    monkeypatch.setattr(landmark_path, "_FIRST", first)
    problem = RidgeProblem(X, kernel, Rows.labelled(y, y.max() + 1), True)
    order = np.random.default_rng(0).permutation(len(y))
    limits = {"whole_rows": 0, "most": len(y), **limits}
    return enough_landmarks(problem, order, None, Accuracy(problem.targets), **limits)


def test_landmarks_double_while_left_out_rows_gain(monkeypatch):
    X, y = make_blobs(1500, 5, centers=6, cluster_std=4.0, random_state=0)
    factor, _, _, path = grown(X, y, Kernel("rbf", 0.003), monkeypatch, first=20)
    sizes, losses = path.landmarks, path.log_loss
    np.testing.assert_array_equal(sizes, 20 * 2 ** np.arange(len(sizes)))
    gains = 1 - losses[1:] / losses[:-1]
    assert len(gains) > 1 and np.all(gains[:-1] > 0.01) and gains[-1] <= 0.01
    # The last step gained next to nothing: the number before it is used.
    assert factor.problem.landmarks.size == sizes[-2] < len(y) / 2
    assert factor.spectrum.features.shape[1] == sizes[-2]


def test_the_log_loss_is_that_of_left_out_rows(monkeypatch):
    factor, pilot, calm, path = grown(DIGITS, LABELS, Kernel("rbf", 5e-4), monkeypatch)
    spectrum = factor.spectrum
    eigen = FeatureSpectrum(spectrum.features, spectrum.targets, spectrum.moments)
    losses = []
    for alpha in pilot.alphas[::4]:
        scores = eigen.leave_one_out(alpha).scores()
        losses.append(log_loss(fit_temperature(scores, LABELS) * scores, LABELS))
    used = path.log_loss[path.landmarks == factor.problem.landmarks.size]
    assert used == pytest.approx(min(losses), rel=0.02)
    scores = eigen.leave_one_out(pilot.alphas[calm]).scores()
    at_calm = log_loss(fit_temperature(scores, LABELS) * scores, LABELS)
    assert at_calm == pytest.approx(min(losses), rel=0.02)


def test_blobs_need_few_landmarks(monkeypatch):
    X, y = make_blobs(600, centers=4, cluster_std=3.0, random_state=0)
    _, _, _, path = grown(X, y, Kernel("rbf", 0.05), monkeypatch)
    assert path.landmarks[-1] <= 200


def test_a_slow_spectrum_ends_at_the_whole_kernel(monkeypatch):
    kernel = Kernel("exponential", 0.02)
    factor, pilot, _, path = grown(DIGITS, LABELS, kernel, monkeypatch, whole_rows=len(LABELS))
    assert path.landmarks[-1] == len(LABELS) and np.isnan(path.log_loss[-1])
    assert factor.problem.landmarks is None and pilot.exact.all()
    # At such alphas single precision keeps three digits of the left-out scores.
    alpha = float(pilot.alphas[pilot.best])
    exact = factor.problem.factorise().spectrum.leave_one_out(alpha).scores()
    assert factor.spectrum.kernel.matrix.dtype == np.float32
    np.testing.assert_allclose(factor.spectrum.leave_one_out(alpha).scores(), exact, atol=1e-3)


def test_digits_that_single_precision_lacks_are_kept(monkeypatch):
    kernel = Kernel("rbf", 5e-4)
    monkeypatch.setattr(landmark_path, "_LARGE_SHARE", 0.0)
    monkeypatch.setattr(landmark_path, "_LARGE_GAIN", 0.0)
    monkeypatch.setattr(landmark_path, "SAFE_SINGLE", 1.0)
    factor, _, _, path = grown(DIGITS, LABELS, kernel, monkeypatch, whole_rows=len(LABELS))
    assert path.landmarks[-1] == len(LABELS)
    assert factor.spectrum.kernel.matrix.dtype == np.float64


def test_memory_bounds_the_landmarks(monkeypatch):
    factor, _, _, path = grown(DIGITS, LABELS, Kernel("rbf", 5e-4), monkeypatch, most=130)
    np.testing.assert_array_equal(path.landmarks, [50, 130])
    assert factor.coefficients(1.0).weights.shape == (130, 10)


def test_one_alpha_is_kept(monkeypatch):
    problem = RidgeProblem(DIGITS, Kernel("rbf", 5e-4), Rows.labelled(LABELS, 10), True)
    scoring, order = Accuracy(problem.targets), np.arange(len(LABELS))
    monkeypatch.setattr(landmark_path, "_FIRST", 50)
    _, pilot, _, _ = enough_landmarks(problem, order, np.array([0.3]), scoring, 0, 200)
    np.testing.assert_array_equal(pilot.alphas, [0.3])
