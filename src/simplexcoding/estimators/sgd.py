"""Online simplex learning."""

import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from simplexcoding.arrays import Floats, check_real, check_squares, warn_if_far
from simplexcoding.estimators.abilities.online_from_blocks import OnlineFromBlocks
from simplexcoding.estimators.classifier import DTYPES, SimplexClassifier, check_one_kind
from simplexcoding.estimators.parameters import (
    FRACTION,
    FROM_ONE,
    FROM_ZERO,
    POSITIVE_NUMBERS,
    SHARED,
)
from simplexcoding.estimators.progress import Progress
from simplexcoding.functions import Function
from simplexcoding.losses import get_loss, losses_offering
from simplexcoding.selection.online import fit_online
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.stochastic.labels import check_labels_alike, learn, named, with_classes
from simplexcoding.solvers.stochastic.learning import NEEDS, Descent, function, running_objective
from simplexcoding.solvers.stochastic.stream import Stream

_SWITCHES = ("project", "average", "shuffle", "early_stopping", "warm_start")
_NOT_FINITE = f"The weights are no longer finite: {Status.NOT_FINITE.advice}."


def _has_probabilities(model: Any) -> bool:
    known = losses_offering(*NEEDS, "class_probabilities")
    if model.loss in known:
        return True
    raise AttributeError(
        f"loss={model.loss!r} has no probabilities; take loss among {', '.join(known)}."
    )


def _can_stream(model: Any) -> bool:
    if np.ndim(model.alpha):
        raise AttributeError(
            f"alpha={model.alpha!r} is a list, and a stream has no held-out rows to choose by; "
            "give one alpha: set_params(alpha=model.alpha_) takes the choice of a fit."
        )
    if isinstance(model.class_weight, str):
        raise AttributeError(f"class_weight={model.class_weight!r} needs all labels: give a dict.")
    return True


class SimplexSGDClassifier(OnlineFromBlocks, SimplexClassifier):
    """Linear simplex classifier, learnt one row at a time.

    It minimises sum w V(u(x), y) / sum w + alpha ||W||_F^2 over linear scores u = C (W x)
    by projected, averaged subgradient steps (Pegasos), for data of which neither a p x p
    nor an n x n matrix fits. A row costs O(p T), or O(T) a non-zero.

    Parameters
    ----------
    loss : str, default="logistic"
        "least_squares", "cone", "half_space" (without its hull, as in the paper: not
        consistent beyond two classes), "relative", "vertex", "exponential" or "logistic".
        "logistic", "exponential" and "least_squares" give probabilities.
    alpha : float or list of floats, default=1e-4
        The paper's lambda. scikit-learn's SGDClassifier penalises with alpha/2, so half
        its number gives the same penalty. Of a list, `fit` takes the alpha of best
        accuracy on held-out rows, all values learning in the same passes; there is no
        `partial_fit` then.
    fit_intercept : bool, default=True
        The intercept is the weight of a constant column as long as a typical row, and is
        penalised with the rest.
    learning_rate : {"bounded", "pegasos"}, default="bounded"
        "bounded" steps fit the scale of the rows and end where their linear model of the
        loss reaches zero; see the notes. "pegasos" is the paper's plain rule: steps of
        1/(2 alpha t) whatever the rows and the loss.
    project : bool, default=True
        Keep ||W||_F within the bound that holds for the minimiser, after every step:
        1/sqrt(2 alpha) for "cone" and "half_space", 1/(2 sqrt(alpha)) for "least_squares".
    average : bool, default=True
        Answer with the average of the iterates, the later the heavier; with "pegasos" their
        plain mean. One iterate in 64 is taken in. False answers with the last one.
    max_iter : int, default=100
        Most passes over the rows in `fit`.
    tol : float or None, default=1e-3
        Stop when the objective has not fallen by this fraction for `n_iter_no_change`
        passes; below a tenth of the loss of zero weights, by this fraction of that tenth.
        With `early_stopping`, when the held-out accuracy has not risen by this much.
        None makes all passes.
    n_iter_no_change : int, default=5
        Passes in a row that `tol` is asked of.
    shuffle : bool, default=True
        Draw a new order for each pass.
    early_stopping : bool, default=False
        Stop on held-out rows, and answer with the pass that was best on them.
    validation_fraction : float, default=0.2
        Part of the rows held out, by `early_stopping` and to choose among alphas.
    class_weight : dict, "balanced" or None, default=None
        Factors of the rows' weights by class; "balanced" gives every class the same weight.
    random_state : int, RandomState or None, default=None
        Seed of the order of the rows and of those that are held out;
        None draws a new one for every fit.
    warm_start : bool, default=False
        Continue from the last fit; classes seen before are kept.
    verbose : bool or "auto", default="auto"
        Show the progress of a long fit; "auto" does so on a terminal.

    Attributes
    ----------
    classes_ : (T,) array
        The labels seen, sorted; columns of scores and probabilities follow them.
    coef_ : (T, p) array, or (1, p) for `classes_[1]` when T = 2
    intercept_ : (T,) or (1,) array
    alpha_, lambda_ : float, the alpha in use
    path_ : Path or None
        Held-out accuracies of a list of alphas; `best_score_` is that of the choice.
    n_iter_ : int, passes made; 1 after `partial_fit` alone
    t_ : int, rows of positive weight learnt from
    objective_ : float
        Over the rows of the last call. Without `tol` and in `partial_fit` the loss of a row
        is the one just before its step in the last pass: no second look at the rows.
    n_features_in_, feature_names_in_

    Notes
    -----
    Row t moves W to (1 - 2 alpha eta) W - eta dV, and W is projected on the ball. A bounded
    eta is the smaller of 1/(2 alpha (t+1) + r B^2) and V/||dV||^2, with B^2 the mean of
    ||x||^2 and r such that the first row goes to the score 1 of its own vertex.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexSGDClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SimplexSGDClassifier(alpha=1e-2, random_state=0).fit(X, y).predict_proba(X[:1]).round(1)
    array([[1., 0., 0.]])
    """

    _sparse = "csr"
    _stream: Stream | None = None
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SHARED,
        "loss": [str],
        "alpha": [POSITIVE_NUMBERS],
        "learning_rate": [StrOptions({"bounded", "pegasos"})],
        "max_iter": [FROM_ONE],
        "tol": [FROM_ZERO, None],
        "n_iter_no_change": [FROM_ONE],
        "validation_fraction": [FRACTION],
        **{name: ["boolean"] for name in _SWITCHES},
    }

    def __init__(
        self,
        loss: str = "logistic",
        alpha: Any = 1e-4,
        *,
        fit_intercept: bool = True,
        learning_rate: str = "bounded",
        project: bool = True,
        average: bool = True,
        max_iter: int = 100,
        tol: float | None = 1e-3,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        early_stopping: bool = False,
        validation_fraction: float = 0.2,
        class_weight: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: bool | str = "auto",
    ) -> None:
        self.loss = loss
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.learning_rate = learning_rate
        self.project = project
        self.average = average
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "SimplexSGDClassifier":
        """Learn by passes over the rows.

        Parameters
        ----------
        X : (n, p) array or sparse matrix, features of about one scale
        y : (n,) array of labels
        sample_weight : (n,) array, default=None
            A row of weight two is as two rows; a factor of all weights changes nothing.

        Returns
        -------
        self
        """
        self._validate_params()
        descent = self._descent(normalised=True)
        training = self._training(X, y, sample_weight)
        rows, classes, stream = training.rows, training.classes, None
        check_squares(rows.X)
        warn_if_far(rows.X)
        if self.warm_start and self._stream is not None:
            if rows.X.shape[1] != (n_before := self._stream.U.shape[1]):
                self.n_features_in_ = n_before
                raise ValueError(
                    f"X has {rows.X.shape[1]} features, the fit to continue had {n_before}; "
                    "give as many, or set warm_start=False."
                )
            check_labels_alike(self.classes_, classes)
            stream, every = with_classes(self._stream, self.classes_, classes)
            rows, classes = rows.relabelled(np.searchsorted(every, classes), len(every)), every
        self._warn_if_inconsistent(len(classes))
        with Progress("SimplexSGDClassifier", self.verbose) as progress:
            progress.once("compiling, once for an installation")
            found, path = fit_online(
                rows,
                descent,
                np.atleast_1d(np.asarray(self.alpha, dtype=np.float64)),
                stream,
                np.random.default_rng(self._seed()),
                fraction=self.validation_fraction,
                early_stopping=self.early_stopping,
                shuffle=self.shuffle,
                max_iter=self.max_iter,
                tol=self.tol,
                patience=self.n_iter_no_change,
                report=progress,
            )
        self._judge(found.status)
        solution = found.solution(descent)
        self.classes_, self.path_, self.n_iter_ = classes, path, solution.iterations
        return self._keep_stream(found.stream, solution.function, float(found.objectives[0]))

    @available_if(_can_stream)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> "SimplexSGDClassifier":
        """Continue the stream: one step for each row, in the order given.

        The result depends on the sequence of rows alone, not on how it is cut into calls.
        A label not seen before may come in any call. It enters at its first row: its score
        is then zero everywhere, and those of the other classes are what they were.

        Parameters
        ----------
        X : (n, p) array or sparse matrix, the next rows of the stream
        y : (n,) array of their labels, of classes known or new
        classes : array of labels, default=None
            Labels to know from the start of this call.
        sample_weight : (n,) array, default=None
            A weight multiplies its row's loss as it is: divided by the mean weight, which a
            stream does not know, it is that of `fit`.

        Returns
        -------
        self
        """
        self._validate_params()
        return self._go_on(X, y, float(self.alpha), classes, sample_weight, self._descent())

    def _go_on(
        self, X: Any, y: Any, alpha: float, classes: Any, sample_weight: Any, descent: Descent
    ) -> "SimplexSGDClassifier":
        first = self._stream is None
        self._refuse_collections(X, y, sample_weight)
        check_one_kind(y)
        check_real(X)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=DTYPES, reset=first)
        if first:
            warn_if_far(X)
        check_classification_targets(y)
        known = y[:0] if classes is None else named(classes)
        seen = known if first else self.classes_
        check_labels_alike(seen, known, y)
        stream = self._stream or Stream.start(X.shape[1], len(known), alpha, X.dtype)
        stream, seen = with_classes(replace(stream, lambdas=np.array([alpha])), seen, known)
        weights = None if sample_weight is None else self._sample_weights(X, sample_weight)
        weights = self._with_class_weights(y, weights, part=True)
        n_seen, before = len(seen), stream
        stream, seen = learn(stream, seen, X, y, weights, descent)
        if first or n_seen < 3:
            self._warn_if_inconsistent(len(seen))
        if not stream.finite().all():
            raise ValueError(_NOT_FINITE)
        self.classes_ = seen
        if first:
            self.n_iter_, self.path_ = 1, None
        reached = float(running_objective(before, stream, descent)[0])
        return self._keep_stream(stream, function(stream, descent), reached)

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities (n, T) of the classes: those whose expected loss the scores minimise.

        No held-out rows have calibrated them: the smaller alpha, the sharper they are.

        Parameters
        ----------
        X : (n, p) array or sparse matrix with the features of `fit`
        """
        return get_loss(self.loss).class_probabilities(self._checked_scores(X))

    def _keep_stream(
        self, stream: Stream, learnt: Function, reached: float
    ) -> "SimplexSGDClassifier":
        self._stream, self.function_ = stream, learnt
        self.alpha_ = self.lambda_ = float(stream.lambdas[0])
        self.t_, self.objective_ = stream.t, reached
        return self

    def _descent(self, normalised: bool = False) -> Descent:
        loss = get_loss(self.loss, NEEDS).without_hull()
        return Descent(
            loss,
            self.project,
            self.average,
            self.fit_intercept,
            self.learning_rate == "pegasos",
            normalised,
        )

    def _judge(self, status: Status) -> None:
        if status is Status.NOT_FINITE:
            raise ValueError(_NOT_FINITE)
        if status is Status.ITERATIONS and self.tol is not None:
            text = f"max_iter={self.max_iter} passes ended before the objective settled "
            text += f"within tol={self.tol}; {status.advice}."
            warnings.warn(text, ConvergenceWarning, stacklevel=3)

    def _warn_if_inconsistent(self, n_classes: int) -> None:
        loss = get_loss(self.loss)
        if loss.hull and not loss.without_hull().is_consistent(n_classes):
            text = f'loss="{self.loss}" without its hull is not consistent for {n_classes} '
            text += 'classes: it finds the least likely one; loss="cone" is consistent.'
            warnings.warn(text, UserWarning, stacklevel=3)
