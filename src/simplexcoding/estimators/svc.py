"""Simplex support vector machines."""

from dataclasses import replace
from typing import Any
from warnings import warn

import numpy as np
from scipy.sparse import csr_matrix, hstack, issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from simplexcoding.arrays import Floats
from simplexcoding.estimators.classifier import SimplexClassifier, TrainingSet
from simplexcoding.estimators.progress import Progress
from simplexcoding.functions import KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel, gamma_values
from simplexcoding.losses import get_loss
from simplexcoding.losses.loss import Loss
from simplexcoding.selection.hold_out import hold_out
from simplexcoding.selection.path import Path
from simplexcoding.solvers.margin import MarginProblem, MarginSolution
from simplexcoding.solvers.solution import Report, Status
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting
from simplexcoding.solvers.splitting.resolvent import Data, Features, kernel_data

_HELD_OUT = 0.2
# Held-out accuracies settle long before the gap is closed: the path is solved less far.
_ROUGHER, _ROUGHEST = 10, 1e-2
LOSSES = ("cone", "half_space", "relative", "vertex", "logistic")


class SimplexSVC(SimplexClassifier):
    """Support vector machine on the simplex code, one convex problem for all classes.

    Minimises over f: 1/2 ||f||^2 + C sum_i w_i V(u(x_i), y_i), with u = C f the scores and
    V the loss. This is mean V + lambda ||f||^2 with C = 1 / (2 n lambda), the mean weighted
    and n the sum of the weights. All arithmetic is in float64; scores come in the dtype of X.

    Parameters
    ----------
    loss : {"cone", "half_space", "relative", "vertex", "logistic"}, default="cone"
        Hinge on every wrong vertex (SC-SVM), hinge on the true vertex (SH-SVM), hinge on
        the lead of the true vertex (Hill and Doucet), distance to the vertex beyond a dead
        zone (Wu and Lange), softmax log-likelihood.
    hull : bool, default=True
        For "half_space": hold f in the hull of the code at the training rows, which makes
        the loss consistent. Other losses ignore it.
    kernel : str or callable, default="rbf"
        "linear", "rbf", "exponential", "laplacian", "poly" or "precomputed".
    gamma : float or "quantile", default="quantile"
        "quantile" sets the width to the 25th percentile of the distances between rows.
    C : float or list of floats, default=1.0
        Weight of the loss. A list is searched on a seeded, stratified fifth of the rows,
        each value solved to ten times tol (at most 1e-2); the smallest of equals is taken,
        and the model is refitted on all rows.
    fit_intercept : bool or "auto", default="auto"
        Add one to the kernel: an intercept that is penalised like every other weight.
        "auto" does so for the linear kernel, whose functions all vanish at zero otherwise.
    tol : float, default=1e-3
        Relative duality gap to reach.
    max_iter : int, default=5000
    class_weight : dict, "balanced" or None, default=None
    degree : float, default=3
    coef0 : float, default=1.0
    random_state : int, default=0
        Seed of the hold-out and of the width's sample.
    verbose : bool or "auto", default="auto"

    Attributes
    ----------
    classes_ : (T,) array
    dual_coef_ : (n, T) array
        decision_function is K @ dual_coef_ + intercept_; rows sum to zero, those of rows of
        weight zero are zero. Float64 whatever the dtype of X.
    certificate_ : Certificate
        `primal` of dual_coef_, and `dual` of `point`, dual feasible, next to it.
    duality_gap_ : float
        (primal - dual) / primal: the objective is at most this far above its minimum.
    objective_ : float
        1/2 ||f||^2 + C sum w V of the function that `decision_function` computes.
    support_ : indices of the rows where `certificate_.point` is not zero
    n_support_ : (T,) array, support rows of each class
    coef_ : (T, p) array, (1, p) for two classes; linear kernel only
    intercept_ : (T,) array, (1,) for two classes
    C_, lambda_, gamma_ : float, the values used; lambda_ = 1 / (2 C sum w)
    path_ : Path or None
        Held-out accuracies of a list of C; `best_score_` is that of the choice.
    n_iter_ : int

    Notes
    -----
    A kernel other than a linear one with fewer features than rows needs two n x n matrices,
    one in float64. "half_space" without the hull finds the least likely class for T >= 3;
    "relative" is not consistent there either. Only the former warns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SimplexSVC(C=1.0).fit(X, y)
    >>> bool(model.duality_gap_ <= 1e-3), bool(model.score(X, y) > 0.95)
    (True, True)
    """

    def __init__(
        self,
        loss: str = "cone",
        *,
        hull: bool = True,
        kernel: Any = "rbf",
        gamma: Any = "quantile",
        C: Any = 1.0,
        fit_intercept: bool | str = "auto",
        tol: float = 1e-3,
        max_iter: int = 5000,
        class_weight: Any = None,
        degree: float = 3,
        coef0: float = 1.0,
        random_state: int = 0,
        verbose: bool | str = "auto",
    ) -> None:
        self.loss = loss
        self.hull = hull
        self.kernel = kernel
        self.gamma = gamma
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.degree = degree
        self.coef0 = coef0
        self.random_state = random_state
        self.verbose = verbose

    @property
    def _sparse(self) -> Any:
        return ["csr"] if isinstance(self.kernel, str) and self.kernel == "linear" else False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SimplexSVC":
        """Fit the model.

        Parameters
        ----------
        X : (n, p) array, or (n, n) kernel values when kernel="precomputed"
        y : (n,) array of labels
        sample_weight : (n,) array or None

        Returns
        -------
        self
        """
        costs, stop = self._costs(), self._stop()
        loss, self._intercept = self._loss(), self._has_intercept()
        rows = self._training_set(X, y, sample_weight)
        rows = rows._replace(X=rows.X.astype(np.float64, copy=False))
        gamma = self._gamma(rows.X)
        kernel = Kernel(self.kernel, gamma, self.degree, self.coef0)
        path, starts, cost = None, None, costs[0]
        problem = MarginProblem(loss, rows.y, rows.counts, len(rows.classes))
        machine = Splitting(self._data(rows.X, kernel), stop.tol)
        with Progress("SimplexSVC", self.verbose) as progress:
            if len(costs) > 1:
                path, solutions = self._search(machine, problem, costs, stop, progress)
                best = path.best
                starts, cost = [solutions[best]], costs[best]
            (solution,) = machine.solve([problem.scaled(cost)], stop, starts, progress)
        self._store(rows, kernel, cost, path, solution)
        if not loss.is_consistent(len(rows.classes)) and loss.name == "half_space":
            warn(
                f"half_space with hull=False is not consistent for {len(rows.classes)} classes: "
                "it finds the least likely class; set hull=True.",
                UserWarning,
                stacklevel=2,
            )
        if solution.status is not Status.CONVERGED:
            warn(
                f"SimplexSVC stopped after {stop.max_iter} iterations at a relative duality gap "
                f"of {self.duality_gap_:.1e}, above tol={stop.tol:g}; raise max_iter or tol, "
                "or scale the features.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _data(self, X: Any, kernel: Kernel) -> Data:
        if kernel.name == "linear" and X.shape[1] < X.shape[0]:
            return Features(_with_ones(X) if self._intercept else X)
        K = np.asarray(kernel.matrix(X), dtype=np.float64)
        return kernel_data(K + 1 if self._intercept else K)

    def _search(
        self,
        machine: Splitting,
        problem: MarginProblem,
        costs: list[float],
        stop: Stop,
        report: Report,
    ) -> tuple[Path, list[MarginSolution]]:
        """Accuracies on rows set aside, and the solutions without them."""
        _, held = hold_out(problem.y, _HELD_OUT, np.random.default_rng(self.random_state))
        if not len(held):
            raise ValueError(
                f"C={self.C!r} needs rows to hold out and {len(problem.y)} are too few: give one C."
            )
        rough = replace(stop, tol=max(stop.tol, min(_ROUGHER * stop.tol, _ROUGHEST)))
        part = problem.without(held)
        solutions = machine.solve([part.scaled(cost) for cost in costs], rough, report=report)
        right = [s.scores[held].argmax(axis=1) == problem.y[held] for s in solutions]
        scores = [np.average(row, weights=problem.box[held]) for row in right]
        return Path.along("C", costs, scores), solutions

    def _store(
        self,
        rows: TrainingSet,
        kernel: Kernel,
        cost: float,
        path: Path | None,
        solution: MarginSolution,
    ) -> None:
        n = len(rows.y) if rows.kept is None else len(rows.kept)
        n_classes = len(rows.classes)
        kept = np.arange(n) if rows.kept is None else np.flatnonzero(rows.kept)
        self.classes_ = rows.classes
        self._dual_coef = np.zeros((n, n_classes))
        self._dual_coef[kept] = solution.coefficients
        self.certificate_ = solution.certificate
        used = np.any(solution.certificate.point != 0, axis=1)
        self.support_ = kept[used]
        self.n_support_ = np.bincount(rows.y[used], minlength=n_classes)
        self.duality_gap_ = solution.gap
        self.objective_ = solution.certificate.primal
        self.n_iter_ = solution.iterations
        self.C_, self.gamma_ = cost, kernel.gamma
        self.lambda_ = 1 / (2 * float(rows.counts.sum()) * cost)
        self.path_ = path
        intercept = solution.coefficients.sum(axis=0) * self._intercept
        if kernel.name == "linear":
            weights = np.asarray(rows.X.T @ solution.coefficients)
            self.function_ = LinearFunction(weights, intercept)
        else:
            basis = kept if kernel.name == "precomputed" else rows.X
            self.function_ = KernelExpansion(kernel, basis, solution.coefficients, intercept)

    @property
    def dual_coef_(self) -> Floats:
        """Weights of the kernel values of all rows of X, also of a linear kernel, (n, T)."""
        check_is_fitted(self)
        return self._dual_coef

    def _scores(self, X: Any) -> Floats:
        scores = self.function_.scores(X.astype(np.float64, copy=False))
        return scores.astype(X.dtype, copy=False)

    def _has_intercept(self) -> bool:
        if isinstance(self.fit_intercept, str):
            if self.fit_intercept != "auto":
                raise ValueError(
                    f'fit_intercept must be True, False or "auto", got {self.fit_intercept!r}.'
                )
            return isinstance(self.kernel, str) and self.kernel == "linear"
        return bool(self.fit_intercept)

    def _loss(self) -> Loss:
        if self.loss not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(LOSSES)}; got {self.loss!r}.")
        loss = get_loss(self.loss)
        return loss if self.hull else loss.without_hull()

    def _costs(self) -> list[float]:
        try:
            costs = np.atleast_1d(np.asarray(self.C, dtype=np.float64))
        except (TypeError, ValueError):
            costs = np.array([np.nan])
        if costs.ndim != 1 or not costs.size or not np.all((costs > 0) & (costs < np.inf)):
            raise ValueError(
                f"C must be a positive number or a list of them, got {self.C!r}; "
                "C = 1 / (2 n lambda)."
            )
        return [float(c) for c in np.unique(costs)]

    def _stop(self) -> Stop:
        if not 0 < self.tol < 1:
            raise ValueError(f"tol must be between 0 and 1, got {self.tol!r}.")
        if self.max_iter < 1 or int(self.max_iter) != self.max_iter:
            raise ValueError(f"max_iter must be an integer >= 1, got {self.max_iter!r}.")
        return Stop(float(self.tol), int(self.max_iter))

    def _gamma(self, X: Any) -> float:
        values = gamma_values(self.kernel, self.gamma, X, self.random_state)
        if len(values) > 1:
            raise ValueError(
                f'gamma must be a number or "quantile", got {self.gamma!r}; '
                "search over it with GridSearchCV."
            )
        return values[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def _with_ones(X: Any) -> Any:
    """X with a column of ones, so that X X' + 1 is its Gram matrix."""
    ones = np.ones((X.shape[0], 1))
    return hstack([X, csr_matrix(ones)], format="csr") if issparse(X) else np.hstack([X, ones])
