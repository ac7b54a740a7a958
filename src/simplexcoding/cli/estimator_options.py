"""From the words of the command line to an estimator."""

import re
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from sklearn.utils._param_validation import InvalidParameterError

import simplexcoding
from simplexcoding.cli.complaint import Complaint
from simplexcoding.losses import Odds, get_loss, losses_offering

_RIDGE, _SVC, _SGD, _BOOST = (
    "SimplexRidgeClassifier",
    "SimplexSVC",
    "SimplexSGDClassifier",
    "SimplexBoostingClassifier",
)
# Losses that margin machines take, and that another estimator is known for.
_KNOWN_FOR = {"least_squares": _RIDGE, "exponential": _BOOST}
# The option of the command line, the parameter it sets, and the estimators that have it.
_OPTIONS = {
    "kernel": {_RIDGE: "kernel", _SVC: "kernel"},
    "scaling": {_RIDGE: "scaling"},
    "gamma": {_RIDGE: "gamma", _SVC: "gamma"},
    "landmarks": {_RIDGE: "landmarks", _SVC: "landmarks"},
    "alphas": {_RIDGE: "alphas", _SGD: "alpha"},
    "C": {_SVC: "C"},
    "calibration": {_RIDGE: "calibration", _SVC: "calibration"},
}
_REFUSED = re.compile(r"The '(\w+)' parameter of \w+ must be (.*)\. Got .* instead\.", re.S)
# What scikit-learn calls the values of a parameter, and what is typed for them.
_TYPED = {
    " or a callable": "",
    "a float in the range (0.0, inf)": "a number above 0",
    "an int in the range [1, inf)": "a whole number above 0",
    "a list of them": "several separated by commas",
    "None": "none",
}
_LAMBDAS = np.geomspace(1, 1e-6, 13).tolist()


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
    name = _estimator_name(options)
    make = getattr(simplexcoding, name)
    parameters: dict[str, Any] = {"random_state": options.seed}
    if options.loss is not None and name != _RIDGE:
        parameters["loss"] = options.loss
        if name == _BOOST:
            parameters["method"] = boosting_methods()[options.loss]
    if name == _SGD:
        parameters["alpha"] = _LAMBDAS
    known = make().get_params(deep=False)
    for option, homes in _OPTIONS.items():
        word = getattr(options, option)
        if word is None:
            continue
        if homes.get(name) not in known:
            raise Complaint(f"--{option} {word}: not with {name}; omit it.")
        parameters[homes[name]] = (
            word if option in ("kernel", "scaling", "calibration") else _value(word)
        )
    made = make(**parameters)
    try:
        made._validate_params()
    except InvalidParameterError as error:
        _complain(str(error), name, options)
    return made


def loss_owners() -> dict[str, str]:
    """Whose loss it is where neither --online nor --boosting says otherwise."""
    return dict.fromkeys(losses_offering("prox", "conjugate"), _SVC) | _KNOWN_FOR


def boosting_methods() -> dict[str, str]:
    """What boosting steps by, for each loss that it takes; those of the default method first."""
    losses = losses_offering("odds")
    newton = [name for name in losses if get_loss(name).odds is Odds.LOGARITHM]
    return dict.fromkeys(newton, "newton") | {
        name: "gradient" for name in losses if name not in newton
    }


def _estimator_name(options: Options) -> str:
    """The estimator that loss, --online and --boosting ask for."""
    loss = options.loss
    if options.online and options.boosting:
        raise Complaint("--online, --boosting: two ways to learn; choose one.")
    owners, methods = loss_owners(), boosting_methods()
    if loss is not None and loss not in owners:
        raise Complaint(f"--loss {loss}: unknown; choose among {', '.join(owners)}.")
    if options.boosting and loss is not None and loss not in methods:
        raise Complaint(f"--loss {loss}: not with --boosting; choose {' or '.join(methods)}.")
    if options.online:
        return _SGD
    if options.boosting:
        return _BOOST
    return _RIDGE if loss is None else owners[loss]


def _complain(text: str, name: str, options: Options) -> NoReturn:
    """Say of an option what the estimator says of its parameter, in words that can be typed."""
    found = _REFUSED.fullmatch(text)
    assert found is not None, text
    option = next(key for key, homes in _OPTIONS.items() if homes.get(name) == found[1])
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
