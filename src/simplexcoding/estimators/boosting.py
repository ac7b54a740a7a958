"""Simplex boosting as a scikit-learn classifier."""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from simplexcoding.arrays import Floats
from simplexcoding.coding import SimplexCode
from simplexcoding.dask.lazy import lazy
from simplexcoding.estimators.boosting_parameters import (
    Recipe,
    check_parameters,
    feature_count,
    tree_depth,
)
from simplexcoding.estimators.classifier import DTYPES, SimplexClassifier, TrainingSet
from simplexcoding.estimators.held_out import held_out_split
from simplexcoding.estimators.progress import Progress
from simplexcoding.estimators.regressors import RegressorEnsemble, RegressorMethod
from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting import (
    BinnedRows,
    BoostingProblem,
    BoostingSolution,
    CoordinateMethod,
    FeatureDraw,
    Forest,
    GradientMethod,
    HeldOut,
    Method,
    Shape,
    boost,
)


class SimplexBoostingClassifier(SimplexClassifier):
    """Boosting with weak learners that answer in R^(T-1): one tree a round serves all classes.

    Minimises the risk sum_i w_i V(C f(x_i), y_i) over f = sum of weak learners times
    steps, from f = 0. V is the exponential loss sum over k != y of exp(-(u_y - u_k)/2)
    or the logistic loss log sum_k exp(u_k) - u_y of the scores u = C f. Every step is the
    exact minimiser along its weak learner, times `learning_rate`, so the risk never
    increases from one round to the next. With two classes, vertex leaves and the exponential
    loss this is AdaBoost.

    Parameters
    ----------
    loss : {"exponential", "logistic"}, default "exponential"
    method : {"gradient", "coordinate"}, default "gradient"
        "gradient" (GD-MCBoost) grows one vector-valued tree a round along the steepest
        descent. "coordinate" (CD-MCBoost) grows scalar trees on the T-1 coordinates, all
        from one sweep over the data.
    n_estimators : int, default 200
        Rounds.
    learning_rate : float in (0, 1], default 1.0
        Multiplies every exact step.
    max_depth : int from 1 to 10 or None, default None
        Depth of the trees; None is 2 for "gradient" and 1, a stump, for "coordinate".
    leaves : {"vector", "vertex"}, default "vector"
        "vector" leaves hold the mean direction of their rows, "vertex" leaves the nearest code
        vector (for "coordinate", its sign).
    coordinates : {"all", "best"}, default "all"
        Under "coordinate", whether a round steps every coordinate in turn or, as first
        published, only the one of least risk.
    max_features : int, float, "sqrt", "log2" or None, default None
        Features that a round may split, drawn anew for each round; a float is a share.
    min_samples_leaf : int, default 1
    min_weight_fraction_leaf : float in [0, 0.5), default 0.0
        Share of a round's weight, which moves to the rows that are still wrong, in every leaf.
    max_bins : int from 2 to 255, default 255
        Values of a feature that a split can tell apart.
    estimator : regressor or None, default None
        A scikit-learn regressor with sample weights and, for "gradient", several outputs, to
        use in place of the built-in trees. `max_depth`, `leaves`, `max_features`,
        `max_bins` and the two minima of a leaf then play no part.
    early_stopping : bool, default False
        Hold rows out and stop when their share of errors no longer falls; the rounds up to its
        least value are kept.
    validation_fraction : float in (0, 1), default 0.1
    n_iter_no_change : int, default 50
        Rounds without a fall of the held-out error before stopping.
    tol : float, default 0.0
        Fall of the held-out error that does not count.
    class_weight : dict, "balanced" or None, default None
    warm_start : bool, default False
        Add rounds to the last fit, up to `n_estimators`, in place of starting again.
    random_state : int, RandomState or None, default None
        For the draws of features and of held-out rows.
    verbose : bool or "auto", default "auto"
        Whether to show progress; "auto" does so on a terminal.

    Attributes
    ----------
    classes_ : (T,) array
    n_estimators_ : int
        Rounds kept.
    train_score_ : (n_estimators_,) array
        Risk of the training rows after each round.
    validation_score_ : (n_estimators_,) array
        Share of errors of the held-out rows after each round; only with early stopping.
    feature_importances_ : (p,) array
        Shares of the fall of the risk: that of a round is shared by its splits' gains.
    ensemble_ : Forest or RegressorEnsemble
        The trees as arrays or, with `estimator`, the regressors of each round.
    stop_ : str
        Why the rounds ended.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SimplexBoostingClassifier(n_estimators=20).fit(X[::2], y[::2])
    >>> round(model.score(X[1::2], y[1::2]), 2)
    0.97
    """

    def __init__(
        self,
        loss: str = "exponential",
        method: str = "gradient",
        n_estimators: int = 200,
        learning_rate: float = 1.0,
        *,
        max_depth: int | None = None,
        leaves: str = "vector",
        coordinates: str = "all",
        max_features: int | float | str | None = None,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_bins: int = 255,
        estimator: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 50,
        tol: float = 0.0,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
        verbose: bool | str = "auto",
    ) -> None:
        self.loss = loss
        self.method = method
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.leaves = leaves
        self.coordinates = coordinates
        self.max_features = max_features
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_bins = max_bins
        self.estimator = estimator
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SimplexBoostingClassifier":
        """Boost on rows X with labels y.

        Parameters
        ----------
        X : (n, p) array
        y : (n,) labels
        sample_weight : (n,) array or None

        Returns
        -------
        self
        """
        check_parameters(self)
        rows = self._training_set(X, y, sample_weight)
        recipe = Recipe.of(self, rows)
        earlier = self._earlier(recipe)
        seed = self._recipe.seed if earlier else recipe.seed
        fraction = self.validation_fraction if self.early_stopping else 0.0
        train, watch = held_out_split(rows, fraction, seed)
        T = len(rows.classes)
        problem = self._problem(train, T)
        with Progress(type(self).__name__, self.verbose) as progress:
            solution = boost(
                problem,
                self._method(problem, train, seed),
                self.n_estimators - len(earlier),
                S=problem.code.scores(_answers(earlier, train.X, T)),
                first=len(earlier),
                held_out=self._held_out(watch, T, earlier),
                progress=progress,
            )
        self._store(rows, earlier, solution, problem)
        self._recipe = replace(recipe, seed=seed)
        return self

    _recipe: Recipe
    validation_score_: Floats

    def _earlier(self, recipe: Recipe) -> Any:
        """Return the rounds of the last fit, if they are to be gone on with."""
        if not self.warm_start or not hasattr(self, "ensemble_"):
            return ()
        recipe.check_same(self._recipe)
        if self.n_estimators < len(self.ensemble_):
            raise ValueError(
                f"n_estimators must be at least {len(self.ensemble_)}, the rounds of the last fit, "
                f"with warm_start=True; got {self.n_estimators}."
            )
        return self.ensemble_

    def _problem(self, rows: TrainingSet, n_classes: int) -> BoostingProblem:
        weights = rows.counts
        return BoostingProblem(get_loss(self.loss), rows.y, n_classes, weights / weights.sum())

    def _held_out(self, rows: TrainingSet | None, n_classes: int, earlier: Any) -> HeldOut | None:
        if rows is None:
            return None
        start = _answers(earlier, rows.X, n_classes)
        problem = self._problem(rows, n_classes)
        return HeldOut(rows.X, problem, start, self.n_iter_no_change, self.tol)

    def _method(self, problem: BoostingProblem, rows: TrainingSet, seed: int) -> Method:
        gradient, every = self.method == "gradient", self.coordinates == "all"
        if self.estimator is not None:
            return RegressorMethod(
                problem, rows.X, self.estimator, self.learning_rate, gradient, every, seed
            )
        p = rows.X.shape[1]
        binned = BinnedRows.from_data(rows.X, rows.weights, self.max_bins)
        draw = FeatureDraw(p, feature_count(self.max_features, p), seed)
        shape = Shape(tree_depth(self), self.min_samples_leaf, self.min_weight_fraction_leaf)
        snapped = self.leaves == "vertex"
        if gradient:
            return GradientMethod(problem, binned, shape, draw, self.learning_rate, snapped)
        return CoordinateMethod(problem, binned, shape, draw, self.learning_rate, snapped, every)

    def _store(
        self,
        rows: TrainingSet,
        earlier: Any,
        solution: BoostingSolution,
        problem: BoostingProblem,
    ) -> None:
        """Write the fitted attributes."""
        kind: Any = Forest if self.estimator is None else RegressorEnsemble
        new = kind.of([round.parts for round in solution.rounds])
        old = getattr(self, "train_score_", []) if earlier else []
        watched = getattr(self, "validation_score_", []) if earlier else []
        if hasattr(self, "validation_score_"):
            del self.validation_score_
        self.classes_ = rows.classes
        self.ensemble_ = earlier + new if earlier else new
        self.n_estimators_ = len(self.ensemble_)
        self.train_score_ = np.array([*old, *(round.risk for round in solution.rounds)])
        self.stop_ = solution.status.value
        if self.early_stopping:
            self.validation_score_ = np.array([*watched, *solution.held_out_errors])
        start = problem.loss.value(np.zeros((1, len(rows.classes))), np.zeros(1, dtype=np.intp))
        falls = -np.diff(self.train_score_, prepend=start)
        self._importances = self.ensemble_.importances(falls, rows.X.shape[1])
        if self._importances is not None and not self._importances.any():
            warnings.warn(
                "No split lowers the risk, so every row gets the same answer: check that a feature "
                "of X varies, and that min_samples_leaf and min_weight_fraction_leaf leave room.",
                ConvergenceWarning,
                stacklevel=3,
            )

    @property
    def feature_importances_(self) -> Floats:
        """Shares of the fall of the risk: that of a round is shared by its splits' gains."""
        check_is_fitted(self)
        if self._importances is None:
            raise AttributeError("feature_importances_ needs an estimator that has them itself.")
        return self._importances

    def _scores(self, X: Any) -> Floats:
        T = len(self.classes_)
        return SimplexCode(T).scores(_answers(self.ensemble_, X, T))

    @lazy
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes: the softmax of the scores.

        Both losses are minimised, given x, by the centred logarithms of the class
        probabilities, whose softmax are these probabilities.

        Parameters
        ----------
        X : (n, p) array

        Returns
        -------
        (n, T) array
        """
        return softmax(self._checked_scores(X), axis=1)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """`decision_function` after each round.

        Parameters
        ----------
        X : (n, p) array

        Yields
        ------
        (n, T) array, or (n,) for two classes
        """
        for scores in self._staged_scores(X):
            yield scores[:, 1] if len(self.classes_) == 2 else scores

    def staged_predict(self, X: Any) -> Iterator[Any]:
        """`predict` after each round.

        Parameters
        ----------
        X : (n, p) array

        Yields
        ------
        (n,) array of labels
        """
        for scores in self._staged_scores(X):
            yield self.classes_[scores.argmax(axis=1)]

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=DTYPES, reset=False)
        code = SimplexCode(len(self.classes_))
        for F in self.ensemble_.staged(X, np.zeros((len(X), code.dim))):
            yield code.scores(F)


def _answers(ensemble: Any, X: Any, n_classes: int) -> Floats:
    """Values of f at the rows of X, (n, T-1)."""
    F = np.zeros((len(X), n_classes - 1))
    if len(ensemble):
        ensemble.add(X, F)
    return F
