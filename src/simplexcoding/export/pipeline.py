"""Estimators inside a pipeline of scikit-learn, converted by skl2onnx."""

from typing import Any

from onnx import ModelProto, helper
from skl2onnx import to_onnx, update_registered_converter
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
from sklearn.utils.validation import check_is_fitted

from simplexcoding.estimators.boosting import SimplexBoostingClassifier
from simplexcoding.estimators.ridge import SimplexRidgeClassifier
from simplexcoding.estimators.sgd import SimplexSGDClassifier
from simplexcoding.estimators.svc import SimplexSVC
from simplexcoding.export.graph import OPSETS, Graph
from simplexcoding.export.learnt import learnt
from simplexcoding.export.model import append, labels
from simplexcoding.fitted import of_host

_ESTIMATORS = (
    SimplexRidgeClassifier,
    SimplexSVC,
    SimplexSGDClassifier,
    SimplexBoostingClassifier,
)


def convert_pipeline(model: Any) -> ModelProto:
    """A fitted pipeline as a model with input X and outputs label and probabilities."""
    check_is_fitted(model)
    register()
    rows = [("X", FloatTensorType([None, model.n_features_in_]))]
    return to_onnx(
        model,
        initial_types=rows,
        target_opset=OPSETS,
        # A tensor of probabilities, not a list of dictionaries.
        options={id(_last(model)): {"zipmap": False}},
    )


def register() -> None:
    """Make the estimators known to skl2onnx."""
    for estimator in _ESTIMATORS:
        update_registered_converter(
            estimator,
            f"Simplexcoding{estimator.__name__}",
            _shapes,
            _convert,
            options={"zipmap": [True, False, "columns"]},
        )


def _last(model: Any) -> Any:
    while hasattr(model, "steps"):
        model = model.steps[-1][1]
    return model


def _shapes(operator: Any) -> None:
    classes = labels(of_host(operator.raw_operator).classes_)
    kind = Int64TensorType if classes.dtype.kind == "i" else StringTensorType
    operator.outputs[0].type = kind([None])
    operator.outputs[1].type = FloatTensorType([None, len(classes)])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Copy the nodes of an estimator into the pipeline's graph."""
    (rows,), (label, second) = operator.inputs, operator.outputs
    graph = Graph(scope.get_unique_variable_name("simplexcoding_") + "_")
    made = append(learnt(operator.raw_operator), graph, rows.full_name)
    graph.call(label.full_name, made["label"])
    graph.call(second.full_name, made.get("probabilities", made["scores"]))
    container.initializers.extend(graph.constants)
    for node in graph.nodes:
        container.add_node(
            node.op_type,
            list(node.input),
            list(node.output),
            op_domain=node.domain,
            op_version=OPSETS[node.domain],
            name=scope.get_unique_operator_name(node.name),
            **{entry.name: helper.get_attribute_value(entry) for entry in node.attribute},
        )
