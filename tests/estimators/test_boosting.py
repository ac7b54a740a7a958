import math
import pickle
import re
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from scipy.special import softmax
from sklearn.datasets import load_digits, make_blobs
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.estimators import boosting
from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting import booster

X, y = load_digits(return_X_y=True)
X_train, y_train, X_test, y_test = X[::2], y[::2], X[1::2], y[1::2]
GRADIENT = {"loss": "exponential", "method": "gradient"}
COORDINATE = {"loss": "exponential", "method": "coordinate"}
WAYS = [GRADIENT, COORDINATE]
NEWTON = {"early_stopping": False, "random_state": 0}


def test_two_classes_reproduce_adaboost():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(250, 5))  # a bin for each value
    labels = np.where(Z[:, 0] + Z[:, 1] ** 2 + 0.3 * rng.normal(size=250) > 0.8, "yes", "no")
    ours = SimplexBoostingClassifier(n_estimators=40, max_depth=1, leaves="vertex", **GRADIENT).fit(
        Z, labels
    )
    stump = DecisionTreeClassifier(max_depth=1)
    peer = AdaBoostClassifier(stump, n_estimators=40, random_state=0).fit(Z, labels)
    total = np.zeros(len(Z))
    for r, scores in enumerate(ours.staged_decision_function(Z)):
        # SAMME's weight of a round is log((1 - err)/err), twice the exact step.
        vote = np.where(peer.estimators_[r].predict(Z) == "yes", 1.0, -1.0)
        total += peer.estimator_weights_[r] / 2 * vote
        assert np.allclose(scores, total, rtol=1e-9)
    assert np.array_equal(ours.predict(Z), peer.predict(Z))


@pytest.mark.parametrize("way", [*WAYS, {**GRADIENT, "max_features": "sqrt"}, NEWTON])
def test_a_warm_start_gives_the_model_of_one_fit(way):
    way = {**way, "random_state": 3}
    whole = SimplexBoostingClassifier(n_estimators=12, **way)
    whole.fit(X_train, y_train)
    parts = SimplexBoostingClassifier(n_estimators=5, warm_start=True, **way)
    parts.fit(X_train, y_train)
    parts.set_params(n_estimators=12).fit(X_train, y_train)
    # Newton rounds hold probabilities in single precision.
    digits = {"rtol": 1e-3, "atol": 1e-3} if "loss" not in way else {"rtol": 1e-9}
    assert np.allclose(parts.decision_function(X_test), whole.decision_function(X_test), **digits)
    assert np.allclose(parts.train_score_, whole.train_score_, **digits)
    if "loss" in way:
        assert np.allclose(parts.feature_importances_, whole.feature_importances_)
    parts.set_params(n_estimators=4)
    with pytest.raises(ValueError, match="n_estimators must be at least 12"):
        parts.fit(X_train, y_train)


def test_the_seed_decides_the_draws_of_features():
    def scores(seed):
        model = SimplexBoostingClassifier(
            n_estimators=5, max_features=0.1, random_state=seed, **GRADIENT
        )
        return model.fit(X_train, y_train).decision_function(X_test)

    assert np.array_equal(scores(0), scores(0))
    assert not np.array_equal(scores(0), scores(1))


@pytest.mark.parametrize("way", WAYS)
def test_early_stopping_keeps_the_rounds_of_least_held_out_error(way):
    rng = np.random.default_rng(0)
    noisy = np.where(rng.random(len(y_train)) < 0.2, rng.integers(10, size=len(y_train)), y_train)
    model = SimplexBoostingClassifier(
        n_estimators=300, early_stopping=True, validation_fraction=0.3, random_state=0, **way
    ).fit(X_train, noisy)
    assert model.n_estimators_ < 290
    assert len(model.validation_score_) == len(model.train_score_) == model.n_estimators_
    assert np.argmin(model.validation_score_) == model.n_estimators_ - 1
    assert "held-out" in model.stop_
    model.set_params(early_stopping=False, n_estimators=3).fit(X_train, noisy)
    assert not hasattr(model, "validation_score_")


@pytest.mark.parametrize("way", [*WAYS, {"random_state": 0}])
def test_weights_are_repeated_rows_and_class_weights_multiply_them(way):
    w = np.random.default_rng(0).integers(0, 4, size=len(y_train))
    model = SimplexBoostingClassifier(n_estimators=10, **way)
    weighted = model.fit(X_train, y_train, w).decision_function(X_test)
    repeated = model.fit(X_train.repeat(w, axis=0), y_train.repeat(w)).decision_function(X_test)
    digits = {"rtol": 1e-6, "atol": 1e-8} if "loss" in way else {"atol": 1e-3}
    assert np.allclose(weighted, repeated, **digits)
    by_class = np.where(y_train == 3, 5.0, 1.0)
    one = model.fit(X_train, y_train, by_class).decision_function(X_test)
    other = model.set_params(class_weight={3: 5.0}).fit(X_train, y_train)
    assert np.allclose(one, other.decision_function(X_test))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.filterwarnings("ignore:No split lowers the risk")
def test_many_exact_steps_outgrow_weights_unless_held_out_rows_stop_them(way):
    # The rows of scikit-learn's check of class weights: three clouds of one mean, all but the
    # first of next to no weight. Any booster without held-out rows learns them by heart.
    noise, label = make_blobs(centers=3, cluster_std=20, random_state=0)
    learn, weights = slice(0, 50), np.where(label == 0, 1e3, 1e-4)

    def shares(model):
        model.fit(noise[learn], label[learn], sample_weight=weights[learn])
        guess = model.predict(noise)
        return np.mean(guess[learn] == label[learn]), np.mean(guess[50:] == 0)

    peer = GradientBoostingClassifier(
        n_estimators=500, min_weight_fraction_leaf=0.01, random_state=0
    )
    own = partial(SimplexBoostingClassifier, min_weight_fraction_leaf=0.01, random_state=0, **way)
    assert shares(own(n_estimators=5))[1] == 1
    for model in (own(), peer):
        learnt, first = shares(model)
        assert learnt > 0.9 and first < 0.87
    assert shares(own(early_stopping=True, n_iter_no_change=20))[1] > 0.87


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_probabilities_are_those_of_the_data(loss):
    # One binary feature: the risk is least at the shares of the classes on each side.
    x = np.repeat([0.0, 1.0], [60, 40])[:, None]
    labels = np.r_[np.repeat([0, 1, 2], [30, 20, 10]), np.repeat([0, 1, 2], [4, 16, 20])]
    model = SimplexBoostingClassifier(loss, "gradient", n_estimators=300, max_depth=1)
    model.fit(x, labels)
    P = model.predict_proba([[0.0], [1.0]])
    assert np.allclose(P, [[1 / 2, 1 / 3, 1 / 6], [0.1, 0.4, 0.5]], atol=1e-3)


@pytest.mark.parametrize("way", [*WAYS, {"random_state": 0}])
def test_one_fit_for_every_layout_and_dtype(way):
    model = SimplexBoostingClassifier(n_estimators=5, **way)
    expected = model.fit(X_train, y_train).decision_function(X_test)
    for cast in (np.float32, np.uint8):
        Z = X_train.astype(cast)
        found = model.fit(Z, y_train).decision_function(X_test.astype(cast))
        assert np.array_equal(found, expected)
    strided = model.fit(np.asfortranarray(X_train), y_train)
    assert np.array_equal(strided.decision_function(np.asfortranarray(X_test)), expected)


def test_models_are_small_and_survive_a_pickle():
    model = SimplexBoostingClassifier(n_estimators=50, **COORDINATE).fit(X_train, y_train)
    stored = pickle.dumps(model)
    # 450 stumps: a feature, a threshold, a gain, two values, a coordinate, a set and a side each.
    assert len(stored) < 450 * (7 * 8 + 1) + 8_000
    again = pickle.loads(stored)
    assert np.array_equal(again.decision_function(X_test), model.decision_function(X_test))


@pytest.mark.parametrize("way", [*WAYS, {"random_state": 0}])
def test_features_that_do_not_vary_give_one_warning_and_the_likeliest_class(way):
    labels = np.repeat(["a", "b", "c"], [2, 5, 3])
    model = SimplexBoostingClassifier(n_estimators=10, **way)
    with pytest.warns(ConvergenceWarning, match="No split lowers the risk") as caught:
        model.fit(np.zeros((10, 2)), labels)
    assert len(caught) == 1
    assert set(model.predict(np.zeros((3, 2)))) == {"b"}
    assert not model.feature_importances_.any()


def test_separated_rows_end_the_rounds():
    model = SimplexBoostingClassifier(n_estimators=100, **GRADIENT)
    model.fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    assert model.n_estimators_ < 30
    assert "wide margin" in model.stop_
    assert np.all(np.isfinite(model.decision_function([[-5.0], [5.0]])))


def test_progress_is_reported(monkeypatch, capsys):
    from simplexcoding.estimators import progress

    clock = iter(range(0, 10_000, 5))
    monkeypatch.setattr(progress, "monotonic", lambda: float(next(clock)))
    SimplexBoostingClassifier(n_estimators=3, verbose=True).fit(X_train, y_train)
    assert re.search(
        r"SimplexBoostingClassifier:   7%.*held-out \d\.\d{4}", capsys.readouterr().err
    )


@pytest.mark.parametrize("few", [True, False])
@pytest.mark.parametrize("way", [{}, {"warm_start": True}, {"early_stopping": False}])
def test_progress_never_goes_back_and_shows_the_held_out_measure(monkeypatch, few, way):
    seen = []
    monkeypatch.setattr(boosting.Progress, "__call__", lambda self, *said: seen.append(said))
    monkeypatch.setattr(booster, "FEW_ROWS", 10_000 if few else 10)
    model = SimplexBoostingClassifier(n_estimators=10, random_state=0, **way)
    model.fit(X_train, y_train)
    done = [said[0] for said in seen]
    assert len(done) >= 10 and done == sorted(done) and done[-1] <= 1
    watched = [note[0] for _, *note in seen if note]
    expected = [f"held-out {measure:.4f}" for measure in getattr(model, "validation_score_", ())]
    # Of several draws of features each has told its own; the kept one is among them.
    starts = range(len(watched) - len(expected) + 1)
    assert any(watched[at : at + len(expected)] == expected for at in starts)


def test_newton_rounds_have_their_stages_and_their_risks():
    model = SimplexBoostingClassifier(n_estimators=20, **NEWTON).fit(X_train, y_train)
    scores = list(model.staged_decision_function(X_test))
    assert len(scores) == model.n_estimators_ == 20
    assert np.array_equal(scores[-1], model.decision_function(X_test))
    assert abs(scores[-1].sum(axis=1)).max() < 1e-10
    stages = model.staged_decision_function(X_train)
    risks = [get_loss("logistic").value(S, y_train).mean() for S in stages]
    assert np.allclose(model.train_score_, risks, rtol=1e-4)
    assert np.all(np.diff(model.train_score_) < 0)
    assert model.calibration_.beta == 1.0
    assert not hasattr(model, "validation_score_")


def test_few_rows_are_all_held_out_in_turn_and_calibrate_the_model():
    model = SimplexBoostingClassifier(random_state=0).fit(X_train, y_train)
    assert len(model.validation_score_) == model.n_estimators_
    assert np.argmin(model.validation_score_) == model.n_estimators_ - 1
    assert len(model.train_score_) == model.n_estimators_
    P = model.predict_proba(X_test)
    raw = softmax(model.decision_function(X_test), axis=1)
    assert np.allclose(P, softmax(model.calibration_.beta * np.log(raw), axis=1))
    loss, of_raw = log_loss(y_test, P), log_loss(y_test, raw)
    # Measured: accuracy 0.959, log-loss 0.122, and 0.119 at a temperature of one.
    assert loss < of_raw + 0.01
    assert loss < 0.13
    assert model.score(X_test, y_test) > 0.955


def test_many_rows_hold_a_part_out_which_joins_at_the_end(monkeypatch):
    monkeypatch.setattr(booster, "FEW_ROWS", 0)
    quick = {"n_estimators": 100, "learning_rate": 0.15, "random_state": 0}
    model = SimplexBoostingClassifier(**quick).fit(X_train, y_train)
    watched = len(model.validation_score_)
    assert model.n_estimators_ == watched + math.ceil(watched / 4) <= 100
    # The rows that join are new to the trees: the risk rises once, and falls again.
    falls = np.diff(model.train_score_)
    assert np.flatnonzero(falls > 0).tolist() == [watched - 1]
    alone = SimplexBoostingClassifier(warm_start=True, **quick).fit(X_train, y_train)
    assert len(alone.validation_score_) == alone.n_estimators_
    assert np.array_equal(alone.validation_score_[:watched], model.validation_score_)


def test_missing_values_go_their_own_way():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(400, 2))
    labels = rng.integers(3, size=400)
    Z[labels == 2, 0] = np.nan
    Z[labels == 1, 1] += 10
    for way in (*WAYS, {"random_state": 0}):
        model = SimplexBoostingClassifier(n_estimators=20, **way).fit(Z, labels)
        assert model.score(Z, labels) == 1.0
        assert model.predict([[np.nan, 0.0], [0.0, 10.0], [0.0, 0.0]]).tolist() == [2, 1, 0]


@pytest.mark.parametrize("way", [*WAYS, {"random_state": 0}])
def test_categories_are_split_by_sets(way):
    # Classes alternate along the alphabet: no few thresholds on an order separate them.
    letters = list("abcdefghij")
    frame = pd.DataFrame({"letter": pd.Categorical(letters * 30), "noise": np.arange(300.0) % 7})
    labels = np.array([letters.index(one) % 2 for one in frame["letter"]])
    parameters = {"n_estimators": 30, "max_depth": 1, **way}
    model = SimplexBoostingClassifier(**parameters).fit(frame, labels)
    assert model.score(frame, labels) == 1.0
    assert model.feature_names_in_.tolist() == ["letter", "noise"]
    assert model.feature_importances_[0] > 0.95
    unseen = pd.DataFrame({"letter": pd.Categorical(["z"]), "noise": [1.0]})
    missing = pd.DataFrame({"letter": pd.Categorical([None]), "noise": [1.0]})
    assert np.array_equal(model.predict_proba(unseen), model.predict_proba(missing))
    codes = np.c_[frame["letter"].cat.codes, frame["noise"]].astype(float)
    ordered = SimplexBoostingClassifier(**{**parameters, "n_estimators": 1}).fit(codes, labels)
    assert ordered.score(codes, labels) < 0.7
    by_number = SimplexBoostingClassifier(categorical_features=[0], **parameters)
    assert by_number.fit(codes, labels).score(codes, labels) == 1.0
    other = pl.DataFrame(
        {
            "letter": pl.Series(letters * 30, dtype=pl.Categorical),
            "noise": frame["noise"].to_numpy(),
        }
    )
    same = SimplexBoostingClassifier(**parameters).fit(other, labels)
    assert np.array_equal(same.predict_proba(other), model.predict_proba(frame))
    assert same.feature_names_in_.tolist() == ["letter", "noise"]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"loss": "hinge"}, "loss must be one of .*logistic.* got 'hinge'"),
        ({"loss": "exponential"}, "loss='exponential' has no method=\"newton\""),
        ({"estimator": DecisionTreeClassifier()}, 'estimator has no method="newton"'),
        ({"method": "steepest"}, "'method' .* Got 'steepest'"),
        ({"n_estimators": 0}, "'n_estimators' .* Got 0"),
        ({"learning_rate": 1.5}, "'learning_rate' .* Got 1.5"),
        ({"max_depth": 11}, "'max_depth' .* Got 11"),
        ({"l2_regularization": -1.0}, "'l2_regularization' .* Got -1.0"),
        ({"n_directions": 0}, "'n_directions' .* Got 0"),
        ({"max_features": "all"}, "'max_features' .* Got 'all'"),
        ({"max_features": 0.0}, "'max_features' .* Got 0.0"),
        ({"min_weight_fraction_leaf": 0.5}, "'min_weight_fraction_leaf' .* Got 0.5"),
        ({"max_bins": 256}, "'max_bins' .* Got 256"),
        ({"categorical_features": [99]}, "categorical_features holds a number outside"),
        ({"early_stopping": "yes"}, "'early_stopping' .* Got 'yes'"),
        ({"validation_fraction": 1.0}, "'validation_fraction' .* Got 1.0"),
        ({"tol": -1e-3}, "'tol' .* Got -0.001"),
        ({"estimator": "tree"}, "'estimator' .* Got 'tree'"),
        ({"verbose": "yes"}, "'verbose' .* Got 'yes'"),
    ],
)
def test_misuse_is_named_and_changes_nothing(parameters, words):
    model = SimplexBoostingClassifier(n_estimators=2).fit(X_train, y_train)
    before = model.decision_function(X_test)
    model.set_params(**parameters)
    with pytest.raises(ValueError, match=words):
        model.fit(X_train, y_train)
    assert np.array_equal(model.decision_function(X_test), before)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"max_depth": 3}, "max_depth is 3 and was 6"),
        ({"method": "gradient"}, "method is 'gradient' and was 'newton'"),
    ],
)
def test_a_warm_start_names_what_differs(change, words):
    model = SimplexBoostingClassifier(n_estimators=2, warm_start=True).fit(X_train, y_train)
    with pytest.raises(ValueError, match=words):
        model.set_params(n_estimators=4, **change).fit(X_train, y_train)


def test_sparse_rows_are_refused_in_plain_words():
    with pytest.raises(TypeError, match=r"Sparse data was passed.*dense data is required"):
        SimplexBoostingClassifier().fit(csr_array(X_train), y_train)
