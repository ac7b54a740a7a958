"""Where labels are suspected to be wrong: pairs of classes, and how sure the model is."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from simplexcoding.estimators.audit import LabelAudit


class AuditDisplay:
    """Estimated errors of each pair of classes, beside the scores of the rows.

    Parameters
    ----------
    audit : LabelAudit
        Of `audit_labels`.
    n_classes : int, default=12
        At most so many classes are drawn, those with most errors.

    Attributes
    ----------
    ax_, scores_ax_ : Axes
    figure_ : Figure

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import audit_labels
    >>> from simplexcoding.plots import AuditDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> AuditDisplay.from_audit(audit_labels(X, y)).ax_.get_xlabel()
    'likely class'
    """

    ax_: "Axes"
    scores_ax_: "Axes"
    figure_: "Figure | SubFigure"

    def __init__(self, audit: "LabelAudit", n_classes: int = 12) -> None:
        self.audit = audit
        self.n_classes = n_classes

    @classmethod
    def from_audit(cls, audit: "LabelAudit", *, n_classes: int = 12) -> "AuditDisplay":
        """Draw an audit."""
        return cls(audit, n_classes).plot()

    @property
    def drawn(self) -> Any:
        """Indices of the classes in the heat map."""
        errors = self.audit.errors
        involved = errors.sum(axis=0) + errors.sum(axis=1)
        return np.sort(np.argsort(-involved, kind="stable")[: self.n_classes])

    def plot(self) -> "AuditDisplay":
        """Draw both parts side by side."""
        plt = import_pyplot()
        figure, (ax, scores_ax) = plt.subplots(
            1, 2, figsize=(10.4, 4.6), layout="constrained", width_ratios=[1.15, 1]
        )
        self._draw_pairs(figure, ax)
        self._draw_scores(scores_ax)
        self.ax_, self.scores_ax_, self.figure_ = ax, scores_ax, figure
        return self

    def _draw_pairs(self, figure: Any, ax: "Axes") -> None:
        drawn = self.drawn
        errors = self.audit.errors[np.ix_(drawn, drawn)]
        names = [str(label) for label in self.audit.classes[drawn]]
        image = ax.imshow(np.where(errors > 0, errors, np.nan), cmap="Blues", vmin=0)
        for a, b in zip(*np.nonzero(errors >= 0.5), strict=True):
            dark = errors[a, b] > 0.6 * errors.max()
            colour = "white" if dark else "black"
            ax.text(b, a, f"{errors[a, b]:.0f}", ha="center", va="center", color=colour, size=8)
        long = max(map(len, names)) > 3
        ax.set_xticks(
            range(len(drawn)), names, rotation=45 if long else 0, ha="right" if long else "center"
        )
        ax.set_yticks(range(len(drawn)), names)
        part = "" if len(drawn) == len(self.audit.classes) else f", {len(drawn)} classes with most"
        ax.set(xlabel="likely class", ylabel="given class", title=f"estimated wrong labels{part}")
        figure.colorbar(image, ax=ax, shrink=0.8)

    def _draw_scores(self, ax: "Axes") -> None:
        blue, red, _ = CLASS_COLOURS
        p, k = self.audit.given_probability, self.audit.n_contradicted
        bins = np.linspace(0, 1, 31).tolist()
        for part, colour, name in ((p[k:], blue, "agreed with"), (p[:k], red, "contradicted")):
            label = f"{name} ({len(part)})"
            ax.hist(part, bins=bins, histtype="stepfilled", color=colour, alpha=0.8, label=label)
        ax.set_yscale("log")
        ax.set_ylim(bottom=0.8)
        ax.set(
            xlabel="left-out probability of the given label",
            ylabel="rows",
            title=f"about {self.audit.n_errors:.0f} of {len(p)} estimated wrong",
            xlim=(0, 1),
        )
        ax.legend(loc="upper center", frameon=True, framealpha=0.9)
