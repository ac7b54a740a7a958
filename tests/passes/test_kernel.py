import numpy as np
from sklearn.datasets import load_digits

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.passes.kernel import chosen_kernel
from simplexcoding.passes.sample import Sampler

X, y = load_digits(return_X_y=True)


def test_the_sample_chooses_and_counts_repeats():
    once = chosen_kernel(Sampler(2000, 0).of(X, y, None), True, 0)
    twice = chosen_kernel(Sampler(2000, 0).of(np.vstack([X, X]), np.r_[y, y], None), True, 0)
    assert (once.name, once.gamma) == (twice.name, twice.gamma)
    assert once.radial


def test_blocks_are_fitted_with_the_kernel_that_their_sample_chose():
    model = SimplexRidgeClassifier(landmarks=200).fit_blocks(from_arrays(X, y, rows=500))
    kernel = chosen_kernel(Sampler(2000, 0).of(X, y, None), True, 0)
    assert model.kernel_ == kernel.name and model.n_landmarks_ == 200
    assert model.candidates_ is None
    assert (model.predict(X) == y).mean() > 0.98
