"""A fitted estimator as a model of ONNX."""

from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper

from simplexcoding import __version__
from simplexcoding.export.graph import OPSETS, Graph
from simplexcoding.export.learnt import Learnt, learnt
from simplexcoding.export.probabilities import decisions, probabilities
from simplexcoding.export.scores import scores


def convert(model: Any) -> ModelProto:
    """A fitted estimator of this package as a model with input X and outputs named below.

    label          (n,) labels, integers or strings as in `classes_`
    scores         (n, T) scores that decide, also for two classes
    probabilities  (n, T) calibrated probabilities, where the estimator has them
    """
    parts = learnt(model)
    graph = Graph()
    outputs = append(parts, graph, "X")
    kinds = {"label": label_type(parts.classes)}
    shapes: dict[str, list[Any]] = {"label": ["n"]}
    infos = []
    for name, value in outputs.items():
        graph.call(name, value)
        kind = kinds.get(name, TensorProto.FLOAT)
        shape = shapes.get(name, ["n", len(parts.classes)])
        infos.append(helper.make_tensor_value_info(name, kind, shape))
    rows = helper.make_tensor_value_info("X", TensorProto.FLOAT, ["n", parts.n_features])
    body = helper.make_graph(
        graph.nodes, type(model).__name__, [rows], infos, initializer=graph.constants
    )
    made = helper.make_model(
        body,
        producer_name="simplexcoding",
        producer_version=__version__,
        opset_imports=[helper.make_opsetid(domain, version) for domain, version in OPSETS.items()],
        ir_version=8,
    )
    checker.check_model(made, full_check=True)
    return made


def append(parts: Learnt, graph: Graph, rows: str) -> dict[str, str]:
    """Append the nodes of a whole model; return the names of its outputs by what they are."""
    raw = scores(parts.function, graph, rows)
    outputs = {"scores": raw}
    if parts.calibration is not None:
        outputs["scores"] = decisions(parts.calibration, graph, raw)
        n_classes = len(parts.classes)
        outputs["probabilities"] = probabilities(parts.calibration, graph, raw, n_classes)
    best = graph.add("ArgMax", outputs["scores"], axis=1, keepdims=0)
    label = graph.add("Gather", labels(parts.classes), best, axis=0)
    return {"label": label, **outputs}


def label_type(classes: Any) -> int:
    """Element type of the labels: 64-bit integers for numbers, else strings."""
    return TensorProto.INT64 if labels(classes).dtype.kind == "i" else TensorProto.STRING


def labels(classes: Any) -> Any:
    """Labels as ONNX holds them: whole numbers as 64-bit integers, others as strings."""
    if classes.dtype.kind in "iubf":
        return classes.astype(np.int64)
    return np.array([str(label) for label in classes])
