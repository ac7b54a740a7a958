"""Hold-out accuracy of a support vector machine against C."""

from typing import TYPE_CHECKING, Any

from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from simplexcoding.selection.path import Path


class HoldoutPathDisplay:
    """Accuracy on the held-out rows along a list of C.

    Parameters
    ----------
    path : Path
        Of a SimplexSVC fitted with a list of C, its `path_`.

    Attributes
    ----------
    ax_ : Axes
    figure_ : Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexSVC
    >>> from simplexcoding.plots.svc_path import HoldoutPathDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> display = HoldoutPathDisplay.from_estimator(SimplexSVC(C=[0.1, 1.0]).fit(X, y))
    >>> display.ax_.get_xlabel()
    'C'
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"

    def __init__(self, path: "Path") -> None:
        self.path = path

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: "Axes | None" = None) -> "HoldoutPathDisplay":
        """Draw the path of a fitted estimator.

        Parameters
        ----------
        estimator : fitted estimator with a path by held-out rows
        ax : Axes, default=None
            Where to draw; None makes a figure.
        """
        if getattr(estimator, "path_", None) is None:
            raise ValueError(
                f'{type(estimator).__name__} has no path_: fit it with C="auto" or a list.'
            )
        return cls(estimator.path_).plot(ax=ax)

    def plot(self, *, ax: "Axes | None" = None) -> "HoldoutPathDisplay":
        """Draw the scores and mark the chosen C."""
        if ax is None:
            _, ax = import_pyplot().subplots(figsize=(6.4, 4.0), layout="constrained")
        best, exact = self.path.best, self.path.exact
        blue, red, _ = CLASS_COLOURS
        ax.semilogx(self.path.C, self.path.score, "o-", color=blue, lw=1.8, ms=5)
        if not exact.all():
            places = self.path.C[~exact], self.path.score[~exact]
            ax.plot(*places, "o", color=blue, mfc="white", ms=5, label="on landmarks")
        chosen = f"chosen: C = {self.path.C[best]:.3g}"
        ax.plot(self.path.C[best], self.path.score[best], "D", ms=7, color=red, label=chosen)
        ax.set(xlabel="C", ylabel="accuracy on held-out rows")
        ax.legend(loc="best")
        self.ax_, self.figure_ = ax, ax.figure
        return self
