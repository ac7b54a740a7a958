"""Models of the command line: a model file whose notes name its columns."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simplexcoding.cli.complaint import Complaint
from simplexcoding.persistence import open_model_file, save


@dataclass(frozen=True)
class StoredModel:
    """A fitted model and the columns it belongs to.

    Parameters
    ----------
    model : fitted estimator, or a pipeline with a scaler before it
    features : list of str
        Columns it was fitted on, in their order.
    target : str
        Column of the labels.
    package : str
        Release that wrote it.
    """

    model: Any
    features: list[str]
    target: str
    package: str = ""

    @property
    def estimator(self) -> Any:
        """The classifier: the last step of a pipeline."""
        return self.model[-1] if hasattr(self.model, "steps") else self.model


def save_model(path: Path, stored: StoredModel) -> None:
    """Write a model file whole, or leave the old one."""
    save(stored.model, path, {"features": stored.features, "target": stored.target})


def load_model(path: Path) -> StoredModel:
    """Read a model file that `fit` wrote."""
    found = open_model_file(path)
    features: Any = found.notes.get("features")
    target: Any = found.notes.get("target")
    named = type(features) is list and all(type(name) is str for name in features)
    if not named or type(target) is not str:
        raise Complaint(f"{path}: names no columns; make a model file with `simplexcoding fit`.")
    if len(features) != found.model.n_features_in_:
        raise Complaint(f"{path}: names {len(features)} columns, not those of its model.")
    return StoredModel(found.model, features, target, found.package)
