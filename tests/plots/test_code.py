import matplotlib as mpl
import numpy as np
import pytest

from simplexcoding.plots import plot_code
from simplexcoding.plots.plane import vertices

mpl.use("agg")


@pytest.fixture
def ax():
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots()
    yield ax
    plt.close(figure)


@pytest.mark.parametrize(
    ("point", "decoded"), [((0.1, 0.9), 0), ((0.95, 0.2), 1), ((-0.2, -0.9), 2)]
)
def test_the_arrow_goes_from_the_point_to_the_vertex_it_decodes_to(ax, point, decoded):
    assert plot_code(ax, point=point) is ax
    (arrow,) = [text for text in ax.texts if getattr(text, "arrow_patch", None) is not None]
    np.testing.assert_allclose(arrow.xyann, point)
    np.testing.assert_allclose(arrow.xy, vertices()[decoded])


def test_names_vertices_and_regions_and_draws_three_boundaries(ax):
    plot_code(ax, point=None)
    words = {text.get_text() for text in ax.texts}
    assert words == {f"$c_{k}$" for k in range(3)} | {f"class {k}" for k in range(3)}
    assert len(ax.lines) == 3
    for line, vertex in zip(ax.lines, vertices(), strict=True):
        # On its boundary the class opposite has the lowest score and the others tie.
        end = vertices() @ line.get_xydata()[-1]
        assert end.min() == pytest.approx(vertex @ line.get_xydata()[-1])
        assert np.sort(end)[1] == pytest.approx(end.max())


def test_makes_its_own_figure():
    import matplotlib.pyplot as plt

    ax = plot_code()
    assert ax.get_aspect() == 1
    plt.close(ax.figure)


def test_a_point_out_of_the_plane_is_refused(ax):
    with pytest.raises(ValueError, match=r"point must have shape \(2,\), got \(3,\)"):
        plot_code(ax, point=[1.0, 2.0, 3.0])
