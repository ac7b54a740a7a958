"""What a fit from blocks must know of the rows: gathered in passes, and kept to go on from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.blocks.block import Block, Blocks
from simplexcoding.design.design import usual_landmarks
from simplexcoding.design.label_moments import LabelMoments
from simplexcoding.kernels import Kernel, gamma_values, row_keys
from simplexcoding.passes.features import Columns, Features, Landmarks
from simplexcoding.passes.fold import Leaf
from simplexcoding.passes.gather import Gather, Gathered
from simplexcoding.passes.kernel import chosen_kernel
from simplexcoding.passes.sample import Sample, Sampler
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import Scoring

# Distinct rows of the sample, and the most values they hold.
SAMPLE_ROWS = 10_000
_SAMPLE_VALUES = 2**25
# "auto" landmarks: as `fit` takes them, but no fewer than this: blocks bound the memory.
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


def know(source: Blocks, plan: Plan, run: Run) -> list[Knowledge]:
    """Read what a fit must know: once for the linear kernel, twice for others.

    Rows that repeat so often that too few distinct ones were offered are read once more.
    """
    linear = Kernel(plan.kernel).linear
    # Blocks that can be read only once must offer every row at once.
    n_rows = None if source.once else source.n_rows
    sampler = Sampler(_sample_size(source, plan), plan.seed, n_rows)
    weights = None if plan.class_weight == "balanced" else plan.class_weight
    first: Gathered | None = None
    if not linear or plan.class_weight == "balanced":
        gather = Gather(None if linear else sampler, (), plan.intercept, weights)
        first, sampler = gathered(source, gather, sampler, run, "sample")
        if plan.class_weight == "balanced":
            weights = first.counts.balanced()
    kernel = None
    if isinstance(plan.kernel, str) and plan.kernel == "auto":
        assert first is not None and first.sample is not None
        kernel = chosen_kernel(first.sample, plan.intercept, plan.seed)
        linear = kernel.linear
    if linear:
        maps: list[Features] = [Columns(Kernel("linear", 1.0, plan.degree, plan.coef0))]
        # Class weights are part of what tells the rows of a sample apart.
        first = None
    else:
        assert first is not None
        maps = _landmark_maps(first, plan, kernel)
    fresh = sampler if first is None or plan.class_weight == "balanced" else None
    gather = Gather(fresh, tuple(maps), plan.intercept, weights)
    second, sampler = gathered(source, gather, sampler, run, "moments")
    if first is not None:
        check_same_rows(first.n_rows, second.n_rows)
    sample = second.sample if fresh is not None else first.sample if first else None
    return [
        Knowledge(replace(second, sample=sample, moments=(own,)), map_, sampler, weights)
        for map_, own in zip(maps, second.moments, strict=True)
    ]


def gathered(
    source: Blocks, gather: Gather, sampler: Sampler, run: Run, stage: str
) -> tuple[Gathered, Sampler]:
    """What a pass gathers, with a full sample if it takes one; and the sampler of that.

    A sampler that knows the number of rows offers a share of them. Where rows repeat that may
    be fewer distinct ones than the sample has room for: then all are offered, in one reading more.
    """
    found: Gathered = run(source, gather, stage)
    _check(found)
    sample = found.sample
    if sample is None or sample.whole or len(sample) == sample.size:
        return found, sampler
    sampler = replace(sampler, n_rows=None)
    again: Gathered = run(source, replace(gather, sampler=sampler, features=()), f"{stage}-again")
    check_same_rows(found.n_rows, again.n_rows)
    return replace(found, sample=again.sample), sampler


def _check(found: Gathered) -> None:
    if found.n_kept == 0:
        raise ValueError("blocks gave no rows of positive weight.")
    labels = found.counts.labels
    if len(labels) < 2:
        raise ValueError(f"y must hold at least two classes, got one class: {labels[0]}.")


def _sample_size(source: Blocks, plan: Plan) -> int:
    size = SAMPLE_ROWS
    if isinstance(plan.landmarks, int):
        size = max(size, plan.landmarks)
    width = source.n_features if source.row_values is None else source.row_values
    if width is not None:
        size = min(size, max(_SAMPLE_VALUES // max(width, 1), 1000))
    return size


def _landmark_maps(first: Gathered, plan: Plan, kernel: Kernel | None) -> list[Features]:
    """Landmarks from the sample, one map for each gamma."""
    assert first.sample is not None
    X = first.sample.X
    size = plan.landmarks
    if isinstance(size, str):
        size = max(usual_landmarks(first.n_kept), _FEWEST_LANDMARKS)
    # The first of each set of equal rows, in the order of the keys.
    _, distinct = np.unique(row_keys(X), return_index=True)
    basis = X[np.sort(distinct)[:size]]
    if kernel is not None:
        return [Landmarks.on(kernel, basis)]
    gammas = gamma_values(plan.kernel, plan.gamma, X, plan.seed)
    return [
        Landmarks.on(Kernel(plan.kernel, gamma, plan.degree, plan.coef0), basis) for gamma in gammas
    ]


def check_same_rows(first: int, later: int) -> None:
    """Refuse a source that gives other rows when it is read again."""
    if first != later:
        raise ValueError(
            f"blocks gave {later} rows at a later reading and {first} at the first; they must "
            "give the same rows every time they are iterated."
        )
