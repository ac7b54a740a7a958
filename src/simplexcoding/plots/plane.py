"""The simplex code of three classes in the plane, and the parts every figure of it shares."""

from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.coding import SimplexCode

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Blue, vermilion and green of Okabe and Ito: distinct to colour-blind readers too.
CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73")


def legend_above(ax: "Axes", ncols: int = 3, **options: Any) -> None:
    """A legend above the axes: within them no corner is free on every figure."""
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=ncols, frameon=False, **options)


def import_pyplot() -> ModuleType:
    """Import matplotlib.pyplot, or say how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "Figures need matplotlib; install it with: pip install simplexcoding[plots]"
        ) from error
    return plt


def vertices() -> Floats:
    """Code vectors of three classes, (3, 2), turned so that class 0 points up.

    Any rotation of a code is a code; `points @ vertices().T` are the scores of points.

    Examples
    --------
    >>> vertices()[1:].round(2)
    array([[ 0.87, -0.5 ],
           [-0.87, -0.5 ]])
    """
    code = SimplexCode(3).codewords
    up = code[0]
    right = np.array([up[1], -up[0]])
    return code @ np.column_stack([right, up])


def grid(extent: float, size: int) -> tuple[Floats, Floats, Floats]:
    """Grid of the square [-extent, extent]^2: X and Y, (size, size), and scores (size^2, 3)."""
    line = np.linspace(-extent, extent, size)
    X, Y = np.meshgrid(line, line)
    return X, Y, np.column_stack([X.ravel(), Y.ravel()]) @ vertices().T


def draw_boundaries(ax: "Axes", extent: float) -> None:
    """Draw the three half-lines where two classes tie for the largest score."""
    for away in -vertices():
        ax.plot(*np.outer(away, [0, 2 * extent]), color="0.25", lw=1.0, ls=(0, (4, 3)), zorder=3)


def draw_hull(ax: "Axes") -> None:
    """Draw the triangle whose corners are the code vectors."""
    ax.fill(*vertices().T, fill=False, edgecolor="0.25", lw=1.2, zorder=3)


def draw_vertices(ax: "Axes", chosen: int | None = None, size: float = 60) -> None:
    """Draw the code vectors as named dots; where one is chosen the others are hollow."""
    for k, ((x, y), colour) in enumerate(zip(vertices(), CLASS_COLOURS, strict=True)):
        face = colour if chosen in (None, k) else "white"
        ax.scatter(x, y, s=size, color=face, edgecolors=colour, linewidths=1.6, zorder=6)
        ax.annotate(
            f"$c_{k}$",
            (x, y),
            xytext=(17 * x, 17 * y),
            textcoords="offset points",
            ha="center",
            va="center",
            zorder=7,
            bbox={"boxstyle": "round,pad=0.12", "fc": "white", "ec": "none", "alpha": 0.8},
        )


def frame(ax: "Axes", extent: float) -> None:
    """Give axes equal scales, the square [-extent, extent]^2 and no ticks."""
    ax.set(aspect="equal", xlim=(-extent, extent), ylim=(-extent, extent), xticks=[], yticks=[])
