from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_blobs

from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.inference.temperature import fit_temperature, log_loss
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection import landmark_path
from simplexcoding.selection.landmark_path import enough_landmarks
from simplexcoding.selection.scoring import Accuracy
from simplexcoding.solvers.ridge import RidgeProblem

DIGITS, LABELS = load_digits(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(len(LABELS))


def enough(X, y, kernel, monkeypatch, first=50, most=10**6):
    monkeypatch.setattr(landmark_path, "_FIRST_LANDMARKS", first)
    problem = RidgeProblem(X, kernel, Rows.labelled(y, y.max() + 1), True)
    order = np.random.default_rng(0).permutation(len(y))
    return enough_landmarks(problem, order, None, Accuracy(problem.targets), most)


def test_landmarks_double_while_left_out_rows_gain(monkeypatch):
    X, y = make_blobs(1500, 5, centers=6, cluster_std=4.0, random_state=0)
    factor, _, _, path = enough(X, y, Kernel("rbf", 0.003), monkeypatch, first=20)
    sizes, losses = path.landmarks, path.log_loss
    np.testing.assert_array_equal(sizes, 20 * 2 ** np.arange(len(sizes)))
    gains = 1 - losses[1:] / losses[:-1]
    assert len(gains) > 1 and np.all(gains[:-1] > 0.01) and gains[-1] <= 0.01
    # The last step gained next to nothing: the number before it is used.
    assert factor.problem.landmarks.size == sizes[-2] < len(y) / 2
    assert factor.spectrum.features.shape[1] == sizes[-2]


def test_the_log_loss_is_that_of_left_out_rows(monkeypatch):
    factor, pilot, calm, path = enough(DIGITS, LABELS, Kernel("rbf", 5e-4), monkeypatch)
    spectrum = factor.spectrum
    eigen = FeatureSpectrum(spectrum.features, spectrum.targets, spectrum.moments)
    judges = ORDER[-len(LABELS) // 3 :]
    y = LABELS[judges]

    def loss(alpha):
        scores = eigen.leave_one_out(alpha).scores()[judges]
        return log_loss(fit_temperature(scores, y) * scores, y)

    least = min(loss(alpha) for alpha in pilot.alphas[::4])
    used = path.log_loss[path.landmarks == factor.problem.landmarks.size]
    assert used == pytest.approx(loss(pilot.alphas[calm]), rel=1e-4)
    assert used == pytest.approx(least, rel=0.02)


def test_rows_that_judge_are_no_landmarks(monkeypatch):
    factor, _, _, _ = enough(DIGITS, LABELS, Kernel("rbf", 5e-4), monkeypatch)
    landmarks = factor.problem.landmarks
    assert len(np.unique(landmarks)) == len(landmarks)
    assert not np.isin(ORDER[-len(LABELS) // 3 :], landmarks).any()


def test_the_hardest_rows_follow(monkeypatch):
    factor, _, _, path = enough(DIGITS, LABELS, Kernel("rbf", 5e-4), monkeypatch, most=100)
    np.testing.assert_array_equal(path.landmarks, [50, 100])
    first, following = np.split(factor.problem.landmarks, [50])
    np.testing.assert_array_equal(first, ORDER[:50])
    # What a model on the first landmarks leaves between the own class and the best other,
    # at any alpha around its own.
    problem = replace(factor.problem, landmarks=first)
    rest = np.setdiff1d(ORDER[: -len(LABELS) // 3], first)
    shares = []
    for alpha in (1e-3, 1e-2, 1e-1):
        scores = problem.factorise().solve(alpha).function.scores(DIGITS[rest])
        own = scores[np.arange(len(rest)), LABELS[rest]]
        scores[np.arange(len(rest)), LABELS[rest]] = -np.inf
        hardest = rest[np.argsort(own - scores.max(axis=1))[:50]]
        shares.append(np.isin(following, hardest).mean())
    assert max(shares) > 0.8


def test_blobs_need_few_landmarks(monkeypatch):
    X, y = make_blobs(600, centers=4, cluster_std=3.0, random_state=0)
    _, _, _, path = enough(X, y, Kernel("rbf", 0.05), monkeypatch)
    assert path.landmarks[-1] <= 200


def test_memory_bounds_the_landmarks(monkeypatch):
    factor, _, _, path = enough(DIGITS, LABELS, Kernel("rbf", 5e-4), monkeypatch, most=130)
    np.testing.assert_array_equal(path.landmarks, [50, 130])
    assert factor.coefficients(1.0).weights.shape == (130, 10)


def test_one_alpha_is_kept(monkeypatch):
    problem = RidgeProblem(DIGITS, Kernel("rbf", 5e-4), Rows.labelled(LABELS, 10), True)
    scoring, order = Accuracy(problem.targets), np.arange(len(LABELS))
    monkeypatch.setattr(landmark_path, "_FIRST_LANDMARKS", 50)
    _, pilot, _, _ = enough_landmarks(problem, order, np.array([0.3]), scoring, 200)
    np.testing.assert_array_equal(pilot.alphas, [0.3])


@pytest.mark.parametrize("noise, dtype", [(0.01, np.float32), (0.0, np.float64)])
def test_features_are_single_where_rounding_is_small_beside_alpha(noise, dtype, monkeypatch):
    monkeypatch.setattr(landmark_path, "_MANY_OPERATIONS", 0)
    monkeypatch.setattr(landmark_path, "_MOST_NOISE", noise)
    factor, _, _, _ = enough(DIGITS, LABELS, Kernel("exponential", 0.02), monkeypatch, most=200)
    spectrum, projected = factor.spectrum, factor.problem
    assert spectrum.features.dtype == dtype
    exact = projected.factorise().spectrum.leave_one_out(0.1).scores()
    np.testing.assert_allclose(spectrum.leave_one_out(0.1).scores(), exact, atol=1e-3)
