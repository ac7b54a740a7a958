import numpy as np
from sklearn.datasets import load_digits
from sklearn.utils import check_random_state

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.passes.kernel import chosen_kernel
from simplexcoding.passes.sample import Sampler
from simplexcoding.selection import candidates

X, y = load_digits(return_X_y=True)


def test_the_sample_chooses_and_counts_repeats():
    once = chosen_kernel(Sampler(2000, 0).of(X, y, None), True, 0)
    twice = chosen_kernel(Sampler(2000, 0).of(np.vstack([X, X]), np.r_[y, y], None), True, 0)
    assert (once.name, once.gamma) == (twice.name, twice.gamma)
    assert once.radial


def test_blocks_are_fitted_with_the_kernel_that_their_sample_chose():
    model = SimplexRidgeClassifier(landmarks=200).fit_blocks(from_arrays(X, y, rows=500))
    seed = int(check_random_state(0).randint(2**31 - 1))
    kernel = chosen_kernel(Sampler(10_000, seed).of(X, y, None), True, seed)
    assert (model.kernel_, model.gamma_) == (kernel.name, kernel.gamma)
    assert model.n_landmarks_ == 200
    assert model.candidates_ is None
    scaling = "none" if kernel.scale is None else "standard"
    named = SimplexRidgeClassifier(
        kernel.name, gamma=kernel.gamma, scaling=scaling, landmarks=200
    ).fit_blocks(from_arrays(X, y, rows=300))
    assert np.allclose(model.decision_function(X), named.decision_function(X), atol=1e-6)


def test_few_rows_are_fewer_than_the_landmarks_of_the_last_word(monkeypatch):
    # All candidates stay near, so that rivals would be scored on 1,000 landmarks of 400 rows.
    monkeypatch.setattr(candidates, "_near", list)
    kernel = chosen_kernel(Sampler(2000, 0).of(X[:400], y[:400], None), True, 0)
    assert kernel.radial
