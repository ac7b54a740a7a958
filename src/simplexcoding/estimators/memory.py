"""What a ridge model remembers of its training rows, to change them exactly."""

from dataclasses import replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.estimators.classifier import TrainingSet
from simplexcoding.estimators.training_rows import join, leave
from simplexcoding.rows import Rows
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem


def can_update(estimator: Any) -> bool:
    """Whether rows may be added and removed: finite features and weights that stay put.

    A kernel without landmarks has no finite features, and "balanced" class weights change
    with every row.
    """
    if isinstance(estimator.class_weight, str):
        return False
    if isinstance(estimator.kernel, str) and estimator.kernel == "linear":
        return True
    if isinstance(estimator.kernel, str) and estimator.kernel == "precomputed":
        return False
    if isinstance(estimator.landmarks, str):
        return bool(getattr(estimator, "n_landmarks_", 0))
    return estimator.landmarks is not None


class Memory:
    """Training rows, and the moments of their features where these are finite.

    Parameters
    ----------
    rows : TrainingSet
    factor : RidgeFactor
        Only its problem and moments are kept, not the factorisation.
    """

    def __init__(self, rows: TrainingSet, factor: RidgeFactor) -> None:
        self.rows = rows
        spectrum = factor.spectrum
        self._moments: Moments | None = None
        if isinstance(spectrum, FeatureSpectrum):
            self._moments = spectrum.moments
        self._problem = replace(factor.problem, moments=self._moments)

    def factor(self) -> RidgeFactor:
        """Factorise the problem again."""
        return self._problem.factorise()

    def joined(
        self, X: Any, labels: Any, weights: Floats | None
    ) -> tuple[TrainingSet, RidgeProblem]:
        """Training set and problem with new rows at the end."""
        rows = join(self.rows, X, labels, weights)
        targets = Rows.labelled(rows.y, len(rows.classes), rows.weights)
        # The landmarks are among the first rows: their numbers stay.
        problem = replace(self._problem, X=rows.X, targets=targets, moments=None)
        if self._moments is not None:
            n_old, n_classes = len(self.rows.y), len(rows.classes)
            places = np.searchsorted(rows.classes, self.rows.classes)
            new = slice(n_old, None)
            moments = self._moments.with_classes(places, n_classes)
            moments = moments + problem.part_moments(new, targets.take(new))
            problem = replace(problem, moments=moments)
        return rows, problem

    def without(self, numbers: Indices) -> tuple[TrainingSet, RidgeProblem]:
        """Training set and problem less some rows."""
        staying = np.ones(len(self.rows.y), dtype=bool)
        staying[numbers] = False
        landmarks = self._problem.landmarks
        if landmarks is not None:
            gone = landmarks[~staying[landmarks]]
            if len(gone):
                raise ValueError(
                    f"indices holds row {gone[0]}, a landmark: its values are part of the "
                    "model. Fit again without the row."
                )
            landmarks = (np.cumsum(staying) - 1)[landmarks]
        rows = leave(self.rows, staying)
        if len(rows.classes) < 2:
            raise ValueError(
                "indices must leave rows of at least two classes; "
                f"{int(staying.sum())} rows of {len(rows.classes)} would be left."
            )
        targets = Rows.labelled(rows.y, len(rows.classes), rows.weights)
        problem = replace(
            self._problem, X=rows.X, targets=targets, landmarks=landmarks, moments=None
        )
        # Subtraction keeps its digits while most of the rows stay.
        if self._moments is not None and 2 * len(numbers) < len(self.rows.y):
            old = self._problem
            moments = self._moments - old.part_moments(~staying, old.targets.take(~staying))
            present = np.searchsorted(self.rows.classes, rows.classes)
            problem = replace(problem, moments=moments.only_classes(present))
        return rows, problem
