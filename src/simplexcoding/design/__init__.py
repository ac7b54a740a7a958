"""Factorise once, use many times: least squares at every regularisation, with leave-one-out."""

from simplexcoding.design.label_moments import LabelMoments
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.moments import Moments
from simplexcoding.design.spectra.cholesky import CholeskySpectrum
from simplexcoding.design.spectra.feature_cholesky import FeatureCholesky
from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.design.spectra.gram import GramSpectrum
from simplexcoding.design.spectra.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.spectra.sparse_cholesky import SparseCholesky
from simplexcoding.design.spectra.sparse_features import SparseFeatureSpectrum
from simplexcoding.design.spectra.spectrum import Coefficients, Scan, Spectrum
from simplexcoding.design.weighting import WeightedKernel

__all__ = [
    "CholeskySpectrum",
    "Coefficients",
    "FeatureCholesky",
    "FeatureSpectrum",
    "Folds",
    "GramSpectrum",
    "LabelMoments",
    "LandmarkMap",
    "LeaveOneOut",
    "Moments",
    "Scan",
    "SparseCholesky",
    "SparseFeatureSpectrum",
    "Spectrum",
    "WeightedKernel",
]
