"""Factorise once, use many times: least squares at every regularisation, with leave-one-out."""

from simplexcoding.design.cholesky import CholeskySpectrum
from simplexcoding.design.feature_cholesky import FeatureCholesky
from simplexcoding.design.features import FeatureSpectrum
from simplexcoding.design.gram import GramSpectrum
from simplexcoding.design.label_moments import LabelMoments
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.moments import Moments
from simplexcoding.design.sparse_cholesky import SparseCholesky
from simplexcoding.design.sparse_features import SparseFeatureSpectrum
from simplexcoding.design.spectrum import Coefficients, Scan, Spectrum
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
