"""How often predictions of a stated confidence are right."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.devices import as_numpy
from simplexcoding.fitted import final_model, of_host
from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot, legend_above

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure


class ReliabilityDisplay:
    """Accuracy against confidence, in bins that hold equally many rows.

    Parameters
    ----------
    confidence : (k,) array
        Mean of the largest probability in each bin.
    accuracy : (k,) array
        Share of right predictions in each bin.
    counts : (k,) array
        Number of rows in each bin.
    name : str, default="left-out rows"
        What the legend calls the rows.

    Attributes
    ----------
    calibration_error : float
        sum_b (n_b/n) |accuracy_b - confidence_b|
    ax_ : Axes
    figure_ : Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexRidgeClassifier
    >>> from simplexcoding.plots import ReliabilityDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> display = ReliabilityDisplay.from_left_out(SimplexRidgeClassifier("rbf").fit(X, y), y)
    >>> display.calibration_error < 0.05
    True
    """

    ax_: "Axes"
    figure_: "Figure | SubFigure"

    def __init__(
        self, confidence: Floats, accuracy: Floats, counts: Indices, name: str = "left-out rows"
    ) -> None:
        self.confidence = confidence
        self.accuracy = accuracy
        self.counts = counts
        self.name = name

    @property
    def calibration_error(self) -> float:
        gaps = np.abs(self.accuracy - self.confidence)
        return float(np.average(gaps, weights=self.counts))

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, n_bins: int = 10, ax: "Axes | None" = None
    ) -> "ReliabilityDisplay":
        """Draw for rows that the estimator has not seen.

        Parameters
        ----------
        estimator : any fitted classifier with `predict_proba`, pipelines and searches too
        X : (n, p) array or frame of rows
        y : (n,) array of their labels
        n_bins : int, default=10
            Bins of the probability, with equally many rows.
        ax : Axes, default=None
            Where to draw; None makes a figure.
        """
        probabilities = as_numpy(estimator.predict_proba(X))
        y, classes = as_numpy(y), as_numpy(estimator.classes_)
        return cls.from_predictions(
            y, probabilities, classes=classes, n_bins=n_bins, name="new rows", ax=ax
        )

    @classmethod
    def from_left_out(
        cls, estimator: Any, y: Any, *, n_bins: int = 10, ax: "Axes | None" = None
    ) -> "ReliabilityDisplay":
        """Draw for the rows that the estimator was fitted to, each left out, and their labels y.

        Probabilities are those of the estimator's own calibration. The estimator may be a
        pipeline or a search; rows that no fold left out are not drawn.

        Parameters
        ----------
        estimator : fitted estimator with left-out scores, or a pipeline or search of one
        y : (n,) array of the labels it was fitted to
        n_bins : int, default=10
            Bins of the probability, with equally many rows.
        ax : Axes, default=None
            Where to draw; None makes a figure.
        """
        model = of_host(final_model(estimator, "left_out_scores_"))
        scores, y = model.left_out_scores_, as_numpy(y)
        if len(y) != len(scores):
            raise ValueError(
                f"y must hold the {len(scores)} labels that the estimator was fitted "
                f"to, got {len(y)}."
            )
        judged = ~np.isnan(scores[:, 0])
        probabilities = model.calibration_.probabilities(scores[judged])
        return cls.from_predictions(
            np.asarray(y)[judged], probabilities, classes=model.classes_, n_bins=n_bins, ax=ax
        )

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        probabilities: Any,
        *,
        classes: Any = None,
        n_bins: int = 10,
        name: str = "left-out rows",
        ax: "Axes | None" = None,
    ) -> "ReliabilityDisplay":
        """Draw for labels (n,) and probabilities (n, T).

        Columns are in the order of `classes`; without them labels are the numbers of columns,
        or, where they are not, of every class at least one row is there and their sorted
        order is taken.

        Parameters
        ----------
        y : (n,) array of labels
        probabilities : (n, T) array
            Of each class in each row, by whatever model.
        classes : (T,) array of labels, default=None
            The order of the columns.
        n_bins : int, default=10
            Bins of the probability, with equally many rows.
        name : str, default="left-out rows"
            What the legend calls the rows.
        ax : Axes, default=None
            Where to draw; None makes a figure.
        """
        y, probabilities = np.asarray(y), np.asarray(probabilities)
        if len(y) != len(probabilities):
            raise ValueError(
                f"y must have one label for each of the {len(probabilities)} rows of "
                f"probabilities, got {len(y)}."
            )
        confidence = probabilities.max(axis=1)
        right = probabilities.argmax(axis=1) == _columns(y, classes, probabilities.shape[1])
        parts = np.array_split(np.argsort(confidence, kind="stable"), min(n_bins, len(y)))
        display = cls(
            np.array([confidence[part].mean() for part in parts]),
            np.array([right[part].mean() for part in parts]),
            np.array([len(part) for part in parts]),
            name,
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: "Axes | None" = None) -> "ReliabilityDisplay":
        """Draw the diagonal, and each bin with two standard errors of its accuracy."""
        plt = import_pyplot()
        if ax is None:
            _, ax = plt.subplots(figsize=(4.8, 4.6), layout="constrained")
        blue = CLASS_COLOURS[0]
        # Of a rate with one success and one failure added: never zero.
        rate = (self.accuracy * self.counts + 1) / (self.counts + 2)
        spread = 2 * np.sqrt(rate * (1 - rate) / (self.counts + 2))
        below, above = np.minimum(spread, [self.accuracy, 1 - self.accuracy])
        ax.plot([0, 1], [0, 1], color="0.5", lw=1.0, ls="--", label="stated = observed")
        ax.errorbar(
            self.confidence,
            self.accuracy,
            yerr=[below.tolist(), above.tolist()],  # Older matplotlib warns of an array of one bin.
            fmt="o-",
            ms=5,
            lw=1.5,
            elinewidth=1.0,
            capsize=2,
            color=blue,
            label=f"{self.name}, calibration error {self.calibration_error:.3f}",
        )
        low = max(0.0, min(self.confidence.min(), (self.accuracy - below).min()) - 0.04)
        ax.set(
            xlabel="stated: mean largest probability",
            ylabel="observed: share of right predictions",
            xlim=(low, 1.02),
            ylim=(low, 1.02),
            aspect="equal",
        )
        ax.grid(color="0.92", lw=0.8)
        ax.set_axisbelow(True)
        legend_above(ax, ncols=1)  # In one line it is wider than axes of equal sides.
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _columns(y: Any, classes: Any, n_columns: int) -> Any:
    """Column of each label."""
    if classes is None:
        if y.dtype.kind in "iu" and len(y) and y.min() >= 0 and y.max() < n_columns:
            return y
        classes = np.unique(y)
    classes = np.asarray(classes)
    if len(classes) != n_columns:
        raise ValueError(
            f"classes must name the {n_columns} columns of probabilities, got {len(classes)}; "
            "give classes=model.classes_."
        )
    own = y[:, None] == classes
    if not own.any(axis=1).all():
        raise ValueError(
            f"y must hold labels of the classes, got {y[~own.any(axis=1)][0]!r}, which is none "
            "of them."
        )
    return own.argmax(axis=1)
