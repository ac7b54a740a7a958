from sklearn.datasets import load_iris

from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection.choice import choose
from simplexcoding.selection.scoring import SCORINGS
from simplexcoding.solvers.ridge import RidgeProblem


def test_the_best_pair_of_gamma_and_alpha_is_chosen():
    X, y = load_iris(return_X_y=True)
    targets = Rows.labelled(y, 3)
    scoring = SCORINGS["accuracy"](targets)
    problems = [RidgeProblem(X, Kernel("rbf", g), targets, True) for g in (1e-4, 0.3, 50.0)]
    seen = []
    path, factor, alpha = choose(problems, None, scoring, None, seen.append)
    assert path.score.shape == path.alphas.shape == (3, 100)
    assert path.score[path.best] >= path.score[path.exact].max() - 1e-6
    assert factor.problem.kernel.gamma == path.gammas[path.best[0]]
    assert alpha == path.alphas[path.best]
    assert scoring.of_result(factor.spectrum.leave_one_out(alpha)) == path.score[path.best]
