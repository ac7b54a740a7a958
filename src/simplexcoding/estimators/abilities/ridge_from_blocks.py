"""Fits of a ridge model from blocks of rows, and updates of such a model."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from simplexcoding.arrays import Indices
from simplexcoding.blocks.block import Block, Blocks, checked_block
from simplexcoding.blocks.collections import from_dask
from simplexcoding.blocks.loader import from_loader
from simplexcoding.dask.fold import fold_on_dask
from simplexcoding.design.spectra.leaving_out import LeftOutRows
from simplexcoding.estimators.abilities.calibrated import CalibratedClassifier
from simplexcoding.estimators.parameters import is_word
from simplexcoding.estimators.progress import Progress
from simplexcoding.functions import Function, KernelExpansion, LinearFunction
from simplexcoding.inference.calibration import fit_calibration
from simplexcoding.kernels import Kernel
from simplexcoding.passes.checkpoint import Checkpoint
from simplexcoding.passes.fingerprint import fingerprint
from simplexcoding.passes.fold import Leaf, fold
from simplexcoding.passes.knowledge import Knowledge, Plan, Run
from simplexcoding.passes.left_out import write_left_out
from simplexcoding.passes.ridge import Fitted, choose, fit_ridge
from simplexcoding.rows import Rows
from simplexcoding.selection.candidates import Candidates
from simplexcoding.selection.grids import given_grid
from simplexcoding.selection.history import History
from simplexcoding.selection.landmark_path import LandmarkPath
from simplexcoding.selection.path import Path
from simplexcoding.selection.scoring import Scoring, scoring_after


class RidgeFromBlocks(CalibratedClassifier):
    """What a ridge model can learn from rows that it never holds."""

    _history: History | None
    _knowledge: Knowledge | None
    kernel: Any
    gamma: Any
    scaling: str | None
    degree: float
    coef0: float
    landmarks: Any
    alphas: Any
    scoring: Any
    cv: Any
    fit_intercept: bool
    verbose: Any

    @abstractmethod
    def _keep_choice(
        self, classes: Any, function: Function, path: Path, kernel: Kernel, n_landmarks: int
    ) -> None:
        """Keep a function and how it was chosen."""

    def fit_blocks(
        self, blocks: Any, passes: int = 2, left_out: Any = None, checkpoint: Any = None
    ) -> Self:
        """Fit the model of `fit` to rows that are read in blocks and never held together.

        The first pass gathers the moments of the features, with labels as they come, and a
        sample of rows that does not depend on how the rows are cut. The moments give the
        model at every alpha; the sample's left-out scores find the 4 to 48 alphas worth
        asking, and the second pass predicts every row without itself at those. A kernel
        takes one pass more, before the others, for its landmarks; class_weight="balanced"
        for the classes' weights.

        `loo_scores_` are those of the sample, of as many of its rows as make 2**25 scores (all
        10,000 up to 3,355 classes, 1,597 at 21,000); `path_.exact` says which alphas all rows
        were asked at, and `n_scored_rows_` how many rows are behind `best_score_`.

        Parameters
        ----------
        blocks : Blocks of `simplexcoding.blocks`, or a re-iterable of (X, y) or (X, y, weight)
        passes : {1, 2}, default=2
            1 chooses by the left-out scores of the sample alone; a generator can be read so.
        left_out : str or Path, default=None
            An .npy file for the left-out scores (n, T) of every row, at the alpha chosen, for
            one pass more.
        checkpoint : str or Path, default=None
            A folder in which the passes note how far they are. Killed and called again with
            the same arguments, the fit goes on and ends as it would have; with other parameters,
            another version, another first block or files that were written to since, it is
            refused. Not on Dask, which makes up for lost workers itself.

        Returns
        -------
        self

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from simplexcoding import SimplexRidgeClassifier
        >>> from simplexcoding.blocks import from_arrays
        >>> X, y = load_iris(return_X_y=True)
        >>> model = SimplexRidgeClassifier(kernel="linear").fit_blocks(from_arrays(X, y, rows=64))
        >>> round(model.best_score_, 3)
        0.86
        """
        self._validate_params()
        source = self._source(blocks, passes)
        if source.on_dask:
            for what, value in (("checkpoint", checkpoint), ("left_out", left_out)):
                if value is not None:
                    raise ValueError(f"{what} must be None on Dask, got {value!r}.")
        saved = None if checkpoint is None else self._saved(source, checkpoint)
        with Progress(type(self).__name__, self.verbose) as progress:
            readings = passes + (not Kernel(self.kernel).linear) + (left_out is not None)
            shown = _Shown(progress, source.n_rows, readings)

            def run(source: Blocks, leaf: Leaf, stage: str) -> Any:
                if not source.on_dask:
                    return fold(source, leaf, saved, stage, shown)
                found = fold_on_dask(source, leaf, stage)
                # A cluster tells of a pass when it is done; until then seconds are counted.
                shown(found)
                return found

            fitted = self._fit_passes(source, passes, run)
            if left_out is not None:
                write_left_out(source, fitted, left_out, shown)
        if saved is not None:
            saved.remove()
        return self

    def _fit_collections(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit Dask collections, on the scheduler that is current."""
        self._validate_params()
        return self.fit_blocks(from_dask(X, y, sample_weight))

    def _fit_passes(self, source: Blocks, passes: int, run: Run) -> Fitted:
        fitted = fit_ridge(source, self._plan(), run, passes)
        names = source.feature_names
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self._keep_fitted(fitted)
        return fitted

    def _source(self, blocks: Any, passes: int) -> Blocks:
        if passes not in (1, 2):
            raise ValueError(f"passes must be 1 or 2, got {passes!r}.")
        if self.cv is not None:
            raise ValueError(
                f"cv must be None with blocks, which leave out single rows, got {self.cv!r}."
            )
        for name, value in (("scaling", self.scaling), ("gamma", self.gamma)):
            if is_word(value, "auto") or is_word(value, "standard"):
                raise ValueError(
                    f'{name}={value!r} is not known with blocks; kernel="auto" chooses it, '
                    "or scale the features yourself."
                )
        if Kernel(self.kernel).precomputed:
            raise ValueError('kernel="precomputed" needs all rows at once; blocks cannot give it.')
        linear = Kernel(self.kernel).linear
        if self.landmarks is None and not linear:
            raise ValueError(
                "landmarks=None keeps the whole kernel, which blocks cannot; give a number or "
                '"auto".'
            )
        source = from_loader(blocks, passes)
        if source.once and (not linear or self.class_weight == "balanced"):
            raise ValueError(
                f"blocks can be read only once, and kernel={self.kernel!r} with "
                f"class_weight={self.class_weight!r} reads them more often; give a re-iterable."
            )
        return source

    def _plan(self) -> Plan:
        seed = self._seed()
        alphas = None if is_word(self.alphas, "auto") else given_grid(self.alphas)
        return Plan(
            self.kernel,
            self.gamma,
            self.degree,
            self.coef0,
            self.landmarks,
            alphas,
            self.fit_intercept,
            self.class_weight,
            self._block_scoring,
            seed,
        )

    def _block_scoring(self, targets: Rows, classes: Any) -> Scoring:
        return scoring_after(self.calibration, self.scoring, targets, classes)

    def _saved(self, source: Blocks, folder: Any) -> Checkpoint:
        if self.random_state is None:
            raise ValueError(
                "random_state must be an integer with a checkpoint, got None: a fit that goes on "
                "would draw another sample."
            )
        if source.once:
            raise ValueError(
                "checkpoint must be None for blocks that can be read only once, which a fit that "
                "goes on cannot tell from others; give a re-iterable."
            )
        params = {k: v for k, v in self.get_params(deep=False).items() if k != "verbose"}
        return Checkpoint(folder, fingerprint(source, {"type": type(self).__name__, **params}))

    def _keep_fitted(self, fitted: Fitted) -> None:
        """Keep what a fit from blocks found as the attributes of any fit."""
        known = fitted.knowledge
        basis = known.features.compared_with(known.sample.X)
        found = fitted.coefficients
        W, b = (part.astype(basis.dtype, copy=False) for part in (found.weights, found.intercept))
        function: Function = LinearFunction(W, b)
        if basis.shape[0]:
            function = KernelExpansion(known.features.kernel, basis, W, b)
        self._keep_choice(
            fitted.classes, function, fitted.path, known.features.kernel, basis.shape[0]
        )
        self.candidates_: Candidates | None = None
        self.landmark_path_: LandmarkPath | None = None
        # Landmarks are rows of no array: they have no numbers.
        self.landmark_indices_: Indices | None = None
        self.n_features_in_ = known.gathered.n_features
        self.lambda_ = fitted.alpha / known.labelled.moments.total
        self.n_scored_rows_ = fitted.scored
        self.loo_scores_ = fitted.spectrum.leave_one_out(fitted.alpha).scores()
        copies = fitted.weights * fitted.counts
        weights = None if np.all(copies == 1) else copies
        kind = self._calibration_for(self.loo_scores_)
        self.calibration_ = fit_calibration(kind, self.loo_scores_, fitted.y, weights)
        counts = weights if self.class_weight is None else fitted.counts
        self._left_out_rows = LeftOutRows(fitted.y, counts, None)
        self._history, self._knowledge = None, known

    def _update_rows(self, X: Any, labels: Any, sample_weight: Any, adds: bool) -> Self:
        """Add rows to a model fitted from blocks, or remove them; choose anew by the sample."""
        known = self._knowledge
        assert known is not None
        if labels is None:
            raise ValueError("labels must be given: a model fitted from blocks holds no rows.")
        dtype = known.sample.X.dtype
        X, labels = validate_data(
            self, X, labels, accept_sparse=self._sparse, dtype=dtype, reset=False
        )
        if issparse(X) != issparse(known.sample.X):
            raise TypeError("X must be sparse if the rows before it were, and dense if not.")
        block = checked_block(Block(X, labels, sample_weight), "X")
        changed = known.with_rows(block) if adds else known.without_rows(block)
        self._keep_fitted(choose([changed], self._plan()))
        return self


class _Shown:
    """Turn states that pass by into the fraction of all readings."""

    def __init__(self, progress: Progress, n_rows: int | None, readings: int) -> None:
        self._progress, self._n_rows = progress, n_rows
        self._readings, self._done = readings, 0

    def __call__(self, state: Any) -> None:
        self._done += state.n_rows
        if self._n_rows:
            self._progress.rows(self._done, self._readings * self._n_rows)
