import matplotlib as mpl
import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, ConeHinge, HalfSpaceHinge, LeastSquares
from simplexcoding.plots import plot_level_sets
from simplexcoding.plots.plane import vertices

mpl.use("agg")


@pytest.fixture(autouse=True)
def close_figures():
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def test_one_panel_a_loss_and_one_colour_bar():
    axes = plot_level_sets(size=61)
    assert len(axes) == len(CATALOGUE) + 1
    assert len(axes[0].figure.axes) == len(axes) + 1
    assert len({ax.get_title() for ax in axes}) == len(axes)


def test_panels_share_their_levels():
    axes = plot_level_sets([LeastSquares(), ConeHinge()], size=61)
    first, second = (ax.collections[0].levels for ax in axes)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("y", [0, 1, 2])
def test_the_lines_of_least_squares_are_circles_about_the_true_vertex(y):
    (ax,) = plot_level_sets([LeastSquares()], y=y, size=201)
    lines = ax.collections[1]
    for level, path in zip(lines.levels, lines.get_paths(), strict=True):
        radius = np.linalg.norm(path.vertices - vertices()[y], axis=1)
        np.testing.assert_allclose(radius**2, level, atol=5e-3)


def test_outside_the_hull_is_hatched():
    inside, without = plot_level_sets([HalfSpaceHinge(), HalfSpaceHinge(hull=False)], size=61)
    assert inside.patch.get_hatch() and not without.patch.get_hatch()
    # No filled band leaves the triangle.
    points = np.concatenate([path.vertices for path in inside.collections[0].get_paths()])
    assert (points @ vertices().T).min() >= -0.5 - 1e-9


def test_draws_on_given_axes():
    import matplotlib.pyplot as plt

    _, given = plt.subplots(1, 2)
    assert plot_level_sets([LeastSquares(), ConeHinge()], axes=given, size=31) == list(given)


def test_what_does_not_fit_is_refused():
    import matplotlib.pyplot as plt

    with pytest.raises(ValueError, match="y must be 0, 1 or 2"):
        plot_level_sets(y=3)
    with pytest.raises(ValueError, match="axes must hold 2, one per loss; got 1"):
        plot_level_sets([LeastSquares(), ConeHinge()], axes=[plt.figure().add_subplot()])
