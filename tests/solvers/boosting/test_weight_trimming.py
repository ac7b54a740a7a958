import numpy as np

from simplexcoding.solvers.boosting.weight_trimming import heavy_rows


def test_rows_of_least_curvature_go_up_to_their_share():
    rng = np.random.default_rng(0)
    curvature = rng.random(2000) ** 6
    weights = np.ones(2000)
    for share in (0.0, 0.01, 0.1, 0.5):
        kept = heavy_rows(curvature, weights, share)
        gone = np.setdiff1d(np.arange(2000), kept)
        lost = curvature[gone].sum() / curvature.sum()
        assert lost <= share
        # A level is a quarter of a power of two: the cut is no coarser than that.
        finer = np.sort(curvature)
        ideal = np.count_nonzero(np.cumsum(finer) <= share * finer.sum())
        least = curvature[kept].min()
        assert np.count_nonzero(curvature < least / 1.25) <= ideal
        assert not len(gone) or curvature[gone].max() <= least
    assert len(heavy_rows(curvature, weights, 0.1)) < 1200


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(1)
    curvature, w = rng.random(300) ** 4, rng.integers(1, 4, size=300)
    kept = heavy_rows(curvature * w, w.astype(float), 0.1)
    repeated = np.repeat(np.arange(300), w)
    again = heavy_rows(curvature[repeated], np.ones(len(repeated)), 0.1)
    assert np.array_equal(np.unique(repeated[again]), kept)


def test_rows_without_any_curvature_go_first_and_some_always_stay():
    mass = np.r_[np.zeros(5), 0.5, np.zeros(4)]
    assert heavy_rows(mass, np.ones(10), 0.1).tolist() == [5]
    assert len(heavy_rows(np.zeros(4), np.ones(4), 0.1)) >= 1
