import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, ConeHinge, HalfSpaceHinge, LeastSquares
from simplexcoding.relaxation import FiniteDistribution, conditional_loss

P = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8], [0.2, 0.6, 0.2]])
WEIGHTS = np.array([0.5, 0.3, 0.2])


def sampled(n_classes=4, n_points=6, seed=0):
    rng = np.random.default_rng(seed)
    return FiniteDistribution(
        rng.dirichlet(np.ones(n_classes), n_points), rng.dirichlet(np.ones(n_points))
    )


def test_bayes_rule_and_risk_by_hand():
    rho = FiniteDistribution(P, WEIGHTS)
    assert rho.bayes_rule().tolist() == [0, 2, 1]
    assert rho.bayes_risk() == pytest.approx(0.5 * 0.5 + 0.3 * 0.2 + 0.2 * 0.4)
    assert rho.misclassification_risk([1, 2, 1]) == pytest.approx(0.5 * 0.7 + 0.3 * 0.2 + 0.2 * 0.4)
    assert rho.excess_misclassification([1, 2, 1]) == pytest.approx(0.5 * 0.2)


def test_no_labels_beat_the_bayes_rule():
    rho = sampled(n_classes=3, n_points=4)
    every = np.stack(np.meshgrid(*[range(3)] * 4), axis=-1).reshape(-1, 4)
    risks = [rho.misclassification_risk(labels) for labels in every]
    assert min(risks) == pytest.approx(rho.bayes_risk())
    assert rho.misclassification_risk(rho.bayes_rule()) == pytest.approx(rho.bayes_risk())


def test_misclassification_is_the_expected_zero_one_loss_of_samples():
    rho = FiniteDistribution(P, WEIGHTS)
    rng = np.random.default_rng(1)
    x = rng.choice(3, 200_000, p=WEIGHTS)
    y = (rng.random(len(x))[:, None] > P[x].cumsum(axis=1)).sum(axis=1)
    labels = np.array([1, 2, 0])
    assert rho.misclassification_risk(labels) == pytest.approx((labels[x] != y).mean(), abs=5e-3)


def test_expected_loss_is_the_double_sum():
    rho = sampled()
    S = np.random.default_rng(2).normal(size=(6, 4))
    S -= S.mean(axis=1, keepdims=True)
    by_hand = sum(
        rho.weights[i] * rho.P[i, k] * LeastSquares().value(S[i : i + 1], [k])[0]
        for i in range(6)
        for k in range(4)
    )
    assert rho.expected_loss(LeastSquares(), S) == pytest.approx(by_hand)


@pytest.mark.parametrize("name", CATALOGUE)
def test_excess_loss_is_nought_at_the_minimiser_and_positive_elsewhere(name):
    loss, rho = CATALOGUE[name](), sampled()
    best = loss.conditional_minimizer(rho.P)
    assert rho.excess_loss(loss, best) == 0
    assert rho.minimal_loss(loss) == pytest.approx(rho.expected_loss(loss, best))
    assert rho.excess_loss(loss, -best / np.abs(best).max() / 4) > 1e-3


def test_hull_loss_is_infinite_outside_the_hull():
    rho = FiniteDistribution([[1.0, 0.0, 0.0]])
    assert rho.expected_loss(HalfSpaceHinge(), [[3.0, -1.5, -1.5]]) == np.inf
    assert rho.expected_loss(ConeHinge(), [[3.0, -1.5, -1.5]]) == 0


def test_a_point_of_weight_zero_does_not_count():
    rho = FiniteDistribution([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [1.0, 0.0])
    S = [[1.0, -0.5, -0.5], [9.0, -4.5, -4.5]]
    assert rho.expected_loss(HalfSpaceHinge(), S) == 0


def test_arrays_are_frozen_copies():
    source = P.copy()
    rho = FiniteDistribution(source)
    source[0] = 0
    assert rho.P[0].tolist() == [0.5, 0.3, 0.2]
    with pytest.raises(ValueError, match="read-only"):
        rho.P[0, 0] = 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0.5, 0.5],), r"P must have shape \(m, T\)"),
        (([[1.0]],), r"P must have shape \(m, T\)"),
        (([[0.5, 0.5], [0.7, 0.7]],), r"row 1 is \[0.7 0.7\]; make"),
        (([[1.5, -0.5]],), r"row 0 is \[ 1.5 -0.5\]"),
        (([[np.nan, 1.0]],), "row 0"),
        ((P, [0.5, 0.5]), r"weights must have shape \(3,\), got \(2,\)"),
        ((P, [0.5, 0.5, 0.5]), "sum 1.5; divide"),
        ((P, [1.5, -0.5, 0.0]), "minimum -0.5"),
    ],
)
def test_errors_name_argument_value_and_cure(arguments, words):
    with pytest.raises(ValueError, match=words):
        FiniteDistribution(*arguments)


def test_labels_and_scores_of_the_wrong_shape_are_refused():
    rho = FiniteDistribution(P)
    with pytest.raises(ValueError, match="labels must have 3 entries, got 2"):
        rho.misclassification_risk([0, 1])
    with pytest.raises(ValueError, match=r"S must have the shape \(3, 3\)"):
        conditional_loss(ConeHinge(), np.zeros((2, 3)), P)
