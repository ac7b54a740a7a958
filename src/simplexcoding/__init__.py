"""Multiclass learning with simplex coding.

Labels are the T vertices of a regular simplex in R^(T-1), a function into
R^(T-1) is learnt, and the nearest vertex is the answer.
"""

from importlib import import_module
from typing import Any

from simplexcoding.coding import SimplexCode

__version__ = "0.1.0"

# Estimators are loaded on first use, so that importing the package stays cheap.
_HOME: dict[str, str] = {
    "SimplexBoostingClassifier": "simplexcoding.estimators.boosting",
    "SimplexRidgeClassifier": "simplexcoding.estimators.ridge",
    "SimplexSGDClassifier": "simplexcoding.estimators.sgd",
    "SimplexSVC": "simplexcoding.estimators.svc",
    "audit_labels": "simplexcoding.estimators.audit",
}
_MODULES = ("datasets", "inference", "kernels", "losses", "plots", "relaxation")

__all__ = ["SimplexCode", "__version__", *_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in _MODULES:
        return import_module(f"simplexcoding.{name}")
    raise AttributeError(f"module 'simplexcoding' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
