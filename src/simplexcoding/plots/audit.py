"""Where labels are suspected to be wrong: pairs of classes, and how sure the model is."""

from collections.abc import Sequence
from os.path import commonprefix
from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.plots.plane import CLASS_COLOURS, import_pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from simplexcoding.inference.label_audit import LabelAudit


class AuditDisplay:
    """Estimated errors of pairs of classes, beside the scores of the rows.

    Few classes are drawn as a map of all pairs; of many, the most confused pairs are listed.

    Parameters
    ----------
    audit : LabelAudit
        Of `audit_labels`.
    n_classes : int, default=12
        Largest number of classes that are drawn as a map.
    n_pairs : int, default=15
        Pairs that are listed where the classes are more.

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

    def __init__(self, audit: "LabelAudit", n_classes: int = 12, n_pairs: int = 15) -> None:
        self.audit = audit
        self.n_classes = n_classes
        self.n_pairs = n_pairs

    @classmethod
    def from_audit(
        cls, audit: "LabelAudit", *, n_classes: int = 12, n_pairs: int = 15
    ) -> "AuditDisplay":
        """Draw an audit.

        Parameters
        ----------
        audit : LabelAudit
            What `audit_labels` returns.
        n_classes : int, default=12
            Up to so many classes are drawn as a matrix; of more, pairs.
        n_pairs : int, default=15
            The most confused pairs to draw.
        """
        if not hasattr(audit, "suspects"):
            given = type(audit).__name__
            raise TypeError(f"audit must be what audit_labels returns, got a {given}.")
        return cls(audit, n_classes, n_pairs).plot()

    def plot(self) -> "AuditDisplay":
        """Draw both parts side by side."""
        plt = import_pyplot()
        figure, (ax, scores_ax) = plt.subplots(
            1, 2, figsize=(10.4, 4.6), layout="constrained", width_ratios=[1.15, 1]
        )
        if len(self.audit.classes) <= self.n_classes:
            self._draw_map(figure, ax)
        else:
            self._draw_pairs(ax)
        self._draw_scores(scores_ax)
        self.ax_, self.scores_ax_, self.figure_ = ax, scores_ax, figure
        return self

    def _draw_map(self, figure: Any, ax: "Axes") -> None:
        errors = self.audit.errors
        names = short_names([str(label) for label in self.audit.classes], 20)
        # At least to one, so that a map without errors has a scale.
        most = max(1.0, errors.max())
        image = ax.imshow(np.where(errors > 0, errors, np.nan), cmap="Blues", vmin=0, vmax=most)
        for a, b in zip(*np.nonzero(errors >= 0.5), strict=True):
            dark = errors[a, b] > 0.6 * errors.max()
            colour = "white" if dark else "black"
            ax.text(b, a, f"{errors[a, b]:.0f}", ha="center", va="center", color=colour, size=8)
        long = max(map(len, names)) > 3
        ax.set_xticks(
            range(len(names)), names, rotation=45 if long else 0, ha="right" if long else "center"
        )
        ax.set_yticks(range(len(names)), names)
        ax.set(xlabel="likely class", ylabel="given class", title="estimated wrong labels")
        figure.colorbar(image, ax=ax, shrink=0.8)

    def _draw_pairs(self, ax: "Axes") -> None:
        pairs = self.audit.pairs()
        shown = pairs[: self.n_pairs]
        labels = [str(label) for label in self.audit.classes]
        short = dict(zip(labels, short_names(labels, 24), strict=True))
        names = [f"{short[str(a)]} \u2192 {short[str(b)]}" for a, b, _ in shown]
        ax.barh(range(len(shown)), [count for _, _, count in shown], color=CLASS_COLOURS[0])
        ax.set_yticks(range(len(shown)), names, size=8)
        ax.invert_yaxis()
        ax.margins(y=0.02)
        ax.set_xlabel("estimated wrong labels")
        title = f"given \u2192 likely class, {len(shown)} of {len(pairs)} pairs with errors"
        ax.set_title(title, loc="right")

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
            title=f"about {self.audit.n_errors:.0f} of {len(p)} wrong",
            xlim=(0, 1),
        )
        ax.legend(loc="upper center", frameon=True, framealpha=0.9)


def short_names(labels: Sequence[str], width: int) -> list[str]:
    """Labels of at most so many characters, told apart.

    The middle goes; where that makes several alike, each begins near where they differ, and
    where that does not tell them apart either, they stay whole.
    """
    found = [shortened(label, width) for label in labels]
    for cut in (_from_difference, lambda label, others, width: label):
        alike: dict[str, list[str]] = {}
        for label, name in zip(labels, found, strict=True):
            alike.setdefault(name, []).append(label)
        found = [
            name if len(alike[name]) == 1 else cut(label, alike[name], width)
            for label, name in zip(labels, found, strict=True)
        ]
    return found


def shortened(text: str, width: int) -> str:
    """Text of at most so many characters, without its middle."""
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}\u2026{text[len(text) - tail :]}"


def _from_difference(label: str, others: list[str], width: int) -> str:
    # A few letters before the difference, so that no word begins in its middle.
    start = max(0, len(commonprefix(others)) - 5)  # noqa: RUF071 - of letters, not of paths
    end = start + width - 2
    return f"\u2026{label[start:end]}" + ("\u2026" if end < len(label) else "")
