"""What every factorised least-squares problem can answer, at any regularisation."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.design.moments import Moments
from simplexcoding.design.spectra.leaving_out import Folds, LeaveOneOut
from simplexcoding.rows import Rows


@dataclass(frozen=True)
class Scan:
    """Leave-one-out results of every row at every alpha, without the scores themselves.

    Parameters
    ----------
    correct : (k, n) array, whether the left-out row is predicted rightly
    squared_error : (k,) array, weighted mean of ||c_y - f||^2 over left-out rows
    """

    correct: Bools
    squared_error: Floats


@dataclass(frozen=True)
class Coefficients:
    """One-hot predictions are k(x) @ weights + intercept.

    Parameters
    ----------
    weights : (p, T) array on features, or (n, T) array on kernel values
    intercept : (T,) array
    """

    weights: Floats
    intercept: Floats

    def simplex(self) -> "Coefficients":
        """The same model in simplex scores: centred over the classes, times T/(T-1)."""
        n_classes = len(self.intercept)
        scale = n_classes / (n_classes - 1)
        weights = self.weights - self.weights.mean(axis=1, keepdims=True)
        intercept = self.intercept - self.intercept.mean()
        if n_classes == 2:
            # Each the negative of the other, to the last digit.
            weights[:, 0], intercept[0] = -weights[:, 1], -intercept[1]
        return Coefficients(weights * weights.dtype.type(scale), intercept * scale)


class Spectrum(ABC):
    """Regularised least squares, min sum_i w_i ||y_i - f(x_i)||^2 + alpha ||f||^2, factorised.

    alpha stays fixed when a row leaves: n lambda, not (n - 1) lambda.
    """

    targets: Rows
    eigenvalues: Floats
    moments: Moments | None = None
    """Those of the features, None where the rows are known by their kernel."""
    keeps_results: ClassVar[bool] = False
    """Whether an alpha that was asked once costs nothing the second time."""
    follows_rivals: ClassVar[bool] = False
    """Whether a few classes of each row may be asked alone, by `hits_against`."""

    @abstractmethod
    def leave_one_out(self, alpha: float) -> LeaveOneOut:
        """Exact leave-one-out predictions at alpha."""

    def roughly(self, alpha: float) -> tuple[LeaveOneOut, bool]:
        """Leave-one-out predictions to compare alphas by, and whether they are exact."""
        return self.leave_one_out(alpha), True

    @abstractmethod
    def leave_out(self, folds: Folds, alpha: float) -> LeaveOneOut:
        """Exact predictions of the rows of each fold by the model fitted without the fold.

        Rows of several folds have the mean of their predictions, rows of no fold NaN.
        """

    def in_single(self) -> "Spectrum":
        """The same fit, factorised in single precision where that serves: itself as it is."""
        return self

    @property
    def rounding(self) -> float:
        """Relative size of what may be rounding in the eigenvalues."""
        return float(np.finfo(np.float64).eps)

    def lost(self) -> float:
        """Share of what the rows tell apart that rounding has taken, one where all is lost."""
        return 0.0

    def stand_in(self, n_alphas: int, cheap: bool = True) -> "Spectrum | None":
        """A spectrum that says where to look among so many alphas, at a fraction of the cost.

        Its `sample` is asked. None where asking every alpha is cheap itself; the spectrum
        itself where some of its rows will do. `cheap` says whether a score costs little.
        """
        return None

    # What follows not every spectrum can do; who asks knows by `stand_in` and the flags above,
    # and one that is asked in vain says what it is.
    def sample(self, rows: Indices) -> "Spectrum":
        """The same fit, asked about some of its rows only."""
        raise NotImplementedError(f"{type(self).__name__} answers for all of its rows.")

    def alone(self, rows: Indices) -> "Spectrum":
        """The fit of some of the rows alone."""
        raise NotImplementedError(f"{type(self).__name__} fits all of its rows.")

    def hits_against(self, rivals: Indices, alphas: Floats) -> Bools:
        """Which left-out rows score higher on their class than on rivals (n, r), (k, n)."""
        raise NotImplementedError(f"{type(self).__name__} asks all classes of a row.")

    def keep(self, alpha: float, result: LeaveOneOut) -> None:
        """Keep left-out predictions for the next who asks, who may do with them as they like."""
        raise NotImplementedError(f"{type(self).__name__} keeps what it keeps by itself.")

    def left_out(self, alpha: float, folds: Folds | None = None) -> LeaveOneOut:
        """Predictions of rows left out one at a time, or by folds where there are some."""
        return self.leave_one_out(alpha) if folds is None else self.leave_out(folds, alpha)

    @abstractmethod
    def coefficients(self, alpha: float) -> Coefficients:
        """The fitted function at alpha."""

    @abstractmethod
    def effective_dimension(self, alphas: Floats) -> Floats:
        """Trace of the hat matrix at each alpha, less the intercept's one."""

    def scan(self, alphas: Floats) -> Scan:
        """Leave-one-out predictions at many alphas, reduced to hits and squared errors."""
        return scan_each((self.leave_one_out(alpha) for alpha in alphas), self.targets)


def hat_traces(eigenvalues: Floats, alphas: Floats) -> Floats:
    """Traces of the hat matrix at each alpha, less the intercept's one, (k,)."""
    s = eigenvalues[:, None]
    return np.asarray((s / (s + alphas)).sum(axis=0))


def scan_each(results: Iterable[LeaveOneOut], targets: Rows) -> Scan:
    """Reduce a series of leave-one-out results, one at a time."""
    correct, errors = [], []
    for result in results:
        correct.append(result.predictions() == result.y)
        errors.append(np.average(result.squared_errors(), weights=targets.weights))
    return Scan(np.array(correct), np.array(errors))
