"""Features on landmarks, to which more are added without making the first ones again."""

from collections.abc import Callable

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.landmarks import LandmarkMap


class LandmarkFeatures:
    """Features of all rows on landmark rows, of which more may follow.

    With L L' = K_mm in blocks, the features of new landmarks are
    (K_n,new - Phi_old L_21') L_22^-T: n m^2 operations in all, however often some are added.

    Parameters
    ----------
    columns : function of row numbers (m,) that gives kernel values of all rows against them, (n, m)

    Attributes
    ----------
    landmarks : (m,) array, the rows in use
    map : LandmarkMap of them
    features : (n, r) array
    single : bool, whether it was asked to go on in single precision
    """

    def __init__(self, columns: Callable[[Indices], Floats]) -> None:
        self._columns = columns
        self.single = False
        self.landmarks: Indices = np.empty(0, dtype=np.intp)
        self._kernel = np.zeros((0, 0))
        self.map = LandmarkMap(self.landmarks, self._kernel)
        self.features: Floats = np.zeros((0, 0))

    def in_single(self) -> None:
        """Go on in single precision; the landmarks among themselves stay in double."""
        self.single, self.features = True, self.features.astype(np.float32)

    def noise(self) -> float:
        """What rounding adds to the scatter of all rows, at most, in any direction of a feature.

        The features of a landmark are its row of the factor: what they differ by is rounding.
        """
        errors = self.features[self.landmarks[self.map.chosen]] - self.map.factor
        return len(self.features) * float(np.square(errors).mean(axis=0).max())

    def add(self, new: Indices) -> None:
        """Use these rows too; none of them may be a landmark already."""
        old = self.landmarks
        columns = self._columns(new)
        self._kernel = _bordered(self._kernel, columns[old], columns[new])
        columns = self._rounded(columns)
        self.landmarks = np.append(old, new)
        whole = LandmarkMap.of(self._kernel)
        if not len(old):
            self.map, self.features = whole, whole.features(columns)
        elif len(whole.chosen) < len(self.landmarks) or len(self.map.chosen) < len(old):
            # Some landmarks span others: the order of the factor is its own.
            columns = self._rounded(self._columns(self.landmarks))
            self.map, self.features = whole, whole.features(columns)
        else:
            self.map, self.features = whole, self._extended(whole, columns)

    def _rounded(self, columns: Floats) -> Floats:
        return columns.astype(np.float32) if self.single else columns

    def _extended(self, whole: LandmarkMap, columns: Floats) -> Floats:
        n_old = len(self.map.chosen)
        features = np.empty((len(columns), len(whole.chosen)), dtype=columns.dtype)
        features[:, :n_old] = self.features
        cross = whole.factor[n_old:, :n_old].astype(columns.dtype)
        columns = columns - self.features @ cross.T
        corner = LandmarkMap(np.arange(columns.shape[1]), whole.factor[n_old:, n_old:])
        features[:, n_old:] = corner.features(columns)
        return features


def _bordered(kernel: Floats, cross: Floats, corner: Floats) -> Floats:
    """Kernel values (m, m) of the landmarks with those of new ones at the border, in float64."""
    return np.block([[kernel, cross], [cross.T, corner]]).astype(np.float64)
