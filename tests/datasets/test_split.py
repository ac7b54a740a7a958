import numpy as np

from simplexcoding.datasets.split import Split

PARTS = (
    np.array([[1, 7], [3, 7], [8, 7]], dtype=np.uint8),
    [0, 2, 1],
    np.array([[4, 7]], dtype=np.uint8),
    [1],
)


def test_parts_of_any_dtype_become_floats_and_indices():
    split = Split.of("three", PARTS, "a test")
    assert split.X_train.dtype == split.X_test.dtype == np.float64
    assert split.y_train.dtype == np.intp and split.n_classes == 3
    # uint8 would wrap round here.
    assert (split.X_train - split.X_test).min() == -3


def test_standardising_uses_the_training_rows_alone_and_survives_a_constant_feature():
    split = Split.of("three", PARTS, "a test").standardised()
    np.testing.assert_allclose(split.X_train[:, 0].mean(), 0, atol=1e-12)
    np.testing.assert_allclose(split.X_train[:, 0].std(), 1)
    np.testing.assert_allclose(split.X_test[0, 0], 0, atol=1e-12)
    assert not split.X_train[:, 1].any() and not split.X_test[:, 1].any()
