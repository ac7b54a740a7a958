import numpy as np
import pytest

from reference.stochastic import stream
from simplexcoding.datasets import load
from simplexcoding.experiments.plain_online import PlainOnline, lambda_ranges
from simplexcoding.experiments.protocol import QUICK
from simplexcoding.losses import get_loss
from simplexcoding.rows import hold_out


@pytest.fixture(scope="module")
def fitted():
    split = load("iris")
    return PlainOnline("cone", QUICK).fit(split.X_train, split.y_train), split


def test_every_choice_is_in_the_grid_and_the_held_out_rows_choose(fitted):
    model, split = fitted
    grid = model.grid(split.X_test, split.y_test)
    assert len(grid) == 2 * QUICK.plain_passes * 2
    assert {(g["range"], g["iterate"]) for g in grid} == {
        (kind, iterate) for kind in ("eigenvalues", "powers") for iterate in ("last", "mean")
    }
    assert model.chosen_.held_out == max(choice.held_out for choice in model.choices_)
    chosen = grid[model.choices_.index(model.chosen_)]
    right = np.mean(model.predict(split.X_test) == split.y_test)
    assert chosen["accuracy"] == round(100 * right, 2)


def test_a_choice_is_the_slow_twins_answer(fitted):
    model, split = fitted
    rng = np.random.default_rng(QUICK.seed)
    y = split.y_train
    learn, held = hold_out(y, QUICK.hold_out, rng)
    order = learn[rng.permutation(len(learn))]
    choice = model.choices_[0]
    assert (choice.passes, choice.iterate) == (1, "last")
    X = split.X_train.astype(float)
    steps = stream(
        get_loss("cone"), X[order], y[order], choice.lambda_, intercept=False, plain=True
    )
    W, _, _ = list(steps)[-1]
    from reference.code import recursive_code

    right = (X[held] @ (recursive_code(3) @ W)[:, :-1].T).argmax(axis=1) == y[held]
    assert choice.held_out == right.mean()


def test_ranges_of_lambda():
    X = np.random.default_rng(0).normal(size=(40, 3))
    ranges = lambda_ranges(X, QUICK)
    assert len(ranges["eigenvalues"]) == QUICK.n_lambdas
    assert np.allclose(ranges["powers"], 10.0 ** -np.arange(7))
