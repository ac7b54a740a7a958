import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from reference.code import recursive_code
from reference.stochastic import objective, optimum
from simplexcoding import SimplexSGDClassifier
from simplexcoding.losses import CATALOGUE, get_loss, losses_offering

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
LOSSES = [name for name in CATALOGUE if name != "half_space"]
X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])


def shuffled(seed=0):
    order = np.random.default_rng(seed).permutation(len(y))
    return X[order], y[order]


@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_comes_near_its_optimum(loss):
    model = SimplexSGDClassifier(loss, alpha=1e-2, random_state=0).fit(X, NAMES[y])
    S = model.decision_function(X)
    assert S.shape == (150, 3) and np.allclose(S.sum(axis=1), 0)
    assert np.allclose(S, X @ model.coef_.T + model.intercept_)
    assert np.isclose(model.objective_, objective(model, X, y))
    best = optimum(loss, X, y, 1e-2)
    # The optimum of "vertex" is almost zero here: a tenth of it is little.
    assert best * (1 - 1e-5) <= model.objective_ <= 1.1 * best + 2e-3
    assert model.t_ == 150 * model.n_iter_ and model.lambda_ == model.alpha_ == 1e-2


def test_half_space_warns_once_that_it_is_not_consistent():
    with pytest.warns(UserWarning, match=r"not consistent for 3 classes.*cone") as caught:
        SimplexSGDClassifier("half_space", max_iter=3, tol=None).fit(X, y)
    assert len(caught) == 1
    model = SimplexSGDClassifier("half_space")
    with pytest.warns(UserWarning, match="not consistent"):
        model.partial_fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.partial_fit(X, y)
        SimplexSGDClassifier("half_space", max_iter=3, tol=None).fit(X[:100], y[:100])


def test_two_classes_have_one_row_for_the_second():
    model = SimplexSGDClassifier("logistic", alpha=1e-2, random_state=0).fit(X[:100], y[:100])
    assert model.coef_.shape == (1, 4) and model.intercept_.shape == (1,)
    decision = model.decision_function(X[:100])
    assert decision.shape == (100,)
    assert np.array_equal(decision > 0, model.predict(X[:100]) == 1)
    assert model.score(X[:100], y[:100]) == 1.0


def test_dense_sparse_frames_and_single_precision_agree():
    options = {"loss": "vertex", "alpha": 1e-2, "max_iter": 10, "tol": None, "random_state": 3}
    dense = SimplexSGDClassifier(**options).fit(X, y)
    names = [f"f{j}" for j in range(4)]
    frame = SimplexSGDClassifier(**options).fit(pd.DataFrame(X, columns=names), y)
    assert frame.feature_names_in_.tolist() == names
    assert np.array_equal(frame.coef_, dense.coef_)
    sparse = SimplexSGDClassifier(**options).fit(sp.csc_matrix(X), y)
    assert np.allclose(sparse.coef_, dense.coef_, rtol=0, atol=1e-10)
    assert np.allclose(sparse.decision_function(sp.csr_matrix(X)), dense.decision_function(X))
    single = SimplexSGDClassifier(**options).fit(X.astype(np.float32), y)
    assert single.coef_.dtype == np.float32
    assert np.allclose(single.coef_, dense.coef_, atol=1e-4)


def test_weights_of_classes_and_rows():
    rows, labels = shuffled()
    fixed = {"shuffle": False, "max_iter": 4, "tol": None}
    by_class = SimplexSGDClassifier(class_weight={0: 1, 1: 5, 2: 1}, **fixed).fit(rows, labels)
    by_row = SimplexSGDClassifier(**fixed).fit(rows, labels, 1 + 4.0 * (labels == 1))
    assert np.allclose(by_class.coef_, by_row.coef_)
    plain = SimplexSGDClassifier(**fixed).fit(rows, labels)
    assert np.mean(by_row.predict(X) == 1) > np.mean(plain.predict(X) == 1)
    stream = SimplexSGDClassifier(class_weight={1: 5, 8: 2}).partial_fit(rows, labels)
    other = SimplexSGDClassifier().partial_fit(rows, labels, sample_weight=1 + 4.0 * (labels == 1))
    assert np.array_equal(stream.coef_, other.coef_)


def test_of_several_alphas_the_held_out_rows_choose():
    digits, labels = load_digits(return_X_y=True)
    alphas = [1e5, 1.0, 1e-2]
    options = {"loss": "least_squares", "max_iter": 5, "tol": None, "random_state": 0}
    model = SimplexSGDClassifier(alpha=alphas, **options).fit(digits, labels)
    assert model.path_.alphas.tolist() == alphas
    assert model.path_.score[alphas.index(model.alpha_)] == model.best_score_
    assert model.best_score_ == model.path_.score.max()
    assert model.t_ == 5 * len(labels)
    in_order = clone(model).set_params(shuffle=False).fit(digits, labels)
    alone = clone(in_order).set_params(alpha=in_order.alpha_).fit(digits, labels)
    assert np.array_equal(in_order.coef_, alone.coef_)
    stopped = SimplexSGDClassifier(alpha=alphas, early_stopping=True, **options)
    assert stopped.fit(digits, labels).t_ < 5 * len(labels)
    before, chosen = model.t_, model.alpha_
    model.set_params(alpha=chosen).partial_fit(digits[:9], labels[:9])
    assert (model.t_, model.alpha_) == (before + 9, chosen)
    assert model.set_params(alpha=1.0).fit(digits, labels).path_ is None


def test_early_stopping_and_the_warning_at_the_end_of_the_passes():
    model = SimplexSGDClassifier("logistic", early_stopping=True, random_state=0).fit(X, y)
    assert model.n_iter_ < 100
    with pytest.warns(ConvergenceWarning, match="max_iter=2 passes ended"):
        SimplexSGDClassifier(max_iter=2).fit(X, y)


def test_warm_start_continues_and_a_seed_repeats():
    options = {"max_iter": 2, "tol": None, "shuffle": False}
    once = SimplexSGDClassifier(**(options | {"max_iter": 4})).fit(X, y)
    twice = SimplexSGDClassifier(warm_start=True, **options).fit(X, y).fit(X, y)
    assert np.allclose(once.coef_, twice.coef_, rtol=0, atol=1e-12) and twice.t_ == 600
    with pytest.raises(ValueError, match="X has 3 features, the fit to continue had 4"):
        twice.fit(X[:, :3], y)
    assert twice.predict(X).shape == (150,)
    grown = twice.fit(X, y + 2)
    assert grown.classes_.tolist() == [0, 1, 2, 3, 4]
    a, b = (SimplexSGDClassifier(max_iter=3, tol=None, random_state=7).fit(X, y) for _ in "ab")
    assert np.array_equal(a.coef_, b.coef_)
    again = pickle.loads(pickle.dumps(a)).partial_fit(X, y)
    assert np.array_equal(again.coef_, a.partial_fit(X, y).coef_)


@pytest.mark.filterwarnings("ignore:loss=.half_space:UserWarning")
@pytest.mark.parametrize("loss", ["cone", "half_space", "least_squares"])
@pytest.mark.parametrize("average", [False, True])
def test_pegasos_is_the_papers_rule(loss, average):
    """Steps of 1/(2 lambda t), the ball the paper means, the last iterate or the mean."""
    rows, labels = shuffled()
    options = {"fit_intercept": False, "shuffle": False, "max_iter": 2, "tol": None}
    model = SimplexSGDClassifier(
        loss, alpha=0.02, learning_rate="pegasos", average=average, **options
    ).fit(rows, labels)
    radius = 1 / (2 * np.sqrt(0.02)) if loss == "least_squares" else 1 / np.sqrt(2 * 0.02)
    C, W, mean = recursive_code(3), np.zeros((2, 4)), np.zeros((2, 4))
    for t in range(1, 301):
        x, k = rows[(t - 1) % 150], labels[(t - 1) % 150]
        u = C @ W @ x
        step = {
            "cone": lambda u, k: C.T @ ((u > -1 / 2) & (np.arange(3) != k)),
            "half_space": lambda u, k: -C[k] * (u[k] < 1),
            "least_squares": lambda u, k: 2 * (C.T @ u * 2 / 3 - C[k]),
        }[loss](u, k)
        W = (1 - 1 / t) * W - np.outer(step, x) / (2 * 0.02 * t)
        W *= min(1.0, radius / np.linalg.norm(W))
        if t % 64 == 0:
            mean += (W - mean) / (t // 64)
    assert np.allclose(model.coef_, C @ (mean if average else W), rtol=0, atol=1e-10)


@pytest.mark.parametrize("features", [Nystroem(n_components=60), RBFSampler(n_components=200)])
def test_behind_a_feature_map(features):
    digits, labels = load_digits(return_X_y=True)
    features = clone(features).set_params(gamma=0.002, random_state=0)
    head = SimplexSGDClassifier("logistic", alpha=1e-5, random_state=0, max_iter=20)
    pipeline = make_pipeline(features, head).fit(digits, labels)
    mapped = features.fit_transform(digits)
    assert np.array_equal(pipeline[-1].coef_, clone(head).fit(mapped, labels).coef_)
    stream = clone(head)
    for i in range(0, len(labels), 100):
        stream.partial_fit(features.transform(digits[i : i + 100]), labels[i : i + 100])
    whole = clone(head).partial_fit(mapped, labels)
    assert np.allclose(stream.coef_, whole.coef_, rtol=0, atol=1e-9)


def test_half_of_scikit_learns_alpha_is_the_same_model():
    """At T = 2 the cone loss is the hinge, and scikit-learn penalises with alpha/2."""
    rows, labels = X[50:] - X[50:].mean(axis=0), y[50:]
    options = {"fit_intercept": False, "max_iter": 2000, "tol": None, "random_state": 0}
    ours = SimplexSGDClassifier("cone", alpha=0.05, **options).fit(rows, labels)
    theirs = SGDClassifier("hinge", alpha=0.1, average=True, **options).fit(rows, labels)
    assert np.allclose(ours.coef_, theirs.coef_, rtol=0.02, atol=0.01)
    other = SimplexSGDClassifier("cone", alpha=0.1, **options).fit(rows, labels)
    assert not np.allclose(other.coef_, theirs.coef_, rtol=0.02, atol=0.01)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"loss": "hinge"}, "loss must be one of .*cone.*; got 'hinge'"),
        ({"alpha": 0.0}, r"'alpha' .* float in the range \(0.*Got 0\.0"),
        ({"alpha": []}, r"'alpha' .* Got \[\]"),
        ({"learning_rate": "optimal"}, "'learning_rate' .*pegasos.* Got 'optimal'"),
        ({"max_iter": 0}, r"'max_iter' .* int in the range \[1.* Got 0"),
        ({"n_iter_no_change": 2.5}, r"'n_iter_no_change' .* Got 2\.5"),
        ({"tol": -1}, "'tol' .* or None. Got -1"),
        ({"validation_fraction": 1.5}, r"'validation_fraction' .*\(0.*1.*Got 1\.5"),
        ({"verbose": "yes"}, "'verbose' .* Got 'yes'"),
    ],
)
def test_misuse_is_named_and_changes_nothing(options, words):
    model = SimplexSGDClassifier(max_iter=3, tol=None, random_state=0).fit(X, y)
    before = {name: value for name, value in vars(model).items() if name.endswith("_")}
    with pytest.raises(ValueError, match=words):
        model.set_params(**options).fit(X, y)
    assert all(vars(model)[name] is value for name, value in before.items())


def test_an_alpha_whose_steps_overflow_is_not_chosen():
    """Plain exponential steps at a tiny alpha end beyond the largest float."""
    model = SimplexSGDClassifier(
        "exponential", [1e-300, 1e3], learning_rate="pegasos", project=False, random_state=0
    )
    with np.errstate(all="ignore"):
        model.fit(X, y)
        path = model.path_
        assert model.alpha_ == 1e3 == path.alphas[path.best] and np.isnan(path.score[-1])
        assert model.best_score_ == path.score[0] > 0
        with pytest.raises(ValueError, match="no longer finite"):
            model.set_params(alpha=[1e-300, 1e-299]).fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_model_that_overflows_among_others_makes_no_noise():
    alphas = [1e-30, 1.0]
    plain = {"learning_rate": "pegasos", "project": False, "average": False}
    model = SimplexSGDClassifier("least_squares", alphas, **plain, random_state=0, max_iter=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        model.fit(X, y)
    assert model.alpha_ == 1.0 and model.best_score_ == model.path_.score[0]


@pytest.mark.parametrize("loss", losses_offering("row_step", "class_probabilities"))
def test_probabilities_are_those_the_scores_minimise(loss):
    model = SimplexSGDClassifier(loss, alpha=1e-3, random_state=0).fit(X, NAMES[y])
    P, S = model.predict_proba(X), model.decision_function(X)
    assert np.allclose(P.sum(axis=1), 1) and P.min() >= 0
    assert np.array_equal(model.classes_[P.argmax(axis=1)], model.predict(X))
    inside = np.all((P > 0) & (P < 1), axis=1)
    assert np.allclose(get_loss(loss).conditional_minimizer(P[inside]), S[inside], atol=1e-7)


def test_losses_without_probabilities_say_so():
    model = SimplexSGDClassifier("cone", max_iter=3, tol=None).fit(X, y)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError) as caught:
        model.predict_proba(X)
    reason = str(caught.value.__cause__)
    assert "loss='cone' has no probabilities" in reason and "logistic" in reason


def test_at_defaults_standardised_rows_ask_for_nothing():
    for load in (load_wine, load_iris, load_breast_cancer):
        rows, labels = load(return_X_y=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            SimplexSGDClassifier(random_state=0).fit(StandardScaler().fit_transform(rows), labels)


def test_one_pass_is_compiled_for_all_losses():
    from simplexcoding.solvers.stochastic.dense_pass import dense_pass

    SimplexSGDClassifier(max_iter=1, tol=None).fit(X, y)
    before = len(dense_pass.signatures)
    for loss in LOSSES:
        SimplexSGDClassifier(loss, max_iter=1, tol=None).fit(X, y)
    assert len(dense_pass.signatures) == before


def test_rows_whose_squares_vanish_are_refused():
    with pytest.raises(ValueError, match="whose square underflows float32: scale X up"):
        SimplexSGDClassifier().fit((1e-25 * X).astype(np.float32), y)
