"""Simplex boosting as a scikit-learn classifier."""

import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from simplexcoding.arrays import Floats
from simplexcoding.estimators.abilities.boosted_answers import BoostedClassifier
from simplexcoding.estimators.parameters import BOOSTING, SHARED
from simplexcoding.estimators.progress import Progress
from simplexcoding.functions import Ensemble
from simplexcoding.inference.calibration import Temperature
from simplexcoding.inference.temperature import fit_temperature
from simplexcoding.losses import get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting import (
    Booster,
    CalibratedLogLoss,
    Categories,
    Forest,
    HoldOut,
    Recipe,
    RegressorEnsemble,
    Settings,
    Shape,
    Trail,
    Watch,
    best_of,
    check_method,
    draws_to_try,
    features_drawn,
    merged,
    share_of_errors,
)

# What None means, by method: learning rate and depth.
_RATES = {"newton": 0.1, "gradient": 1.0, "coordinate": 1.0}
_DEPTHS = {"newton": 6, "gradient": 2, "coordinate": 1}


class SimplexBoostingClassifier(BoostedClassifier):
    """Boosting with trees that answer in R^(T-1): one tree per round serves all classes.

    It minimises the risk sum_i w_i V(C f(x_i), y_i) over f = sum of trees, from f = 0. V is
    the logistic loss log sum_k exp(u_k) - u_y of the scores u = C f, or the exponential loss
    sum over k != y of exp(-(u_y - u_k)/2). "newton" looks for splits in a random projection of
    the simplex, drawn anew for each round, and gives every leaf the Newton step of all T
    classes: a round hardly costs more with many. "gradient" and "coordinate" are the published
    GD-MCBoost and CD-MCBoost, whose step is the exact minimiser along its tree; with vertex
    leaves and two classes they are AdaBoost.

    Parameters
    ----------
    loss : {"logistic", "exponential"}, default="logistic"
        "exponential" needs method "gradient" or "coordinate".
    method : {"newton", "gradient", "coordinate"}, default="newton"
        How a round steps, as above.
    n_estimators : int, default=500
        Rounds, at most.
    learning_rate : float in (0, 1] or None, default=None
        Multiplies every step. None is 0.1 for "newton", 1 for the exact steps.
    max_depth : int from 1 to 10 or None, default=None
        Depth of the trees. None is 6 for "newton", 2 for "gradient" and 1, a stump, for
        "coordinate".
    l2_regularization : float, default=0.3
        Added to the curvature of every class in a leaf, in units of rows; for "newton".
    n_directions : int, default=6
        Dimensions in which "newton" looks for splits.
    max_features : int, float, "auto", "sqrt", "log2" or None, default="auto"
        Features that a round may split, drawn anew for each round; a float is a share, None
        all of them. "auto" is 4 sqrt(p) for "newton", or its half, quarter or eighth where folds
        of few rows prefer that, and all for the others.
    min_samples_leaf : int, default=1
        The fewest rows of a leaf.
    min_weight_fraction_leaf : float in [0, 0.5), default=0.0
        Share of a round's weight, which moves to the rows that are still wrong, in every leaf.
    max_bins : int from 2 to 255, default=255
        Values of a feature that a split can tell apart, besides missing ones.
    categorical_features : "from_dtype", array-like or None, default="from_dtype"
        Columns of at most 255 categories: those of a categorical dtype in a DataFrame of pandas
        or Polars, or a mask, numbers or names of columns. A category never seen is a missing
        value.
    leaves : {"vector", "vertex"}, default="vector"
        For exact steps: "vector" leaves hold the mean direction of their rows, "vertex" leaves
        the nearest code vector (for "coordinate", its sign).
    coordinates : {"all", "best"}, default="all"
        Under "coordinate", whether a round steps every coordinate in turn or, as first
        published, only the one of least risk.
    estimator : regressor or None, default=None
        A scikit-learn regressor with sample weights and, for "gradient", several outputs, to
        use in place of the built-in trees, with exact steps.
    early_stopping : bool or "auto", default="auto"
        Stop when the rows held out gain no more, and keep the rounds that are best for them.
        Exact steps are watched by the share of errors, Newton rounds by the log-loss at its
        best temperature; then the held-out rows join for a quarter as many rounds. Below 1,000
        rows each is held out of one of five folds, and the trees are then grown on all rows.
        "auto" is True for "newton".
    validation_fraction : float in (0, 1), default=0.1
        Part of each class that is held out. Equal rows stay together.
    n_iter_no_change : int, default=50
        Rounds without a gain on held-out rows before stopping.
    tol : float, default=1e-4
        Gain on held-out rows that does not count.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class; "balanced" gives every class the same weight.
    warm_start : bool, default=False
        Add rounds to the last fit, up to `n_estimators`. Rows held out then stay held out.
    random_state : int, RandomState or None, default=None
        Seed of the directions, of the features drawn and of the held-out rows;
        None draws a new one for every fit.
    verbose : bool or "auto", default="auto"
        Show progress and the held-out measure; "auto" does so on a terminal.

    Attributes
    ----------
    classes_ : (T,) array
        The labels, sorted; columns of scores and probabilities follow them.
    n_estimators_ : int
        Rounds kept.
    train_score_ : (n_estimators_,) array
        Risk, after each round, of the rows that it learnt from.
    validation_score_ : array
        Measure of the held-out rows after each round that did not learn from them.
    calibration_ : Temperature
        From scores to probabilities, fitted to held-out rows.
    feature_importances_ : (p,) array
        Shares of the fall of the risk: that of a round is shared by its splits' gains.
    function_ : Ensemble
        The trees, and what they answer.
    stop_ : str
        Why the rounds ended.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SimplexBoostingClassifier(random_state=0).fit(X[::2], y[::2])
    >>> round(model.score(X[1::2], y[1::2]), 2)
    0.97
    """

    _finite: Any = "allow-nan"
    _parameter_constraints: ClassVar[dict[str, Any]] = {**SHARED, **BOOSTING}

    def __init__(
        self,
        loss: str = "logistic",
        method: str = "newton",
        n_estimators: int = 500,
        learning_rate: float | None = None,
        *,
        max_depth: int | None = None,
        l2_regularization: float = 0.3,
        n_directions: int = 6,
        max_features: int | float | str | None = "auto",
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        leaves: str = "vector",
        coordinates: str = "all",
        estimator: Any = None,
        early_stopping: bool | str = "auto",
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 50,
        tol: float = 1e-4,
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
        self.l2_regularization = l2_regularization
        self.n_directions = n_directions
        self.max_features = max_features
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.leaves = leaves
        self.coordinates = coordinates
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
        X : (n, p) array or DataFrame
            Rows of features, NaN where a value is missing.
        y : (n,) array of labels
            Numbers or words, at least two different ones.
        sample_weight : (n,) array, default=None
            Integer weights equal repeated rows; rows of weight zero are as if absent.
        """
        self._validate_params()
        check_method(self.method, self.loss, self.estimator)
        self._refuse_collections(X, y)
        categories = Categories.of(X, self.categorical_features)
        training = self._training(categories.encode(X), y, sample_weight)
        rows, classes = training.rows, training.classes
        recipe = self._new_recipe(rows, classes)
        earlier = self._earlier(recipe)
        if earlier is not None and self._recipe is not None:
            recipe = replace(recipe, seed=self._recipe.seed)
        settings = self._settings(recipe, rows)
        binned = settings[0].binned(rows, categories.mask(rows.X.shape[1]))
        hold_outs = [self._hold_out(rows) for _ in settings]
        # Trees of an earlier fit may tell rows apart that these bins do not.
        if self.method == "newton" and binned is not None and earlier is None:
            rows, binned = merged(rows, binned)
        boosters = [
            Booster(
                each.method_for(binned),
                RegressorEnsemble.of if binned is None else Forest.of,
                self.n_estimators,
                hold_out,
                recipe.seed,
                None if binned is None else binned.codes.T,
            )
            for each, hold_out in zip(settings, hold_outs, strict=True)
        ]
        with Progress(type(self).__name__, self.verbose) as progress:
            progress.once("compiling, once for an installation")
            solution = best_of(boosters, rows, earlier, progress)
        trail = solution.trail
        self._keep_scores(trail, earlier is not None)
        self.classes_, self._categories, self._recipe = classes, categories, recipe
        self.function_, self.n_estimators_ = solution.function, solution.iterations
        self.stop_ = solution.status.advice
        self.calibration_ = Temperature(1.0)
        if trail.held_out is not None and trail.scores is not None:
            held = trail.held_out
            self.calibration_ = Temperature(fit_temperature(trail.scores, held.y, held.weights))
        self._importances = self._shares(solution.function, rows)
        return self

    train_score_: Floats
    validation_score_: Floats
    _recipe: Recipe | None = None

    @property
    def _score_name(self) -> str:
        return "neg_log_loss" if self.method == "newton" else "accuracy"

    def _new_recipe(self, rows: Rows, classes: Any) -> Recipe:
        return Recipe(
            self.loss,
            self.method,
            self.max_depth or _DEPTHS[self.method],
            "built-in trees" if self.estimator is None else "regressors",
            rows.X.shape[1],
            tuple(classes.tolist()),
            self._seed(),
        )

    def _earlier(self, recipe: Recipe) -> Ensemble | None:
        """Rounds of the last fit, if they are to be gone on with."""
        if not self.warm_start or self._recipe is None:
            return None
        recipe.check_same(self._recipe)
        if self.n_estimators < self.n_estimators_:
            raise ValueError(
                f"n_estimators must be at least {self.n_estimators_}, the rounds of the last fit, "
                f"with warm_start=True; got {self.n_estimators}."
            )
        return self.function_

    def _settings(self, recipe: Recipe, rows: Rows) -> list[Settings]:
        """How rounds are made; of several ways held-out rows choose."""
        newton = self.method == "newton"
        most = None if self.max_features == "auto" and not newton else self.max_features
        first = Settings(
            self.loss,
            self.method,
            self.learning_rate or _RATES[self.method],
            Shape(
                recipe.max_depth,
                self.min_samples_leaf,
                self.min_weight_fraction_leaf,
                float(self.l2_regularization) if newton else 0.0,
            ),
            features_drawn(most, rows.X.shape[1]),
            int(self.n_directions),
            self.max_bins,
            self.leaves == "vertex",
            self.coordinates == "all",
            self.estimator,
            recipe.seed,
        )
        hold_out = self._hold_out(rows)
        if most != "auto" or hold_out is None or not hold_out.every:
            return [first]
        return [replace(first, n_features=size) for size in draws_to_try(rows.X.shape[1])]

    def _hold_out(self, rows: Rows) -> HoldOut | None:
        newton = self.method == "newton"
        if not (newton if self.early_stopping == "auto" else self.early_stopping):
            return None
        measure = CalibratedLogLoss() if newton else share_of_errors
        watch = Watch(measure, self.n_iter_no_change, self.tol)
        if newton and not self.warm_start:
            return HoldOut.by_size(rows, watch, self.validation_fraction)
        return HoldOut.once(watch, self.validation_fraction, join=False)

    def _keep_scores(self, trail: Trail, goes_on: bool) -> None:
        """Keep what the rounds reached, after what those before them did."""
        risks = self.train_score_ if goes_on else np.zeros(0)
        measures = self._known("validation_score_")
        if measures is not None:
            del self.validation_score_
        self.train_score_ = np.append(risks, trail.risks)
        if trail.held_out is not None:
            before = np.zeros(0) if measures is None or not goes_on else measures
            self.validation_score_ = np.append(before, trail.measures)

    def _shares(self, function: Ensemble, rows: Rows) -> Floats | None:
        """Shares of the fall of the risk, (p,); None of learners that have none."""
        start = get_loss(self.loss).value(np.zeros((1, rows.n_classes)), np.zeros(1, dtype=int))
        falls = np.maximum(-np.diff(self.train_score_, prepend=start), 0.0)
        shares = function.parts.importances(falls, rows.X.shape[1])
        if shares is not None and not shares.any():
            warnings.warn(
                "No split lowers the risk, so every row gets the same answer: check that a feature "
                "of X varies, and that min_samples_leaf and min_weight_fraction_leaf leave room.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return shares
