"""A data set cut in two: rows to learn from, rows to be judged on."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices


@dataclass(frozen=True)
class Split:
    """Rows and labels of both parts, and where they came from.

    Parameters
    ----------
    name : str
        Of the set, as in the catalogue.
    X_train, X_test : (n, p) and (m, p) float64 arrays
    y_train, y_test : (n,) and (m,) arrays of class indices, 0 to T-1
    source : str
        What the rows were read from, in words.
    """

    name: str
    X_train: Floats
    y_train: Indices
    X_test: Floats
    y_test: Indices
    source: str

    @classmethod
    def of(cls, name: str, parts: tuple[Any, Any, Any, Any], source: str) -> "Split":
        """Take arrays of any dtype.

        Parameters
        ----------
        name : str
            Of the set, as in the catalogue.
        parts : tuple of arrays: X_train, y_train, X_test, y_test
        source : str
            What the rows were read from, in words.
        """
        X_train, y_train, X_test, y_test = parts
        return cls(
            name,
            np.ascontiguousarray(X_train, dtype=np.float64),
            np.asarray(y_train, dtype=np.intp),
            np.ascontiguousarray(X_test, dtype=np.float64),
            np.asarray(y_test, dtype=np.intp),
            source,
        )

    @property
    def n_classes(self) -> int:
        """Number T of classes."""
        return int(max(self.y_train.max(), self.y_test.max())) + 1

    def standardised(self) -> "Split":
        """Features less their means and over their spreads, both of the training rows.

        A feature that does not vary is left as zero.
        """
        mean, spread = self.X_train.mean(axis=0), self.X_train.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        return replace(
            self,
            X_train=(self.X_train - mean) / spread,
            X_test=(self.X_test - mean) / spread,
        )
