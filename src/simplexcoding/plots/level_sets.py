"""Level sets of the losses over the plane of three classes."""

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.losses.catalogue import CATALOGUE
from simplexcoding.losses.half_space import HalfSpaceHinge
from simplexcoding.losses.loss import Loss
from simplexcoding.plots.plane import (
    draw_boundaries,
    draw_hull,
    draw_vertices,
    frame,
    grid,
    import_pyplot,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.contour import QuadContourSet

_EXTENT = 1.75
_LEVELS = np.arange(0.0, 4.01, 0.5)
_COLUMNS = 4


def plot_level_sets(
    losses: Sequence[Loss] | None = None,
    axes: "Sequence[Axes] | None" = None,
    y: int = 0,
    size: int = 301,
) -> "list[Axes]":
    """Draw the level sets of V(., y) for each loss over the plane of three classes.

    All panels share one colour scale. Where a loss is infinite (the half-space hinge
    outside the hull) the plane is hatched.

    Parameters
    ----------
    losses : sequence of Loss, default=None
        None is every loss of the catalogue and half_space without its hull.
    axes : sequence of Axes, default=None
        One per loss; None makes a new figure.
    y : int, default=0
        The true class, whose vertex is the filled one.
    size : int, default=301
        Points along each side of the grid.

    Returns
    -------
    list of Axes

    Examples
    --------
    >>> from simplexcoding.losses import ConeHinge, LeastSquares
    >>> from simplexcoding.plots import plot_level_sets
    >>> axes = plot_level_sets([LeastSquares(), ConeHinge()], size=51)
    >>> [ax.get_title() for ax in axes]
    ['least squares', 'cone']
    """
    if y not in (0, 1, 2):
        raise ValueError(f"y must be 0, 1 or 2, a class of three; got {y!r}.")
    losses = _every_loss() if losses is None else list(losses)
    panels = _new_panels(len(losses)) if axes is None else list(np.ravel(np.asarray(axes)))
    if len(panels) != len(losses):
        raise ValueError(f"axes must hold {len(losses)}, one per loss; got {len(panels)}.")
    filled = [_draw_panel(ax, loss, y, size) for ax, loss in zip(panels, losses, strict=True)]
    bar = panels[0].figure.colorbar(filled[0], ax=panels, shrink=0.9, aspect=28, pad=0.02)
    bar.set_label(f"$V(f, {y})$")
    return panels


def _every_loss() -> list[Loss]:
    losses: list[Loss] = [make() for make in CATALOGUE.values()]
    return [*losses[:3], HalfSpaceHinge(hull=False), *losses[3:]]


def _new_panels(count: int) -> "list[Axes]":
    columns = min(count, _COLUMNS)
    rows = ceil(count / columns)
    figure = import_pyplot().figure(figsize=(2.6 * columns + 0.9, 2.9 * rows), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.08, w_pad=0.06)
    return [figure.add_subplot(rows, columns, i + 1) for i in range(count)]


def _draw_panel(ax: "Axes", loss: Loss, y: int, size: int) -> "QuadContourSet":
    X, Y, S = grid(_EXTENT, size)
    V: Floats = loss.value(S, np.full(len(S), y)).reshape(X.shape)
    outside = ~np.isfinite(V)
    V = np.ma.masked_where(outside, V)
    filled = ax.contourf(X, Y, V, levels=_LEVELS, colors=_colours(), extend="max")
    ax.contour(X, Y, V, levels=_LEVELS[1:], colors="0.35", linewidths=0.6)
    if outside.any():
        ax.set_facecolor("0.93")
        ax.patch.set(hatch="////", edgecolor="0.78")
    draw_hull(ax)
    draw_boundaries(ax, _EXTENT)
    draw_vertices(ax, chosen=y, size=40)
    frame(ax, _EXTENT)
    ax.set_title(loss.title, fontsize=11)
    return filled


def _colours() -> list[tuple[float, ...]]:
    """One colour a band; the darkest third of the map is left out, lines stay visible."""
    shades = import_pyplot().get_cmap("YlGnBu")(np.linspace(0.0, 0.68, len(_LEVELS)))
    return [tuple(shade) for shade in shades]
