"""audit_labels: which given labels a model fitted without them contradicts."""

from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from simplexcoding.arrays import Floats
from simplexcoding.devices import as_numpy
from simplexcoding.estimators.ridge import SimplexRidgeClassifier
from simplexcoding.fitted import final_model, of_host
from simplexcoding.inference.label_audit import LabelAudit, audit_left_out, class_index
from simplexcoding.inference.profiles import audit_probabilities

# On noisy labels hits reward too small an alpha; the squared error does not. Landmarks in
# this number rank as well as the whole kernel, in a fraction of the time.
_DEFAULTS = {"kernel": "rbf", "scoring": "neg_mean_squared_error", "landmarks": 1000}
# A model this much smoother errs on other rows: the mean of both ranks better than either
# where classes are many and rows of each are few, and loses little elsewhere.
_SMOOTHER_BY = 1000.0


def audit_labels(model_or_X: Any, y: Any, **ridge_options: Any) -> LabelAudit:
    """Rank the rows of a training set by how strange their label is to a model without them.

    Parameters
    ----------
    model_or_X : fitted model with `left_out_scores_`, or (n, p) array
        The model may stand at the end of a pipeline or inside a search; earlier steps have
        seen all rows. For X a SimplexRidgeClassifier is fitted, with kernel="rbf",
        scoring="neg_mean_squared_error" and 1,000 landmarks unless told otherwise, and its
        probabilities are averaged with those at a thousand times its alpha.
    y : (n,) array of labels
        Those that the model was fitted to.
    **ridge_options
        Parameters of SimplexRidgeClassifier, for X.

    Returns
    -------
    LabelAudit
        Print it for the first rows; `to_frame()` has them all. Rows that no fold of the
        model's `cv` left out are not in it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import audit_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> y[[3, 80]] = 2, 0
    >>> sorted(audit_labels(X, y).row[:2].tolist())
    [3, 80]
    """
    y = column_or_1d(as_numpy(y))
    if not hasattr(model_or_X, "fit"):
        model = SimplexRidgeClassifier(**{**_DEFAULTS, **ridge_options}).fit(
            as_numpy(model_or_X), y
        )
        return audit_left_out(model.loo_scores_, y, model.classes_, _two_views(model, y))
    if ridge_options:
        raise ValueError(
            f"{', '.join(sorted(ridge_options))} cannot be set on a fitted model; give X "
            "in its place, or set them before fit."
        )
    found = of_host(final_model(model_or_X, "left_out_scores_"))
    return audit_left_out(found.left_out_scores_, y, found.classes_)


def _two_views(model: SimplexRidgeClassifier, y: Any) -> Floats:
    """Mean of the probabilities by a model's left-out scores and by smoother ones."""
    index = class_index(y, model.classes_, len(model.loo_scores_))
    judged = ~np.isnan(model.loo_scores_[:, 0])
    views = [model.loo_scores_, model.left_out_scores(_SMOOTHER_BY * model.alpha_)]
    mean = np.full(model.loo_scores_.shape, np.nan)
    mean[judged] = sum(audit_probabilities(v[judged], index[judged]) for v in views) / 2
    return mean
