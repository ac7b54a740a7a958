import numpy as np
import pytest

from simplexcoding.selection.path import Path


def path(score, error, exact=None, values=None):
    k = len(score)
    values = np.geomspace(1, 1e-3, k) if values is None else np.array(values)
    exact = np.ones(k, dtype=bool) if exact is None else np.array(exact)
    return Path(values, np.array(score), np.array(error), np.full(k, 7.0), exact)


def test_ties_go_to_the_lower_squared_error_and_then_to_the_most_regularised():
    assert path([0.5, 0.9, 0.9], [1, 0.4, 0.3]).best == 2
    assert path([0.5, 0.9, 0.9], [1, np.nan, np.nan]).best == 1
    assert path([0.5, 0.9, 0.9 + 1e-9], [1, 0.3, 0.4]).best == 1


def test_a_fit_that_overflowed_is_below_every_other():
    assert path([0.5, 0.9, np.nan], [np.nan] * 3).best == 1
    assert path([np.nan, 0.9, 0.8], [1, 1, 1], [True, False, True]).best == 2
    assert path([np.nan, np.nan], [np.nan] * 2).best == 0


def test_interpolated_scores_are_not_chosen_unless_all_are():
    assert path([0.5, 0.9, 0.8], [1, 1, 1], [True, False, True]).best == 2
    assert path([0.5, 0.9, 0.8], [1, 1, 1], [False, False, False]).best == 1
    assert path([0.5, 0.9, 0.8], [1, 2, 3], [True, False, True]).merit == (0.8, -3.0)


def test_values_run_from_the_most_regularised_fit_to_the_least():
    costs = Path.along("C", [10.0, 0.1, 1.0], [0.9, 0.5, 0.9])
    assert costs.C.tolist() == [0.1, 1, 10] and costs.C[costs.best] == 1
    alphas = Path.along("alpha", [0.1, 10.0, 1.0], [0.9, 0.5, 0.9])
    assert alphas.alphas.tolist() == [10, 1, 0.1] and alphas.alphas[alphas.best] == 1
    assert alphas.best_score == 0.9 and alphas.chosen is alphas
    with pytest.raises(AttributeError, match="a path along alpha has no C"):
        _ = alphas.C


def test_parts_and_sums_of_paths():
    one = path([0.1, 0.3], [1, 3], values=[8.0, 2.0])
    other = path([0.2, 0.4], [2, 4], [False, True], values=[4.0, 1.0])
    both = one.joined(other)
    assert both.values.tolist() == [8, 4, 2, 1]
    assert both.score.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert both.exact.tolist() == [True, False, True, True]
    assert both.at([3, 0]).squared_error.tolist() == [4, 1]


def test_the_best_gamma_has_the_best_place_of_all():
    paths = [path([0.5, 0.8], [1, 1]), path([0.9, 0.1], [2, 1]), path([0.9, 0.1], [1, 1])]
    found = Path.over([3.0, 2.0, 1.0], paths)
    assert found.best == (2, 0) and found.chosen.merit == (0.9, -1.0)
    assert found.best_score == found.score[found.best] == 0.9
    assert found.chosen.gammas is None
    assert found.alphas.shape == (3, 2) and found.gammas.tolist() == [3, 2, 1]
    assert Path.over([3.0, 2.0, 1.0], paths, best=0).best == (0, 1)


def test_the_ends_of_grids_are_named():
    paths = [path([0.9, 0.8], [1, 1]) for _ in range(3)]
    found = Path.over([3.0, 2.0, 1.0], paths)
    assert found.edges(None) == ["gamma (best 3)"]
    assert found.edges(np.array([1.0, 1e-3])) == ["alphas (best 1)", "gamma (best 3)"]
    assert Path.over([1.0], paths[:1]).edges(np.array([1.0])) == []
