import numpy as np
import pytest
from scipy.special import softmax
from sklearn.datasets import load_digits

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.inference.conformal import fit_set_rule
from simplexcoding.inference.temperature import fit_temperature


def sample(n_rows, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    S = rng.normal(size=(n_rows, n_classes))
    P = softmax(2 * S, axis=1)
    return S, np.array([rng.choice(n_classes, p=p) for p in P])


L, y = sample(400)
NEW, y_new = sample(1000, seed=1)


def least_own(beta, left_out, labels, coverage):
    """The (n+1) coverage-th largest probability of an own class, by sorting."""
    own = softmax(beta * left_out, axis=1)[np.arange(len(labels)), labels]
    rank = int(np.ceil((len(own) + 1) * coverage - 1e-9))
    return sorted(own, reverse=True)[rank - 1] if rank <= len(own) else 0


def slow_sets(rows, beta, left_out, labels, coverage):
    """Classes at least as probable as that; rounding may not decide."""
    least = least_own(beta, left_out, labels, coverage)
    return softmax(beta * rows, axis=1) >= least * (1 - 1e-12)


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95])
def test_a_class_is_in_as_its_probability_ranks_among_left_out_ones(coverage):
    rule = fit_set_rule(L, y, coverage)
    expected = slow_sets(NEW, rule.beta, L, y, coverage)
    expected[np.arange(len(NEW)), NEW.argmax(axis=1)] = True
    assert np.array_equal(rule.sets(NEW), expected)


def test_class_conditional_sets_use_the_rows_of_each_class():
    rule = fit_set_rule(L, y, 0.8, class_conditional=True)
    sets = rule.sets(NEW)
    for k in range(4):
        own = y == k
        expected = slow_sets(NEW, rule.beta, L[own], y[own], 0.8)[:, k]
        assert np.array_equal(sets[:, k], expected | (NEW.argmax(axis=1) == k))


def misled(n_rows, n_classes, seed=0):
    """Own scores well above the tail, but in a tenth of the rows another class far above."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(n_classes, size=n_rows)
    rows, S = np.arange(n_rows), 0.3 * rng.normal(size=(n_rows, n_classes))
    S[rows, labels] += 2.0
    wrong = rows[rng.random(n_rows) < 0.1]
    S[wrong, (labels[wrong] + 1) % n_classes] += 4.0
    return S, labels


@pytest.mark.parametrize(
    ("data", "halved"), [(sample(400), False), (misled(1000, 50), True)], ids=["even", "misled"]
)
def test_beta_is_halved_only_where_sets_become_clearly_smaller(data, halved):
    S, labels = data
    best = fit_temperature(S, labels)
    sizes = [slow_sets(S, beta, S, labels, 0.95).sum() for beta in (best, best / 2)]
    assert (sizes[1] < 0.95 * sizes[0]) == halved
    beta = fit_set_rule(S, labels, 0.95).beta
    assert beta == pytest.approx(best / 2 if halved else best)


@pytest.mark.parametrize("class_conditional", [False, True])
def test_no_set_is_empty_and_the_largest_score_is_in(class_conditional):
    rule = fit_set_rule(L, y, 0.05, class_conditional)
    bare = slow_sets(NEW, rule.beta, L, y, 0.05)
    assert not bare.any(axis=1).all()
    sets = rule.sets(NEW)
    assert sets[np.arange(len(NEW)), NEW.argmax(axis=1)].all()
    if not class_conditional:
        assert np.array_equal(sets.sum(axis=1), np.maximum(bare.sum(axis=1), 1))


@pytest.mark.parametrize("n_rows", [9, 10, 18])
def test_too_few_rows_for_the_coverage_give_every_class(n_rows):
    # ceil((n + 1) 0.95) exceeds n below 19 rows.
    assert fit_set_rule(L[:n_rows], y[:n_rows], 0.95).sets(NEW).all()
    assert not fit_set_rule(L[:19], y[:19], 0.95).sets(NEW).all()


def test_the_rank_does_not_grow_by_rounding():
    # (9 + 1) 0.9 is 9 rows exactly: the threshold is the largest of nine, not infinite.
    rule = fit_set_rule(L[:9], y[:9], 0.9)
    assert np.isfinite(rule.thresholds).all()
    assert rule.sets(L[:9])[np.arange(9), y[:9]].all()


def test_integer_weights_equal_repeated_rows():
    counts = np.random.default_rng(0).integers(0, 4, size=len(y))
    weighted = fit_set_rule(L, y, 0.9, weights=counts.astype(float)).sets(NEW)
    repeated = fit_set_rule(np.repeat(L, counts, axis=0), np.repeat(y, counts), 0.9).sets(NEW)
    assert np.array_equal(weighted, repeated)


@pytest.mark.parametrize("class_conditional", [False, True])
@pytest.mark.parametrize("coverage", [0.8, 0.9, 0.95])
def test_exchangeable_scores_are_covered(coverage, class_conditional):
    S, labels = sample(20_000, seed=2)
    sets = fit_set_rule(S[:5000], labels[:5000], coverage, class_conditional).sets(S[5000:])
    hit = sets[np.arange(15_000), labels[5000:]]
    groups = labels[5000:] if class_conditional else np.zeros(15_000, dtype=int)
    for g in np.unique(groups):
        assert hit[groups == g].mean() == pytest.approx(coverage, abs=0.03)


def test_left_out_scores_cover_where_training_scores_do_not():
    # The rows a model was fitted to look too easy; a third of the pixels leave it unsure.
    X, labels = load_digits(return_X_y=True)
    X = X[:, 2::3]
    left_out, in_sample = [], []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(X))
        train, new = order[:300], order[300:]
        model = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X[train], labels[train])
        scores = model.decision_function(X[new])
        for found, base in (
            (left_out, model.loo_scores_),
            (in_sample, model.decision_function(X[train])),
        ):
            sets = fit_set_rule(base, labels[train], 0.9).sets(scores)
            found.append(sets[np.arange(len(new)), labels[new]].mean())
    assert np.mean(left_out) == pytest.approx(0.9, abs=0.015)
    assert np.mean(in_sample) < 0.87


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coverage": 1.0}, r"coverage must lie between 0 and 1, got 1.0; try 0.9"),
        ({"coverage": 90}, "coverage must lie between 0 and 1, got 90"),
        ({"y": y[:-1]}, "left_out must have a row for each of the 399 labels"),
        ({"left_out": L[:, :1]}, "column for each class, two at least"),
        ({"left_out": L * np.nan}, "left_out must be finite"),
        ({"weights": -np.ones(400)}, "weights must be 400 numbers, none negative"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        fit_set_rule(**{"left_out": L, "y": y} | change)


def test_scores_of_other_classes_are_named():
    with pytest.raises(ValueError, match="scores must have a column for each of the 4 classes"):
        fit_set_rule(L, y).sets(NEW[:, :3])


def test_class_conditional_is_true_or_false():
    with pytest.raises(TypeError, match="class_conditional must be True or False, got 'no'"):
        fit_set_rule(np.eye(3), np.arange(3), class_conditional="no")
