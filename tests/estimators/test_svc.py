import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

from reference import margin as reference
from reference.models import each_margin, random_classes
from simplexcoding import SimplexSVC
from simplexcoding.kernels import Kernel
from simplexcoding.losses import get_loss
from simplexcoding.selection.row_copies import held_out_copies

# What random_state=0 stands for.
SEED = np.random.RandomState(0).randint(2**31 - 1)


def coefficients(model, X):
    """Coefficients (n, T) of the kernel values of all rows; of a linear function some that are."""
    if model.kernel == "linear":
        return np.linalg.pinv(X.T) @ model.function_.weights
    return model.function_.weights


@pytest.mark.filterwarnings("ignore:half_space with hull=False")
@each_margin
@pytest.mark.parametrize("T", [2, 3, 4, 6])
@pytest.mark.parametrize(("kernel", "weighted"), [("linear", True), ("rbf", False), ("rbf", True)])
def test_optimum_agrees_with_a_convex_solver(loss, hull, T, kernel, weighted):
    X, y, rng = random_classes(T)
    w = rng.uniform(0.3, 2, size=len(y)) if weighted else None
    model = SimplexSVC(loss, hull=hull, kernel=kernel, fit_intercept=False, gamma=0.3, C=0.7)
    model.set_params(tol=1e-6, max_iter=50_000).fit(X, y, w)
    K = Kernel(kernel, 0.3).matrix(X)
    box = 0.7 * (np.ones(len(y)) if w is None else w)
    best = reference.optimum(loss, K, y, box, T, hull)
    assert model.objective_ == pytest.approx(best, rel=1e-5)
    primal, dual, violation = reference.values(
        loss, K, y, box, coefficients(model, X), model.certificate_.point, hull
    )
    assert violation <= 1e-9
    assert dual <= best * (1 + 1e-7)
    assert (primal - dual) / primal == pytest.approx(model.duality_gap_, abs=1e-8)
    assert -1e-9 <= model.duality_gap_ <= 1e-6


@pytest.mark.parametrize("loss", ["cone", "half_space"])
def test_two_classes_are_the_hinge_machine_without_intercept(loss):
    X, y, _ = random_classes(2, n=60)
    options = dict(kernel="linear", fit_intercept=False, C=0.5, tol=1e-8, max_iter=100_000)
    fitted = SimplexSVC(loss, hull=False, **options)
    ours = fitted.fit(X, y).decision_function(X)
    peer = LinearSVC(loss="hinge", C=0.5, fit_intercept=False, tol=1e-8, max_iter=10**6).fit(X, y)
    assert np.allclose(ours, peer.decision_function(X), atol=1e-3)
    assert fitted.coef_.shape == (1, 3)


def test_two_classes_with_a_kernel_solve_the_hinge_problem():
    X, y, _ = random_classes(2, n=40)
    K = Kernel("rbf", 0.4).matrix(X)
    model = SimplexSVC(kernel="precomputed", C=2.0, tol=1e-7, max_iter=100_000).fit(K, y)
    assert np.allclose(model.decision_function(K), reference.hinge_scores(K, y, 2.0), atol=1e-3)


@pytest.mark.parametrize("T", [3, 4])
def test_cone_is_lee_lin_wahba_and_half_space_is_maximum_margin_regression(T):
    X, y, _ = random_classes(T)
    K = Kernel("rbf", 0.3).matrix(X)
    fit = dict(kernel="precomputed", C=0.6, tol=1e-8, max_iter=100_000)
    cone = SimplexSVC("cone", **fit).fit(K, y)
    llw = reference.lee_lin_wahba(K, y, T, C=T * 0.6)
    assert np.allclose((T - 1) * cone.decision_function(K), llw, atol=2e-3)
    with pytest.warns(UserWarning, match="not consistent"):
        half = SimplexSVC("half_space", hull=False, **fit).fit(K, y)
    mmr = reference.maximum_margin_regression(K, y, T, C=0.6 * T / (T - 1))
    assert np.allclose(half.decision_function(K), mmr, atol=2e-3)


@each_margin
@pytest.mark.filterwarnings("ignore:half_space with hull=False")
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_what_is_certified_is_what_decision_function_computes(loss, hull, kernel):
    X, y = make_blobs(200, centers=4, cluster_std=3.0, random_state=0)
    model = SimplexSVC(loss, hull=hull, kernel=kernel, C=0.1).fit(X, y)
    scores = model.decision_function(X)
    values = get_loss(loss, **({"hull": hull} if loss == "half_space" else {})).value(scores, y)
    # Infinite where one row is outside the hull.
    if kernel == "linear":
        energy = 0.75 * (np.sum(model.coef_**2) + np.sum(model.intercept_**2)) / 2
    else:
        energy = 0.75 * np.sum(model.dual_coef_ * scores) / 2
    assert model.objective_ == pytest.approx(energy + 0.1 * values.sum(), rel=1e-9)
    assert model.objective_ - model.certificate_.dual <= 1e-3 * model.objective_


def test_lambda_counts_weights():
    """C sum w V + 1/2 ||f||^2 is 1/(2 lambda) times (sum w V / sum w + lambda ||f||^2)."""
    X, y, rng = random_classes(3)
    w = rng.integers(0, 4, size=len(y)).astype(float)
    weighted = SimplexSVC(C=0.7).fit(X, y, w)
    repeated = SimplexSVC(C=0.7).fit(*(a.repeat(w.astype(int), axis=0) for a in (X, y)))
    assert weighted.lambda_ == pytest.approx(1 / (2 * 0.7 * w.sum()))
    assert weighted.lambda_ == pytest.approx(repeated.lambda_)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "precomputed"])
def test_float32_rows_give_float32_scores_of_the_float64_machine(kernel):
    X, y = make_blobs(200, centers=4, cluster_std=3.0, random_state=0)
    X = (X @ X.T if kernel == "precomputed" else X).astype(np.float32)
    single = SimplexSVC(kernel=kernel, C=100.0, max_iter=200, tol=1e-1).fit(X, y)
    double = SimplexSVC(kernel=kernel, C=100.0, max_iter=200, tol=1e-1).fit(X.astype(float), y)
    assert single.decision_function(X).dtype == np.float32
    assert double.decision_function(X.astype(float)).dtype == np.float64
    # Large C: kernel values rounded to float32 would be felt.
    assert np.allclose(single.decision_function(X), double.decision_function(X), rtol=1e-6)


@pytest.mark.filterwarnings("ignore:half_space with hull=False")
def test_consistent_losses_approach_the_bayes_rule_and_the_bare_half_space_does_not():
    """Twelve sites with known probabilities of three classes, one feature a site."""
    P = (1 + 0.8 * np.cos(2 * np.pi * (np.arange(12)[:, None] / 12 + 0.05 - np.arange(3) / 3))) / 3
    machines = {"cone": True, "half_space": True, "logistic": True, "bare": False}
    excess = {name: [] for name in machines}
    for n in (60, 600, 6000):
        rng = np.random.default_rng(n)
        site = rng.integers(12, size=n)
        y = (rng.uniform(size=(n, 1)) > P[site].cumsum(axis=1)).sum(axis=1)
        for name, hull in machines.items():
            loss = "half_space" if name == "bare" else name
            model = SimplexSVC(loss, hull=hull, kernel="linear", fit_intercept=False, C=1.0)
            model.fit(np.eye(12)[site], y)
            chosen = P[np.arange(12), model.predict(np.eye(12))]
            excess[name].append((P.max(axis=1) - chosen).mean())
    for name in ("cone", "half_space", "logistic"):
        assert excess[name][0] > excess[name][2] <= 0.01
    assert excess["bare"][2] > 0.03
    # It ends away from the least likely class, the two others tied.
    scores = np.sort(
        SimplexSVC("half_space", hull=False, kernel="linear", fit_intercept=False, C=1.0)
        .fit(np.eye(12)[site], y)
        .decision_function(np.eye(12)),
        axis=1,
    )
    assert np.all(scores[:, 2] - scores[:, 1] < 0.1 * (scores[:, 1] - scores[:, 0]))


def test_integer_weights_equal_repeated_rows():
    X, y, rng = random_classes(3)
    w = rng.integers(0, 4, size=len(y))
    fit = dict(kernel="rbf", gamma=0.3, C=1.0, tol=1e-7, max_iter=50_000)
    weighted = SimplexSVC(**fit).fit(X, y, w)
    repeated = SimplexSVC(**fit).fit(X.repeat(w, axis=0), y.repeat(w))
    assert np.allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-3)
    assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-6)
    assert np.array_equal(weighted.X_fit_, X[w > 0])


def test_a_list_of_costs_is_chosen_by_hold_out():
    X, y = load_iris(return_X_y=True)
    model = SimplexSVC(C=[0.01, 0.1, 1.0, 10.0]).fit(X, y)
    assert model.path_.C.tolist() == [0.01, 0.1, 1.0, 10.0]
    assert model.path_.C[model.path_.score.argmax()] == model.C_
    assert model.lambda_ == pytest.approx(1 / (2 * 150 * model.C_))
    fine = dict(tol=1e-8, max_iter=100_000)
    model = SimplexSVC(C=[0.01, 0.1, 1.0, 10.0], **fine).fit(X, y)
    single = SimplexSVC(C=model.C_, **fine).fit(X, y)
    # Held-out rows were in the operator: the model is that of all rows, and no other.
    assert np.allclose(model.decision_function(X), single.decision_function(X), atol=1e-3)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "precomputed"])
def test_the_path_is_that_of_machines_without_the_held_out_rows(kernel):
    X, y, rng = random_classes(3, n=60)
    w = rng.uniform(0.5, 2, size=60)
    costs, fine = [0.1, 1.0, 10.0], dict(gamma=0.3, tol=1e-7, max_iter=100_000)
    X = Kernel("rbf", 0.3).matrix(X) if kernel == "precomputed" else X
    model = SimplexSVC(kernel=kernel, C=costs, **fine).fit(X, y, w)
    held = held_out_copies(X, y, 0.2, SEED)
    learn = np.setdiff1d(np.arange(60), held)
    square = kernel == "precomputed"
    for cost, score in zip(costs, model.path_.score, strict=True):
        alone = SimplexSVC(kernel=kernel, C=cost, **fine)
        alone.fit(X[np.ix_(learn, learn)] if square else X[learn], y[learn], w[learn])
        rows = X[np.ix_(held, learn)] if square else X[held]
        assert score == pytest.approx(alone.score(rows, y[held], w[held]))


def test_a_rough_path_scores_as_a_fine_one():
    X, y = make_blobs(300, centers=4, cluster_std=2.5, random_state=0)
    costs = [0.01, 0.1, 1.0, 10.0]
    rough, fine = (SimplexSVC(C=costs, tol=tol).fit(X, y) for tol in (1e-3, 1e-6))
    # One of sixty held-out rows may go the other way.
    assert np.abs(rough.path_.score - fine.path_.score).max() <= 1.01 / 60
    assert rough.duality_gap_ <= 1e-3


def test_sparse_and_intercept_agree_with_dense_and_an_extra_feature():
    X, y, _ = random_classes(3)
    fit = dict(kernel="linear", C=1.0, tol=1e-7, max_iter=50_000)
    dense = SimplexSVC(**fit).fit(X, y)
    sparse = SimplexSVC(**fit).fit(csr_matrix(X), y)
    wide = SimplexSVC(fit_intercept=False, **fit).fit(np.hstack([X, np.ones((len(X), 1))]), y)
    assert np.allclose(dense.decision_function(X), sparse.decision_function(X), atol=1e-4)
    assert np.allclose(dense.intercept_, wide.coef_[:, -1], atol=1e-4)


def test_support_rows_are_few_and_counted():
    X, y = make_blobs(200, centers=3, random_state=1)
    model = SimplexSVC(C=10.0).fit(X, y)
    assert model.n_support_.sum() == len(model.support_) < 150


def test_stopping_early_warns_once_with_the_gap_and_the_cure():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="gap of .* raise max_iter") as caught:
        model = SimplexSVC(max_iter=5, C=100.0).fit(X, y)
    assert len(caught) == 1 and model.duality_gap_ > 1e-3


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"loss": "hinge"}, "loss must be one of .*cone.*; got 'hinge'"),
        ({"C": -1.0}, "'C' parameter .*Got -1.0"),
        ({"C": []}, "'C' parameter"),
        ({"C": "best"}, "'C' parameter .*auto.*Got 'best'"),
        ({"tol": 0.0}, "'tol' parameter .*Got 0.0"),
        ({"max_iter": 0}, "'max_iter' parameter .*Got 0"),
        ({"gamma": [0.1, 1.0]}, "'gamma' parameter"),
        ({"landmarks": 0}, "'landmarks' parameter .*Got 0"),
        ({"kernel": "rfb"}, "'kernel' parameter"),
        ({"kernel": "precomputed"}, r"X must be square.*\(24, 3\)"),
        ({"fit_intercept": "yes"}, "'fit_intercept' parameter .*Got 'yes'"),
    ],
)
def test_misuse_is_named_and_changes_nothing(parameters, words):
    X, y, _ = random_classes(3)
    model = SimplexSVC(C=1.0).fit(X, y)
    before = model.function_
    with pytest.raises(ValueError, match=words):
        model.set_params(**parameters).fit(X, y)
    assert model.function_ is before


def test_auto_is_the_default_and_says_what_it_asked():
    X, y = make_blobs(300, centers=4, cluster_std=2.5, random_state=0)
    model = SimplexSVC().fit(X, y)
    path = model.path_
    assert model.C == "auto" and path.exact.all()
    assert path.C[path.best] == model.C_ and model.best_score_ == path.score[path.best]
    listed = SimplexSVC(C=list(path.C)).fit(X, y)
    # A list is solved as given, in step: one of sixty held-out rows may go the other way.
    assert np.abs(listed.path_.score - path.score).max() <= 1.01 / 60


def test_auto_where_no_row_can_be_held_out_is_one():
    X, y, _ = random_classes(3, n=3)
    model = SimplexSVC(gamma=0.3).fit(X, y)
    assert model.C_ == 1.0 and model.path_ is None and not hasattr(model, "best_score_")
    with pytest.raises(ValueError, match="needs rows to hold out and 3 are too few"):
        SimplexSVC(gamma=0.3, C=[1.0, 2.0]).fit(X, y)


def test_linear_features_that_the_intercept_drowns_are_refused():
    X, y = make_blobs(60, centers=3, random_state=0)
    small = 2.0**-33 * X
    with pytest.raises(ValueError, match="lost beside the one that stands for the intercept"):
        SimplexSVC(kernel="linear").fit(small, y)
    # Without an intercept C makes up for any scale.
    plain = SimplexSVC(kernel="linear", fit_intercept=False, C=1.0).fit(X, y)
    scaled = SimplexSVC(kernel="linear", fit_intercept=False, C=2.0**66).fit(small, y)
    assert np.array_equal(scaled.predict(small), plain.predict(X))


@pytest.mark.parametrize("loss", ["cone", "half_space"])
def test_where_rounding_eats_the_objective_nothing_is_certified(loss):
    """At 1e30 the squared length of f comes out below zero; at 1e8 the dual above the primal."""
    X, y = load_iris(return_X_y=True)
    for rows in (1e30 * X, X + 1e8):
        model = SimplexSVC(loss, kernel="linear", C=1.0, max_iter=400)
        with pytest.warns(ConvergenceWarning, match="above tol"):
            model.fit(rows, y)
        assert model.duality_gap_ > model.tol
    with pytest.raises(ValueError, match=r"kernel reaches .* scale X or it down"):
        SimplexSVC(loss, kernel="linear", C=1.0).fit(1e60 * X, y)


def test_small_rows_in_single_precision_are_multiplied_in_double():
    X, y = make_blobs(60, centers=3, random_state=0)
    tiny = (2.0**-83 * X).astype(np.float32)
    assert SimplexSVC(C=1.0).fit(tiny, y).score(tiny, y) == SimplexSVC(C=1.0).fit(X, y).score(X, y)


def test_as_accurate_as_one_against_one():
    X, y = make_blobs(400, centers=5, cluster_std=2.0, random_state=3)
    ours = SimplexSVC().fit(X[:200], y[:200]).score(X[200:], y[200:])
    assert ours >= SVC().fit(X[:200], y[:200]).score(X[200:], y[200:]) - 0.03


def test_features_of_any_size_are_solved_without_a_warning():
    """A warning is an error here; scores of 1e19 gave some of NumPy's."""
    X, y = load_iris(return_X_y=True)
    model = SimplexSVC(kernel="linear", verbose=False).fit(1e19 * X, y)
    assert model.certificate_.gap <= model.tol
    assert model.score(1e19 * X, y) > 0.75
