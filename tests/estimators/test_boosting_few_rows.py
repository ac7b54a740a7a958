"""How many features a round of boosting draws: held-out rows choose where rows are few."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.solvers.boosting import booster

X, y = load_digits(return_X_y=True)


def test_held_out_rows_choose_how_many_features_few_rows_draw():
    some, quick = load_wine(return_X_y=True), {"n_estimators": 100, "random_state": 0}
    model = SimplexBoostingClassifier(**quick).fit(*some)
    alone = [
        SimplexBoostingClassifier(max_features=size, **quick).fit(*some) for size in (13, 7, 3, 1)
    ]
    least = [one.validation_score_.min() for one in alone]
    place = int(np.argmin(least))
    best = alone[place]
    assert len(set(least)) == 4 and place > 0
    assert model.validation_score_.min() == least[place]
    assert np.array_equal(model.decision_function(some[0]), best.decision_function(some[0]))


@pytest.mark.parametrize("more", [{}, {"early_stopping": False}, {"warm_start": True}])
def test_many_rows_and_fits_without_folds_draw_as_many_as_before(monkeypatch, more):
    if not more:
        monkeypatch.setattr(booster, "FEW_ROWS", 100)
    quick = {"n_estimators": 5, "random_state": 0, **more}
    some = X[:150, :36], y[:150]
    model = SimplexBoostingClassifier(**quick).fit(*some)
    given = SimplexBoostingClassifier(max_features=24, **quick).fit(*some)
    assert np.array_equal(model.decision_function(X[:, :36]), given.decision_function(X[:, :36]))
