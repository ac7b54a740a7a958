"""Factorise once, use many times: least squares at every regularisation, with leave-one-out."""

from simplexcoding.spectrum.cholesky import CholeskySpectrum
from simplexcoding.spectrum.features import FeatureSpectrum
from simplexcoding.spectrum.gram import GramSpectrum
from simplexcoding.spectrum.landmarks import LandmarkMap
from simplexcoding.spectrum.leave_one_out import LeaveOneOut
from simplexcoding.spectrum.moments import Moments
from simplexcoding.spectrum.spectrum import Coefficients, Scan, Spectrum
from simplexcoding.spectrum.targets import Targets
from simplexcoding.spectrum.weighting import WeightedKernel

__all__ = [
    "CholeskySpectrum",
    "Coefficients",
    "FeatureSpectrum",
    "GramSpectrum",
    "LandmarkMap",
    "LeaveOneOut",
    "Moments",
    "Scan",
    "Spectrum",
    "Targets",
    "WeightedKernel",
]
