from dataclasses import replace

import pytest

from simplexcoding.solvers.boosting.warm_start import Recipe


def test_the_first_difference_is_named_and_the_seed_is_none():
    recipe = Recipe("logistic", "newton", 6, "built-in trees", 4, ("a", "b"), 1)
    recipe.check_same(replace(recipe, seed=2))
    with pytest.raises(ValueError, match="max_depth is 6 and was 3 in the last fit"):
        recipe.check_same(replace(recipe, max_depth=3, n_features=9))
