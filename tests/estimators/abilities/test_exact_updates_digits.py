"""Updates keep their digits: outliers, rows far from zero, any order of coming and going."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sklearn.datasets import load_iris

from reference.models import assert_same
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.rows import Rows, Training

# Said of a fit with an outlier in it; what is tested is that nothing of it stays.
pytestmark = pytest.mark.filterwarnings("ignore:One row of X dwarfs all others")

X, y = load_iris(return_X_y=True)
order = np.random.default_rng(0).permutation(150)
X, y = X[order], y[order]
w = np.random.default_rng(1).integers(1, 4, 150).astype(float)
GRID = np.geomspace(1e3, 1e-3, 13)


@pytest.mark.parametrize("size", [1e2, 1e4, 1e6, 1e8, 1e10])
@pytest.mark.parametrize("where", ["one feature", "all features"])
def test_an_outlier_is_forgotten_to_the_last_digits(size, where):
    wild = X.copy()
    wild[0, : 1 if where == "one feature" else 4] *= size
    model = SimplexRidgeClassifier(kernel="linear").fit(wild, y).forget([0])
    fresh = SimplexRidgeClassifier(kernel="linear").fit(X[1:], y[1:])
    assert_same(model, fresh, X)
    assert np.abs(model.decision_function(X) - fresh.decision_function(X)).max() < 1e-8


def test_rows_far_from_zero_come_and_go():
    far = X + 1e6 * X.std(axis=0)
    model = SimplexRidgeClassifier(kernel="linear", alphas=GRID).fit(far[:100], y[:100])
    model.partial_fit(far[100:], y[100:]).forget(np.arange(20, 60))
    stay = np.r_[0:20, 60:150]
    fresh = SimplexRidgeClassifier(kernel="linear", alphas=GRID).fit(far[stay], y[stay])
    assert model.alpha_ == fresh.alpha_
    assert np.abs(model.decision_function(far) - fresh.decision_function(far)).max() < 1e-8


def test_a_thousand_rows_added_and_forgotten_leave_no_trace():
    history = SimplexRidgeClassifier(kernel="linear", alphas=GRID).fit(X, y)._history
    rng = np.random.default_rng(0)
    for _ in range(1000):
        row = X[rng.integers(150, size=1)] * rng.choice([1.0, 30.0, 1e4])
        batch = Training(Rows(row, np.zeros(1, dtype=int), 1), np.array([1]))
        history = history.joined(batch).without(np.array([150]))
    model = SimplexRidgeClassifier(kernel="linear", alphas=GRID)
    model._learn_from(history)
    model.n_features_in_ = 4
    fresh = SimplexRidgeClassifier(kernel="linear", alphas=GRID).fit(X, y)
    assert np.abs(model.decision_function(X) - fresh.decision_function(X)).max() < 1e-8


class Updates(RuleBasedStateMachine):
    """Any order of additions and removals ends at the fit of the rows that are left."""

    @initialize(kind=st.sampled_from(["linear", "landmarks"]), offset=st.sampled_from([0, 1e6]))
    def start(self, kind, offset):
        # Landmarks stay where they are, so a fresh fit would choose others: linear alone is
        # compared with a fit, landmarks with moments taken anew.
        options = {"kernel": "linear", "alphas": GRID, "verbose": False}
        if kind == "landmarks":
            options |= {"kernel": "rbf", "gamma": 0.3, "landmarks": 9}
        self.rows = X[:60] + offset * X.std(axis=0)
        self.labels, self.weights = y[:60].copy(), w[:60].copy()
        self.offset = offset * X.std(axis=0)
        self.model = SimplexRidgeClassifier(**options).fit(self.rows, self.labels, self.weights)

    @rule(
        picks=st.lists(st.integers(0, 149), min_size=1, max_size=8),
        scale=st.sampled_from([1, 50, 1e8]),
    )
    def add(self, picks, scale):
        rows = X[picks] * scale + self.offset
        self.model.partial_fit(rows, y[picks], sample_weight=w[picks])
        self.rows = np.concatenate([self.rows, rows])
        self.labels = np.concatenate([self.labels, y[picks]])
        self.weights = np.concatenate([self.weights, w[picks]])

    @rule(data=st.data())
    def forget(self, data):
        fixed = self.model.landmark_indices_
        free = np.setdiff1d(np.arange(len(self.labels)), [] if fixed is None else fixed)
        wild = free[np.abs(self.rows[free] - self.offset).max(axis=1) > 1e6].tolist()
        few = st.just([])
        if len(free):
            few = st.lists(st.sampled_from(free.tolist()), max_size=20, unique=True)
        # Outliers are what one wants to forget.
        gone = data.draw(st.one_of(st.just(wild), few))
        stay = np.setdiff1d(np.arange(len(self.labels)), gone)
        if len(np.unique(self.labels[stay])) < 3:
            return
        self.model.forget(np.array(gone, dtype=int))
        self.rows, self.labels = self.rows[stay], self.labels[stay]
        self.weights = self.weights[stay]

    @invariant()
    def equals_a_fit(self):
        if not hasattr(self, "model") or np.abs(self.rows - self.offset).max() > 1e6:
            return  # With an outlier in it a fit has no digits of the other rows itself.
        if self.model.n_landmarks_:
            problem = replace(self.model._history.problem, moments=None)
            fresh = problem.factorise().spectrum.leave_one_out(self.model.alpha_).scores()
            found = self.model.loo_scores_
        else:
            again = SimplexRidgeClassifier(kernel="linear", alphas=self.model.alpha_)
            again.fit(self.rows, self.labels, self.weights)
            fresh, found = (
                again.decision_function(self.rows),
                self.model.decision_function(self.rows),
            )
        size = max(1.0, np.abs(fresh).max())
        assert np.allclose(found, fresh, rtol=0, atol=1e-8 * size)


Updates.TestCase.settings = settings(max_examples=15, stateful_step_count=8, deadline=None)
TestUpdates = pytest.mark.filterwarnings("ignore:The best value lies")(Updates.TestCase)
