"""Suspicious labels with their names: what `audit_labels` returns."""

from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.inference.suspects import Suspects, rank_suspects

_SHOWN = 10


@dataclass(frozen=True)
class LabelAudit:
    """Rows in order of suspicion, with labels.

    Parameters
    ----------
    suspects : Suspects
        The rows in order, with class indices.
    classes : (T,) array of labels

    Attributes
    ----------
    row : (n,) array of row numbers, the most suspicious first
    given, suggested : (n,) arrays of labels
    given_probability, suggested_probability, score : (n,) arrays
        The score is -log of the probability of the given label.
    errors : (T, T) array
        Estimated number of rows given classes[a] whose true label is classes[b].
    n_contradicted : int
        The first rows, that the left-out model would label otherwise.
    n_errors : float
        Estimated number of wrong labels.
    """

    suspects: Suspects
    classes: Any

    def __len__(self) -> int:
        return len(self.suspects)

    @property
    def row(self) -> Any:
        return self.suspects.row

    @property
    def given(self) -> Any:
        return self.classes[self.suspects.given]

    @property
    def suggested(self) -> Any:
        return self.classes[self.suspects.suggested]

    @property
    def given_probability(self) -> Any:
        return self.suspects.given_probability

    @property
    def suggested_probability(self) -> Any:
        return self.suspects.suggested_probability

    @property
    def score(self) -> Any:
        return self.suspects.score

    @property
    def errors(self) -> Any:
        return self.suspects.errors

    @property
    def n_contradicted(self) -> int:
        return self.suspects.n_contradicted

    @property
    def n_errors(self) -> float:
        return self.suspects.n_errors

    def pairs(self) -> list[tuple[Any, Any, float]]:
        """Given label, true label and estimated number of errors, the largest first."""
        a, b = np.nonzero(self.errors)
        order = np.argsort(-self.errors[a, b], kind="stable")
        return [
            (self.classes[i], self.classes[j], float(self.errors[i, j]))
            for i, j in zip(a[order], b[order], strict=True)
        ]

    def to_frame(self, rows: slice = slice(None)) -> Any:
        """All rows as a pandas DataFrame, or some of them in order, one column per field."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame needs pandas; install it: pip install pandas") from error
        part = replace(self, suspects=self.suspects.take(rows))
        return pd.DataFrame({name: getattr(part, name) for name in _COLUMNS})

    def __str__(self) -> str:
        cells = [list(_COLUMNS), *self._top()]
        widths = [max(len(row[j]) for row in cells) for j in range(len(_COLUMNS))]
        lines = ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in cells]
        return "\n".join([self._headline(), "", *lines])

    def _repr_html_(self) -> str:
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._top()
        )
        head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in _COLUMNS)
        return (
            f"<p>{escape(self._headline())}</p>"
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        )

    def _headline(self) -> str:
        return (
            f"{len(self)} labels: {self.n_contradicted} contradicted, "
            f"about {self.n_errors:.0f} estimated wrong"
        )

    def _top(self) -> list[list[str]]:
        columns = [getattr(self, name)[:_SHOWN] for name in _COLUMNS]
        return [
            [f"{value:.3g}" if isinstance(value, float) else str(value) for value in row]
            for row in zip(*columns, strict=True)
        ]


_COLUMNS = (
    "row",
    "given",
    "suggested",
    "given_probability",
    "suggested_probability",
    "score",
)


def audit_left_out(
    left_out: Floats, y: Any, classes: Any, probabilities: Floats | None = None
) -> LabelAudit:
    """Rank labels by scores of models fitted without their rows, whoever made the scores.

    Parameters
    ----------
    left_out : (n, T) array
        Rows of NaN, never left out, are not judged.
    y : (n,) array of labels
    classes : (T,) array of labels, sorted
    probabilities : (n, T) array, default=None
        Of left-out rows; None takes them from the scores.

    Returns
    -------
    LabelAudit

    Examples
    --------
    >>> import numpy as np
    >>> left_out = np.array([[2.0, -2], [1.5, -1.5], [1, -1], [-1, 1], [-2, 2]])
    >>> audit = audit_left_out(left_out, np.array(["a", "a", "b", "b", "b"]), np.array(["a", "b"]))
    >>> int(audit.row[0]), str(audit.given[0]), str(audit.suggested[0])
    (2, 'b', 'a')
    """
    index = class_index(y, classes, len(left_out))
    # A row that no fold left out has no opinion on its label.
    judged = np.flatnonzero(~np.isnan(left_out[:, 0]))
    if probabilities is not None:
        probabilities = probabilities[judged]
    suspects = rank_suspects(left_out[judged], index[judged], probabilities)
    return LabelAudit(replace(suspects, row=judged[suspects.row]), classes)


def class_index(y: Any, classes: Any, n_rows: int) -> Any:
    """Place of each label in the sorted classes; an error where they are not a model's own."""
    y = np.asarray(y)
    if len(y) != n_rows:
        raise ValueError(
            f"y must hold the {n_rows} labels that the model was fitted to, got {len(y)}."
        )
    unknown = np.setdiff1d(y, classes)
    if len(unknown):
        raise ValueError(
            f"y must hold the labels that the model was fitted to, got '{unknown[0]}', "
            "which it has not seen."
        )
    return np.searchsorted(classes, y)
