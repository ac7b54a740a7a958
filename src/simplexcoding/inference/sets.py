"""Prediction sets of a fitted model, wherever it stands."""

from typing import Any

from simplexcoding.arrays import Bools
from simplexcoding.fitted import model_and_rows


def prediction_sets(
    model: Any, X: Any, coverage: float = 0.9, class_conditional: bool = False
) -> Bools:
    """Sets of classes that hold the true one with about the given frequency.

    A pipeline or a search has no `predict_set`; this finds the model inside and hands it
    the rows as the steps before it transform them.

    Parameters
    ----------
    model : fitted model with `predict_set`, Pipeline that ends in one, or search over either
    X : (n, p) array
        Rows as the model, or the first step before it, takes them.
    coverage : float in (0, 1), default=0.9
        How often a set is to hold the true class.
    class_conditional : bool, default=False
        Ask for the coverage within every class.

    Returns
    -------
    (n, T) array of booleans in the order of `classes_`, never an empty row

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from simplexcoding import SimplexRidgeClassifier
    >>> from simplexcoding.inference import prediction_sets
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), SimplexRidgeClassifier("rbf")).fit(X, y)
    >>> prediction_sets(model, X[[0, 70]], coverage=0.98)
    array([[ True, False, False],
           [False,  True,  True]])
    """
    found, rows = model_and_rows(model, X, "predict_set")
    sets: Bools = found.predict_set(rows, coverage, class_conditional)
    return sets
