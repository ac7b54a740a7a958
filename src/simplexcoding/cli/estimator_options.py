"""From the words of the command line to an estimator."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from sklearn.utils._param_validation import InvalidParameterError

import simplexcoding
from simplexcoding.cli.complaint import Complaint
from simplexcoding.losses import Odds, get_loss, losses_offering

_LAMBDAS = np.geomspace(1, 1e-6, 13).tolist()


@dataclass(frozen=True)
class Way:
    """A way to learn that the command line offers.

    Parameters
    ----------
    estimator : str, its name in the package
    options : dict of str
        The options of the command line that it has, and the parameters that they set.
    losses : callable
        What it learns by, each with the parameters that ask for it.
    always : dict
        Parameters that are not the estimator's own defaults.
    """

    estimator: str
    options: dict[str, str]
    losses: Callable[[], dict[str, dict[str, Any]]]
    always: dict[str, Any] = field(default_factory=dict)


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


def _offering(*needs: str) -> Callable[[], dict[str, dict[str, Any]]]:
    return lambda: {name: {"loss": name} for name in losses_offering(*needs)}


def _boosted() -> dict[str, dict[str, Any]]:
    """The losses of boosting, those of the default method first."""
    losses = losses_offering("odds")
    newton = [name for name in losses if get_loss(name).odds is Odds.LOGARITHM]
    others = [name for name in losses if name not in newton]
    return {name: {"loss": name, "method": "newton"} for name in newton} | {
        name: {"loss": name, "method": "gradient"} for name in others
    }


RIDGE = Way(
    "SimplexRidgeClassifier",
    _same("kernel", "scaling", "gamma", "landmarks", "alphas", "calibration"),
    lambda: {"least_squares": {}},
)
SVC = Way(
    "SimplexSVC",
    _same("kernel", "gamma", "landmarks", "C", "calibration"),
    _offering("prox", "conjugate"),
)
SGD = Way("SimplexSGDClassifier", {"alphas": "alpha"}, _offering("row_step"), {"alpha": _LAMBDAS})
BOOSTING = Way("SimplexBoostingClassifier", {}, _boosted)
# Losses that margin machines take, and that another estimator is known for.
_KNOWN_FOR = {"least_squares": RIDGE, "exponential": BOOSTING}
_OPTIONS = ("kernel", "scaling", "gamma", "landmarks", "alphas", "C", "calibration")
# Options whose words are names, whatever they look like.
_NAMES = ("kernel", "scaling", "calibration")
_REFUSED = re.compile(r"The '(\w+)' parameter of \w+ must be (.*)\. Got .* instead\.", re.S)
# What scikit-learn calls the values of a parameter, and what is typed for them.
_TYPED = {
    " or a callable": "",
    "a float in the range (0.0, inf)": "a number above 0",
    "an int in the range [1, inf)": "a whole number above 0",
    "a list of them": "several separated by commas",
    "None": "none",
}


@dataclass(frozen=True)
class Options:
    """Words of the command line; None leaves the estimator's own default."""

    loss: str | None = None
    kernel: str | None = None
    scaling: str | None = None
    gamma: str | None = None
    landmarks: str | None = None
    alphas: str | None = None
    C: str | None = None
    calibration: str | None = None
    online: bool = False
    boosting: bool = False
    seed: int = 0


def make_estimator(options: Options) -> Any:
    """Estimator that chooses its own regularisation.

    Parameters
    ----------
    options : Options

    Returns
    -------
    estimator, not fitted
    """
    way = _way(options)
    parameters: dict[str, Any] = {"random_state": options.seed, **way.always}
    if options.loss is not None:
        # The estimator itself refuses a loss that it cannot learn by.
        parameters |= way.losses().get(options.loss, {"loss": options.loss})
    for option in _OPTIONS:
        word = getattr(options, option)
        if word is None:
            continue
        if option not in way.options:
            raise Complaint(f"--{option} {word}: not with {way.estimator}; omit it.")
        parameters[way.options[option]] = word if option in _NAMES else _value(word)
    made = getattr(simplexcoding, way.estimator)(**parameters)
    try:
        made._validate_params()
    except InvalidParameterError as error:
        _complain(str(error), way, options)
    return made


def loss_owners() -> dict[str, Way]:
    """Whose loss it is where neither --online nor --boosting says otherwise."""
    return dict.fromkeys(SVC.losses(), SVC) | _KNOWN_FOR


def _way(options: Options) -> Way:
    """The way to learn that loss, --online and --boosting ask for."""
    loss = options.loss
    if options.online and options.boosting:
        raise Complaint("--online, --boosting: two ways to learn; choose one.")
    owners, boosted = loss_owners(), BOOSTING.losses()
    if loss is not None and loss not in owners:
        raise Complaint(f"--loss {loss}: unknown; choose among {', '.join(owners)}.")
    if options.boosting and loss is not None and loss not in boosted:
        raise Complaint(f"--loss {loss}: not with --boosting; choose {' or '.join(boosted)}.")
    if options.online:
        return SGD
    if options.boosting:
        return BOOSTING
    return RIDGE if loss is None else owners[loss]


def _complain(text: str, way: Way, options: Options) -> NoReturn:
    """Say of an option what the estimator says of its parameter, in words that can be typed."""
    found = _REFUSED.fullmatch(text)
    assert found is not None, text
    option = next(key for key, parameter in way.options.items() if parameter == found[1])
    reason = found[2]
    for words, typed in _TYPED.items():
        reason = reason.replace(words, typed)
    reason = re.sub(r"( or )?a str among \{(.*?)\}", _any_of, reason)
    raise Complaint(f"--{option} {getattr(options, option)}: must be {reason}.")


def _any_of(found: re.Match[str]) -> str:
    """Words in place of the set that scikit-learn prints, at the end of a list or alone."""
    *first, last = sorted(word.strip("'") for word in found[2].split(", "))
    before = (", " if first else " or ") if found[1] else ""
    return before + (f"{', '.join(first)} or {last}" if first else last)


def _value(word: str) -> Any:
    """A number, several separated by commas, None or the word itself."""
    if word.lower() == "none":
        return None
    try:
        numbers = [float(part) for part in word.split(",") if part.strip()]
    except ValueError:
        return word
    if len(numbers) != 1:
        return numbers
    return int(numbers[0]) if numbers[0].is_integer() and "." not in word else numbers[0]
