"""Left-out error and effective dimension along the regularisation path."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.fitted import final_model
from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from simplexcoding.selection.choice import RidgePath


class PathDisplay:
    """Score of left-out rows, and effective dimension, against alpha.

    Parameters
    ----------
    path : RidgePath
        Of a fitted SimplexRidgeClassifier, its `path_`.
    scoring : str
        What the score is called on its axis.

    Attributes
    ----------
    ax_, dimension_ax_ : Axes
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
    dimension_ax_: "Axes"
    figure_: "Figure | SubFigure"

    def __init__(self, path: "RidgePath", scoring: str) -> None:
        self.path = path
        self.scoring = scoring

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: "Axes | None" = None) -> "PathDisplay":
        """Draw the path of a fitted estimator, on axes of its own or the given ones.

        The estimator may be a pipeline or a search.
        """
        estimator = final_model(estimator, "path_")
        scoring = estimator.scoring or "accuracy"
        name = scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")
        return cls(estimator.path_, name).plot(ax=ax)

    def plot(self, *, ax: "Axes | None" = None) -> "PathDisplay":
        """Draw; the row of the chosen gamma."""
        plt = import_pyplot()
        if ax is None:
            _, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
        g, k = self.path.best
        alphas, score, exact = self.path.alphas[g], self.path.score[g], self.path.exact[g]
        blue, red, green = CLASS_COLOURS
        label, values = self._error(score)
        ax.semilogx(alphas, values, color=blue, lw=1.8, label=label)
        if not exact.all():
            ax.plot(alphas[exact], values[exact], "o", ms=5, color=blue, label="computed exactly")
        ax.axvline(alphas[k], color=red, lw=1.2, ls="--")
        ax.plot(
            alphas[k], values[k], "D", ms=7, color=red, label=f"chosen: alpha = {alphas[k]:.3g}"
        )
        ax.set(xlabel="alpha", ylabel=label)
        ax.yaxis.label.set_color(blue)
        twin = ax.twinx()
        dimension = self.path.effective_dimension[g]
        known = np.isfinite(dimension)
        style = ":" if known.all() else ":s"
        twin.semilogx(alphas[known], dimension[known], style, color=green, lw=1.2, ms=4)
        twin.set_ylabel("effective dimension", color=green)
        legend_above(ax)
        self.ax_, self.dimension_ax_, self.figure_ = ax, twin, ax.figure
        return self

    def _error(self, score: Any) -> tuple[str, Any]:
        """Accuracies are drawn as errors in per cent, negated losses as losses."""
        if self.scoring in ("accuracy", "balanced_accuracy"):
            return f"left-out {self.scoring.replace('accuracy', 'error')} (%)", 100 * (1 - score)
        if self.scoring.startswith("neg_"):
            return f"left-out {self.scoring[4:].replace('_', ' ')}", -score
        return f"left-out {self.scoring.replace('_', ' ')}", np.asarray(score)
