"""The default of the ridge, which chooses its kernel, beside the width rule of the paper."""

from functools import partial
from typing import Any

import numpy as np

from benchmarks.data import split
from benchmarks.harness import Contender, problem
from benchmarks.models import fit
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.inference.temperature import log_loss

FEW = 300
# Accuracy in per cent that the default is to reach on the official test rows.
BARS = {
    "satimage": 92.0,
    "optdigits": 98.6,
    "pendigits": 98.2,
    "letter": 97.2,
    "isolet": 96.9,
    "banking77_minilm": 93.8,
    "caltech101_clip": 94.1,
    "sun397_clip": 67.0,
    "fashion_mnist": 87.5,
}


def _quality(Xt: Any, yt: Any, least: float | None, model: Any) -> dict[str, object]:
    P = np.clip(model.predict_proba(Xt), 1e-300, None)
    reached = 100 * model.score(Xt, yt)
    notes: dict[str, object] = {
        "test accuracy": f"{reached:.2f} %",
        "log-loss": round(log_loss(np.log(P), np.searchsorted(model.classes_, yt)), 4),
        "kernel": model.kernel_,
        "scaling": model.scaling_,
        "landmarks": int(model.n_landmarks_),
    }
    if least is not None:
        notes["held"] = bool(reached >= least)
    return notes


def _contenders(name: str, quick: bool) -> list[Contender]:
    X, y, Xt, yt = split(name, FEW if quick else None)
    rule, default = SimplexRidgeClassifier("rbf"), SimplexRidgeClassifier()
    least = None if quick else BARS[name]
    return [
        Contender("rbf, quantile width", partial(fit, rule, X, y), partial(_quality, Xt, yt, None)),
        Contender(
            "default", partial(fit, default, X, y), partial(_quality, Xt, yt, least), ours=True
        ),
    ]


def _register(name: str, least: float) -> None:
    def contenders(quick: bool) -> list[Contender]:
        return _contenders(name, quick)

    contenders.__name__ = f"ridge_default_{name}"
    problem(
        title=f"{name}: the default against kernel='rbf', gamma='quantile'",
        bar=f"at most twice the time, at least {least} %",
        limit=2,
        baseline="rbf, quantile width",
        repeat=0,
        threads=2,
    )(contenders)


for _name, _least in BARS.items():
    _register(_name, _least)
