"""Probabilities of scores, (n, T), as nodes of ONNX."""

from functools import singledispatch

import numpy as np
from onnx import TensorProto

from simplexcoding.export.graph import Graph
from simplexcoding.inference.calibration import (
    BELOW,
    Calibration,
    Pooled,
    Temperature,
    Uncalibrated,
    Vector,
)


@singledispatch
def probabilities(calibration: Calibration, graph: Graph, scores: str, n_classes: int) -> str:
    """Append the nodes that make probabilities of raw scores; return their name.

    Parameters
    ----------
    calibration : Calibration
    graph : Graph
    scores : str
        Name of the raw scores in the graph, (n, T).
    n_classes : int
        T.
    """
    raise TypeError(f"a calibration of type {type(calibration).__name__} cannot be exported.")


def decisions(calibration: Calibration, graph: Graph, scores: str) -> str:
    """Append the nodes of the scores that decide, the raw ones unless calibration moves them."""
    if not isinstance(calibration, Vector):
        return scores
    logits = _logits(calibration, graph, scores)
    return graph.add("Sub", logits, graph.add("ReduceMean", logits, axes=[1], keepdims=1))


@probabilities.register
def _temperature(calibration: Temperature, graph: Graph, scores: str, n_classes: int) -> str:
    return graph.add("Softmax", graph.add("Mul", scores, np.float32(calibration.beta)), axis=1)


@probabilities.register
def _vector(calibration: Vector, graph: Graph, scores: str, n_classes: int) -> str:
    return graph.add("Softmax", _logits(calibration, graph, scores), axis=1)


@probabilities.register
def _pooled(calibration: Pooled, graph: Graph, scores: str, n_classes: int) -> str:
    """Append the pooling of the answer's probability with those above it, by sorting."""
    p = graph.add("Softmax", _logits(calibration, graph, scores), axis=1)
    answer = graph.add("ArgMax", scores, axis=1, keepdims=1)
    own = graph.add("GatherElements", p, answer, axis=1)
    is_own = graph.add("Equal", answer, np.arange(n_classes)[None])
    # The answer first, whatever it has: no other probability comes near two.
    ordered = graph.add(
        "TopK",
        graph.add("Where", is_own, np.float32(2), p),
        np.array([n_classes]),
        axis=1,
        n_outputs=2,
    )
    sums = graph.add("CumSum", ordered, np.array(1))
    sums = graph.add("Add", graph.add("Sub", sums, np.float32(2)), own)
    means = graph.add("Div", sums, np.arange(1, n_classes + 1, dtype=np.float32))
    level = graph.add("ReduceMax", means, axes=[1], keepdims=1)
    below = graph.add("Min", p, graph.add("Mul", level, np.float32(BELOW)))
    others = graph.add("Where", is_own, np.float32(0), below)
    rest = graph.add("ReduceSum", others, np.array([1]), keepdims=1)
    return graph.add("Where", is_own, graph.add("Sub", np.float32(1), rest), others)


def _logits(calibration: Vector | Pooled, graph: Graph, scores: str) -> str:
    scaled = graph.add("Mul", scores, calibration.scales.astype(np.float32))
    return graph.add("Add", scaled, calibration.offsets.astype(np.float32))


@probabilities.register
def _uncalibrated(calibration: Uncalibrated, graph: Graph, scores: str, n_classes: int) -> str:
    """Append ((T-1) u + 1)/T and its Euclidean projection on the simplex, by sorting."""
    scaled = graph.add("Mul", scores, np.float32((n_classes - 1) / n_classes))
    mixture = graph.add("Add", scaled, np.float32(1 / n_classes))
    ordered = graph.add("TopK", mixture, np.array([n_classes]), axis=1, n_outputs=2)
    over = graph.add("Sub", graph.add("CumSum", ordered, np.array(1)), np.float32(1))
    counts = np.arange(1, n_classes + 1, dtype=np.float32)
    # The k largest stay positive exactly when k u_(k) exceeds their sum less one.
    stays = graph.add("Greater", graph.add("Mul", ordered, counts), over)
    count = graph.add(
        "ReduceSum", graph.add("Cast", stays, to=TensorProto.INT64), np.array([1]), keepdims=1
    )
    last = graph.add("Sub", count, np.array(1))
    shifts = graph.add("Div", over, counts)
    shift = graph.add("GatherElements", shifts, last, axis=1)
    return graph.add("Relu", graph.add("Sub", mixture, shift))
