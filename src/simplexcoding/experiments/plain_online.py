"""The paper's online methods by its plain rule, with everything it leaves open as a grid.

The rule is W <- (1 - 1/t) W - dV/(2 lambda t), projected on the ball, without an intercept. Open
are the range of lambda, how many passes there were, and whether the last iterate or the mean
of the iterates answered. The held-out rows choose among all of these, and the grid tells what
each would have given.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from simplexcoding.arrays import Floats
from simplexcoding.experiments.protocol import Protocol
from simplexcoding.functions import LinearFunction
from simplexcoding.losses import get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.stochastic.learning import Descent, accuracy, advance, function
from simplexcoding.solvers.stochastic.stream import Stream

ITERATES = ("last", "mean")


@dataclass(frozen=True)
class Choice:
    """The lambda of best held-out accuracy for one range, number of passes and iterate."""

    range: str
    passes: int
    iterate: str
    lambda_: float
    held_out: float


class PlainOnline(ClassifierMixin, BaseEstimator):
    """A linear classifier learnt by the plain rule; held-out rows choose all that is open.

    Parameters
    ----------
    loss : str
    protocol : Protocol

    Attributes
    ----------
    choices_ : list of Choice, one for each range, number of passes and iterate
    chosen_ : Choice, the best of them; fewer passes at ties
    """

    def __init__(self, loss: str, protocol: Protocol) -> None:
        self.loss = loss
        self.protocol = protocol

    def fit(self, X: Any, y: Any) -> "PlainOnline":
        """Learn from 80 % of the rows and choose on the others; nothing is refitted."""
        protocol, rng = self.protocol, np.random.default_rng(self.protocol.seed)
        self.classes_, index = np.unique(y, return_inverse=True)
        rows = Rows(np.asarray(X, dtype=np.float64), index.astype(np.intp), len(self.classes_))
        learn, held = rows.hold_out(protocol.hold_out, rng)
        ranges = lambda_ranges(X, protocol)
        loss = get_loss(self.loss).without_hull()
        # One descent keeps the mean beside the last iterate: both answer from one stream.
        mean = Descent(loss, average=True, intercept=False, plain=True)
        answers = {"mean": mean, "last": Descent(loss, average=False, intercept=False, plain=True)}
        lambdas = np.concatenate(list(ranges.values()))
        stream = Stream.start(rows.X.shape[1], rows.n_classes, lambdas)
        self.choices_: list[Choice] = []
        self._functions: list[LinearFunction] = []
        for passes in range(1, protocol.plain_passes + 1):
            stream = advance(stream, learn, mean, rng.permutation(len(learn)))
            for iterate in ITERATES:
                right = accuracy(stream, held, answers[iterate])
                for name, best in _best_of_each(ranges, right).items():
                    found = float(lambdas[best]), float(right[best])
                    self.choices_.append(Choice(name, passes, iterate, *found))
                    answer = function(stream, answers[iterate], best)
                    kept = LinearFunction(answer.weights.copy(), answer.intercept.copy())
                    self._functions.append(kept)
        self._best = int(np.argmax([choice.held_out for choice in self.choices_]))
        self.chosen_ = self.choices_[self._best]
        self.lambda_, self.n_iter_ = self.chosen_.lambda_, self.chosen_.passes
        return self

    def predict(self, X: Any) -> Any:
        """Labels by the choice of the held-out rows."""
        return self._labels(self._functions[self._best], X)

    def grid(self, X: Any, y: Any) -> list[dict[str, Any]]:
        """What every choice gives on other rows, accuracies in per cent, for JSON."""
        return [
            {
                **asdict(choice),
                "lambda_": float(f"{choice.lambda_:.3g}"),
                "held_out": round(100 * choice.held_out, 2),
                "accuracy": round(100 * float(np.mean(self._labels(answer, X) == y)), 2),
            }
            for choice, answer in zip(self.choices_, self._functions, strict=True)
        ]

    def _labels(self, answer: LinearFunction, X: Any) -> Any:
        scores = answer.scores(np.asarray(X, dtype=np.float64))
        return self.classes_[scores.argmax(axis=1)]


def lambda_ranges(X: Any, protocol: Protocol) -> dict[str, Floats]:
    """Ranges of lambda, falling: between extreme eigenvalues, as the paper has it, and powers."""
    return {
        "eigenvalues": protocol.lambdas(X),
        "powers": np.geomspace(1.0, 1e-6, protocol.n_powers),
    }


def _best_of_each(ranges: dict[str, Floats], right: Floats) -> dict[str, int]:
    """Place of the best lambda of each range in all of them; the largest lambda at ties."""
    places, start = {}, 0
    for name, values in ranges.items():
        places[name] = start + int(right[start : start + len(values)].argmax())
        start += len(values)
    return places
