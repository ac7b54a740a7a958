"""Passes of an online learner over blocks of rows."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from simplexcoding.blocks.block import Blocks, checked_block
from simplexcoding.blocks.loader import from_loader
from simplexcoding.estimators.classifier import SimplexClassifier
from simplexcoding.passes.fold import Leaf, fold
from simplexcoding.passes.gather import Gather
from simplexcoding.passes.knowledge import gathered
from simplexcoding.passes.sample import Sampler
from simplexcoding.selection.path import Path
from simplexcoding.solvers.stochastic.learning import Descent
from simplexcoding.solvers.stochastic.stream import Stream

_SAMPLE_ROWS = 10_000


class OnlineFromBlocks(SimplexClassifier):
    """What an estimator with `partial_fit` learns from rows that it never holds."""

    _stream: Stream | None
    path_: Path | None
    alpha: Any
    alpha_: float

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn by passes over rows in memory, choosing the alpha where there are several."""

    @abstractmethod
    def _descent(self, normalised: bool = False) -> Descent:
        """What a step does; normalised, a weight is one of the mean by weight."""

    @abstractmethod
    def _go_on(
        self, X: Any, y: Any, alpha: float, classes: Any, sample_weight: Any, descent: Descent
    ) -> Self:
        """One step for each row, from where the stream stands."""

    def fit_blocks(self, blocks: Any, passes: int = 1) -> Self:
        """Learn by passes over blocks: one step for each row, in the order they are read.

        One pass over blocks is `partial_fit` on each of them, but that each weight is divided
        by the mean weight of the rows so far, for the objective of `fit`. Where `alpha` is a
        list it is chosen first, by `fit` on a sample of the rows, and the passes go on from
        there.

        Parameters
        ----------
        blocks : Blocks of `simplexcoding.blocks`, or a re-iterable of (X, y) or (X, y, weight)
        passes : int, default=1
            How often the blocks are read.

        Returns
        -------
        self

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from simplexcoding import SimplexSGDClassifier
        >>> from simplexcoding.blocks import from_arrays
        >>> X, y = load_iris(return_X_y=True)
        >>> blocks = from_arrays(X, y, rows=50)
        >>> SimplexSGDClassifier(alpha=1e-2).fit_blocks(blocks, passes=5).n_iter_
        5
        """
        self._validate_params()
        if isinstance(passes, bool) or passes != int(passes) or passes < 1:
            raise ValueError(f"passes must be a positive integer, got {passes!r}.")
        source = from_loader(blocks, passes)
        self._stream, self.path_ = None, None
        if np.ndim(self.alpha):
            if source.once:
                raise ValueError(
                    f"alpha={self.alpha!r} is a list, and blocks that can be read only once leave "
                    "no rows to choose by; give one alpha."
                )
            seed = self._seed()
            sampler = Sampler(_SAMPLE_ROWS, seed, source.n_rows)
            gather = Gather(sampler, (), True)
            sample = gathered(source, gather, sampler, _read, "sample")[0].sample
            assert sample is not None
            self.fit(sample.X, sample.labels, sample.weights * sample.counts)
        alpha = self.alpha_ if np.ndim(self.alpha) else float(self.alpha)
        for _ in range(passes):
            self._one_pass(source, alpha)
        self.n_iter_ = int(passes)
        return self

    def _one_pass(self, source: Any, alpha: float) -> None:
        n_rows = 0
        for part in source.parts:
            for number, block in enumerate(part):
                name = part.name if number == 0 else f"{part.name}, block {number}"
                X, y, weight = checked_block(block, name)
                if len(y):
                    self._go_on(X, y, alpha, None, weight, self._descent(normalised=True))
                    n_rows += len(y)
        if not n_rows:
            raise ValueError("blocks gave no rows; a generator that was read before gives none.")


def _read(source: Blocks, leaf: Leaf, stage: str) -> Any:
    return fold(source, leaf)
