"""The kernel of a fit from blocks, chosen on their sample."""

import numpy as np

from simplexcoding.kernels import Kernel
from simplexcoding.passes.sample import Sample
from simplexcoding.rows import Rows
from simplexcoding.selection.candidates import judge
from simplexcoding.selection.grids import candidate_kernels
from simplexcoding.selection.sampled_scores import JudgingRule
from simplexcoding.solvers.ridge import RidgeProblem


def chosen_kernel(sample: Sample, intercept: bool, seed: int) -> Kernel:
    """The kernel whose left-out rows of the sample have the least log-loss, on landmarks.

    Linear and radial kernels, the latter on features as they are or scaled; rows count as
    often as they were seen.
    """
    classes, y = np.unique(sample.labels, return_inverse=True)
    weights = sample.weights * sample.counts
    kernels = candidate_kernels("auto", "auto", "auto", sample.X, weights, seed)
    # The moments of columns are taken as they come.
    kernels = [kernel for kernel in kernels if kernel.radial or kernel.scale is None]
    rows = Rows.labelled(y, len(classes), None if np.all(weights == 1) else weights)
    problem = RidgeProblem(sample.X, kernels[0], rows, intercept)
    rule = JudgingRule.of(None, classes)
    _, kernel, _ = judge(problem, kernels, rule, False, seed, finer=True)
    return kernel
