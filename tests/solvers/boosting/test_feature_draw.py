import numpy as np

from simplexcoding.solvers.boosting.feature_draw import FeatureDraw, draws_to_try, features_drawn


def test_a_round_has_its_own_features_whatever_ran_before():
    draw = FeatureDraw(p=50, size=7, seed=3)
    assert draw(12).tolist() == FeatureDraw(50, 7, 3)(12).tolist()
    assert draw(12).tolist() != draw(13).tolist()
    assert draw(12).tolist() != FeatureDraw(50, 7, 4)(12).tolist()
    assert len(set(draw(0))) == 7 and np.all(np.diff(draw(0)) > 0)


def test_every_feature_is_drawn_about_as_often():
    draw = FeatureDraw(p=10, size=3, seed=0)
    counts = np.bincount(np.concatenate([draw(r) for r in range(2000)]), minlength=10)
    assert abs(counts - 600).max() < 100


def test_all_features_where_as_many_are_asked_for():
    assert FeatureDraw(5, 5, 0)(3).tolist() == [0, 1, 2, 3, 4]


def test_counts_of_features_by_every_name():
    counts = {"auto": 40, "sqrt": 10, "log2": 7, None: 100, 0.25: 25, 7: 7, 1000: 100}
    for name, count in counts.items():
        assert features_drawn(name, 100) == count
    assert features_drawn("auto", 9) == 9
    assert features_drawn(0.01, 9) == 1 and features_drawn("log2", 1) == 1
    assert features_drawn(1.0, 9) == 9 and features_drawn(1, 9) == 1


def test_draws_to_try_are_the_default_and_its_halves_each_once():
    for p in (1, 2, 4, 13, 36, 617):
        sizes = draws_to_try(p)
        assert max(sizes) == features_drawn("auto", p) and min(sizes) >= 1
        assert len(sizes) == len(set(sizes)) <= 4
    assert draws_to_try(1) == [1] and draws_to_try(100) == [10, 20, 40, 5]
