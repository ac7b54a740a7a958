"""Multiclass learning with simplex coding.

Labels are the T vertices of a regular simplex in R^(T-1), a function into
R^(T-1) is learnt, and the nearest vertex is the answer.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # What `__getattr__` finds at run time, for type checkers and editors.
    from simplexcoding import (
        blocks,
        datasets,
        export,
        inference,
        kernels,
        losses,
        persistence,
        plots,
        relaxation,
    )
    from simplexcoding.audit import audit_labels
    from simplexcoding.coding import SimplexCode
    from simplexcoding.estimators.boosting import SimplexBoostingClassifier
    from simplexcoding.estimators.ridge import SimplexRidgeClassifier
    from simplexcoding.estimators.sgd import SimplexSGDClassifier
    from simplexcoding.estimators.svc import SimplexSVC

__version__ = "0.1.0"

# Names are loaded on first use, so that importing the package costs nothing.
_HOME: dict[str, str] = {
    "SimplexBoostingClassifier": "simplexcoding.estimators.boosting",
    "SimplexCode": "simplexcoding.coding",
    "SimplexRidgeClassifier": "simplexcoding.estimators.ridge",
    "SimplexSGDClassifier": "simplexcoding.estimators.sgd",
    "SimplexSVC": "simplexcoding.estimators.svc",
    "audit_labels": "simplexcoding.audit",
}
_MODULES = (
    "blocks",
    "datasets",
    "export",
    "inference",
    "kernels",
    "losses",
    "persistence",
    "plots",
    "relaxation",
)

__all__ = [
    "SimplexBoostingClassifier",
    "SimplexCode",
    "SimplexRidgeClassifier",
    "SimplexSGDClassifier",
    "SimplexSVC",
    "__version__",
    "audit_labels",
    "blocks",
    "datasets",
    "export",
    "inference",
    "kernels",
    "losses",
    "persistence",
    "plots",
    "relaxation",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    if name in _MODULES:
        return import_module(f"simplexcoding.{name}")
    raise AttributeError(f"module 'simplexcoding' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
