"""The leave-one-out error of margin machines: the estimate from one fit, beside refits."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.harness import Contender, problem
from benchmarks.problems.svc import standardised
from simplexcoding import SimplexSVC
from simplexcoding.design.operators import kernel_data
from simplexcoding.kernels import Kernel
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem, State
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

LOSSES = ("cone", "relative", "logistic")
# Much finer than what decides a class, so that refits are the truth.
FINE = Stop(1e-4, 20_000)


def refitted_error(model: Any, X: Any, y: Any) -> float:
    """Leave-one-out error by a machine without each row that has a dual, set aside in place."""
    index = np.unique(y, return_inverse=True)[1]
    machine = Splitting(kernel_data(Kernel("rbf", model.gamma_).matrix(X)), FINE.tol)
    T = len(model.classes_)
    task = MarginProblem(get_loss(model.loss), index, np.full(len(X), model.C_), T)
    (whole,) = machine.solve([task], FINE)
    wrong = whole.scores.argmax(axis=1) != index
    for i in np.flatnonzero(whole.certificate.point.any(axis=1)):
        D = whole.state.D.copy()
        D[i] = 0.0
        start = replace(whole, state=State(whole.state.Z, D))
        (alone,) = machine.solve([task.without(np.array([i]))], FINE, [start])
        wrong[i] = alone.scores[i].argmax() != index[i]
    return float(wrong.mean())


def _estimate(name: str, quick: bool) -> list[Contender]:
    X, y, _, _ = standardised(name, 60 if quick else 500)
    if quick:
        common = np.isin(y, np.argsort(-np.bincount(y))[:3])
        X, y = X[common], y[common]
    truth: dict[str, float] = {}

    def of_loss(loss: str) -> list[Contender]:
        model = SimplexSVC(loss, verbose=False).fit(X, y)

        def refits(error: float) -> dict[str, object]:
            truth[loss] = error
            return {"error": f"{100 * error:.1f} %", "C": model.C_}

        def estimate(error: float) -> dict[str, object]:
            low, high = model.leave_one_out_bounds_
            return {
                "error": f"{100 * error:.1f} %",
                "bounds": f"{100 * low:.1f} to {100 * high:.1f} %",
                "held": bool(abs(error - truth[loss]) <= 0.005 and low <= truth[loss] <= high),
            }

        return [
            Contender(f"{loss}, refits", lambda: refitted_error(model, X, y), refits),
            Contender(f"{loss}, estimate", lambda: model.leave_one_out_error(X, y), estimate),
        ]

    return [contender for loss in LOSSES for contender in of_loss(loss)]


for _name in ("satimage", "optdigits", "letter"):
    _contenders = partial(_estimate, _name)
    _contenders.__name__ = f"svc_leave_one_out_{_name}"
    problem(
        title=f"Leave-one-out error at the chosen C, 500 rows of {_name}, standardised, rbf",
        bar="estimate within 0.5 points of refits, which lie within the certified bounds",
        limit=np.inf,
        baseline="cone, refits",
        repeat=0,
        threads=2,
    )(_contenders)
