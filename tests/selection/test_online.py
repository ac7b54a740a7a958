import numpy as np
import pytest
from sklearn.datasets import load_iris

from simplexcoding.losses import get_loss
from simplexcoding.rows import Rows
from simplexcoding.selection.online import fit_online
from simplexcoding.solvers.stochastic.learning import Descent, accuracy, advance, solve
from simplexcoding.solvers.stochastic.stream import Stream

X, y = load_iris(return_X_y=True)
ROWS, DESCENT = Rows(X, y, 3), Descent(get_loss("logistic"))
ALPHAS = np.array([1e3, 1e-2, 1e-4])
OPTIONS = {"fraction": 0.2, "shuffle": True, "max_iter": 4, "tol": None}


def test_the_choice_is_that_of_a_search_by_hand():
    found, path = fit_online(
        ROWS, DESCENT, ALPHAS, None, np.random.default_rng(0), early_stopping=False, **OPTIONS
    )
    scores = path.score
    assert path.alphas.tolist() == ALPHAS.tolist()
    rng = np.random.default_rng(0)
    learn, held = ROWS.hold_out(0.2, rng)
    orders = [rng.permutation(len(learn)) for _ in range(4)]
    for alpha, score in zip(ALPHAS, scores, strict=True):
        stream = Stream.start(4, 3, alpha)
        for order in orders:
            stream = advance(stream, learn, DESCENT, order)
        assert np.isclose(accuracy(stream, held, DESCENT)[0], score)
    best = ALPHAS[scores == scores.max()].max()
    again = solve(ROWS, DESCENT, Stream.start(4, 3, best), max_iter=4, tol=None, rng=rng)
    assert np.array_equal(found.stream.U, again.stream.U)


def test_early_stopping_answers_with_what_the_held_out_rows_saw():
    found, path = fit_online(
        ROWS, DESCENT, ALPHAS, None, np.random.default_rng(0), early_stopping=True, **OPTIONS
    )
    assert found.scores[0] == path.score.max()
    assert found.stream.t % 120 == 0 and found.stream.t <= 480


def test_one_alpha_holds_nothing_out_and_continues_a_stream():
    first, path = fit_online(
        ROWS, DESCENT, ALPHAS[1:2], None, np.random.default_rng(0), early_stopping=False, **OPTIONS
    )
    assert path is None and first.stream.t == 600
    more, _ = fit_online(
        ROWS,
        DESCENT,
        ALPHAS[1:2],
        first.stream,
        np.random.default_rng(1),
        early_stopping=False,
        **OPTIONS,
    )
    assert more.stream.t == 1200


def test_rows_too_few_to_hold_any_out_are_named():
    with pytest.raises(ValueError, match=r"validation_fraction=0\.2 leaves no row"):
        fit_online(
            ROWS.take([0, 60, 120]),
            DESCENT,
            ALPHAS,
            None,
            np.random.default_rng(0),
            early_stopping=False,
            **OPTIONS,
        )


@pytest.mark.parametrize("early_stopping", [False, True])
def test_ties_go_to_the_largest_alpha(early_stopping):
    alphas = np.array([1e-4, 1e3, 1.000001e-4])
    rng = np.random.default_rng(0)
    found, path = fit_online(
        ROWS, DESCENT, alphas, None, rng, early_stopping=early_stopping, **OPTIONS
    )
    assert path.score[0] < path.score[1] == path.score[2]
    assert found.stream.lambdas.tolist() == [1.000001e-4] == path.alphas[[path.best]].tolist()
