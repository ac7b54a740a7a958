"""The one list of losses by name."""

from typing import Any

from simplexcoding.losses.cone import ConeHinge
from simplexcoding.losses.exponential import Exponential
from simplexcoding.losses.half_space import HalfSpaceHinge
from simplexcoding.losses.least_squares import LeastSquares
from simplexcoding.losses.logistic import Logistic
from simplexcoding.losses.loss import Loss
from simplexcoding.losses.relative import RelativeHinge
from simplexcoding.losses.vertex import VertexDistance

CATALOGUE: dict[str, type[Loss]] = {
    loss.name: loss
    for loss in (
        LeastSquares,
        ConeHinge,
        HalfSpaceHinge,
        RelativeHinge,
        VertexDistance,
        Exponential,
        Logistic,
    )
}


def get_loss(name: str, **parameters: Any) -> Loss:
    """Make the loss of that name.

    Parameters
    ----------
    name : str
        A key of `CATALOGUE`.
    **parameters
        Passed to the loss; only "half_space" has one, `hull`.

    Examples
    --------
    >>> from simplexcoding.losses import get_loss
    >>> get_loss("half_space", hull=False)
    HalfSpaceHinge(hull=False)
    """
    if name not in CATALOGUE:
        raise ValueError(f"loss must be one of {', '.join(CATALOGUE)}; got {name!r}.")
    return CATALOGUE[name](**parameters)
