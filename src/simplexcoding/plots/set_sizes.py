"""What coverage costs: the size of prediction sets."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.devices import as_numpy
from simplexcoding.fitted import model_and_rows, of_host
from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

_TARGETS = np.linspace(0.6, 0.99, 40)


class SetSizeDisplay:
    """Average size of prediction sets, and their coverage, against the coverage asked for.

    Parameters
    ----------
    target : (k,) array of coverages asked for
    size : (k,) array of average sizes
    coverage : (k,) array of observed coverages
    n_classes : int
        The size of the largest set that there can be.

    Attributes
    ----------
    ax_, coverage_ax_ : Axes
    figure_ : Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexRidgeClassifier
    >>> from simplexcoding.plots import SetSizeDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SimplexRidgeClassifier(kernel="linear").fit(X[::2], y[::2])
    >>> display = SetSizeDisplay.from_estimator(model, X[1::2], y[1::2])
    >>> display.ax_.get_ylabel()
    'average number of classes in a set'
    """

    ax_: "Axes"
    coverage_ax_: "Axes"
    figure_: "Figure | SubFigure"

    def __init__(self, target: Floats, size: Floats, coverage: Floats, n_classes: int) -> None:
        self.target = target
        self.size = size
        self.coverage = coverage
        self.n_classes = n_classes

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        targets: Any = None,
        class_conditional: bool = False,
        ax: "Axes | None" = None,
    ) -> "SetSizeDisplay":
        """Draw for rows that the estimator has not seen.

        Parameters
        ----------
        estimator : fitted estimator with `predict_set`, or a pipeline or search of one
        X : (n, p) array or frame of rows
        y : (n,) array of their labels
        targets : (k,) array, default=None
            Coverages to ask for; None takes 0.60, 0.61, ..., 0.99.
        class_conditional : bool, default=False
            Ask for the coverage within every class.
        ax : Axes, default=None
            Where to draw; None makes a figure.
        """
        model, rows = model_and_rows(estimator, X, "left_out_scores_")
        classes = of_host(model).classes_
        own = np.asarray(as_numpy(y))[:, None] == classes
        targets = _TARGETS if targets is None else targets
        sizes, hits = [], []
        for target in targets:
            sets = as_numpy(model.predict_set(rows, float(target), class_conditional))
            sizes.append(sets.sum(axis=1).mean())
            hits.append((sets & own).any(axis=1).mean())
        return cls(np.asarray(targets), np.array(sizes), np.array(hits), len(classes)).plot(ax=ax)

    def plot(self, *, ax: "Axes | None" = None) -> "SetSizeDisplay":
        """Draw the sizes, and the coverage on an axis of its own."""
        plt = import_pyplot()
        if ax is None:
            _, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
        blue, red, _ = CLASS_COLOURS
        ax.plot(self.target, self.size, color=blue, lw=1.8, label="average size")
        ax.set(xlabel="coverage asked for", ylabel="average number of classes in a set")
        ax.set_ylim(bottom=0.9, top=max(1.5, 1.05 * float(self.size.max())))
        ax.yaxis.label.set_color(blue)
        twin = ax.twinx()
        twin.plot(self.target, self.target, color="0.6", lw=1.0, ls="--", label="asked for")
        twin.plot(self.target, self.coverage, color=red, lw=1.4, ls="-.", label="coverage")
        twin.set_ylabel("share of new rows whose class is in the set", color=red)
        twin.set_ylim(min(float(self.target.min()), float(self.coverage.min())) - 0.02, 1.01)
        lines = [*ax.get_lines(), *reversed(twin.get_lines())]
        legend_above(twin, handles=lines)
        self.ax_, self.coverage_ax_, self.figure_ = ax, twin, ax.figure
        return self
