"""What rounds added by a warm start must share with those before."""

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Recipe:
    """How rounds were made; the seed is handed on.

    Parameters
    ----------
    loss, method : str
    max_depth : int
    estimator : str, the kind of weak learner
    n_features : int
    classes : tuple of labels, ascending
    seed : int, which may differ
    """

    loss: str
    method: str
    max_depth: int
    estimator: str
    n_features: int
    classes: tuple[Any, ...]
    seed: int = field(compare=False)

    def check_same(self, earlier: "Recipe") -> None:
        """Raise an error that names the first difference."""
        for name in (entry.name for entry in fields(self) if entry.compare):
            value, before = getattr(self, name), getattr(earlier, name)
            if value != before:
                raise ValueError(
                    f"{name} is {value!r} and was {before!r} in the last fit: set warm_start=False "
                    "to start again."
                )
