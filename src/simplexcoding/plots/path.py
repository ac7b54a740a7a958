"""Left-out error and effective dimension along the regularisation path."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.fitted import final_model
from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from simplexcoding.selection.path import Path


# Paths of fewer values are drawn with a mark at each.
_FEWEST_VALUES_WITHOUT_MARKS = 20


class PathDisplay:
    """Score of rows that a fit has not seen, and effective dimension, along its parameter.

    Parameters
    ----------
    path : Path
        Of a fitted estimator, its `path_`.
    scoring : str
        What the score is called on its axis.

    Attributes
    ----------
    ax_ : Axes
    dimension_ax_ : Axes or None, where no effective dimension is known
    figure_ : Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexRidgeClassifier
    >>> from simplexcoding.plots import PathDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> display = PathDisplay.from_estimator(SimplexRidgeClassifier("rbf").fit(X, y))
    >>> display.ax_.get_xlabel()
    'alpha'
    """

    ax_: "Axes"
    dimension_ax_: "Axes | None"
    figure_: "Figure | SubFigure"

    def __init__(self, path: "Path", scoring: str) -> None:
        self.path = path
        self.scoring = scoring

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: "Axes | None" = None) -> "PathDisplay":
        """Draw the path of a fitted estimator.

        Parameters
        ----------
        estimator : fitted estimator with a path, or a pipeline or search of one
        ax : Axes, default=None
            Where to draw; None makes a figure.
        """
        estimator = final_model(estimator, "path_")
        if estimator.path_ is None:
            raise ValueError(f"{type(estimator).__name__} has no path: fit it with several values.")
        return cls(estimator.path_, estimator._score_name).plot(ax=ax)

    def plot(self, *, ax: "Axes | None" = None) -> "PathDisplay":
        """Draw; of several gammas the chosen one."""
        plt = import_pyplot()
        if ax is None:
            _, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
        path = self.path.chosen
        at, exact, k = path.values, path.exact, path.best
        blue, red, _ = CLASS_COLOURS
        label, values = as_error(self.scoring, path.score)
        ax.semilogx(at, values, color=blue, lw=1.8, label=label)
        if not exact.all() or len(at) < _FEWEST_VALUES_WITHOUT_MARKS:
            ax.plot(at[exact], values[exact], "o", ms=5, color=blue, label="computed exactly")
        ax.axvline(at[k], color=red, lw=1.2, ls="--")
        chosen = f"chosen: {path.parameter} = {at[k]:.3g}"
        ax.plot(at[k], values[k], "D", ms=7, color=red, label=chosen)
        ax.set(xlabel=path.parameter, ylabel=label)
        ax.yaxis.label.set_color(blue)
        self.dimension_ax_ = self._draw_dimension(ax, path)
        legend_above(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_dimension(self, ax: "Axes", path: "Path") -> "Axes | None":
        """The effective dimension, on an axis of its own, where it is known."""
        known = np.isfinite(path.effective_dimension)
        if not known.any():
            return None
        green = CLASS_COLOURS[2]
        twin = ax.twinx()
        style = ":" if known.all() else ":s"
        dimension = path.effective_dimension[known]
        twin.semilogx(path.values[known], dimension, style, color=green, lw=1.2, ms=4)
        twin.set_ylabel("effective dimension", color=green)
        return twin


def as_error(scoring: str, score: Any) -> tuple[str, Any]:
    """A label and values to draw: accuracies as errors in per cent, negated losses as losses."""
    if scoring in ("accuracy", "balanced_accuracy"):
        return f"left-out {scoring.replace('accuracy', 'error')} (%)", 100 * (1 - score)
    if scoring.startswith("neg_"):
        return f"left-out {scoring[4:].replace('_', ' ')}", -score
    return f"left-out {scoring.replace('_', ' ')}", np.asarray(score)
