"""Classifiers that keep left-out scores: probabilities and sets, whoever made the scores."""

from typing import Any

from sklearn.utils.metaestimators import available_if

from simplexcoding.arrays import Bools, Floats
from simplexcoding.dask.lazy import lazy
from simplexcoding.design.spectra.leaving_out import LeftOutRows
from simplexcoding.estimators.classifier import SimplexClassifier, check_scores
from simplexcoding.inference.calibration import Calibration, fit_calibration
from simplexcoding.inference.conformal import fit_set_rule
from simplexcoding.inference.vector_scaling import WarmFits
from simplexcoding.rows import Training


def _keeps_left_out_scores(model: Any) -> bool:
    model._check_left_out()
    return True


class CalibratedClassifier(SimplexClassifier):
    """A classifier whose fit keeps left-out scores, so that it states how sure it is.

    A subclass has the parameter `calibration`, sets `left_out_scores_` in its fit to what
    `_calibrate` returns, and says in `_check_left_out` when it has none.
    """

    calibration: str
    calibration_: Calibration
    left_out_scores_: Floats
    _left_out_rows: LeftOutRows | None = None

    def _check_left_out(self) -> None:
        """Raise AttributeError where the model is not to keep left-out scores."""

    def _calibrate(
        self, training: Training, scores: Floats, judged: LeftOutRows, trail: WarmFits | None = None
    ) -> Floats:
        """Fit the calibration to left-out scores; return them in the caller's order of rows.

        `judged` are those of the training rows whose scores count. Rows of weight zero get
        the scores of the fit.
        """
        self.calibration_ = fit_calibration(
            self._calibration_for(scores), judged.of(scores), judged.y, judged.weights, trail
        )
        # Class weights are no counts of rows: sets are for the population as it comes.
        counts = judged.weights if self.class_weight is None else None
        self._left_out_rows = LeftOutRows(judged.y, counts, training.among(judged.kept))
        others = None if training.others is None else self._raw_scores(training.others)
        return training.spread(scores, others)

    def _calibration_for(self, scores: Floats) -> str:
        """The kind of calibration for left-out scores, once the function is known."""
        return self.calibration

    def _scores(self, X: Any) -> Floats:
        return self.calibration_.decisions(self._raw_scores(X))

    def _left_out_scores(self) -> Floats:
        """Those that are kept, in the caller's order of rows."""
        return self.left_out_scores_

    @available_if(_keeps_left_out_scores)
    @lazy
    def predict_proba(self, X: Any) -> Floats:
        """Calibrated probabilities, (n, T); the largest belongs to the predicted class.

        Parameters
        ----------
        X : (n, p) array
            Rows with the features of those of `fit`.

        Returns
        -------
        (n, T) array, rows summing to one
        """
        rows = self._checked_rows(X)
        return self.calibration_.probabilities(check_scores(self._raw_scores(rows)))

    @available_if(_keeps_left_out_scores)
    def predict_set(self, X: Any, coverage: float = 0.9, class_conditional: bool = False) -> Bools:
        """Sets of classes that hold the true one with about the given frequency.

        A jackknife: thresholds from the left-out scores, sets from the model of all rows.
        For rows that are independent and of one distribution coverage tends to the target
        where the model is stable; `simplexcoding.inference.fit_set_rule` states
        the guarantee and its sources. No rows are spent on calibration.

        Parameters
        ----------
        X : (n, p) array
            Rows with the features of those of `fit`.
        coverage : float in (0, 1), default=0.9
            How often a set is to hold the true class.
        class_conditional : bool, default=False
            Ask for the coverage within every class.

        Returns
        -------
        (n, T) array of booleans in the order of `classes_`, never an empty row
        """
        scores = self._checked_scores(X)
        rows = self._left_out_rows
        assert rows is not None  # They are kept with the scores.
        decisions = self.calibration_.decisions(rows.of(self._left_out_scores()))
        rule = fit_set_rule(decisions, rows.y, coverage, class_conditional, rows.weights)
        return rule.sets(scores)
