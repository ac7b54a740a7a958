"""Models as JSON and arrays, and back: a list of classes, their parameters and their state."""

from typing import Any

from simplexcoding.fitted import of_host
from simplexcoding.persistence import schemas
from simplexcoding.persistence.boosting_schemas import BOOSTING
from simplexcoding.persistence.labels import Plain
from simplexcoding.persistence.records import Record
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.specs import short
from simplexcoding.persistence.stored import Sizes, Stored

# How a model is composed with others is no part of it.
_NOT_STATE = ("_sklearn_version", "_metadata_request", "_sklearn_output_config")
_MOST_STEPS = 16
_LONGEST_REASON = 300


# What a model file may name, and what its fitted state holds. Anything else is refused, on
# writing and on reading.
MODELS = {
    "SimplexRidgeClassifier": Record(
        "simplexcoding.estimators.ridge:SimplexRidgeClassifier", schemas.RIDGE
    ),
    "SimplexSVC": Record("simplexcoding.estimators.svc:SimplexSVC", schemas.SVC),
    "SimplexSGDClassifier": Record(
        "simplexcoding.estimators.sgd:SimplexSGDClassifier", schemas.SGD
    ),
    "SimplexBoostingClassifier": Record(
        "simplexcoding.estimators.boosting:SimplexBoostingClassifier", BOOSTING
    ),
    "StandardScaler": Record("sklearn.preprocessing:StandardScaler", schemas.SCALER),
    "Normalizer": Record("sklearn.preprocessing:Normalizer", schemas.NORMALIZER),
}


def write_model(model: Any, out: Stored) -> dict[str, Any]:
    """JSON of a fitted model or pipeline; its arrays go to `out`."""
    name = type(model).__name__
    if name == "Pipeline":
        from sklearn.pipeline import Pipeline

        if type(model) is Pipeline:
            steps = [[label, write_model(step, out)] for label, step in model.steps]
            return {"class": name, "steps": steps}
    if name not in MODELS or type(model) is not MODELS[name].kind:
        raise Refusal(f"is a {name}; these can be stored: {', '.join(MODELS)}")
    # A model of tensors is stored as that of the same rows on the host.
    model = of_host(model)
    parameters = model.get_params(deep=False)
    state = {
        key: value
        for key, value in model.__getstate__().items()
        if key not in parameters and key not in _NOT_STATE
    }
    if not state:
        raise Refusal(f"is a {name} that is not fitted; call fit first")
    out.sizes = Sizes()
    codes = {key: _written_parameter(key, value, out) for key, value in parameters.items()}
    return {"class": name, "parameters": codes, "state": MODELS[name].fields.write(state, out)}


def _written_parameter(name: str, value: Any, out: Stored) -> Any:
    try:
        return Plain().write(value, out)
    except Refusal as refusal:
        cure = "" if name == "kernel" else f"; predictions may not need it: set_params({name}=None)"
        raise Refusal(refusal.reason + cure, (name,)) from None


def read_model(code: Any, source: Stored) -> Any:
    """Model of a JSON code, every part of it checked."""
    if not isinstance(code, dict):
        raise Refusal("holds no model")
    name = code.get("class")
    if name == "Pipeline" and set(code) == {"class", "steps"}:
        return _read_pipeline(code["steps"], source)
    if type(name) is not str or name not in MODELS:
        raise Refusal(f"names {short(name)}, which no model file may hold")
    if set(code) != {"class", "parameters", "state"} or not isinstance(code["parameters"], dict):
        raise Refusal("holds no model")
    model = MODELS[name]
    known = model.kind().get_params(deep=False)
    if set(code["parameters"]) != set(known):
        raise Refusal(f"has other parameters than {name} of this release")
    parameters = {key: _read_parameter(key, code["parameters"][key], source) for key in known}
    estimator = model.kind(**parameters)
    _check_parameters(estimator)
    source.sizes = Sizes()
    vars(estimator).update(model.fields.read(code["state"], source))
    return estimator


def _read_parameter(name: str, code: Any, source: Stored) -> Any:
    try:
        return Plain().read(code, source)
    except Refusal as refusal:
        raise refusal.inside(name) from None


def _check_parameters(estimator: Any) -> None:
    if not hasattr(estimator, "_parameter_constraints"):
        return
    try:
        estimator._validate_params()
    except ValueError as error:
        reason = str(error).splitlines()[0][:_LONGEST_REASON]
        raise Refusal(f"has a parameter that cannot be: {reason}") from None


def _read_pipeline(steps: Any, source: Stored) -> Any:
    from sklearn.pipeline import Pipeline

    if not isinstance(steps, list) or not 0 < len(steps) <= _MOST_STEPS:
        raise Refusal("holds no steps")
    found, sizes = [], set()
    for step in steps:
        if not isinstance(step, list) or len(step) != 2 or type(step[0]) is not str:
            raise Refusal("holds no steps")
        if not isinstance(step[1], dict) or step[1].get("class") == "Pipeline":
            raise Refusal("holds a step that is no model")
        found.append((step[0], read_model(step[1], source)))
        sizes.add(getattr(found[-1][1], "n_features_in_", None))
    if len(sizes) != 1 or not all(hasattr(step, "transform") for _, step in found[:-1]):
        raise Refusal("holds steps that do not go together")
    return Pipeline(found)
