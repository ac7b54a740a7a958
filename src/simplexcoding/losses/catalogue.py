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


def losses_offering(*needs: str) -> tuple[str, ...]:
    """Names of the losses that offer what a solver needs, without their hull if need be.

    Parameters
    ----------
    *needs : str, see `Loss.offers`

    Examples
    --------
    >>> from simplexcoding.losses import losses_offering
    >>> losses_offering("odds")
    ('exponential', 'logistic')
    """
    return tuple(name for name in CATALOGUE if _offers(name, needs))


def get_loss(name: str, needs: tuple[str, ...] = (), **parameters: Any) -> Loss:
    """Make the loss of that name.

    Parameters
    ----------
    name : str
        A key of `CATALOGUE`.
    needs : tuple of str, default=()
        What the loss must offer, with or without its hull; see `Loss.offers`.
    **parameters
        Passed to the loss; only "half_space" has one, `hull`.

    Examples
    --------
    >>> from simplexcoding.losses import get_loss
    >>> get_loss("half_space", hull=False)
    HalfSpaceHinge(hull=False)
    """
    if not (isinstance(name, str) and name in CATALOGUE and _offers(name, needs)):
        known = ", ".join(losses_offering(*needs))
        raise ValueError(f"loss must be one of {known}; got {name!r}.")
    return CATALOGUE[name](**parameters)


def _offers(name: str, needs: tuple[str, ...]) -> bool:
    loss = CATALOGUE[name]()
    return loss.offers(*needs) or loss.without_hull().offers(*needs)
