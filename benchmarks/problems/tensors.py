"""Rows that a network has left in torch, on the processor."""

import os
from functools import partial
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone

from benchmarks.data import split
from benchmarks.harness import Contender, problem, require
from benchmarks.models import fit
from simplexcoding import SimplexRidgeClassifier

# Rows of a problem on small sizes.
_FEW = 300


def _on_torch(model: Any, X: Any, y: Any) -> Any:
    # scikit-learn asks for it before it dispatches.
    os.environ["SCIPY_ARRAY_API"] = "1"
    with config_context(array_api_dispatch=True):
        return fit(model, X, y)


def _contenders(kernel: str, quick: bool) -> list[Contender]:
    X, y, _, _ = split("isolet", _FEW if quick else None)
    torch = require("torch")
    model = SimplexRidgeClassifier(kernel, landmarks=50 if quick else 1000)
    tensor = torch.asarray(X)
    chosen: list[float] = []

    def of_numpy(fitted: Any) -> dict[str, object]:
        chosen[:] = [fitted.alpha_]
        return {"alpha": f"{fitted.alpha_:.4g}"}

    def of_torch(fitted: Any) -> dict[str, object]:
        there = isinstance(fitted.intercept_, torch.Tensor)
        same = there and np.allclose(fitted.alpha_, chosen)
        return {"alpha": f"{fitted.alpha_:.4g}", "held": bool(same)}

    return [
        Contender("NumPy", partial(fit, model, X, y), of_numpy),
        Contender(
            "torch on the processor",
            partial(_on_torch, clone(model), tensor, y),
            of_torch,
            ours=True,
        ),
    ]


@problem(
    title="isolet as torch tensors on the processor, linear",
    bar="at most 1.3 times NumPy's time, the same alpha, attributes that are tensors",
    limit=1.3,
    baseline="NumPy",
)
def tensors_linear(quick: bool) -> list[Contender]:
    return _contenders("linear", quick)


@problem(
    title="isolet as torch tensors on the processor, rbf on 1,000 landmarks",
    bar="at most 1.3 times NumPy's time, the same alpha, attributes that are tensors",
    limit=1.3,
    baseline="NumPy",
)
def tensors_rbf(quick: bool) -> list[Contender]:
    return _contenders("rbf", quick)
