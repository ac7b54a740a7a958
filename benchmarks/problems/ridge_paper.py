"""The rows of the paper's table that least squares fills."""

from functools import partial

import numpy as np

from benchmarks.data import split
from benchmarks.harness import Contender, Timed, problem
from benchmarks.models import accuracy, fit
from simplexcoding import SimplexRidgeClassifier

UCI = ("satimage", "optdigits", "pendigits", "letter", "isolet")
PAPER = {
    "rbf": (90.15, 97.09, 98.17, 96.48, 97.05),
    "linear": (65.88, 91.90, 80.69, 54.96, 92.55),
}


def paper_row(kernel: str, slack: float, quick: bool) -> list[Contender]:
    contenders = [Contender("bar: none on time", lambda: Timed(1.0))]
    model = SimplexRidgeClassifier(kernel)
    for name, published in list(zip(UCI, PAPER[kernel], strict=True))[: 2 if quick else 5]:
        X, y, Xt, yt = split(name, 300 if quick else None)
        notes = partial(accuracy, Xt, yt, least=published - slack)
        contenders.append(
            Contender(f"{name} (paper {published})", partial(fit, model, X, y), notes)
        )
    return contenders


@problem(
    title="The paper's S-LS rbf row: raw features, quantile width, leave-one-out alpha",
    bar="the paper's accuracy less 0.5 points",
    limit=np.inf,
    baseline="bar: none on time",
    repeat=0,
    threads=2,
)
def ridge_paper_rbf(quick: bool) -> list[Contender]:
    return paper_row("rbf", 0.5, quick)


@problem(
    title="The paper's S-LS linear row",
    bar="the paper's accuracy less 1 point",
    limit=np.inf,
    baseline="bar: none on time",
    repeat=0,
    threads=2,
)
def ridge_paper_linear(quick: bool) -> list[Contender]:
    return paper_row("linear", 1.0, quick)
