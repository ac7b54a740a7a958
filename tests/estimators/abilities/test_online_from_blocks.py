import numpy as np
import pytest

from simplexcoding import SimplexSGDClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.estimators.abilities import online_from_blocks

rng = np.random.default_rng(0)
y = rng.choice(["ant", "bee", "cat"], 200)
X = rng.normal(size=(3, 4))[np.unique(y, return_inverse=True)[1]] + rng.normal(size=(200, 4))
w = rng.uniform(0.5, 2, 200)


def sgd(**options):
    return SimplexSGDClassifier(**{"alpha": 1e-3, "random_state": 0, **options})


@pytest.mark.parametrize("rows", [1, 64, 200])
def test_passes_are_calls_of_partial_fit_whatever_the_cutting(rows):
    model = sgd().fit_blocks(from_arrays(X, y, rows=rows), passes=3)
    expected = sgd()
    for _ in range(3):
        expected.partial_fit(X, y)
    assert np.allclose(model.coef_, expected.coef_, rtol=1e-9)
    assert model.classes_.tolist() == ["ant", "bee", "cat"]
    assert model.n_iter_ == 3


def test_weights_are_those_of_fit_whatever_the_cutting():
    """The sum of the weights stands where the number of rows would, as the rows come."""
    fitted = sgd(alpha=0.1, tol=None).fit(X, y, sample_weight=10 * w)
    some = [
        sgd(alpha=0.1).fit_blocks(from_arrays(X, y, factor * w, rows=rows), passes=100)
        for rows, factor in ((1, 1), (64, 1), (200, 10))
    ]
    for model in some:
        assert np.allclose(model.coef_, some[0].coef_, rtol=1e-9)
    assert some[-1].objective_ == pytest.approx(fitted.objective_, rel=1e-2)
    size = np.abs(fitted.coef_).max()
    assert np.abs(some[0].coef_ - fitted.coef_).max() <= 0.01 * size
    as_given = sgd().partial_fit(X, y, sample_weight=10 * w)
    assert not np.allclose(as_given.coef_, sgd().partial_fit(X, y, sample_weight=w).coef_)


def test_a_fit_starts_anew_and_partial_fit_goes_on():
    source = from_arrays(X, y, rows=64)
    once = sgd().fit_blocks(source)
    again = sgd().fit(X, y).fit_blocks(source)
    assert np.array_equal(once.coef_, again.coef_)
    assert not np.array_equal(again.partial_fit(X, y).coef_, once.coef_)


def test_an_alpha_is_chosen_on_a_sample():
    model = sgd(alpha=[10.0, 1e-3]).fit_blocks(from_arrays(X, y, rows=64), passes=2)
    assert model.alpha_ == 1e-3
    assert np.mean(model.predict(X) == y) > np.mean(sgd(alpha=10.0).fit(X, y).predict(X) == y)


def test_an_alpha_is_chosen_where_rows_repeat(monkeypatch):
    monkeypatch.setattr(online_from_blocks, "_SAMPLE_ROWS", 100)
    rows = rng.integers(2, size=(60_000, 8)).astype(float)
    model = sgd(alpha=[1e-2, 1e-3]).fit_blocks(from_arrays(rows, rows[:, 0]))
    assert np.array_equal(model.predict(rows), rows[:, 0])


def test_generators_are_read_once():
    batches = [(X[:100], y[:100]), (X[100:], y[100:])]
    model = sgd().fit_blocks((b for b in batches), passes=1)
    assert np.array_equal(model.coef_, sgd().fit_blocks(batches).coef_)
    with pytest.raises(ValueError, match="read only once"):
        sgd().fit_blocks((b for b in batches), passes=2)
    with pytest.raises(ValueError, match="leave no rows to choose by"):
        sgd(alpha=[1.0, 2.0]).fit_blocks((b for b in batches), passes=1)


def test_errors():
    with pytest.raises(ValueError, match="passes must be a positive integer, got 0"):
        sgd().fit_blocks([(X, y)], passes=0)
    with pytest.raises(ValueError, match="blocks gave no rows"):
        sgd().fit_blocks([])
    with pytest.raises(ValueError, match=r"^loader: X holds NaN"):
        sgd().fit_blocks([(X * np.nan, y)])
    with pytest.raises(ValueError, match=r"^loader, block 1: X holds NaN"):
        sgd().fit_blocks([(X, y), (X * np.nan, y)])
