import numpy as np

from simplexcoding.selection.row_copies import folds_of_copies, held_out_copies


def test_copies_of_a_row_are_set_aside_together_in_any_order():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 3
    held = held_out_copies(X, y, 0.2, 5)
    assert np.bincount(y[held]).tolist() == [4, 4, 4]
    copies = rng.permutation(np.repeat(np.arange(60), rng.integers(1, 4, size=60)))
    again = held_out_copies(X[copies], y[copies], 0.2, 5)
    assert again.tolist() == np.flatnonzero(np.isin(copies, held)).tolist()
    few = np.repeat([0, 1, 2], 5)
    assert len(held_out_copies(X[few], few, 0.2, 5)) == 3  # Each class is copies of one row.


def test_folds_have_every_row_once_and_a_share_of_every_class():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 3
    folds = folds_of_copies(X, y, 5, 1)
    assert np.sort(np.concatenate(folds)).tolist() == list(range(60))
    assert all(np.bincount(y[fold]).tolist() == [4, 4, 4] for fold in folds)
    assert len(folds) == 5
    # Neither copies, nor precision, nor names of classes change the draw.
    copies = np.repeat(np.arange(60), rng.integers(1, 4, size=60))
    turned = np.array([2, 0, 1])[y]
    for other in (
        folds_of_copies(X.astype(np.float32), y, 5, 1),
        folds_of_copies(X, turned, 5, 1),
        [np.unique(copies[fold]) for fold in folds_of_copies(X[copies], y[copies], 5, 1)],
    ):
        assert [fold.tolist() for fold in other] == [fold.tolist() for fold in folds]
    few = folds_of_copies(X[:3], y[:3], 5, 1)
    assert np.sort(np.concatenate(few)).tolist() == [0, 1, 2] and len(few) >= 2
