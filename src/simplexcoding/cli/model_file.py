"""Models of the command line: a model file whose notes name its columns."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.sources import is_standard, save


@dataclass(frozen=True)
class StoredModel:
    """A fitted model and the columns it belongs to.

    Parameters
    ----------
    model : fitted estimator, or a pipeline with a scaler before it
    features : list of (name, width)
        Columns it was fitted on, in their order, and how many numbers each holds.
    target : str
        Column of the labels.
    package : str
        Release that wrote it.
    """

    model: Any
    features: list[tuple[str, int]]
    target: str
    package: str = ""

    @property
    def estimator(self) -> Any:
        """The classifier: the last step of a pipeline."""
        return self.model[-1] if hasattr(self.model, "steps") else self.model


def save_model(path: Path, stored: StoredModel) -> None:
    """Write a model file whole, or leave the old one; - is standard output."""
    from simplexcoding.persistence.files import to_bytes
    from simplexcoding.persistence.refusal import Refusal

    columns = [[name, width] for name, width in stored.features]
    try:
        data = to_bytes(stored.model, {"columns": columns, "target": stored.target})
    except Refusal as refusal:
        raise Complaint(f"{path}: the model cannot be stored: {refusal}.") from None
    save(path, data)


def load_model(path: Path) -> StoredModel:
    """Read a model file that `fit` wrote; - is standard input."""
    from simplexcoding.persistence.files import open_model_bytes, open_model_file

    if is_standard(path):
        found = open_model_bytes(sys.stdin.buffer.read(), "standard input")
    else:
        found = open_model_file(path)
    columns: Any = found.notes.get("columns")
    target: Any = found.notes.get("target")
    if not _are_columns(columns) or type(target) is not str:
        raise Complaint(f"{path}: names no columns; make a model file with `simplexcoding fit`.")
    if sum(width for _, width in columns) != found.model.n_features_in_:
        raise Complaint(f"{path}: names {len(columns)} columns, not those of its model.")
    features = [(name, width) for name, width in columns]
    return StoredModel(found.model, features, target, found.package)


def _are_columns(columns: Any) -> bool:
    return type(columns) is list and all(
        type(pair) is list and [type(part) for part in pair] == [str, int] and pair[1] > 0
        for pair in columns
    )
