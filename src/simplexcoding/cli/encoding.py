"""Fitted models as JSON and arrays, and back, without anything that could run."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np

from simplexcoding.cli.complaint import Complaint

# What a model file may name. Anything else in it is refused.
ESTIMATORS = {
    "SimplexRidgeClassifier": "simplexcoding.estimators.ridge",
    "SimplexSVC": "simplexcoding.estimators.svc",
    "SimplexSGDClassifier": "simplexcoding.estimators.sgd",
    "SimplexBoostingClassifier": "simplexcoding.estimators.boosting",
}
VALUES = {
    "Kernel": "simplexcoding.kernels",
    "LinearFunction": "simplexcoding.functions",
    "KernelExpansion": "simplexcoding.functions",
    "RidgePath": "simplexcoding.selection.choice",
    "Uncalibrated": "simplexcoding.inference.calibration",
    "Temperature": "simplexcoding.inference.calibration",
    "Vector": "simplexcoding.inference.calibration",
    "LeftOutRows": "simplexcoding.estimators.left_out_sets",
    "HoldoutPath": "simplexcoding.estimators.svc",
    "Certificate": "simplexcoding.solvers.margin",
    "Stream": "simplexcoding.solvers.stochastic.stream",
    "Forest": "simplexcoding.solvers.boosting.forest",
    "Recipe": "simplexcoding.estimators.boosting_parameters",
}


def named(name: Any, allowed: Mapping[str, str]) -> Any:
    """The class of this name, if it is in the list."""
    if name not in allowed:
        raise Complaint(f"names {name!r}, which no model file may hold.")
    return getattr(import_module(allowed[name]), name)


def encode(value: Any, arrays: dict[str, Any]) -> Any:
    """Value as JSON; arrays are put in `arrays` and named."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return {"scalar": encode(np.asarray(value), arrays)}
    if isinstance(value, np.ndarray):
        return _encode_array(value, arrays)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return {type(value).__name__: [encode(item, arrays) for item in value]}
    if isinstance(value, dict):
        pairs = [[encode(key, arrays), encode(item, arrays)] for key, item in value.items()]
        return {"dict": pairs}
    kind = type(value).__name__
    if VALUES.get(kind) == type(value).__module__:
        content = {name: encode(getattr(value, name), arrays) for name in _field_names(value)}
        return {"value": kind, "fields": content}
    raise Complaint(f"a model that holds a {kind} cannot be stored.")


def _encode_array(value: Any, arrays: dict[str, Any]) -> Any:
    if value.dtype.kind in "biufU":
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {"array": name}
    if value.dtype == object and all(isinstance(item, str | int | float) for item in value.flat):
        return {"objects": value.ravel().tolist(), "shape": list(value.shape)}
    raise Complaint(f"a model that holds an array of {value.dtype} cannot be stored.")


def _field_names(value: Any) -> list[str]:
    if is_dataclass(value):
        return [field.name for field in fields(value) if field.init]
    return list(value._fields)


def decode(code: Any, arrays: Mapping[str, Any]) -> Any:
    """The value that `encode` was given."""
    if not isinstance(code, dict):
        return code
    if "array" in code:
        return arrays[code["array"]]
    if "scalar" in code:
        return decode(code["scalar"], arrays)[()]
    if "objects" in code:
        found = np.empty(len(code["objects"]), dtype=object)
        found[:] = code["objects"]
        return found.reshape(code["shape"])
    if "list" in code:
        return [decode(item, arrays) for item in code["list"]]
    if "tuple" in code:
        return tuple(decode(item, arrays) for item in code["tuple"])
    if "dict" in code:
        return {decode(key, arrays): decode(item, arrays) for key, item in code["dict"]}
    content = {name: decode(item, arrays) for name, item in code["fields"].items()}
    return named(code["value"], VALUES)(**content)
