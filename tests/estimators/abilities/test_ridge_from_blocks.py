from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.passes import knowledge

rng = np.random.default_rng(0)
y = rng.choice(["ant", "bee", "cat", "dog"], 240)
X = rng.normal(size=(4, 5))[np.unique(y, return_inverse=True)[1]] * 0.8
X += rng.normal(size=(240, 5)) + 2
w = rng.integers(0, 3, 240).astype(float)


def linear(**options):
    return SimplexRidgeClassifier("linear", **options)


def same_model(a, b, tolerance=1e-10, score=1e-12):
    assert a.classes_.tolist() == b.classes_.tolist()
    assert a.alpha_ == pytest.approx(b.alpha_, rel=1e-9)
    assert np.allclose(a.coef_, b.coef_, rtol=tolerance, atol=tolerance)
    assert np.allclose(a.intercept_, b.intercept_, rtol=tolerance, atol=tolerance)
    assert a.best_score_ == pytest.approx(b.best_score_, abs=score)


def cut(cuts, order):
    """Batches between the cuts, empty ones too, each with its labels as they come."""
    edges = [0, *cuts, len(order)]
    return [(X[order[a:b]], y[order[a:b]], w[order[a:b]]) for a, b in pairwise(edges)]


@settings(max_examples=30, deadline=None)
@given(
    cuts=st.lists(st.integers(0, 240), max_size=20).map(sorted),
    seed=st.integers(0, 9),
    by_label=st.booleans(),
)
def test_the_model_is_that_of_fit_whatever_the_cutting(cuts, seed, by_label):
    order = np.random.default_rng(seed).permutation(240)
    if by_label:
        # Labels are seen once, each in a run of its own.
        order = order[np.argsort(y[order], kind="stable")]
    model = linear().fit_blocks(cut(cuts, order))
    same_model(model, linear().fit(X, y, w))


@settings(max_examples=20, deadline=None)
@given(cuts=st.lists(st.integers(0, 240), max_size=20).map(sorted), seed=st.integers(0, 9))
def test_where_the_sample_is_not_all_rows_the_cutting_does_not_matter_either(cuts, seed):
    order = np.random.default_rng(seed).permutation(240)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "SAMPLE_ROWS", 60)
        model = linear().fit_blocks(cut(cuts, order))
        other = linear().fit_blocks(from_arrays(X, y, w, rows=50))
    same_model(model, other)
    assert 4 <= model.path_.exact.sum() <= 48
    assert np.array_equal(model.path_.best, other.path_.best)
    same_model(model, linear(alphas=model.alpha_).fit(X, y, w))
    assert np.array_equal(model.loo_scores_.argmax(1), other.loo_scores_.argmax(1))


@pytest.mark.parametrize(
    "options",
    [
        {"fit_intercept": False},
        {"class_weight": "balanced"},
        {"class_weight": {"ant": 3.0}},
        {"scoring": "balanced_accuracy"},
        {"scoring": "neg_mean_squared_error"},
        {"scoring": "neg_log_loss"},
        {"scoring": "f1_macro"},
        {"calibration": "vector"},
        {"calibration": "none"},
        {"alphas": [0.1, 1.0, 10.0]},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:The best value lies at the edge")
def test_options_mean_what_they_mean_to_fit(options):
    model = linear(**options).fit_blocks(from_arrays(X, y, w, rows=50))
    expected = linear(**options).fit(X, y, w)
    score = 1e-12
    if options.get("calibration") == "vector":
        # In memory a pilot looks first; here every alpha is asked. A calibration ends within its
        # own tolerance, wherever it began.
        expected = linear(**options, alphas=model.alpha_).fit(X, y, w)
        score = 1e-4
    same_model(model, expected, score=score)
    assert np.allclose(model.predict_proba(X), expected.predict_proba(X), atol=1e-6)


def test_sparse_rows_and_float32():
    same_model(linear().fit_blocks(from_arrays(csr_matrix(X), y, rows=50)), linear().fit(X, y))
    single = linear().fit_blocks(from_arrays(X.astype(np.float32), y, rows=50))
    assert single.coef_.dtype == np.float32
    far = X.astype(np.float32) + np.float32(4096)
    moved = linear().fit_blocks(from_arrays(far, y, rows=50))
    assert np.allclose(moved.coef_, linear().fit(far.astype(float), y).coef_, rtol=1e-4)


def test_two_classes_and_sets():
    two = y != "dog"
    model = linear().fit_blocks(from_arrays(X[two], y[two] == "ant", rows=50))
    expected = linear().fit(X[two], y[two] == "ant")
    same_model(model, expected)
    assert np.array_equal(model.predict_set(X), expected.predict_set(X))


def test_names_of_columns_are_kept():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = linear().fit_blocks(from_arrays(frame, y, rows=50))
    assert model.feature_names_in_.tolist() == list("abcde")
    assert np.array_equal(model.predict(frame), linear().fit(frame, y).predict(frame))
    assert not hasattr(model.fit_blocks(from_arrays(X, y)), "feature_names_in_")


def test_landmarks_from_blocks():
    model = SimplexRidgeClassifier("rbf", landmarks=50).fit_blocks(from_arrays(X, y, rows=64))
    assert model.n_landmarks_ == 50
    assert model.landmark_indices_ is None
    assert model.X_fit_.shape == (50, 5)
    assert abs(model.best_score_ - SimplexRidgeClassifier("rbf").fit(X, y).best_score_) < 0.03
    assert np.mean(model.predict(X) == y) >= model.best_score_


def test_a_generator_is_read_once_for_the_score_of_a_sample(monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 60)
    batches = [(X[k : k + 30], y[k : k + 30]) for k in range(0, 240, 30)]
    model = linear().fit_blocks((batch for batch in batches), passes=1)
    assert model.n_scored_rows_ == 60
    assert not model.path_.exact.any()
    assert np.allclose(model.coef_, linear(alphas=model.alpha_).fit(X, y).coef_, rtol=1e-10)


class Spent:
    """Looks re-iterable, and gives its rows only once."""

    def __init__(self, batches):
        self._batches = iter(batches)

    def __iter__(self):
        return (batch for batch in self._batches)


@pytest.mark.parametrize(
    ("model", "blocks", "options", "message"),
    [
        (linear(), (b for b in [(X, y)]), {}, r"read only once.*passes=1"),
        (linear(), [(X, y)], {"passes": 3}, "passes must be 1 or 2, got 3"),
        (linear(cv=5), [(X, y)], {}, "cv must be None with blocks"),
        (SimplexRidgeClassifier("precomputed"), [(X, y)], {}, "needs all rows at once"),
        (SimplexRidgeClassifier("rbf", landmarks=None), [(X, y)], {}, "landmarks=None keeps"),
        (SimplexRidgeClassifier("rbf"), iter([(X, y)]), {"passes": 1}, "reads them more often"),
        (linear(), [(X, np.zeros(240))], {}, "y must hold at least two classes, got one class: 0"),
        (linear(), [(X, y, np.zeros(240))], {}, "no rows of positive weight"),
        (linear(), [], {}, "blocks gave no rows"),
        (linear(), [(X, y), (X[:, :2], y)], {}, "blocks have 5 and 2 columns"),
        (linear(), [(X, y), (X * np.inf, y)], {}, "loader, block 1: X holds NaN or infinity"),
        (linear(), [(X, y), (X, np.arange(240))], {}, "labels of two kinds"),
        (linear(), [(X, rng.normal(size=240))], {}, "loader: y holds fractions"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_errors_are_one_line_with_the_cure(model, blocks, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        model.fit_blocks(blocks, **options)
    assert "\n" not in str(caught.value)


def test_a_source_that_dries_up_is_found_out(monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 60)
    with pytest.raises(ValueError, match="blocks gave no rows; a generator that was read"):
        linear().fit_blocks(Spent([(X, y)]))


@pytest.mark.parametrize("sample", [60, 1000])
def test_rows_come_and_go_after_a_fit_from_blocks(sample, monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", sample)
    model = linear(alphas=2.0).fit_blocks(from_arrays(X[:200], y[:200], rows=64))
    model.partial_fit(X[200:], np.where(y[200:] == "dog", "elk", y[200:]))
    labels = np.concatenate([y[:200], np.where(y[200:] == "dog", "elk", y[200:])])
    expected = linear(alphas=2.0).fit(X, labels)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert np.allclose(model.coef_, expected.coef_, rtol=1e-10)
    gone = np.flatnonzero(labels == "elk")
    model.forget(X[gone], labels[gone])
    rest = np.flatnonzero(labels != "elk")
    expected.fit(X[rest], labels[rest])
    assert model.classes_.tolist() == ["ant", "bee", "cat", "dog"]
    assert np.allclose(model.coef_, expected.coef_, rtol=1e-9)
    if sample == 1000:
        assert model.best_score_ == expected.best_score_


def plain_scores(rows, labels, weights, alpha, basis, gamma):
    """Weighted least squares on columns or kernel values, by the normal equations."""

    def features(Z):
        if basis is None:
            return Z
        return np.exp(-gamma * np.square(Z[:, None] - basis).sum(axis=2))

    classes, index = np.unique(labels, return_inverse=True)
    F, Y = features(rows), np.eye(len(classes))[index]
    penalty = np.eye(F.shape[1]) if basis is None else features(basis)
    mean = np.average(F, axis=0, weights=weights)
    base = np.average(Y, axis=0, weights=weights)
    A = (F - mean) * weights[:, None]
    found = np.linalg.solve(A.T @ (F - mean) + alpha * penalty, A.T @ (Y - base))
    scores = (features(X) - mean) @ found + base
    n_classes = len(classes)
    return (scores - scores.mean(axis=1, keepdims=True)) * n_classes / (n_classes - 1)


@pytest.mark.parametrize("kind", ["sparse", "rbf", "class_weight", "rbf, class_weight"])
@pytest.mark.parametrize("sample", [60, 1000])
def test_rows_come_and_go_of_every_kind_of_model(kind, sample, monkeypatch):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", sample)
    options = {"class_weight": {"ant": 3.0, "elk": 0.5}} if "class_weight" in kind else {}
    as_given = csr_matrix if kind == "sparse" else np.asarray
    model = linear(alphas=2.0, **options)
    if "rbf" in kind:
        model = SimplexRidgeClassifier("rbf", gamma=0.1, landmarks=20, alphas=2.0, **options)

    def same(rows):
        per_class = options.get("class_weight", {})
        weights = np.array([per_class.get(label, 1.0) for label in labels[rows]])
        basis = model.X_fit_ if "rbf" in kind else None
        expected = plain_scores(X[rows], labels[rows], weights, 2.0, basis, 0.1)
        assert model.classes_.tolist() == np.unique(labels[rows]).tolist()
        assert np.allclose(model.decision_function(as_given(X)), expected, rtol=1e-6, atol=1e-8)

    labels = np.where((y == "dog") & (np.arange(240) >= 200), "elk", y)
    model.fit_blocks(from_arrays(as_given(X[:200]), labels[:200], rows=64))
    same(np.arange(200))
    model.partial_fit(as_given(X[200:]), labels[200:])
    same(np.arange(240))
    gone = np.flatnonzero((labels == "elk") | (np.arange(240) % 7 == 0))
    model.forget(as_given(X[gone]), labels[gone])
    same(np.setdiff1d(np.arange(240), gone))
    assert 0 < len(model.loo_scores_) <= min(sample, 240 - len(gone))


def test_few_distinct_rows_fit_as_their_weights_do():
    """More copies than a share of all rows can hold: six distinct ones of 100,000."""
    rows = rng.integers(2, size=(100_000, 2)).astype(float)
    labels = (rows.sum(axis=1) + (rng.random(100_000) < 0.3) > 1).astype(int)
    model = linear(alphas=1.0).fit_blocks(from_arrays(rows, labels, rows=8192))
    kinds, counts = np.unique(np.column_stack([rows, labels]), axis=0, return_counts=True)
    expected = linear(alphas=1.0).fit(kinds[:, :2], kinds[:, 2].astype(int), counts)
    assert np.allclose(model.coef_, expected.coef_, rtol=1e-9)
    # Each copy is left out alone, so the answers are those of a row of weight one.
    assert model.best_score_ == pytest.approx(np.mean(model.predict(rows) == labels), abs=1e-4)
    assert len(model.loo_scores_) == len(kinds)


def test_forgetting_says_when_it_cannot():
    wild = X.copy()
    wild[0] *= 1e8
    model = linear().fit_blocks(from_arrays(wild, y))
    with pytest.raises(ValueError, match="fit again without those rows"):
        model.forget(wild[:1], y[:1])
    with pytest.raises(ValueError, match="labels must be given"):
        model.forget([0])


def test_fit_after_fit_blocks_starts_anew():
    model = linear().fit_blocks(from_arrays(X, y)).fit(X[:100], y[:100])
    assert len(model.loo_scores_) == 100
    assert np.array_equal(model.forget([0]).loo_scores_.shape, (99, 4))


def test_twenty_one_thousand_classes_come_block_by_block(monkeypatch):
    """Each block holds some of the labels; the model is that of all rows' moments."""
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 200)
    n_classes = 21_000
    labels = np.random.default_rng(0).permutation(np.repeat(np.arange(n_classes), 2))
    rows = np.random.default_rng(1).normal(size=(len(labels), 3)) + labels[:, None] % 7
    model = linear(alphas=2.0).fit_blocks(from_arrays(rows, labels, rows=6000), passes=1)
    assert len(model.classes_) == n_classes
    Z = rows - rows.mean(axis=0)
    sums = Z[np.argsort(labels, kind="stable")].reshape(n_classes, 2, 3).sum(axis=1)
    weights = np.linalg.solve(Z.T @ Z + 2 * np.eye(3), sums.T)
    weights -= weights.mean(axis=1, keepdims=True)
    expected = weights.T * n_classes / (n_classes - 1)
    assert np.allclose(model.coef_, expected, rtol=1e-10, atol=1e-15)
