"""The simplex code of three classes and its decision regions."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats
from simplexcoding.plots.plane import (
    CLASS_COLOURS,
    draw_boundaries,
    draw_hull,
    draw_vertices,
    frame,
    grid,
    import_pyplot,
    vertices,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EXTENT = 1.45


def plot_code(ax: "Axes | None" = None, point: ArrayLike | None = (0.95, 0.2)) -> "Axes":
    """Draw the code of three classes: vertices, hull, decision regions, a decoded point.

    A point f of the plane is given the class of its largest score <c_k, f>, which is that
    of the nearest vertex; dashed lines part the classes.

    Parameters
    ----------
    ax : Axes, default=None
        Drawn on; None makes a new figure.
    point : (2,) array or None, default=(0.95, 0.2)
        Drawn with an arrow to the vertex it decodes to. Class 0 is at (0, 1).

    Returns
    -------
    Axes

    Examples
    --------
    >>> from simplexcoding.plots import plot_code
    >>> plot_code().get_title()
    'Simplex code for three classes'
    """
    plt = import_pyplot()
    if ax is None:
        figure = plt.figure(figsize=(4.6, 4.8), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.08, w_pad=0.06)
        ax = figure.add_subplot()
    _draw_regions(ax)
    draw_hull(ax)
    draw_boundaries(ax, _EXTENT)
    draw_vertices(ax, size=80)
    if point is not None:
        _draw_decoding(ax, np.asarray(point, dtype=np.float64))
    frame(ax, _EXTENT)
    ax.set_title("Simplex code for three classes")
    return ax


def _draw_regions(ax: "Axes") -> None:
    X, Y, S = grid(_EXTENT, 400)
    region = S.argmax(axis=1).reshape(X.shape)
    ax.contourf(X, Y, region, levels=[-0.5, 0.5, 1.5, 2.5], colors=CLASS_COLOURS, alpha=0.16)
    for k, (x, y) in enumerate(0.52 * vertices()):
        ax.text(x, y + 0.03, f"class {k}", ha="center", va="center", color=CLASS_COLOURS[k])


def _draw_decoding(ax: "Axes", point: Floats) -> None:
    if point.shape != (2,):
        raise ValueError(f"point must have shape (2,), got {point.shape}.")
    x, y = point
    to_x, to_y = vertices()[(vertices() @ point).argmax()]
    arrow = {"arrowstyle": "-|>", "color": "black", "lw": 1.2, "shrinkA": 6, "shrinkB": 7}
    ax.scatter(x, y, s=55, marker="X", color="black", zorder=6)
    ax.annotate("", (to_x, to_y), xytext=(x, y), arrowprops=arrow, zorder=5)
    ax.annotate("$f(x)$", (x, y), xytext=(0, 9), textcoords="offset points", ha="center")
