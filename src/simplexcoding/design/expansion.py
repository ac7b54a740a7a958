"""Functions that margin machines choose from: their scores at the training rows, and at others."""

from dataclasses import dataclass

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.design import Basis, design_for
from simplexcoding.design.operators import Data
from simplexcoding.design.spectra.spectrum import Coefficients
from simplexcoding.functions import Function
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Training

# Margin machines multiply kernel values by boxes, duals and each other.
_LARGEST = 1e100


@dataclass(frozen=True)
class Expansion:
    """f = sum_j k(x_j, .) b_j over training rows x_j, with coefficients B (n, T).

    Parameters
    ----------
    data : Gram or Spectral
        The kernel at the rows: scores there are K B.
    basis : Basis
    numbers : (n,) array, those that the owner of a precomputed kernel gives to the rows
    intercept : bool
        Whether one is added to the kernel.
    """

    data: Data
    basis: Basis
    numbers: Indices
    intercept: bool

    def function(self, B: Floats) -> Function:
        """The function of new rows with coefficients B."""
        if self.basis.by_row:
            found = Coefficients(B, B.sum(axis=0) * self.intercept)
        else:
            weights = self.data.feature_weights(B)
            assert weights is not None  # As the basis is one of features.
            q = len(weights) - self.intercept
            found = Coefficients(weights[:q], weights[q:].sum(axis=0))
        return self.basis.function(found, self.numbers)


def expand(
    training: Training, kernel: Kernel, landmarks: Indices | None, intercept: bool
) -> Expansion:
    """The functions of a kernel over training rows, in the smallest form there is.

    Parameters
    ----------
    training : Training, its rows in float64
    kernel : Kernel
    landmarks : (m,) array of rows to project the kernel on, or None for all of it
    intercept : bool
        Whether one is added to the kernel.
    """
    design = design_for(training.rows.X, kernel, landmarks)
    data = design.operator(intercept)
    largest = float(data.diagonal().max(initial=0.0))
    if not largest <= _LARGEST:
        raise ValueError(
            f"kernel reaches {largest:g}: products of such values overflow; scale X or it down."
        )
    return Expansion(data, design.basis, training.numbers, intercept)
