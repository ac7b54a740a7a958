"""Fits, and notes on fitted models, that several problems share."""

from typing import Any

import numpy as np

from benchmarks.harness import require


def fit(estimator: Any, X: Any, y: Any) -> Any:
    """estimator.fit(X, y), for functools.partial."""
    return estimator.fit(X, y)


def fit_aeon(X: Any, y: Any) -> Any:
    """Aeon's ridge classifier, or a skip."""
    module = require("aeon.classification.sklearn")
    return module.PrevalidatedRidgeClassifier().fit(X, y)


def accuracy(Xt: Any, yt: Any, model: Any, least: float | None = None) -> dict[str, object]:
    """Test accuracy, alpha where the model has one, and a verdict where there is a bar."""
    reached = 100 * model.score(Xt, yt)
    notes: dict[str, object] = {"test accuracy": f"{reached:.2f} %"}
    if hasattr(model, "alpha_"):
        notes["alpha"] = float(model.alpha_)
    if least is not None:
        notes["held"] = bool(reached >= least)
    return notes


def path_error(few: Any, whole: Any) -> dict[str, object]:
    """Errors of the interpolated values of a path against one that is exact everywhere."""
    near = np.abs(np.log10(few.alphas / few.alphas[few.best])) <= 1
    error = np.abs(few.score - whole.score)
    return {
        "within a decade": float(error[near].max()),
        "elsewhere": float(error[~near].max()),
        "lost at the choice": float(whole.score.max() - few.score[few.best]),
        "asked": int(few.exact.sum()),
        # Accuracies are whole rows over n: 0.2 points to rounding.
        "held": bool(error[near].max() <= 0.002 + 1e-12),
    }
