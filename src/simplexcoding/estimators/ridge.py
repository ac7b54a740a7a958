"""SimplexRidgeClassifier: least squares on the simplex that chooses its own regularisation."""

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar

from scipy.sparse import issparse
from sklearn.utils._param_validation import StrOptions

from simplexcoding.arrays import Floats, check_squares, is_dask
from simplexcoding.design import Folds
from simplexcoding.devices import Home
from simplexcoding.estimators.abilities.exact_updates import ExactUpdates
from simplexcoding.estimators.abilities.on_device import OnDevice
from simplexcoding.estimators.abilities.ridge_from_blocks import RidgeFromBlocks
from simplexcoding.estimators.parameters import FROM_ONE, KERNEL, POSITIVE_NUMBERS, SHARED, is_word
from simplexcoding.estimators.progress import Progress, warn_of_a_long_row
from simplexcoding.functions import Function
from simplexcoding.inference.calibration import KINDS, usual_kind
from simplexcoding.kernels import KERNELS, OF_SPARSE_ROWS, Kernel
from simplexcoding.rows import Training
from simplexcoding.selection.candidates import judge
from simplexcoding.selection.choice import (
    SETTLED,
    LandmarkPlan,
    Question,
    landmark_plan,
    may_be_whole,
)
from simplexcoding.selection.grids import candidate_kernels, given_grid
from simplexcoding.selection.history import History
from simplexcoding.selection.path import Path
from simplexcoding.selection.sampled_scores import JudgingRule
from simplexcoding.selection.scoring import score_name, scoring_after
from simplexcoding.selection.splits import Splits, judged_rows
from simplexcoding.solvers.ridge import RidgeProblem

_SPARSE_KERNELS = ("auto", *OF_SPARSE_ROWS)


class SimplexRidgeClassifier(OnDevice, RidgeFromBlocks, ExactUpdates):
    """Regularised least squares on simplex codes (S-RLS), linear or with a kernel.

    Minimises sum_i w_i ||c_(y_i) - f(x_i)||^2 + alpha ||f||^2. A factorisation gives the
    exact prediction of every training row by the model fitted without it; alpha (and gamma)
    are chosen by those. Where asking all the alphas would take long, a few are asked exactly
    and `path_.exact` says which. At the same alpha a linear model predicts as scikit-learn's
    RidgeClassifier.

    Parameters
    ----------
    kernel : str or callable, default="auto"
        "linear", "rbf", "exponential", "laplacian", "poly" or "precomputed". "auto" tries
        linear, rbf at several widths and exponential, features as they are and scaled, on
        samples of the rows, and takes the one whose left-out rows have the least log-loss
        (or the best `scoring`, where that is given). Sparse X: linear and rbf, not scaled.
    gamma : float, list of float, "quantile" or "auto", default="quantile"
        Parameter of the kernel; of a list the best is chosen with alpha. "quantile" is
        the paper's rule: the width sigma is the 25th percentile of the distances between
        distinct rows, gamma = 1/(2 sigma^2) for rbf, 1/sigma for exponential and laplacian;
        for poly it is 1/(p Var X). "auto" chooses among multiples of it.
    scaling : {"none", "standard", "auto"} or None, default=None
        "standard" divides the features by their standard deviations, "auto" chooses. None
        is "auto" with kernel="auto" and "none" with a kernel that is named.
    degree : float, default=3
        Of the poly kernel (gamma <x, z> + coef0)^degree.
    coef0 : float, default=1.0
        Of the poly kernel.
    landmarks : int, None or "auto", default="auto"
        Rows to project the kernel on. None keeps the whole kernel. "auto" does so up to
        8,000 rows, at the alpha that half of them prefer; beyond, their number doubles from
        500 while the left-out log-loss gains more than a hundredth, up to 3,000; those beyond
        the first are the rows that the model so far finds hardest. No effect on "linear".
    alphas : float, array or "auto", default="auto"
        alpha = n lambda. "auto": 100 values from the largest eigenvalue down.
    scoring : str, callable or None, default=None
        Chooses alpha, and what else is to be chosen. None is "accuracy" for alpha (with
        calibration="vector" "neg_log_loss") and "neg_log_loss" for kernel, width and
        scaling. Else one of these, "balanced_accuracy",
        "neg_mean_squared_error" or any scikit-learn scorer; ties go to the lower squared error.
    cv : None, int, splitter or iterable of splits, default=None
        None leaves out one row at a time; otherwise whole folds are left out, by the exact
        formula on the same factorisation. Folds may overlap: a row has the mean of its
        left-out scores. Rows of no fold count in no score, choice, calibration or set.
    fit_intercept : bool, default=True
        Whether the function has a constant term, which is not regularised.
    class_weight : None, "balanced" or dict, default=None
        Frozen at full-data values when rows are left out.
    calibration : {"auto", "temperature", "pooled", "vector", "none"}, default="auto"
        How scores become probabilities, fitted to the left-out scores. "temperature" is a
        softmax with one scale, which keeps every prediction. "vector" fits a scale and an
        offset for each class: decisions follow it, often for the better, and alpha is
        chosen by what it makes of each row when fitted to the others. "pooled" has the
        probabilities nearest to those that keep every prediction. "none" puts the
        estimated mixture of vertices on the simplex. "auto" is "pooled" for a linear kernel
        and at most 100,000 scores, rows x classes, and "temperature" else.
    random_state : int, RandomState or None, default=0
        Seed of the samples, of the landmarks and of the width's sample;
        None draws a new one for every fit.
    verbose : bool or "auto", default="auto"
        Progress of long fits; "auto" shows it on a terminal.

    Attributes
    ----------
    classes_ : (T,) array
        The labels, sorted; columns of scores and probabilities follow them.
    alpha_, lambda_, gamma_ : float
        The choice; lambda_ = alpha_ / sum of weights.
    kernel_ : str or callable
        What was chosen, with gamma_ and scaling_.
    scaling_ : {"none", "standard"}
        Whether features are divided by their standard deviations.
    candidates_ : Candidates or None
        What was tried before, and how it scored; None where all was given.
    landmark_path_ : LandmarkPath or None
        How the left-out log-loss fell as landmarks were added; None of a whole kernel.
    best_score_ : float
        Score of the left-out predictions at the choice: by `scoring`; without one their
        accuracy, or minus their log-loss where `calibration="vector"`.
    loo_scores_ : (n, T) array
        Scores of every training row by the model fitted without it (or its fold; the mean
        over its folds where there are several). NaN for rows that no fold of `cv` leaves
        out; rows of weight zero have those of the fit.
    path_ : Path
        Scores, squared errors and effective dimensions along alpha, a row for each gamma.
    calibration_ : Calibration
        How scores become probabilities.
    coef_, intercept_ : (T, p) and (T,) arrays, (1, p) and (1,) for two classes
        `coef_` only for the linear kernel.
    dual_coef_ : (m, T) array on the kernel values of `X_fit_`; (m, 1) for two classes
    landmark_indices_, n_landmarks_
        Rows of X used as landmarks, None and 0 where the kernel is whole.
    n_features_in_, feature_names_in_
        Number and, of a frame, names of the features.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexRidgeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SimplexRidgeClassifier(kernel="rbf").fit(X, y)
    >>> round(model.best_score_, 3)
    0.973
    """

    _sparse = "csr"
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SHARED,
        **KERNEL,
        "kernel": [StrOptions({"auto", *KERNELS}), callable],
        "gamma": [POSITIVE_NUMBERS, StrOptions({"quantile", "auto"})],
        "scaling": [StrOptions({"none", "standard", "auto"}), None],
        "landmarks": [FROM_ONE, StrOptions({"auto"}), None],
        "alphas": [POSITIVE_NUMBERS, StrOptions({"auto"})],
        "scoring": [str, callable, None],
        "cv": ["cv_object"],
        "calibration": [StrOptions({"auto", *KINDS})],
    }

    def __init__(
        self,
        kernel: Any = "auto",
        *,
        gamma: Any = "quantile",
        scaling: str | None = None,
        degree: float = 3,
        coef0: float = 1.0,
        landmarks: Any = "auto",
        alphas: Any = "auto",
        scoring: Any = None,
        cv: Any = None,
        fit_intercept: bool = True,
        class_weight: Any = None,
        calibration: str = "auto",
        random_state: Any = 0,
        verbose: bool | str = "auto",
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.scaling = scaling
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.alphas = alphas
        self.scoring = scoring
        self.cv = cv
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.calibration = calibration
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None
    ) -> "SimplexRidgeClassifier":
        """Factorise, choose gamma and alpha by left-out predictions, and keep the function.

        Parameters
        ----------
        X : (n, p) array, CSR matrix or frame; the (n, n) kernel matrix if precomputed
            Dask collections are fitted as `fit_blocks` does, on the current scheduler.
        y : (n,) array of labels
            Numbers or words, at least two different ones.
        sample_weight : (n,) array, default=None
            Integer weights equal repeated rows; rows of weight zero are as if absent.
        groups : (n,) array, default=None
            Handed to the splitter in `cv`, so that rows of one group leave together.

        Returns
        -------
        self
        """
        if is_dask(X) and groups is None:
            return self._fit_collections(X, y, sample_weight)
        self._validate_params()
        home = Home.of(X)
        if home is not None:
            return self._fit_on_device(X, y, sample_weight, groups, home)
        return self._fit(self._training(X, y, sample_weight), groups)

    def _fit(self, training: Training, groups: Any = None) -> "SimplexRidgeClassifier":
        X = training.rows.X
        self._check_rows(X)
        splits = Splits.of(self.cv, training, groups)
        seed = self._seed()
        folds = splits.folds(training)
        kernels, near = self._chosen_kernels(training, folds, seed)
        plan: LandmarkPlan = SETTLED
        if not kernels[0].linear:
            may_choose = folds is None and len(kernels) == 1 and self.calibration != "vector"
            plan = landmark_plan(self.landmarks, X, may_choose, seed, near)
        problems = [
            RidgeProblem(X, kernel, training.rows.bare, self.fit_intercept, plan.rows)
            for kernel in kernels
        ]
        return self._learn(training, problems, splits, plan)

    def _learn_from(self, history: History) -> "SimplexRidgeClassifier":
        return self._learn(history.training, [history.problem], history.splits)

    def _learn(
        self,
        training: Training,
        problems: Sequence[RidgeProblem],
        splits: Splits,
        plan: LandmarkPlan = SETTLED,
    ) -> "SimplexRidgeClassifier":
        """Choose, solve, calibrate and keep."""
        rows, folds = training.rows, splits.folds(training)
        given = None if is_word(self.alphas, "auto") else given_grid(self.alphas)
        scoring = scoring_after(self.calibration, self.scoring, rows.bare, training.classes)
        with Progress(type(self).__name__, self.verbose) as progress:
            chosen = plan.choose(problems, Question(given, scoring, folds, progress))
        path, factor, alpha, self.landmark_path_ = chosen
        solution = factor.solve(alpha, training.numbers)
        left_out = factor.spectrum.left_out(alpha, folds)
        scores = left_out.scores(overwrite=True)
        judged = judged_rows(rows, folds)
        landmarks = factor.problem.landmarks
        self._keep_choice(
            training.classes,
            solution.function,
            path,
            factor.problem.kernel,
            0 if landmarks is None else len(landmarks),
        )
        marked = None if landmarks is None else training.numbers[landmarks]
        self.landmark_indices_ = marked
        self.lambda_ = alpha / rows.total
        self.loo_scores_ = self._calibrate(training, scores, judged, scoring.followed())
        self._history, self._knowledge = History.of(training, factor, splits), None
        warn_of_a_long_row(factor.spectrum.lost())
        if edges := path.edges(given):
            warnings.warn(
                f"The best value lies at the edge of the given {' and '.join(edges)}; "
                "extend the grid beyond it.",
                UserWarning,
                stacklevel=4,
            )
        return self

    def _keep_choice(
        self, classes: Any, function: Function, path: Path, kernel: Kernel, n_landmarks: int
    ) -> None:
        """Keep a function and how it was chosen."""
        self._forget_tensors()
        self.classes_, self.function_, self.path_ = classes, function, path
        self.alpha_ = float(path.alphas[path.best])
        self.kernel_ = kernel.name
        self.gamma_ = float(kernel.gamma)
        self.scaling_ = "none" if kernel.scale is None else "standard"
        self.n_landmarks_ = n_landmarks

    def _calibration_for(self, scores: Floats) -> str:
        if not is_word(self.calibration, "auto"):
            return self.calibration
        return usual_kind(Kernel(self.kernel_).linear, scores.size)

    def _check_rows(self, X: Any) -> None:
        if issparse(X) and self.kernel not in _SPARSE_KERNELS:
            raise TypeError(f"kernel={self.kernel!r} takes no sparse X; use X.toarray().")
        if is_word(self.kernel, "auto") and not isinstance(self.gamma, str):
            raise ValueError(
                f'gamma={self.gamma!r} belongs to a kernel, and kernel="auto" chooses both; '
                'name the kernel, or leave gamma at "quantile".'
            )
        if not Kernel(self.kernel).precomputed:
            check_squares(X)

    def _chosen_kernels(
        self, training: Training, folds: Folds | None, seed: int
    ) -> tuple[list[Kernel], float | None]:
        """The kernel that left-out rows choose, and their alpha; or those given, and None."""
        self.candidates_ = None
        rows, automatic = training.rows, is_word(self.kernel, "auto")
        scaling = self.scaling or ("auto" if automatic else "none")
        if callable(self.kernel) or Kernel(self.kernel).precomputed:
            if scaling != "none":
                raise ValueError(
                    f"scaling={self.scaling!r} has no features to scale with this kernel; "
                    'set scaling="none" and scale them yourself.'
                )
            return [Kernel(self.kernel)], None
        widths = "auto" if automatic else self.gamma
        kernels = candidate_kernels(
            self.kernel, widths, scaling, rows.X, rows.weights, seed, self.degree, self.coef0
        )
        finer = is_word(widths, "auto")
        if not (finer or scaling == "auto") or len(kernels) == 1:
            return kernels, None
        problem = RidgeProblem(rows.X, kernels[0], rows.bare, self.fit_intercept)
        rule = JudgingRule.of(self.scoring, training.classes)
        whole = may_be_whole(self.landmarks, len(rows))
        with Progress("choosing the kernel", self.verbose) as progress:
            found = judge(problem, kernels, rule, whole, seed, folds, progress, finer)
        self.candidates_, kernel, alpha = found
        return [kernel], alpha

    @property
    def _score_name(self) -> str:
        return score_name(self.calibration, self.scoring)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = Kernel(self.kernel).precomputed
        tags.input_tags.sparse = self.kernel in _SPARSE_KERNELS
        return tags
