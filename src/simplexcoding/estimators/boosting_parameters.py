"""The parameters of boosting: what they may be, and what must stay the same on a warm start."""

import numbers
from dataclasses import dataclass, field, fields
from math import isfinite
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from simplexcoding.estimators.classifier import TrainingSet
from simplexcoding.losses import losses_offering

NEEDS = ("odds",)
DEEPEST = 10


def check_parameters(model: Any) -> None:
    """Raise an error that names the first parameter out of its range."""
    _one_of("loss", model.loss, losses_offering(*NEEDS))
    _one_of("method", model.method, ("gradient", "coordinate"))
    _one_of("leaves", model.leaves, ("vector", "vertex"))
    _one_of("coordinates", model.coordinates, ("all", "best"))
    _integer("n_estimators", model.n_estimators, 1)
    if model.max_depth is not None:
        _integer("max_depth", model.max_depth, 1, DEEPEST)
    _integer("min_samples_leaf", model.min_samples_leaf, 1)
    _integer("max_bins", model.max_bins, 2, 255)
    _integer("n_iter_no_change", model.n_iter_no_change, 1)
    if not _real(model.learning_rate) or not 0 < model.learning_rate <= 1:
        raise ValueError(
            f"learning_rate must be in (0, 1], got {model.learning_rate!r}: steps are exact, and "
            "longer ones may raise the risk."
        )
    if not _real(model.validation_fraction) or not 0 < model.validation_fraction < 1:
        raise ValueError(
            f"validation_fraction must be in (0, 1), got {model.validation_fraction!r}."
        )
    if not _real(model.min_weight_fraction_leaf) or not 0 <= model.min_weight_fraction_leaf < 0.5:
        raise ValueError(
            f"min_weight_fraction_leaf must be in [0, 0.5), got {model.min_weight_fraction_leaf!r}."
        )
    if not _real(model.tol) or model.tol < 0:
        raise ValueError(f"tol must be a number >= 0, got {model.tol!r}.")
    feature_count(model.max_features, 1)
    if model.estimator is not None and (
        isinstance(model.estimator, type) or not hasattr(model.estimator, "predict")
    ):
        raise ValueError(
            "estimator must be a regressor such as DecisionTreeRegressor(max_depth=2), got "
            f"{model.estimator!r}."
        )


def feature_count(max_features: Any, p: int) -> int:
    """Return the number of features out of p that `max_features` means."""
    if max_features is None:
        return p
    if isinstance(max_features, str) and max_features in ("sqrt", "log2"):
        return max(1, round(float(getattr(np, max_features)(p))))
    if isinstance(max_features, numbers.Integral) and not isinstance(max_features, bool):
        if int(max_features) >= 1:
            return min(int(max_features), p)
    elif _real(max_features) and 0 < max_features <= 1:
        return max(1, round(max_features * p))
    raise ValueError(
        'max_features must be an integer >= 1, a share in (0, 1], "sqrt", "log2" or None; got '
        f"{max_features!r}."
    )


def tree_depth(model: Any) -> int:
    """Return the depth of the trees: by default 2, or 1 on coordinates."""
    if model.max_depth is not None:
        return int(model.max_depth)
    return 2 if model.method == "gradient" else 1


@dataclass(frozen=True)
class Recipe:
    """What rounds added by a warm start must share with those before; the seed is handed on."""

    loss: str
    method: str
    max_depth: int
    estimator: str
    n_features: int
    classes: tuple[Any, ...]
    seed: int = field(compare=False)

    @classmethod
    def of(cls, model: Any, rows: TrainingSet) -> "Recipe":
        """Recipe of a model about to be fitted to rows."""
        built_in = "built-in trees" if model.estimator is None else "regressors"
        return cls(
            model.loss,
            model.method,
            tree_depth(model),
            built_in,
            rows.X.shape[1],
            tuple(rows.classes.tolist()),
            int(check_random_state(model.random_state).randint(2**31)),
        )

    def check_same(self, earlier: "Recipe") -> None:
        """Raise an error that names the first difference."""
        for name in (entry.name for entry in fields(self) if entry.compare):
            value, before = getattr(self, name), getattr(earlier, name)
            if value != before:
                raise ValueError(
                    f"{name} is {value!r} and was {before!r} in the last fit: set warm_start=False "
                    "to start again."
                )


def _one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}, got {value!r}.")


def _integer(name: str, value: Any, least: int, most: int | None = None) -> None:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        span = f">= {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be an integer {span}, got {value!r}.")


def _real(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and isfinite(value)
