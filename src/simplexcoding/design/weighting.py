"""Row weights and the free intercept, folded into a kernel matrix."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design.spectra.leaving_out import LeaveOneOut
from simplexcoding.design.spectra.spectrum import Coefficients
from simplexcoding.rows import Rows


@dataclass(frozen=True)
class WeightedKernel:
    """The symmetric problem behind (K + alpha diag(1/w)) A = Y - 1 b, 1'A = 0.

    With r = sqrt(w) the matrix is r K r', the targets are r Y, and the intercept's column
    is r. Solutions A~ of that problem give A = r A~, and leaving row i out divides A~_i by
    r_i times its diagonal entry of the inverse.

    Parameters
    ----------
    matrix : (n, n) array r K r', not to be changed
    targets : Rows
    intercept : bool
    """

    matrix: Floats
    targets: Rows
    intercept: bool

    @classmethod
    def of(cls, K: Floats, targets: Rows, intercept: bool) -> "WeightedKernel":
        """Scale K in place where there are weights."""
        if targets.weights is not None:
            roots = targets.roots.astype(K.dtype)
            K *= roots
            K *= roots[:, None]
        return cls(K, targets, intercept)

    def leave_one_out(self, solved: Floats, diagonal: Floats) -> LeaveOneOut:
        """Leave-one-out from A~ (n, T) and the diagonal of the inverse, (n,)."""
        slack = diagonal * self.targets.roots.astype(diagonal.dtype)
        return LeaveOneOut(solved, slack, self.targets.y)

    def coefficients(self, solved: Floats, image: Floats) -> Coefficients:
        """Dual coefficients and intercept from A~ and image = matrix @ r."""
        weights = solved * self.targets.roots.astype(solved.dtype)[:, None]
        intercept = np.zeros(self.targets.n_classes)
        if self.intercept:
            # Weighted errors sum to alpha 1'A = 0, so b is the weighted mean of Y - K A.
            intercept = (self.targets.class_totals - image @ solved) / self.targets.total
        return Coefficients(weights, intercept)
