"""Least squares on rows that are read in passes: the fit of all rows, and its path."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.blocks.block import Block, Blocks
from simplexcoding.design import Coefficients, FeatureSpectrum, SparseFeatureSpectrum
from simplexcoding.design.label_moments import LabelMoments
from simplexcoding.design.sparse_features import stays_sparse
from simplexcoding.kernels import Kernel, gamma_values, row_keys
from simplexcoding.passes.features import Columns, Features, Landmarks
from simplexcoding.passes.fold import Leaf
from simplexcoding.passes.gather import Gather, Gathered
from simplexcoding.passes.judge import Judge, Judged
from simplexcoding.passes.kernel import chosen_kernel
from simplexcoding.passes.path import (
    can_be_judged,
    judged_path,
    sample_path,
    worth_asking,
)
from simplexcoding.passes.sample import Sample, Sampler
from simplexcoding.rows import Rows
from simplexcoding.selection.grids import auto_grid
from simplexcoding.selection.path import Path, RidgePath
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import search_all, search_few

# Distinct rows of the sample, and the most values they hold.
SAMPLE_ROWS = 10_000
_SAMPLE_VALUES = 2**25
# "auto" landmarks: as `fit` takes them, but no fewer than this: blocks bound the memory.
_LANDMARKS = 3000
_EXACT_ROWS = 8000
_MOST_KERNEL_VALUES = 5e8
_FEWEST_LANDMARKS = 1000

# Reads a source once: source, what to do with a block, the name of the pass -> sum of states.
Run = Callable[[Blocks, Leaf, str], Any]


@dataclass(frozen=True)
class Plan:
    """What is to be fitted.

    Parameters
    ----------
    kernel, gamma, degree, coef0, landmarks
        As of SimplexRidgeClassifier.
    alphas : (k,) array, falling, or None for the automatic grid
    intercept : bool
    class_weight : dict, "balanced" or None
    scoring : function of targets and classes, gives the Scoring that chooses
    seed : int
    """

    kernel: Any
    gamma: Any
    degree: float
    coef0: float
    landmarks: Any
    alphas: Floats | None
    intercept: bool
    class_weight: Any
    scoring: Callable[[Rows, Any], Scoring]
    seed: int


@dataclass(frozen=True)
class Knowledge:
    """What a fit keeps of the rows it has read, to go on from.

    Parameters
    ----------
    gathered : Gathered, with the moments of one map of features
    features : Features
    sampler : Sampler
    class_weight : dict or None
    """

    gathered: Gathered
    features: Features
    sampler: Sampler
    class_weight: Mapping[Any, float] | None

    @property
    def labelled(self) -> LabelMoments:
        """Labels and moments of the features."""
        return self.gathered.moments[0]

    @property
    def sample(self) -> Sample:
        """The sample of the rows."""
        assert self.gathered.sample is not None
        return self.gathered.sample

    def with_rows(self, block: Block) -> "Knowledge":
        """Know some more rows."""
        return replace(self, gathered=self.gathered + self._gather(block))

    def without_rows(self, block: Block) -> "Knowledge":
        """Know some rows no longer."""
        left = self.gathered - self._gather(block)
        if left.moments[0].moments.cancelled:
            raise ValueError(
                "X holds so much of the spread or the weight of all rows that no digits of the "
                "others would be left; fit again without those rows."
            )
        _check(left)
        return replace(self, gathered=left)

    def _gather(self, block: Block) -> Gathered:
        centred = self.labelled.moments.centred
        gather = Gather(self.sampler, (self.features,), centred, self.class_weight)
        return gather(block, "X")


@dataclass(frozen=True)
class Fitted:
    """A fit from blocks.

    Parameters
    ----------
    knowledge : Knowledge
    path : RidgePath
    alpha : float
    coefficients : Coefficients in simplex scores
    spectrum : FeatureSpectrum, with the rows of the sample
    y, weights, counts : (m,) arrays: class, weight and copies of the sample's rows
    scored : int, rows behind the score of the choice
    """

    knowledge: Knowledge
    path: RidgePath
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
    passes : {1, 2}
        1 trusts the left-out scores of the sample; 2 asks all rows at a few alphas.
    """
    known = _know(source, plan, run)
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
    elif source is not None and run is not None and can_be_judged(question.scoring):
        path = question.judge(source, run)
        scored = question.knowledge.gathered.n_kept
    paths = [path if g == best else ask.path for g, ask in enumerate(asks)]
    gammas = [knowledge.features.kernel.gamma for knowledge in known]
    return question.fitted(RidgePath.of(gammas, paths, best), scored)


class _Question:
    """One map of features: its spectrum on the sample, and its path."""

    def __init__(self, knowledge: Knowledge, plan: Plan) -> None:
        self.knowledge = knowledge
        labelled, sample = knowledge.labelled, knowledge.sample
        n_copies = int(sample.counts.sum())
        self.whole = sample.whole and n_copies <= 4 * sample.size
        if self.whole:
            # Every copy as a row of its own: the same question as a fit in memory asks.
            sample = sample.take(np.repeat(np.arange(len(sample)), sample.counts))
            sample = replace(sample, counts=np.ones(n_copies, dtype=np.intp))
        self._sample = sample
        self.n_sampled = int(sample.counts.sum())
        y = np.searchsorted(labelled.labels, sample.labels).astype(np.intp)
        n_classes = len(labelled.labels)
        weights = None if np.all(sample.weights == 1) else sample.weights
        targets = Rows.labelled(y, n_classes, weights)
        copies = sample.weights * sample.counts
        counted = Rows.labelled(y, n_classes, None if np.all(copies == 1) else copies)
        self.scoring = plan.scoring(counted, labelled.labels)
        X = knowledge.features.of(sample.X)
        self._linear = X is sample.X
        self.spectrum = FeatureSpectrum(X, targets, labelled.moments)
        alphas = plan.alphas if plan.alphas is not None else self._grid()
        self._found = None
        if self.whole:
            self.path = _whole_path(self.spectrum, alphas, self.scoring)
        else:
            self._found = sample_path(self.spectrum, alphas, self.scoring)
            self.path = self._found.path

    @property
    def merit(self) -> tuple[float, float]:
        """The best score, and the lowest error among ties."""
        return self.path.merit

    def judge(self, source: Blocks, run: Run) -> Path:
        """The path with what all rows say at a few alphas."""
        assert self._found is not None
        known, classes = self.knowledge, self.knowledge.labelled.labels
        asked = worth_asking(self._found, len(self.spectrum.eigenvalues), len(classes))
        judge = Judge(
            self._without_rows(),
            known.features,
            classes,
            self.path.alphas[asked],
            known.class_weight,
        )
        judged: Judged = run(source, judge, "judge")
        check_same_rows(known.gathered.n_rows, judged.n_rows)
        return judged_path(self.path, asked, judged, self.scoring)

    def _without_rows(self) -> FeatureSpectrum:
        """The fit alone, ready to be asked about blocks of rows such as the sample's."""
        X = self._sample.X
        if self._linear and stays_sparse(X, self.spectrum.moments):
            none = self.spectrum.targets.take(slice(0, 0))
            return SparseFeatureSpectrum(self.spectrum.sample(np.arange(0)), X[:0], none)
        return self.spectrum.sample(np.arange(0))

    def fitted(self, path: RidgePath, scored: int) -> Fitted:
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


def check_same_rows(first: int, later: int) -> None:
    """Refuse a source that gives other rows when it is read again."""
    if first != later:
        raise ValueError(
            f"blocks gave {later} rows at a later reading and {first} at the first; they must "
            "give the same rows every time they are iterated."
        )


def _whole_path(spectrum: FeatureSpectrum, alphas: Floats, scoring: Scoring) -> Path:
    if len(alphas) > 3 and spectrum.stand_in(len(alphas)) is not None:
        return search_few(spectrum, row_pilot(spectrum, alphas, scoring), scoring)
    return search_all(spectrum, alphas, scoring)


def _know(source: Blocks, plan: Plan, run: Run) -> list[Knowledge]:
    """Read what a fit must know: once for the linear kernel, twice for others."""
    named = plan.kernel if isinstance(plan.kernel, str) else ""
    linear = named == "linear"
    sampler = Sampler(_sample_size(source, plan), plan.seed, source.n_rows)
    weights = None if plan.class_weight == "balanced" else plan.class_weight
    first: Gathered | None = None
    if not linear or plan.class_weight == "balanced":
        first = run(source, Gather(sampler, (), plan.intercept, weights), "sample")
        _check(first)
        if plan.class_weight == "balanced":
            weights = first.counts.balanced()
    kernel = None
    if named == "auto":
        assert first is not None and first.sample is not None
        kernel = chosen_kernel(first.sample, plan.intercept, plan.seed)
        linear = kernel.name == "linear"
    if linear:
        maps: list[Features] = [Columns(Kernel("linear", 1.0, plan.degree, plan.coef0))]
        # Class weights are part of what tells the rows of a sample apart.
        first = None
    else:
        assert first is not None
        maps = _landmark_maps(first, plan, kernel)
    fresh = sampler if first is None or plan.class_weight == "balanced" else None
    second: Gathered = run(source, Gather(fresh, tuple(maps), plan.intercept, weights), "moments")
    _check(second)
    if first is not None:
        check_same_rows(first.n_rows, second.n_rows)
    sample = second.sample if fresh is not None else first.sample if first else None
    return [
        Knowledge(replace(second, sample=sample, moments=(own,)), map_, sampler, weights)
        for map_, own in zip(maps, second.moments, strict=True)
    ]


def _check(gathered: Gathered) -> None:
    if gathered.n_kept == 0:
        raise ValueError("blocks gave no rows of positive weight.")
    labels = gathered.counts.labels
    if len(labels) < 2:
        raise ValueError(f"y must hold at least two classes, got one class: {labels[0]}.")


def _sample_size(source: Blocks, plan: Plan) -> int:
    size = SAMPLE_ROWS
    if isinstance(plan.landmarks, int):
        size = max(size, plan.landmarks)
    if source.feature_names is not None:
        size = min(size, max(_SAMPLE_VALUES // len(source.feature_names), 1000))
    return size


def _landmark_maps(first: Gathered, plan: Plan, kernel: Kernel | None) -> list[Features]:
    """Landmarks from the sample, one map for each gamma."""
    assert first.sample is not None
    X = first.sample.X
    size = plan.landmarks
    if isinstance(size, str):
        n_rows = first.n_kept
        size = min(_LANDMARKS * (n_rows / _EXACT_ROWS) ** 0.25, _MOST_KERNEL_VALUES / n_rows)
        size = max(int(size), _FEWEST_LANDMARKS)
    # The first of each set of equal rows, in the order of the keys.
    _, distinct = np.unique(row_keys(X), return_index=True)
    basis = X[np.sort(distinct)[:size]]
    if kernel is not None:
        return [Landmarks.on(kernel, basis)]
    gammas = gamma_values(plan.kernel, plan.gamma, X, plan.seed)
    return [
        Landmarks.on(Kernel(plan.kernel, gamma, plan.degree, plan.coef0), basis) for gamma in gammas
    ]
