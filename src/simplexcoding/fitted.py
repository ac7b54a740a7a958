"""The model inside what a person fitted: at the end of a pipeline, chosen by a search."""

from typing import Any

# What comes with a calibration on left-out scores.
_LEFT_OUT = ("left_out_scores_", "predict_set")


def final_model(model: Any, attribute: str) -> Any:
    """The innermost model, which must have an attribute.

    Parameters
    ----------
    model : fitted model, Pipeline that ends in one, or search over either
    attribute : str
        What is needed of it, such as "loo_scores_".

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from simplexcoding import SimplexRidgeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> pipeline = make_pipeline(StandardScaler(), SimplexRidgeClassifier("linear")).fit(X, y)
    >>> final_model(pipeline, "loo_scores_").loo_scores_.shape
    (150, 3)
    """
    return model_and_rows(model, None, attribute)[0]


def of_host(model: Any) -> Any:
    """A model as if it had been fitted to NumPy arrays: a copy where it was to others."""
    return model._as_of_host() if hasattr(model, "_as_of_host") else model


def model_and_rows(model: Any, X: Any, attribute: str) -> tuple[Any, Any]:
    """The innermost model and the rows X as it sees them, after the steps before it.

    Parameters
    ----------
    model, attribute
        As in `final_model`.
    X : (n, p) array, or None for no rows

    Returns
    -------
    model, X
    """
    while True:
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif hasattr(model, "steps"):
            *before, (_, last) = model.steps
            for _, step in before if X is not None else ():
                X = X if step in (None, "passthrough") else step.transform(X)
            model = last
        else:
            break
    if not hasattr(model, attribute):
        name = type(model).__name__
        searching = hasattr(model, "best_params_") or hasattr(model, "param_grid")
        if searching:
            raise ValueError(f"{name} has no best_estimator_: call fit, with refit=True.")
        if not hasattr(model, "classes_"):
            raise ValueError(f"{name} has no {attribute} yet: call fit first.")
        cure = "use a model that keeps it, such as SimplexRidgeClassifier"
        if attribute in _LEFT_OUT and getattr(model, "calibration", None) == "none":
            cure = f'fit it with calibration="temperature", or {cure}'
        raise ValueError(f"{name} has no {attribute}: {cure}.")
    return model, X
