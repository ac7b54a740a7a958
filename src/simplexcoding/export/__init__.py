"""Fitted estimators for other runtimes: ONNX."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx import ModelProto

__all__ = ["register_converters", "to_onnx"]

_NEEDED = "export needs more: pip install 'simplexcoding[onnx]'"


def to_onnx(model: Any) -> "ModelProto":
    """Convert a fitted estimator, or a pipeline that ends in one, to ONNX.

    The model takes rows X in single precision, as many as there are at a time, and gives

    label          (n,) the labels, 64-bit integers or strings
    scores         (n, T) the scores that decide; not of a pipeline
    probabilities  (n, T) calibrated probabilities, where the estimator has them

    All four estimators are converted with every kernel but a Python function. What comes
    before them in a pipeline is converted by skl2onnx.

    Parameters
    ----------
    model : fitted estimator of this package or sklearn.pipeline.Pipeline

    Returns
    -------
    onnx.ModelProto
        `onnx.save(made, "model.onnx")` writes it; `made.SerializeToString()` is what
        onnxruntime.InferenceSession takes.
    """
    try:
        from simplexcoding.export.model import convert
    except ImportError as error:
        raise ImportError(_NEEDED) from error
    from simplexcoding.estimators.classifier import SimplexClassifier

    if isinstance(model, SimplexClassifier):
        return convert(model)
    try:
        from simplexcoding.export.pipeline import convert_pipeline
    except ImportError as error:
        raise ImportError(_NEEDED) from error
    return convert_pipeline(model)


def register_converters() -> None:
    """Make the estimators known to skl2onnx, for those who call `skl2onnx.to_onnx` themselves."""
    try:
        from simplexcoding.export.pipeline import register
    except ImportError as error:
        raise ImportError(_NEEDED) from error
    register()
