"""Prediction sets of a ridge model, from the left-out scores that its fit keeps."""

from typing import Any, NamedTuple

from sklearn.base import BaseEstimator

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.inference.conformal import fit_set_rule


class LeftOutRows(NamedTuple):
    """Labels and weights behind `loo_scores_`, and which of its rows they belong to."""

    y: Indices
    weights: Floats | None
    kept: Bools | None


class LeftOutSets(BaseEstimator):
    """What a model with left-out scores says of sets of classes."""

    def predict_set(self, X: Any, coverage: float = 0.9, class_conditional: bool = False) -> Bools:
        """Sets of classes that hold the true one with about the given frequency.

        A jackknife: thresholds from the left-out scores, sets from the model of all rows.
        For rows that are independent and of one distribution coverage tends to the target,
        because ridge is stable; `simplexcoding.inference.fit_set_rule` states
        the guarantee and its sources. No rows are spent on calibration.

        Parameters
        ----------
        X : (n, p) array
        coverage : float in (0, 1)
        class_conditional : bool
            Ask for the coverage within every class.

        Returns
        -------
        (n, T) array of booleans in the order of `classes_`, never an empty row
        """
        scores = self._checked_scores(X)
        rows = self._left_out_rows
        left_out = self.loo_scores_ if rows.kept is None else self.loo_scores_[rows.kept]
        decisions = self.calibration_.decisions(left_out)
        rule = fit_set_rule(decisions, rows.y, coverage, class_conditional, rows.weights)
        return rule.sets(scores)
