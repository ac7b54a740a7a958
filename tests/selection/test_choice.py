import numpy as np
from sklearn.datasets import load_digits, load_iris

from simplexcoding.inference.vector_scaling import left_out_logits
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection.choice import Question, choose
from simplexcoding.selection.scoring import SCORINGS, CalibratedScoring
from simplexcoding.solvers.ridge import RidgeProblem


def test_the_best_pair_of_gamma_and_alpha_is_chosen():
    X, y = load_iris(return_X_y=True)
    targets = Rows.labelled(y, 3)
    scoring = SCORINGS["accuracy"](targets)
    problems = [RidgeProblem(X, Kernel("rbf", g), targets, True) for g in (1e-4, 0.3, 50.0)]
    seen = []
    path, factor, alpha = choose(problems, Question(None, scoring, progress=seen.append))
    assert path.score.shape == path.alphas.shape == (3, 100)
    assert path.score[path.best] >= path.score[path.exact].max() - 1e-6
    assert factor.problem.kernel.gamma == path.gammas[path.best[0]]
    assert alpha == path.alphas[path.best]
    assert scoring.of_result(factor.spectrum.leave_one_out(alpha)) == path.score[path.best]


def test_a_fitted_calibration_is_chosen_on_all_rows_near_the_best_of_a_sample():
    X, y = load_digits(return_X_y=True)
    targets = Rows.labelled(y, 10)
    scoring = CalibratedScoring(targets, SCORINGS["accuracy"](targets))
    problem = RidgeProblem(X, Kernel("linear"), targets, True)
    path, factor, alpha = choose([problem], Question(None, scoring))
    asked = path.alphas[0][path.exact[0]]
    assert len(asked) == 3 and alpha in asked
    scores = []
    for value in asked:
        result = factor.spectrum.leave_one_out(float(value))
        scores.append(np.mean(left_out_logits(result.scores(), y).argmax(axis=1) == y))
    np.testing.assert_allclose(path.score[0][path.exact[0]], scores, atol=2e-3)
    assert path.score[path.best] == path.score[path.exact].max()
