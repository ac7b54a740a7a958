"""The rows of the table: each method as an estimator that chooses its own parameters."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC, LinearSVC

import simplexcoding
from simplexcoding.arrays import Floats
from simplexcoding.experiments.plain_online import PlainOnline
from simplexcoding.experiments.protocol import Protocol
from simplexcoding.kernels import gamma_values


class Task(NamedTuple):
    """What an estimator may know before it is fitted: the training rows and the protocol."""

    X: Floats
    protocol: Protocol


@dataclass(frozen=True)
class Method:
    """A row of the table.

    Parameters
    ----------
    title : str
    selection : str
        How its parameters are chosen, in words.
    build : function of a Task to an estimator
    needs : str or None
        Name in the package that it is built on; None for scikit-learn's own.
    in_paper : bool
    kernel : bool
        Whether its cost grows with the square of the rows, or faster.
    """

    title: str
    selection: str
    build: Callable[[Task], Any]
    needs: str | None
    in_paper: bool
    kernel: bool

    @property
    def available(self) -> bool:
        """Whether the package has the estimator."""
        return self.needs is None or self.needs in simplexcoding.__all__


def ours(name: str, **parameters: Any) -> Any:
    """The estimator of that name, silent."""
    return getattr(simplexcoding, name)(verbose=False, **parameters)


def _online(loss: str, task: Task) -> Any:
    protocol = task.protocol
    return ours(
        "SimplexSGDClassifier",
        loss=loss,
        alpha=protocol.lambdas(task.X).tolist(),
        max_iter=protocol.passes,
        # The held-out rows choose the pass too: iterates short of the optimum may be better.
        early_stopping=True,
        validation_fraction=protocol.hold_out,
        random_state=protocol.seed,
    )


def _plain(loss: str, task: Task) -> Any:
    return PlainOnline(loss, task.protocol)


def _ridge(kernel: str, task: Task) -> Any:
    return ours("SimplexRidgeClassifier", kernel=kernel, random_state=task.protocol.seed)


def _machine(loss: str, hull: bool, task: Task) -> Any:
    protocol = task.protocol
    return ours(
        "SimplexSVC",
        loss=loss,
        hull=hull,
        kernel="rbf",
        C=protocol.costs().tolist(),
        random_state=protocol.seed,
    )


def _boosting(task: Task) -> Any:
    protocol = task.protocol
    # Isolet wants few features a round; with few features all of them.
    wide = task.X.shape[1] > 100
    return ours(
        "SimplexBoostingClassifier",
        loss="exponential",
        method="gradient",
        n_estimators=protocol.rounds,
        max_features="sqrt" if wide else None,
        random_state=protocol.seed,
    )


def _one_against_all(kernel: str, task: Task) -> Any:
    protocol = task.protocol
    split = StratifiedShuffleSplit(1, test_size=protocol.hold_out, random_state=protocol.seed)
    if kernel == "linear":
        model: Any = LinearSVC(random_state=protocol.seed)
        grid = {"C": protocol.costs()}
    else:
        gamma = gamma_values("rbf", "quantile", task.X, protocol.seed)[0]
        model = OneVsRestClassifier(SVC(kernel="rbf", gamma=gamma, cache_size=500))
        grid = {"estimator__C": protocol.costs()}
    return GridSearchCV(model, grid, cv=split)


_SGD, _RIDGE, _SVC = "SimplexSGDClassifier", "SimplexRidgeClassifier", "SimplexSVC"
_HELD, _LOO = "hold-out", "leave-one-out"

METHODS: dict[str, Method] = {
    "sc_online": Method("SC-SVM online", _HELD, partial(_online, "cone"), _SGD, True, False),
    "sh_online": Method("SH-SVM online", _HELD, partial(_online, "half_space"), _SGD, True, False),
    "ls_online": Method("S-LS online", _HELD, partial(_online, "least_squares"), _SGD, True, False),
    "sc_plain": Method(
        "SC-SVM online, plain rule", _HELD, partial(_plain, "cone"), _SGD, True, False
    ),
    "sh_plain": Method(
        "SH-SVM online, plain rule", _HELD, partial(_plain, "half_space"), _SGD, True, False
    ),
    "ls_plain": Method(
        "S-LS online, plain rule", _HELD, partial(_plain, "least_squares"), _SGD, True, False
    ),
    "ls_linear": Method("S-LS batch", _LOO, partial(_ridge, "linear"), _RIDGE, True, False),
    "ls_rbf": Method("S-LS rbf batch", _LOO, partial(_ridge, "rbf"), _RIDGE, True, True),
    "ova_linear": Method(
        "SVM one-vs-all linear", _HELD, partial(_one_against_all, "linear"), None, True, False
    ),
    "ova_rbf": Method(
        "SVM one-vs-all rbf", _HELD, partial(_one_against_all, "rbf"), None, True, True
    ),
    "boosting": Method(
        "Simplex boosting", "none", _boosting, "SimplexBoostingClassifier", True, False
    ),
    "sc_rbf": Method("SC-SVM rbf batch", _HELD, partial(_machine, "cone", True), _SVC, False, True),
    "sh_rbf": Method(
        "SH-SVM rbf batch, hull", _HELD, partial(_machine, "half_space", True), _SVC, False, True
    ),
    "sh_free_rbf": Method(
        "SH-SVM rbf batch, no hull",
        _HELD,
        partial(_machine, "half_space", False),
        _SVC,
        False,
        True,
    ),
    "relative_rbf": Method(
        "Relative margin rbf", _HELD, partial(_machine, "relative", True), _SVC, False, True
    ),
    "vertex_rbf": Method(
        "Vertex distance rbf", _HELD, partial(_machine, "vertex", True), _SVC, False, True
    ),
    "logistic_rbf": Method(
        "Logistic rbf", _HELD, partial(_machine, "logistic", True), _SVC, False, True
    ),
}


def available_methods() -> dict[str, Method]:
    """The methods whose estimator the package has.

    Examples
    --------
    >>> "ls_rbf" in available_methods()
    True
    """
    return {key: method for key, method in METHODS.items() if method.available}
