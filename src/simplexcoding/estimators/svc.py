"""SimplexSVC: support vector machines on the simplex, solved to a certified gap."""

from dataclasses import replace
from typing import Any, ClassVar
from warnings import warn

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import StrOptions

from simplexcoding.arrays import Floats, Indices, check_squares, largest_entry
from simplexcoding.design.design import Expansion, drawn_landmarks, expand
from simplexcoding.design.operators import Data
from simplexcoding.estimators.abilities.left_out_margins import LeftOutMargins
from simplexcoding.estimators.parameters import (
    FRACTION,
    FROM_ONE,
    KERNEL,
    POSITIVE,
    POSITIVE_NUMBERS,
    SHARED,
    is_word,
)
from simplexcoding.estimators.progress import Progress
from simplexcoding.inference.calibration import KINDS
from simplexcoding.inference.leave_one_out_bounds import leave_one_out_balls
from simplexcoding.inference.margin_folds import FoldScores, fold_scores
from simplexcoding.kernels import Kernel, gamma_values
from simplexcoding.losses import get_loss
from simplexcoding.losses.loss import Loss
from simplexcoding.rows import Training
from simplexcoding.selection.costs import choose_cost, rougher
from simplexcoding.selection.row_copies import folds_of_copies
from simplexcoding.solvers.margin import NEEDS, MarginProblem, MarginSolution
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.working_set import WorkingSet

_FOLDS = 5


class SimplexSVC(LeftOutMargins):
    """Support vector machine on the simplex code, one convex problem for all classes.

    Minimises over f: 1/2 ||f||^2 + C sum_i w_i V(u(x_i), y_i), with u = C f the scores and
    V the loss. This is mean V + lambda ||f||^2 with C = 1 / (2 n lambda), the mean weighted
    and n the sum of the weights. All arithmetic is in float64; scores come in the dtype of X.

    Parameters
    ----------
    loss : {"cone", "half_space", "relative", "vertex", "logistic", ...}, default="cone"
        Hinge on every wrong vertex (SC-SVM), hinge on the true vertex (SH-SVM), hinge on
        the lead of the true vertex (Hill and Doucet), distance to the vertex beyond a dead
        zone (Wu and Lange), softmax log-likelihood; or any other loss of the catalogue with
        a prox and a conjugate.
    hull : bool, default=True
        For "half_space": hold f in the hull of the code at the training rows, which makes
        the loss consistent. Other losses ignore it.
    kernel : str or callable, default="rbf"
        "linear", "rbf", "exponential", "laplacian", "poly" or "precomputed".
    gamma : float or "quantile", default="quantile"
        "quantile" sets the width to the 25th percentile of the distances between rows.
    landmarks : int, "auto" or None, default="auto"
        Rows to project the kernel on. None keeps the whole kernel; "auto" does so up to
        8,000 rows and then takes 3000 (n/8000)^(1/4) of them. No effect on "linear". The
        certificate is then that of the projected kernel, whose function is the one fitted.
    C : float, list of floats or "auto", default="auto"
        Weight of the loss. Several values are judged on a seeded, stratified fifth of the
        rows, which are set aside in place; each is solved to ten times tol (at most 1e-2),
        and the fit on all rows starts where the best ended. "auto" goes up by half decades
        from where every row violates its margin to where nothing changes or accuracies
        fall, on a whole kernel first by decades with 1,000 landmarks, then exactly around the best;
        a list is searched as given. Of equal accuracies the one with the lowest squared
        error ||c_y - f||^2 is taken. Where no row can be set aside "auto" is 1.
    fit_intercept : bool or "auto", default="auto"
        Add one to the kernel: an intercept that is penalised like every other weight.
        "auto" does so for the linear kernel, whose functions all vanish at zero otherwise.
    tol : float, default=1e-3
        Relative duality gap to reach.
    max_iter : int, default=5000
        Steps of the solver at each C, at most.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class; "balanced" gives every class the same weight.
    calibration : {"none", "temperature", "pooled", "vector"}, default="none"
        How scores become probabilities. "none" offers none and costs nothing. Otherwise five
        folds are set aside in place after the fit, and solved in step from the solution to
        ten times tol (at most 1e-2): every row gets scores by a machine that has not seen
        it, and the calibration is fitted to those. "temperature" is a softmax with one
        scale, which keeps every prediction; "vector" has a scale and an offset for each
        class, and `decision_function` and `predict` follow it; "pooled" has the nearest
        probabilities to those that keep every prediction.
    degree, coef0 : float, default=3 and 1.0
        Of the poly kernel (gamma <x, z> + coef0)^degree.
    random_state : int, RandomState or None, default=0
        Seed of the hold-out, of the landmarks and of the width's sample;
        None draws a new one for every fit.
    verbose : bool or "auto", default="auto"
        Show the progress of a long fit; "auto" does so on a terminal.

    Attributes
    ----------
    classes_ : (T,) array
        The labels, sorted; columns of scores and probabilities follow them.
    function_ : LinearFunction or KernelExpansion
        What `decision_function` computes.
    dual_coef_ : (m, T) array, (m, 1) for two classes, float64 whatever the dtype of X
        Weights of the kernel values of `X_fit_`, the rows of positive weight or the landmarks:
        decision_function is K @ dual_coef_ + intercept_. A linear function has `coef_` instead.
    certificate_ : Certificate
        `primal` of the function, and `dual` of `point` (n, T), dual feasible, next to it.
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
        Accuracies on the held-out rows along C; None where C was given.
    best_score_ : float, that of the choice
    landmark_indices_ : (m,) array of the rows used as landmarks, None for the whole kernel
    n_iter_ : int, iterations of the fit
    leave_one_out_bounds_ : (low, high) floats
        The leave-one-out error at C_, as a share of the weight, certainly lies between: rows
        certainly wrong when left out, and all but those certainly right. For any loss,
        weight and gap; landmarks stay, and a row leaves with its whole weight. For an
        estimate see `leave_one_out_error`.
    left_out_scores_ : (n, T) array
        Scores of every row by the machine without its fold; rows of weight zero have those
        of the fit. Where `calibration` asks for them, as are `predict_proba`,
        `predict_set` and `audit_labels`.
    calibration_ : Calibration
        How scores become probabilities.

    Notes
    -----
    A kernel other than a linear one with fewer features than rows needs two n x n matrices,
    one in float64; with m landmarks one n x m and, from 1,500 rows, half another.
    "half_space" without the hull finds the least likely class for T >= 3; "relative" is not
    consistent there either. Only the former warns.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SimplexSVC().fit(X, y)
    >>> bool(model.duality_gap_ <= 1e-3), bool(model.score(X, y) > 0.95)
    (True, True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **KERNEL,
        **SHARED,
        "loss": [str],
        "hull": ["boolean"],
        "gamma": [POSITIVE, StrOptions({"quantile"})],
        "landmarks": [FROM_ONE, StrOptions({"auto"}), None],
        "C": [POSITIVE_NUMBERS, StrOptions({"auto"})],
        "fit_intercept": ["boolean", StrOptions({"auto"})],
        "tol": [FRACTION],
        "max_iter": [FROM_ONE],
        "calibration": [StrOptions(set(KINDS))],
    }

    def __init__(
        self,
        loss: str = "cone",
        *,
        hull: bool = True,
        kernel: Any = "rbf",
        gamma: Any = "quantile",
        landmarks: Any = "auto",
        C: Any = "auto",
        fit_intercept: bool | str = "auto",
        tol: float = 1e-3,
        max_iter: int = 5000,
        class_weight: Any = None,
        calibration: str = "none",
        degree: float = 3,
        coef0: float = 1.0,
        random_state: Any = 0,
        verbose: bool | str = "auto",
    ) -> None:
        self.loss = loss
        self.hull = hull
        self.kernel = kernel
        self.gamma = gamma
        self.landmarks = landmarks
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.calibration = calibration
        self.degree = degree
        self.coef0 = coef0
        self.random_state = random_state
        self.verbose = verbose

    @property
    def _linear(self) -> bool:
        return Kernel(self.kernel).linear

    @property
    def _sparse(self) -> Any:
        return ["csr"] if self._linear else False

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SimplexSVC":
        """Choose C where it is not given, and fit the model.

        Parameters
        ----------
        X : (n, p) array or frame
            Rows of features; (n, n) kernel values when kernel="precomputed".
        y : (n,) array of labels
            Numbers or words, at least two different ones.
        sample_weight : (n,) array, default=None
            Integer weights equal repeated rows; rows of weight zero are as if absent.

        Returns
        -------
        self
        """
        self._validate_params()
        training = self._training(X, y, sample_weight)
        rows = training.rows.with_dtype(np.float64)
        training = replace(training, rows=rows)
        self._check_rows(rows.X)
        loss, stop = self._loss(), self._stop()
        seed = self._seed()
        gamma = gamma_values(self.kernel, self.gamma, rows.X, seed)[0]
        landmarks = self._landmarks(rows.X, seed)
        expansion = self._expansion(training, gamma, landmarks)
        problem = MarginProblem(loss, rows.y, rows.counts, rows.n_classes)
        machine = WorkingSet(expansion.data, stop.tol)
        with Progress("SimplexSVC", self.verbose) as progress:
            given = None if is_word(self.C, "auto") else self.C
            cost, path, start = choose_cost(machine, problem, rows.X, stop, given, seed, progress)
            starts = None if start is None else [start]
            problem = problem.scaled(cost)
            (found,) = machine.solve([problem], stop, starts, progress)
            left_out = None
            if self.calibration != "none":
                folds = folds_of_copies(rows.X, rows.y, _FOLDS, seed)
                left_out = fold_scores(machine, problem, found, folds, rougher(stop), progress)
        self.C_, self.gamma_, self.path_ = cost, gamma, path
        self.lambda_ = 1 / (2 * rows.total * cost)
        self.landmark_indices_ = None if landmarks is None else training.numbers[landmarks]
        solution = found.solution(expansion)
        self.classes_, self.function_ = training.classes, solution.function
        self.certificate_, self.n_iter_ = solution.certificate, solution.iterations
        self.duality_gap_, self.objective_ = found.gap, solution.certificate.primal
        used = np.any(solution.certificate.point != 0, axis=1)
        self.support_ = training.numbers[used]
        self.n_support_ = np.bincount(rows.y[used], minlength=rows.n_classes)
        balls = leave_one_out_balls(problem, found, expansion.data)
        self.leave_one_out_bounds_ = balls.error_bounds(rows.y, rows.weights)
        self._keep_left_out(training, left_out)
        self._warn(loss, found, left_out)
        return self

    def _expansion(self, training: Training, gamma: float, landmarks: Indices | None) -> Expansion:
        kernel = Kernel(self.kernel, gamma, self.degree, self.coef0)
        return expand(training, kernel, landmarks, self._has_intercept())

    def _posed(self, training: Training) -> tuple[MarginProblem, Data]:
        rows, landmarks = training.rows, self.landmark_indices_
        places = None if landmarks is None else training.places(landmarks)
        problem = MarginProblem(self._loss(), rows.y, self.C_ * rows.counts, rows.n_classes)
        return problem, self._expansion(training, self.gamma_, places).data

    def _check_rows(self, X: Any) -> None:
        if Kernel(self.kernel).precomputed:
            return
        check_squares(X)
        largest = largest_entry(X)
        lost = 0 < X.shape[1] * largest**2 < 100 * np.finfo(np.float64).eps
        if lost and self._linear and self._has_intercept():
            raise ValueError(
                f"X holds no more than {largest:g}: its products are lost beside the one that "
                "stands for the intercept; scale X up, or set fit_intercept=False."
            )

    def _warn(self, loss: Loss, found: MarginSolution, left_out: FoldScores | None) -> None:
        n_classes = len(self.classes_)
        if not self.hull and get_loss(self.loss).hull and not loss.is_consistent(n_classes):
            warn(
                f"{loss.name} with hull=False is not consistent for {n_classes} classes: "
                "it finds the least likely class; set hull=True.",
                UserWarning,
                stacklevel=3,
            )
        rough = rougher(self._stop()).tol
        if found.status is not Status.CONVERGED:
            self._stopped("SimplexSVC", found.gap, self.tol)
        elif left_out is not None and left_out.gap > rough:
            self._stopped("The folds of calibration", left_out.gap, rough)

    def _stopped(self, what: str, gap: float, tol: float) -> None:
        warn(
            f"{what} stopped after {self.max_iter} iterations at a relative duality gap "
            f"of {gap:.1e}, above tol={tol:g}; {Status.ITERATIONS.advice}.",
            ConvergenceWarning,
            stacklevel=4,
        )

    def _stop(self) -> Stop:
        return Stop(float(self.tol), int(self.max_iter))

    def _raw_scores(self, X: Any) -> Floats:
        scores = self.function_.scores(X.astype(np.float64, copy=False))
        return scores.astype(X.dtype, copy=False)

    def _loss(self) -> Loss:
        loss = get_loss(self.loss, NEEDS)
        return loss if self.hull else loss.without_hull()

    def _has_intercept(self) -> bool:
        return self._linear if is_word(self.fit_intercept, "auto") else bool(self.fit_intercept)

    def _landmarks(self, X: Any, seed: int) -> Indices | None:
        return None if self._linear else drawn_landmarks(self.landmarks, X, seed)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = Kernel(self.kernel).precomputed
        return tags
