"""Answers of a forest, (n, T-1), as nodes of ONNX."""

from typing import Any

import numpy as np
from onnx import TensorProto, helper

from simplexcoding.export.graph import Graph
from simplexcoding.solvers.boosting.forest import EVERY, Forest

_CATEGORIES = 256


def forest_answers(forest: Forest, graph: Graph, rows: str, dim: int) -> str:
    """Append the nodes of the sum of all trees, in double precision; return its name.

    All trees are walked down together, level by level, and thresholds are compared in double
    precision, so that every row goes the way it goes in the model.

    Parameters
    ----------
    forest : Forest
    graph : Graph
    rows : str
        Name of the rows in the graph, (n, p) in single precision.
    dim : int
        T - 1.
    """
    rows = graph.add("Cast", rows, to=TensorProto.DOUBLE)
    if not len(forest.features):
        return graph.add("Expand", np.zeros((1, 1)), _shape(graph, rows, dim))
    leaves = _leaves(forest, graph, rows)
    if (forest.coordinates == EVERY).all():
        return _sum_of_vectors(forest, graph, rows, leaves, dim)
    starts = _starts(*forest.values.shape[:2])
    values = graph.add("Gather", forest.values.ravel(), graph.add("Add", leaves, starts))
    values = graph.add("Cast", values, to=TensorProto.DOUBLE)
    return graph.add("MatMul", values, np.eye(dim)[forest.coordinates])


def _leaves(forest: Forest, graph: Graph, rows: str) -> str:
    """Append the walk from the roots; return the leaf of each row in each tree, (n, M)."""
    n_trees, n_nodes = forest.features.shape
    starts = _starts(n_trees, n_nodes)
    node = graph.add("Expand", np.zeros((1, 1), dtype=np.int64), _shape(graph, rows, n_trees))
    for _ in range(n_nodes.bit_length()):
        place = graph.add("Add", node, starts)
        feature = graph.add("Gather", forest.features.ravel(), place)
        value = graph.add("GatherElements", rows, feature, axis=1)
        threshold = graph.add("Gather", forest.thresholds.ravel(), place)
        left = graph.add("LessOrEqual", value, threshold)
        missing = graph.add("IsNaN", value)
        if len(forest.sets):
            known = graph.add("Where", missing, np.float64(-1), value)
            left = _left_by_sets(forest, graph, known, place, left)
        by_rule = graph.add("Gather", forest.missing_left.ravel(), place)
        # No comparison holds of NaN, so that `left` is false there.
        left = graph.add("Or", left, graph.add("And", missing, by_rule))
        step = graph.add("Sub", np.int64(2), graph.add("Cast", left, to=TensorProto.INT64))
        node = graph.add("Add", graph.add("Mul", node, np.int64(2)), step)
    return graph.add("Sub", node, np.int64(n_nodes))


def _left_by_sets(forest: Forest, graph: Graph, value: str, place: str, left: str) -> str:
    """Append the question of nodes with a set: whether it holds the category."""
    # A last set without members: for nodes that have none.
    bits = np.unpackbits(
        forest.sets.astype("<i8").view(np.uint8), axis=1, bitorder="little"
    ).astype(bool)
    table = np.vstack([bits, np.zeros((1, _CATEGORIES), dtype=bool)]).ravel()
    of_node = graph.add("Gather", forest.set_of.ravel(), place)
    inside = graph.add(
        "And",
        graph.add("GreaterOrEqual", value, np.float64(0)),
        graph.add("Less", value, np.float64(_CATEGORIES)),
    )
    category = graph.add(
        "Cast", graph.add("Where", inside, value, np.float64(0)), to=TensorProto.INT64
    )
    has_set = graph.add("GreaterOrEqual", of_node, np.int64(0))
    row = graph.add("Where", has_set, of_node, np.int64(len(forest.sets)))
    entry = graph.add("Add", graph.add("Mul", row, np.int64(_CATEGORIES)), category)
    member = graph.add("And", inside, graph.add("Gather", table, entry))
    return graph.add(
        "Or",
        graph.add("And", has_set, member),
        graph.add("And", graph.add("Not", has_set), left),
    )


def _sum_of_vectors(forest: Forest, graph: Graph, rows: str, leaves: str, dim: int) -> str:
    """Append one tree after the other, so that no (n, M, T-1) array is ever held."""
    inner = Graph(f"{graph.prefix}tree_")
    total, leaf, values = (f"{graph.prefix}tree_{name}" for name in ("total", "leaf", "values"))
    vectors = inner.add("Cast", inner.add("Gather", values, leaf), to=TensorProto.DOUBLE)
    grown = inner.add("Add", total, vectors)
    kind = helper.np_dtype_to_tensor_dtype(forest.values.dtype)
    describe: Any = helper.make_tensor_value_info
    body = helper.make_graph(
        inner.nodes,
        f"{graph.prefix}add_tree",
        [
            describe(total, TensorProto.DOUBLE, [None, dim]),
            describe(leaf, TensorProto.INT64, [None]),
            describe(values, kind, list(forest.values.shape[1:])),
        ],
        [describe(grown, TensorProto.DOUBLE, [None, dim])],
    )
    zeros = graph.add("Expand", np.zeros((1, 1)), _shape(graph, rows, dim))
    by_tree = graph.add("Transpose", leaves, perm=[1, 0])
    return graph.add("Scan", zeros, by_tree, forest.values, body=body, num_scan_inputs=2)


def _starts(count: int, size: int) -> Any:
    """Places where blocks of one size begin, (1, count)."""
    return (size * np.arange(count, dtype=np.int64))[None]


def _shape(graph: Graph, rows: str, width: int) -> str:
    """Append the shape (n, width)."""
    count = graph.add("Slice", graph.add("Shape", rows), np.array([0]), np.array([1]))
    return graph.add("Concat", count, np.array([width]), axis=0)
