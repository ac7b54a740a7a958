"""Scores of a function, (n, T), as nodes of ONNX."""

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np
from onnx import TensorProto, helper
from scipy.sparse import issparse

from simplexcoding.arrays import Floats
from simplexcoding.coding import SimplexCode
from simplexcoding.export.graph import Graph
from simplexcoding.export.trees import forest_answers
from simplexcoding.functions import Ensemble, Function, KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel
from simplexcoding.solvers.boosting.forest import Forest


@singledispatch
def scores(function: Function, graph: Graph, rows: str) -> str:
    """Append the nodes that compute a function's scores; return their name.

    Parameters
    ----------
    function : Function
    graph : Graph
    rows : str
        Name of the rows in the graph, (n, p) in single precision.
    """
    raise TypeError(f"a function of type {type(function).__name__} cannot be exported.")


@scores.register
def _linear(function: LinearFunction, graph: Graph, rows: str) -> str:
    products = graph.add("MatMul", rows, function.weights.astype(np.float32))
    return graph.add("Add", products, function.intercept.astype(np.float32))


@scores.register
def _expansion(function: KernelExpansion, graph: Graph, rows: str) -> str:
    # In double precision: weak regularisation gives large weights of both signs, whose sum is
    # small, and single precision was seen to lose every digit of it (poly on iris).
    rows = graph.add("Cast", rows, to=TensorProto.DOUBLE)
    values = kernel_values(function.kernel, graph, rows, _dense(function.basis))
    products = graph.add("MatMul", values, function.weights.astype(np.float64))
    return graph.single(graph.add("Add", products, function.intercept.astype(np.float64)))


def _dense(basis: Any) -> Any:
    basis = basis.toarray() if issparse(basis) else np.asarray(basis)
    return basis.astype(np.float64) if basis.dtype.kind == "f" else basis


@scores.register
def _ensemble(function: Ensemble, graph: Graph, rows: str) -> str:
    if not isinstance(function.parts, Forest):
        raise TypeError(
            "an ensemble of regressors from elsewhere cannot be exported; fit with trees."
        )
    code = SimplexCode(function.n_classes)
    F = forest_answers(function.parts, graph, rows, code.dim)
    # u = C f by one sum per row: c_0 = a 1 and c_k = b 1 + d e_k.
    a, later = code.encode([0])[0, 0], code.encode([1])[0]
    b, d = (later[0], 0.0) if code.dim == 1 else (later[1], later[0] - later[1])
    total = graph.add("ReduceSum", F, np.array([1]), keepdims=1)
    others = graph.add("Add", graph.add("Mul", F, d), graph.add("Mul", total, b))
    return graph.single(graph.add("Concat", graph.add("Mul", total, a), others, axis=1))


def kernel_values(kernel: Kernel, graph: Graph, rows: str, basis: Any) -> str:
    """Append the nodes of k(x, b_j), (n, m) in double precision, for the basis rows b_j."""
    if kernel.scale is not None:
        rows = graph.add("Div", rows, kernel.scale.astype(np.float64))
        return kernel_values(replace(kernel, scale=None), graph, rows, kernel.scaled(basis))
    if kernel.precomputed:
        return graph.add("Gather", rows, np.asarray(basis, dtype=np.int64), axis=1)
    if kernel.linear:
        return graph.add("MatMul", rows, basis.T)
    if kernel.name == "poly":
        products = graph.add("MatMul", rows, kernel.gamma * basis.T)
        shifted = graph.add("Add", products, np.float64(kernel.coef0))
        return graph.add("Pow", shifted, np.float64(kernel.degree))
    if kernel.name == "laplacian":
        distances = _city_block(graph, rows, basis)
    elif kernel.name in ("rbf", "exponential"):
        distances = _squared_distances(graph, rows, basis)
        if kernel.name == "exponential":
            distances = graph.add("Sqrt", distances)
    else:
        raise TypeError(
            "kernel is a Python function, which ONNX cannot hold; fit with a named kernel."
        )
    return graph.add("Exp", graph.add("Mul", distances, np.float64(-kernel.gamma)))


def _squared_distances(graph: Graph, rows: str, basis: Floats) -> str:
    # Distances do not change, and their digits are not spent on a common offset.
    shift = basis.mean(axis=0)
    basis = basis - shift
    rows = graph.add("Sub", rows, shift)
    lengths = graph.add("ReduceSum", graph.add("Mul", rows, rows), np.array([1]), keepdims=1)
    products = graph.add("MatMul", rows, -2 * basis.T)
    total = graph.add("Add", products, (basis**2).sum(axis=1))
    return graph.add("Relu", graph.add("Add", total, lengths))


def _city_block(graph: Graph, rows: str, basis: Floats) -> str:
    """Append one row after the other, so that no (n, m, p) array is ever held."""
    inner = Graph(f"{graph.prefix}row_")
    row = f"{graph.prefix}row"
    apart = inner.add("Abs", inner.add("Sub", graph.constant(basis), row))
    distances = inner.add("ReduceSum", apart, graph.constant(np.array([1])), keepdims=0)
    body = helper.make_graph(
        inner.nodes,
        f"{graph.prefix}city_block",
        [helper.make_tensor_value_info(row, TensorProto.DOUBLE, [basis.shape[1]])],
        [helper.make_tensor_value_info(distances, TensorProto.DOUBLE, [len(basis)])],
    )
    return graph.add("Scan", rows, body=body, num_scan_inputs=1)
