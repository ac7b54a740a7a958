"""Kernels, widths and scalings that were tried, by their left-out score."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.fitted import final_model
from simplexcoding.plots.path import as_error
from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from simplexcoding.selection.candidates import Candidates

_MARKS = ("o", "s", "^")


class CandidatesDisplay:
    """Left-out score of every candidate, the chosen one on top.

    Only candidates near the best were judged on the larger samples; a mark and a colour say
    which sample a score is of, since scores of different samples do not compare.

    Parameters
    ----------
    candidates : Candidates
        Of a fitted estimator, its `candidates_`.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from simplexcoding import SimplexRidgeClassifier
    >>> from simplexcoding.plots import CandidatesDisplay
    >>> X, y = load_wine(return_X_y=True)
    >>> display = CandidatesDisplay.from_estimator(SimplexRidgeClassifier().fit(X, y))
    >>> display.ax_.get_xlabel()
    'left-out log loss'
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"

    def __init__(self, candidates: "Candidates") -> None:
        self.candidates = candidates

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: "Axes | None" = None) -> "CandidatesDisplay":
        """Draw what a fitted estimator has tried.

        Parameters
        ----------
        estimator : fitted SimplexRidgeClassifier, or a pipeline or search of one
        ax : Axes, default=None
            Where to draw; None makes a figure.
        """
        estimator = final_model(estimator, "candidates_")
        if estimator.candidates_ is None:
            raise ValueError(
                f"{type(estimator).__name__} has no candidates: nothing was chosen; fit it "
                'with kernel="auto", gamma="auto" or scaling="auto".'
            )
        return cls(estimator.candidates_).plot(ax=ax)

    def plot(self, *, ax: "Axes | None" = None) -> "CandidatesDisplay":
        """Draw one row for each candidate."""
        plt = import_pyplot()
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        found, order = self.candidates, self.candidates.order()
        if ax is None:
            size = (6.4, 1.4 + 0.27 * len(found))
            _, ax = plt.subplots(figsize=size, layout="constrained")
        label, values = as_error(found.scoring, found.score)
        places = np.arange(len(found))
        samples = sorted({(found.rows[k], found.landmarks[k]) for k in order}, reverse=True)
        for sample, mark, colour in zip(samples, _MARKS, CLASS_COLOURS, strict=False):
            rows, landmarks = sample
            here = (found.rows[order] == rows) & (found.landmarks[order] == landmarks)
            told = f"{rows:,} rows" + (f", {landmarks:,} landmarks" if landmarks else "")
            ax.plot(values[order][here], places[here], mark, ms=6, color=colour, label=told)
        ax.hlines(places, 0, 1, transform=ax.get_yaxis_transform(), color="0.9", lw=0.8, zorder=0)
        ax.set_yticks(places, [found.label(k) for k in order])
        ax.get_yticklabels()[0].set_fontweight("bold")
        ax.invert_yaxis()
        if values.min() > 0 and values.max() > 5 * values.min():
            ax.set_xscale("log")
            ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set(xlabel=label)
        legend_above(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self
