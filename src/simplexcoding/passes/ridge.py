"""Least squares on rows that are read in passes: the fit of all rows, and its path."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.blocks.block import Blocks
from simplexcoding.design import (
    Coefficients,
    FeatureSpectrum,
    SparseCholesky,
    SparseFeatureSpectrum,
)
from simplexcoding.design.spectra.sparse_cholesky import MOST_ROTATED
from simplexcoding.design.spectra.sparse_features import stays_sparse
from simplexcoding.passes.judge import Judge, Judged
from simplexcoding.passes.knowledge import Knowledge, Plan, Run, check_same_rows, know
from simplexcoding.passes.path import (
    judged_path,
    most_asked,
    sample_path,
    worth_asking,
)
from simplexcoding.rows import Rows
from simplexcoding.selection.choice import search
from simplexcoding.selection.grids import auto_grid
from simplexcoding.selection.path import Path

# Left-out scores that are held at a time, and kept: of the rows of the sample, or of all rows.
_SCORE_VALUES, _WHOLE_VALUES, _FEWEST_ROWS = 2**25, 2**27, 500


@dataclass(frozen=True)
class Fitted:
    """A fit from blocks.

    Parameters
    ----------
    knowledge : Knowledge
    path : Path
    alpha : float
    coefficients : Coefficients in simplex scores
    spectrum : FeatureSpectrum, with the rows of the sample
    y, weights, counts : (m,) arrays: class, weight and copies of the sample's rows
    scored : int, rows behind the score of the choice
    """

    knowledge: Knowledge
    path: Path
    alpha: float
    coefficients: Coefficients
    spectrum: FeatureSpectrum
    y: Indices
    weights: Floats
    counts: Floats
    scored: int

    @property
    def classes(self) -> Any:
        """Labels, ascending, (T,)."""
        return self.knowledge.labelled.labels


def fit_ridge(source: Blocks, plan: Plan, run: Run, passes: int = 2) -> Fitted:
    """Read, choose and solve.

    Parameters
    ----------
    source : Blocks
    plan : Plan
    run : reads the source once, here or on a cluster
    passes : {1, 2}, default=2
        1 trusts the left-out scores of the sample; 2 asks all rows at a few alphas.
    """
    known = know(source, plan, run)
    return choose(known, plan, source if passes == 2 else None, run)


def choose(
    known: list[Knowledge], plan: Plan, source: Blocks | None = None, run: Run | None = None
) -> Fitted:
    """Choose among maps of features and alphas; all rows are asked where a source is given."""
    asks = [_Question(knowledge, plan) for knowledge in known]
    best = max(range(len(asks)), key=lambda g: asks[g].merit)
    question = asks[best]
    path, scored = question.path, question.n_sampled
    if question.whole:
        scored = question.knowledge.gathered.n_kept
    elif source is not None and run is not None and question.scoring.by_scan:
        path = question.judge(source, run)
        scored = question.knowledge.gathered.n_kept
    paths = [path if g == best else ask.path for g, ask in enumerate(asks)]
    gammas = [knowledge.features.kernel.gamma for knowledge in known]
    return question.fitted(Path.over(gammas, paths, best), scored)


class _Question:
    """One map of features: its spectrum on the sample, and its path."""

    def __init__(self, knowledge: Knowledge, plan: Plan) -> None:
        self.knowledge = knowledge
        labelled, sample = knowledge.labelled, knowledge.sample
        n_copies, n_classes = int(sample.counts.sum()), len(labelled.labels)
        few = n_copies <= 4 * sample.size and n_copies * n_classes <= _WHOLE_VALUES
        self.whole = sample.whole and few
        if self.whole:
            # Every copy as a row of its own: the same question as a fit in memory asks.
            sample = sample.take(np.repeat(np.arange(len(sample)), sample.counts))
            sample = replace(sample, counts=np.ones(n_copies, dtype=np.intp))
        else:
            # Rows come in the order of their keys: the first ones are a sample too.
            sample = sample.take(slice(0, max(_SCORE_VALUES // n_classes, _FEWEST_ROWS)))
        self._sample = sample
        self.n_sampled = int(sample.counts.sum())
        y = np.searchsorted(labelled.labels, sample.labels).astype(np.intp)
        weights = None if np.all(sample.weights == 1) else sample.weights
        targets = Rows.labelled(y, n_classes, weights)
        copies = sample.weights * sample.counts
        counted = Rows.labelled(y, n_classes, None if np.all(copies == 1) else copies)
        self.scoring = plan.scoring(counted, labelled.labels)
        X, moments = knowledge.features.of(sample.X), labelled.moments
        self._sparse = X is sample.X and stays_sparse(X, moments)
        self.spectrum: FeatureSpectrum
        if self._sparse and X.shape[1] > MOST_ROTATED:
            keep = SparseCholesky.most_kept(X.shape[1])
            self.spectrum = SparseCholesky(X, targets, moments, 1 if self.whole else keep)
        else:
            self.spectrum = FeatureSpectrum(X, targets, moments)
        alphas = plan.alphas if plan.alphas is not None else self._grid()
        self._found = None
        if self.whole or self.spectrum.keeps_results:
            self.path = search(self.spectrum, alphas, self.scoring)
        else:
            self._found = sample_path(self.spectrum, alphas, self.scoring)
            self.path = self._found.path

    @property
    def merit(self) -> tuple[float, float]:
        """The best score, and the lowest error among ties."""
        return self.path.merit

    def judge(self, source: Blocks, run: Run) -> Path:
        """The path with what all rows say at a few alphas."""
        known, classes = self.knowledge, self.knowledge.labelled.labels
        asked = self._asked()
        judge = Judge(
            self._without_rows(self.path.alphas[asked]),
            known.features,
            classes,
            self.path.alphas[asked],
            known.class_weight,
        )
        judged: Judged = run(source, judge, "judge")
        check_same_rows(known.gathered.n_rows, judged.n_rows)
        return judged_path(self.path, asked, judged, self.scoring)

    def _asked(self) -> list[int]:
        """Places of the alphas that all rows are asked at."""
        n_features = len(self.spectrum.moments.mean)
        if self._found is None:
            # The best of those that the sample was asked at, whose inverses are at hand.
            places = np.flatnonzero(self.path.exact)
            order = np.argsort(-self.path.score[places], kind="stable")
            return sorted(places[order[: SparseCholesky.most_kept(n_features)]].tolist())
        n_classes = len(self.knowledge.labelled.labels)
        return worth_asking(self._found, most_asked(n_features, n_classes, self._sparse))

    def _without_rows(self, alphas: Floats) -> FeatureSpectrum:
        """The fit alone, ready to be asked about blocks of rows such as the sample's."""
        if self._sparse and not self.spectrum.keeps_results:
            return SparseFeatureSpectrum.of_fit(self.spectrum.sample(np.arange(0)), len(alphas))
        return self.spectrum.without_rows(alphas, self.knowledge.gathered.n_kept / self.n_sampled)

    def fitted(self, path: Path, scored: int) -> Fitted:
        alpha = float(path.alphas[path.best])
        found = self.spectrum.coefficients(alpha).simplex()
        sample = self._sample
        return Fitted(
            self.knowledge,
            path,
            alpha,
            self.knowledge.features.pull_back(found),
            self.spectrum,
            self.spectrum.targets.y,
            sample.weights,
            sample.counts.astype(np.float64),
            scored,
        )

    def _grid(self) -> Floats:
        gathered, moments = self.knowledge.gathered, self.knowledge.labelled.moments
        n_rows = max(float(gathered.n_kept), moments.total)
        eps = float(np.finfo(np.float64).eps)
        return auto_grid(self.spectrum.eigenvalues, max(n_rows, gathered.n_features), eps)
