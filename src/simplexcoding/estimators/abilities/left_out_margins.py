"""Margin machines that tell how they would do on their own rows, had they not seen them."""

from abc import abstractmethod
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.operators import Data
from simplexcoding.design.spectra.leaving_out import LeftOutRows
from simplexcoding.estimators.abilities.calibrated import CalibratedClassifier
from simplexcoding.inference.calibration import Uncalibrated
from simplexcoding.inference.leave_one_out_scores import leave_one_out_scores
from simplexcoding.inference.margin_folds import FoldScores
from simplexcoding.rows import Training
from simplexcoding.solvers.margin import Certificate, MarginProblem

# Two computations of one dual value differ by no more than this share.
_ROUNDING_SHARE = 1e-6


class LeftOutMargins(CalibratedClassifier):
    """A margin machine with estimates of its leave-one-out scores, made when they are asked for.

    A subclass sets `certificate_` in its fit, and poses the problem of given rows again.
    """

    certificate_: Certificate
    landmark_indices_: Indices | None
    lambda_: float

    @abstractmethod
    def _posed(self, training: Training) -> tuple[MarginProblem, Data]:
        """The problem at the chosen C, and the kernel, of the rows of the fit."""

    def _keep_left_out(self, training: Training, left_out: FoldScores | None) -> None:
        if self._left_out_rows is not None:
            del self.left_out_scores_, self._left_out_rows
        self.calibration_ = Uncalibrated()
        if left_out is not None:
            rows = LeftOutRows(training.rows.y, training.rows.weights, None)
            self.left_out_scores_ = self._calibrate(training, left_out.scores, rows)

    def _check_left_out(self) -> None:
        fitted = self._known("calibration_")
        if (self.calibration if fitted is None else fitted.name) == "none":
            raise AttributeError(
                'probabilities and sets need calibration="temperature" or "vector" at fit; '
                'this SimplexSVC has calibration="none".'
            )

    def leave_one_out_scores(self, X: Any, y: Any, sample_weight: Any = None) -> Floats:
        """Scores of each training row by the machine without it, estimated from the fit.

        Newton's method from the machine of all rows: one step for every row, whose inverse
        over the free directions of the duals they share, and more where that leaves a row
        near a tie. Above 5,000 directions, as the cone has on larger sets, rows leave in
        folds, as many as some 1e12 multiplications allow; a smooth loss is taken class by
        class up to 5,000 rows. C, width and landmarks stay, a row leaves with its whole
        weight, and `calibration` plays no part.

        Parameters
        ----------
        X : (n, p) array, the rows of the fit
        y : (n,) array of their labels
        sample_weight : (n,) array of their weights, default=None

        Returns
        -------
        (n, T) array, rows summing to zero; rows of weight zero have the scores of the fit
        """
        training, scores = self._left_out(X, y, sample_weight)
        others = None if training.others is None else self._raw_scores(training.others)
        return training.spread(scores, others)

    def leave_one_out_error(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Leave-one-out error by `leave_one_out_scores`, as a share of the rows' weight.

        An estimate, where `leave_one_out_bounds_` are certain.

        Parameters
        ----------
        X : (n, p) array, the rows of the fit
        y : (n,) array of their labels
        sample_weight : (n,) array of their weights, default=None

        Returns
        -------
        float
        """
        training, scores = self._left_out(X, y, sample_weight)
        rows = training.rows
        return float(np.average(scores.argmax(axis=1) != rows.y, weights=rows.weights))

    def _left_out(self, X: Any, y: Any, sample_weight: Any) -> tuple[Training, Floats]:
        check_is_fitted(self)
        # A copy validates the rows: others than those of the fit leave the model as it is.
        training = copy(self)._training(X, y, sample_weight)
        training = replace(training, rows=training.rows.with_dtype(np.float64))
        point, marks = self.certificate_.point, self.landmark_indices_
        same = len(training.rows) == len(point) and np.array_equal(training.classes, self.classes_)
        same &= marks is None or bool(np.isin(marks, training.numbers).all())
        if same:
            problem, data = self._posed(training)
            scores = data.scores(point)
            same = self._is_that_of_the_fit(problem, scores)
        if not same:
            raise ValueError(
                "X, y and sample_weight must be those of the fit, whose duals do not belong to "
                f"these {training.size} rows; give the same rows in the same order."
            )
        return training, leave_one_out_scores(problem, scores, point, data)

    def _is_that_of_the_fit(self, problem: MarginProblem, scores: Floats) -> bool:
        """Whether the dual point has the value that it had, and the box the same total."""
        found = self.certificate_
        length = float(np.vdot(found.point, scores))
        with np.errstate(invalid="ignore"):
            dual = problem.dual_value(found.point, length)
        total = 1 / (2 * self.lambda_)
        same_total = abs(float(problem.box.sum()) - total) <= _ROUNDING_SHARE * total
        return same_total and abs(dual - found.dual) <= _ROUNDING_SHARE * max(
            abs(found.primal), length
        )
