"""Figures of the report, each a PNG image inside a data address."""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from io import BytesIO
from itertools import cycle
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.experiments.methods import METHODS
from simplexcoding.plots.level_sets import plot_level_sets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 4
_MARKERS = "osD^vPX"


def drawn_from(data: Any) -> dict[str, str]:
    """Metadata of a PNG file: a hash of the plain data that the figure shows."""
    return {"Description": f"drawn from {hashlib.sha256(repr(data).encode()).hexdigest()[:16]}"}


def encoded(figure: "Figure", dpi: int = 110, metadata: dict[str, str] | None = None) -> str:
    """The figure as an address that needs no file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    # Drawn without a display, whatever backend is set.
    FigureCanvasAgg(figure)
    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=dpi, metadata=metadata)
    return "data:image/png;base64," + b64encode(stream.getvalue()).decode()


def _panels(count: int, width: float = 3.4, height: float = 2.7) -> "tuple[Figure, list[Axes]]":
    from matplotlib.figure import Figure

    columns = min(count, _COLUMNS)
    rows = ceil(count / columns)
    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    return figure, [figure.add_subplot(rows, columns, i + 1) for i in range(count)]


def level_sets() -> str:
    """Level sets of every loss over the plane of three classes."""
    figure = plot_level_sets(size=151)[0].get_figure(root=True)
    if figure is None:
        raise ValueError("axes must belong to a figure.")
    return encoded(figure)


def paths(rows: Sequence[dict[str, Any]]) -> str | None:
    """The curves behind the choices, one panel a method; None without any."""
    rows = [row for row in rows if row.get("curve")]
    if not rows:
        return None
    figure, panels = _panels(len(rows))
    for ax, row in zip(panels, rows, strict=True):
        curve = row["curve"]
        ax.plot(curve["x"], curve["y"], color="#0072B2", lw=1.6)
        if curve["x_label"] != "rounds":
            best = int(np.argmax(curve["y"]))
            ax.plot(curve["x"][best], curve["y"][best], "o", color="#D55E00")
            ax.set_xscale("log")
        ax.set(xlabel=curve["x_label"], ylabel=curve["y_label"])
        ax.set_title(METHODS[row["method"]].title, fontsize=10)
        ax.grid(alpha=0.3)
    return encoded(figure)


def confusions(rows: Sequence[dict[str, Any]]) -> str | None:
    """Confusion matrices, in shares of each true class; None without any."""
    rows = [row for row in rows if row.get("confusion")]
    if not rows:
        return None
    figure, panels = _panels(len(rows), 3.2, 3.2)
    for ax, row in zip(panels, rows, strict=True):
        counts = np.array(row["confusion"], dtype=np.float64)
        shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
        # The root shows the rare errors that are the point of the figure.
        ax.imshow(np.sqrt(shares), cmap="Blues", vmin=0, vmax=1, interpolation="nearest")
        ax.set(xlabel="predicted", ylabel="true")
        ax.locator_params(integer=True)
        ax.set_title(f"{METHODS[row['method']].title}: {row['accuracy']:.1f} %", fontsize=10)
    return encoded(figure)


def timings(rows: Sequence[dict[str, Any]]) -> str | None:
    """Seconds of the fits, the search for parameters included; None without any."""
    rows = [row for row in rows if "fit_seconds" in row]
    if not rows:
        return None
    methods = [key for key in METHODS if any(row["method"] == key for row in rows)]
    datasets = list(dict.fromkeys(row["dataset"] for row in rows))
    figure, (ax,) = _panels(1, 7.0, 1.2 + 0.34 * len(methods))
    for marker, name in zip(cycle(_MARKERS), datasets, strict=False):
        points = [
            (row["fit_seconds"], methods.index(row["method"]))
            for row in rows
            if row["dataset"] == name
        ]
        ax.plot(*zip(*points, strict=True), marker, label=name, alpha=0.8)
    ax.set(xscale="log", xlabel="seconds")
    ax.set_yticks(range(len(methods)), [METHODS[key].title for key in methods])
    ax.invert_yaxis()
    ax.grid(alpha=0.3)
    ax.legend(fontsize=8)
    return encoded(figure)


def complexity(series: Sequence[dict[str, Any]]) -> str | None:
    """Seconds against n and against T, in logarithms; None without any."""
    if not series:
        return None
    figure, panels = _panels(2, 4.6, 4.9)
    for ax, axis, words in zip(panels, "nT", ("rows n", "classes T"), strict=True):
        mine = [each for each in series if each["axis"] == axis]
        for marker, each in zip(cycle(_MARKERS), mine, strict=False):
            slope = round(each["slope"], 1) + 0.0  # No minus before a zero.
            label = f"{each['title']}: {slope:.1f} ({each['order']})"
            ax.plot(each["values"], each["seconds"], marker=marker, label=label, lw=1.4)
        ax.set(xscale="log", yscale="log", xlabel=words, ylabel="seconds")
        if mine:
            ax.set_xticks(mine[0]["values"], [f"{value:,}" for value in mine[0]["values"]])
            ax.set_xticks([], minor=True)
        below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.14)}
        ax.legend(
            fontsize=6,
            title="fitted slope (order of the operation count)",
            title_fontsize=7,
            ncols=2,
            **below,
        )
        ax.grid(alpha=0.3, which="both")
    return encoded(figure, metadata=drawn_from(list(series)))
