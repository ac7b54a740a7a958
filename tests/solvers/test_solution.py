import pytest
from sklearn.datasets import load_iris

import simplexcoding
from simplexcoding.solvers.boosting.booster import BoostedSolution
from simplexcoding.solvers.solution import Solution, Status

X, y = load_iris(return_X_y=True)


def test_every_way_to_end_but_success_says_what_to_do():
    assert all(status.advice.strip() for status in Status)
    assert len({status.advice for status in Status}) == len(Status)


@pytest.mark.parametrize(
    ("name", "certifies"),
    [
        ("SimplexRidgeClassifier", False),
        ("SimplexSVC", True),
        ("SimplexSGDClassifier", False),
        ("SimplexBoostingClassifier", False),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_an_estimator_has_learnt_is_a_solution_of_its_solver(monkeypatch, name, certifies):
    made = []

    def noting(begin):
        def noted(self, *arguments, **names):
            begin(self, *arguments, **names)
            made.append(self)

        return noted

    for kind in (Solution, BoostedSolution):
        monkeypatch.setattr(kind, "__init__", noting(kind.__init__))
    model = getattr(simplexcoding, name)().fit(X, y)
    solution = next(each for each in made if each.function is model.function_)
    assert isinstance(solution.status, Status)
    assert solution.iterations >= 1
    assert (solution.certificate is not None) == certifies
