"""What every loss of the catalogue must satisfy."""

from dataclasses import asdict
from functools import partial

import numpy as np
import pytest

from reference import losses as reference
from simplexcoding.arrays import centred
from simplexcoding.compiled import compiled, row_function
from simplexcoding.losses import CATALOGUE, Odds, get_loss

LOSSES = [get_loss(name) for name in CATALOGUE] + [get_loss("half_space", hull=False)]
SMOOTH = [loss for loss in LOSSES if loss.smooth]
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
every_size = pytest.mark.parametrize("T", [2, 3, 5, 8])


def is_hull(loss):
    return loss.hull


def hull_option(loss):
    return asdict(loss)


def draw(loss, T, n=200, seed=0, scale=2.0):
    """Random scores where the loss is finite, and labels."""
    rng = np.random.default_rng([seed, T])
    if is_hull(loss):
        S = (T * rng.dirichlet(np.full(T, 0.7), size=n) - 1) / (T - 1)
    else:
        S = rng.normal(size=(n, T)) * rng.choice([0.1, 1, scale], size=(n, 1))
    return S - S.mean(axis=1, keepdims=True), rng.integers(T, size=n)


@every_loss
@every_size
def test_value_agrees_with_the_formula_in_code_coordinates(loss, T):
    S, y = draw(loss, T, n=40)
    slow = [
        reference.value(loss.name, u, k, **hull_option(loss)) for u, k in zip(S, y, strict=True)
    ]
    assert np.allclose(loss.value(S, y), slow, rtol=1e-10, atol=1e-12)


@every_loss
@every_size
def test_subgradient_inequality(loss, T):
    S, y = draw(loss, T, n=300, seed=1)
    other, _ = draw(loss, T, n=300, seed=2)
    g = loss.subgradient(S, y)
    assert np.allclose(g.sum(axis=1), 0, atol=1e-9 * (1 + np.abs(g).max()))
    for target in (other, S + 1e-3 * (other - S)):
        below = loss.value(S, y) + np.sum(g * (target - S), axis=1)
        assert np.all(loss.value(target, y) >= below - 1e-9 * (1 + np.abs(below)))


@pytest.mark.parametrize("loss", SMOOTH, ids=repr)
@every_size
def test_gradient_by_finite_differences(loss, T):
    S, y = draw(loss, T, n=30, seed=3)
    rng = np.random.default_rng(0)
    direction = rng.normal(size=S.shape)
    direction -= direction.mean(axis=1, keepdims=True)
    h = 1e-6
    slope = (loss.value(S + h * direction, y) - loss.value(S - h * direction, y)) / (2 * h)
    assert np.allclose(slope, np.sum(loss.subgradient(S, y) * direction, axis=1), rtol=1e-5)


@every_loss
@every_size
def test_convex_on_segments(loss, T):
    A, y = draw(loss, T, n=300, seed=4)
    B, _ = draw(loss, T, n=300, seed=5)
    t = np.random.default_rng(6).uniform(size=(300, 1))
    chord = t[:, 0] * loss.value(A, y) + (1 - t[:, 0]) * loss.value(B, y)
    assert np.all(loss.value(t * A + (1 - t) * B, y) <= chord + 1e-9 * (1 + np.abs(chord)))


@every_loss
@pytest.mark.parametrize("T", [2, 3, 6])
def test_prox_agrees_with_a_convex_solver(loss, T):
    rng = np.random.default_rng(T)
    S = rng.normal(size=(4, T)) * 2
    S -= S.mean(axis=1, keepdims=True)
    y = rng.integers(T, size=4)
    step = np.array([0.1, 0.7, 3.0, 10.0])
    ours = loss.prox(S, y, step)
    for i in range(4):
        slow = reference.prox(loss.name, S[i], y[i], step[i], **hull_option(loss))
        assert np.allclose(ours[i], slow, atol=2e-5)


@every_loss
@pytest.mark.parametrize("T", [2, 3, 5, 8, 60])
def test_prox_meets_its_optimality_condition(loss, T):
    """(S - S')/step is a subgradient at S', which Fenchel-Young equality says exactly."""
    rng = np.random.default_rng(T)
    S = rng.normal(size=(500, T)) * rng.choice([0.3, 1, 5], size=(500, 1))
    S -= S.mean(axis=1, keepdims=True)
    y = rng.integers(T, size=500)
    step = rng.choice([1e-3, 0.1, 1, 10, 100], size=500)
    moved = loss.prox(S, y, step)
    assert np.allclose(moved.sum(axis=1), 0, atol=1e-11)
    g = (S - moved) / step[:, None]
    gap = loss.value(moved, y) + loss.conjugate(g, y) - np.sum(g * moved, axis=1)
    scale = 1 + np.abs(loss.value(moved, y))
    assert np.all(np.abs(gap) <= 1e-9 * scale)


@every_loss
@every_size
def test_fenchel_young(loss, T):
    S, y = draw(loss, T, seed=7)
    g = loss.subgradient(S, y)
    pairing = np.sum(g * S, axis=1)
    equality = loss.value(S, y) + loss.conjugate(g, y)
    assert np.allclose(equality, pairing, rtol=1e-9, atol=1e-10)
    # Inequality at unrelated points, and no dependence on a constant added to a row.
    other, _ = draw(loss, T, seed=8)
    assert np.all(loss.value(other, y) + loss.conjugate(g, y) >= np.sum(g * other, axis=1) - 1e-9)
    assert np.allclose(loss.conjugate(g + 3.0, y), loss.conjugate(g, y), rtol=1e-9, atol=1e-9)


@every_loss
def test_the_conjugate_is_the_supremum_it_claims(loss):
    """At points that are no subgradients of ours too: a large multiple leaves the domain."""
    S, y = draw(loss, 4, n=50, seed=9)
    g = 50 * loss.subgradient(S, y)
    steep = np.abs(g).max(axis=1) > 1e-3
    far = loss.conjugate(g, y)
    if is_hull(loss) or loss.name in ("least_squares", "exponential"):
        assert np.all(np.isfinite(far))
    else:
        assert np.all(np.isinf(far[steep]))


@every_loss
@pytest.mark.parametrize("T", [2, 3, 5])
def test_conditional_minimizer_beats_competitors(loss, T):
    rng = np.random.default_rng(T)
    P = rng.dirichlet(np.ones(T), size=6)
    minimizers = loss.conditional_minimizer(P)
    assert np.allclose(minimizers.sum(axis=1), 0, atol=1e-9)
    for rho, u in zip(P, minimizers, strict=True):
        best = expected(loss, rho, u[None])[0]
        rivals, _ = draw(loss, T, n=3000, seed=10)
        near = u + 0.05 * (rivals - u)
        assert np.all(expected(loss, rho, rivals) >= best - 1e-9)
        assert np.all(expected(loss, rho, near) >= best - 1e-9)
        assert best <= reference.conditional_minimum(loss.name, rho, **hull_option(loss)) + 1e-7


def expected(loss, rho, S):
    rows = len(S)
    return sum(rho[y] * loss.value(S, np.full(rows, y)) for y in range(len(rho)))


@every_loss
def test_conditional_minimizer_of_sure_things_is_finite(loss):
    u = loss.conditional_minimizer(np.eye(3))
    assert np.all(np.isfinite(u))
    if loss.is_consistent(3):
        assert np.array_equal(u.argmax(axis=1), np.arange(3))


@every_loss
@pytest.mark.parametrize("T", [2, 3, 4, 7])
def test_a_relaxation_costs_at_least_one_at_a_wrong_vertex(loss, T):
    G = T / (T - 1) * (np.eye(T) - 1 / T)
    for y in range(T):
        values = loss.value(G, np.full(T, y))
        wrong = np.arange(T) != y
        if loss.name == "vertex":
            # Wu and Lange's dead zone takes half a side off the distance: the one exception.
            side = np.sqrt(2 * T / (T - 1))
            assert np.allclose(values[wrong], side - loss.dead_zone(T))
        else:
            assert np.all(values[wrong] >= 1 - 1e-12)
        assert np.all(values >= -1e-15)


@every_loss
@every_size
def test_relabelling_the_classes_permutes_everything(loss, T):
    S, y = draw(loss, T, seed=11)
    order = np.random.default_rng(12).permutation(T)
    back = np.argsort(order)
    assert np.allclose(loss.value(S[:, order], back[y]), loss.value(S, y))
    assert np.allclose(loss.subgradient(S[:, order], back[y]), loss.subgradient(S, y)[:, order])
    assert np.allclose(loss.prox(S[:, order], back[y], 0.5), loss.prox(S, y, 0.5)[:, order])
    g = loss.subgradient(S, y)
    assert np.allclose(loss.conjugate(g[:, order], back[y]), loss.conjugate(g, y))
    P = np.random.default_rng(13).dirichlet(np.ones(T), size=4)
    u = loss.conditional_minimizer(P)
    assert np.allclose(loss.conditional_minimizer(P[:, order]), u[:, order], atol=1e-5)


@every_loss
@pytest.mark.parametrize("T", [2, 5, 5000])
@pytest.mark.parametrize("size", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("step", [1e-3, 1.0, 1e6])
@pytest.mark.filterwarnings("error")
def test_extreme_scores_neither_overflow_nor_lose_the_optimum(loss, T, size, step):
    rng = np.random.default_rng(T)
    S = rng.normal(size=(6, T)) * size
    S -= S.mean(axis=1, keepdims=True)
    y = rng.integers(T, size=6)
    moved = loss.prox(S, y, step)
    start = np.nan_to_num(loss.value(S, y), posinf=np.inf)
    assert np.all(np.isfinite(moved))
    reached = loss.value(moved, y) + np.sum((moved - S) ** 2, axis=1) / (2 * step)
    assert np.all(np.isfinite(reached))
    assert np.all(reached <= start * (1 + 1e-9) + 1e-9)
    # The optimum is lost if a step towards it along a subgradient still gains.
    for t in (1e-3, 1e-6):
        g = loss.subgradient(moved, y) + (moved - S) / step
        trial = moved - t * min(1.0, step) * g
        gained = reached - loss.value(trial, y) - np.sum((trial - S) ** 2, axis=1) / (2 * step)
        # Rounding of scores of this size, through a loss with slope at most |g|.
        slack = 1e-13 * (size * np.abs(g).sum(axis=1) + np.abs(reached)) + 1e-9
        assert np.all(gained <= slack)


@every_loss
@pytest.mark.parametrize("T", [2, 3, 6])
def test_float32_stays_float32_and_close(loss, T):
    S, y = draw(loss, T, seed=14)
    low = S.astype(np.float32)
    assert loss.value(low, y).dtype == np.float32
    assert loss.subgradient(low, y).dtype == np.float32
    assert loss.prox(low, y, 0.5).dtype == np.float32
    assert np.allclose(loss.value(low, y), loss.value(S, y), rtol=1e-4, atol=1e-4)
    assert np.allclose(loss.prox(low, y, 0.5), loss.prox(S, y, 0.5), rtol=1e-4, atol=1e-4)


@every_loss
def test_a_zero_step_stays(loss):
    S, y = draw(loss, 4, seed=15)
    assert np.allclose(loss.prox(S, y, 0.0), S, atol=1e-12)


@every_loss
@pytest.mark.parametrize("T", [2, 3, 7])
def test_the_largest_pull_bounds_the_pull_away_from_zero(loss, T):
    S, y = draw(loss, T, n=20_000, seed=16)
    g = loss.subgradient(S, y)
    pull = -np.sum(g * S, axis=1)
    assert pull.max() <= loss.largest_pull(T) + 1e-12


@every_loss
@pytest.mark.parametrize(
    ("S", "y", "words"),
    [
        (np.zeros(3), [0], "shape"),
        (np.zeros((2, 3)), [0], "2 rows, y has 1"),
        (np.zeros((1, 3)), [3], r"outside 0\.\.2"),
        (np.zeros((1, 1)), [0], "T >= 2"),
    ],
)
def test_misuse_is_named(loss, S, y, words):
    for call in (loss.value, loss.subgradient, loss.conjugate):
        with pytest.raises(ValueError, match=words):
            call(S, y)


@every_loss
def test_bad_steps_and_probabilities_are_named(loss):
    for step in (-1.0, np.inf, [1.0, 2.0]):
        with pytest.raises(ValueError, match="step must be"):
            loss.prox(np.zeros((3, 2)), [0, 1, 0], step)
    with pytest.raises(ValueError, match="P must hold probabilities"):
        loss.conditional_minimizer([[0.5, 0.6]])


@pytest.mark.parametrize(
    "loss", [loss for loss in LOSSES if loss.offers("class_probabilities")], ids=repr
)
@every_size
def test_probabilities_invert_the_conditional_minimizer(loss, T):
    P = np.random.default_rng(T).dirichlet(np.ones(T), size=50)
    assert np.allclose(loss.class_probabilities(loss.conditional_minimizer(P)), P, atol=1e-12)


@compiled
def one_row(step, u, y, g):
    return step(u, y, g)


ROW_LOSSES = [loss for loss in LOSSES if loss.offers("row_step")]


@pytest.mark.parametrize("loss", ROW_LOSSES, ids=repr)
@pytest.mark.parametrize("T", [2, 3, 7])
def test_the_row_step_is_the_loss(loss, T):
    """Compiled and as plain Python: the value, and at kinks the same subgradient too."""
    rng = np.random.default_rng(T)
    S = rng.normal(size=(300, T)) * rng.choice([0.05, 1.0, 5.0, 300.0], size=(300, 1))
    S -= S.mean(axis=1, keepdims=True)
    y = rng.integers(T, size=300)
    S[:T] = (T * np.eye(T) - 1) / (T - 1)
    S[T] = 0.0
    y[:T] = np.arange(T)
    for step in (loss.row_step, partial(one_row, row_function(loss.row_step))):
        G = np.empty_like(S)
        values = [step(u, k, g) for u, k, g in zip(S, y, G, strict=True)]
        assert np.allclose(values, loss.value(S, y), rtol=1e-12, atol=1e-14)
        assert np.allclose(G, loss.subgradient(S, y), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("loss", ROW_LOSSES, ids=repr)
def test_huge_scores_keep_the_row_step_finite(loss):
    g = np.empty(3)
    value = loss.row_step(np.array([1e4, -1e4, 0.0]), 1, g)
    assert np.isfinite(value) and np.isfinite(g).all()
    assert abs(g.sum()) <= 1e-12 * abs(g).max()


@pytest.mark.parametrize("loss", [loss for loss in LOSSES if loss.odds], ids=repr)
@pytest.mark.parametrize("T", [2, 5])
def test_the_odds_are_the_loss(loss, T):
    rng = np.random.default_rng(T)
    S, y = centred(rng.normal(size=(50, T))), rng.integers(T, size=50)
    own = S[np.arange(50), y][:, None]
    total = np.exp(loss.odds.pace * (S - own)).sum(axis=1) - 1
    assert np.allclose(np.log1p(total) if loss.odds is Odds.LOGARITHM else total, loss.value(S, y))
