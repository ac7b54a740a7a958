"""The one list of losses by name."""

from collections.abc import Iterable
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
    forms = {name: (loss(), loss().without_hull()) for name, loss in CATALOGUE.items()}
    return tuple(name for name, loss in forms.items() if any(form.offers(*needs) for form in loss))


def get_loss(name: str, among: Iterable[str] | None = None, **parameters: Any) -> Loss:
    """Make the loss of that name.

    Parameters
    ----------
    name : str
        A key of `CATALOGUE`.
    among : iterable of str, default=None
        Names that may be asked for; None is all of them.
    **parameters
        Passed to the loss; only "half_space" has one, `hull`.

    Examples
    --------
    >>> from simplexcoding.losses import get_loss
    >>> get_loss("half_space", hull=False)
    HalfSpaceHinge(hull=False)
    """
    known = [key for key in CATALOGUE if among is None or key in among]
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"loss must be one of {', '.join(known)}; got {name!r}.")
    return CATALOGUE[name](**parameters)
