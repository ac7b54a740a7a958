import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from reference.temperature import smoothed_log_loss
from simplexcoding.inference.temperature import fit_temperature, row_count

rng = np.random.default_rng(0)
S = rng.normal(size=(200, 4))
y = np.array([rng.choice(4, p=np.exp(2 * s) / np.exp(2 * s).sum()) for s in S])


@pytest.mark.parametrize("weights", [None, rng.uniform(0, 2, 200)], ids=["", "weighted"])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_it_minimises_the_log_loss_under_smoothed_targets(weights, scale):
    beta = fit_temperature(scale * S, y, weights)
    best = minimize_scalar(
        lambda b: smoothed_log_loss(b * S, y, weights), bounds=(0.01, 20), method="bounded"
    )
    assert scale * beta == pytest.approx(best.x, rel=1e-4)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("n_rows", [6, 60, 6000])
def test_separated_rows_are_wrong_as_often_as_the_rule_of_succession_says(n_rows, scale):
    labels = np.arange(n_rows) % 3
    beta = fit_temperature(scale * np.eye(3)[labels], labels)
    wrong = 2 / (2 + np.exp(beta * scale))
    # The target of a wrong class is 1 / (3 (n + 1)), of both twice that.
    assert wrong == pytest.approx(2 / 3 / (n_rows + 1), rel=1e-3)


def test_the_prior_vanishes_as_rows_come():
    free = minimize_scalar(lambda b: smoothed_log_loss(b * S, y, rows=np.inf), bounds=(0.01, 20))
    away = [abs(fit_temperature(np.tile(S, (k, 1)), np.tile(y, k)) - free.x) for k in (1, 10, 100)]
    assert away[0] > 8 * away[1] > 64 * away[2] > 0


def test_weights_count_rows_in_any_unit():
    counts = np.array([1.0, 2, 3])
    assert row_count(3, None) == 3
    assert row_count(3, counts) == 6
    # Weights that sum to one say nothing of repeats: three equal ones are three rows.
    assert row_count(3, np.full(3, 1 / 3)) == pytest.approx(3)
    assert row_count(3, counts / 6) == pytest.approx(36 / 14)
    repeated = np.repeat(np.arange(200), y + 1)
    again = fit_temperature(S[repeated], y[repeated])
    assert fit_temperature(S, y, y + 1.0) == pytest.approx(again, rel=1e-5)


def test_rows_that_are_all_wrong_give_the_uniform_distribution():
    assert fit_temperature(np.eye(2), np.array([1, 0])) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_are_sampled_first_and_end_at_the_same_root(weighted):
    draw = np.random.default_rng(1)
    many = draw.normal(size=(150_000, 4))
    labels = (many + draw.gumbel(size=many.shape) / 3).argmax(axis=1)
    weights = draw.integers(0, 3, len(labels)).astype(float) if weighted else None
    beta = fit_temperature(many, labels, weights)
    best = minimize_scalar(
        lambda b: smoothed_log_loss(b * many, labels, weights), bounds=(2, 4), method="bounded"
    )
    # A hundredth is what the rows themselves leave open.
    assert beta == pytest.approx(best.x, rel=5e-4)


def test_a_sample_without_weight_is_no_start():
    labels = np.arange(150_000) % 4
    weights = np.zeros(len(labels))
    weights[0] = 1
    assert np.isfinite(fit_temperature(np.ones((len(labels), 4)), labels, weights))
