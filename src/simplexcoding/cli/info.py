"""simplexcoding info: what a model file holds."""

from simplexcoding.cli import arguments as a

_FITTED = (
    *("best_score_", "alpha_", "lambda_", "gamma_", "scaling_", "C_", "duality_gap_", "n_iter_"),
    "n_estimators_",
)
_SHOWN = 10
_WIDTH = 34


def info(model: a.Model, as_json: a.Json = False) -> None:
    """Tell what a model file holds, without trusting it.

    Example: simplexcoding info flowers.model
    """
    from simplexcoding.cli.model_file import load_model
    from simplexcoding.cli.printing import Printer, as_plain
    from simplexcoding.cli.sources import named

    stored = load_model(model)
    estimator = stored.estimator
    fitted = {
        name: as_plain(value)
        for name in _FITTED
        if isinstance(value := getattr(estimator, name, None), int | float | str)
    }
    result = {
        "file": named(model),
        "written_by": f"release {stored.package}",
        "model": type(estimator).__name__,
        "target": stored.target,
        "classes": estimator.classes_.tolist(),
        "features": [name for name, _ in stored.features],
        "standardised": stored.model is not estimator,
        **fitted,
        "parameters": {
            name: as_plain(value) for name, value in estimator.get_params(deep=False).items()
        },
    }
    printer = Printer(as_json)
    for name, value in result.items():
        if name == "parameters":
            continue
        printer.line(f"{name.replace('_by', ' by'):<{_WIDTH}} {_text(value)}")
    for name, value in estimator.get_params(deep=False).items():
        printer.line(f"{'parameter ' + name:<{_WIDTH}} {value}")
    printer.result(result)


def _text(value: object) -> str:
    if isinstance(value, list):
        words = ", ".join(str(each) for each in value[:_SHOWN])
        return f"{len(value)}: {words}" + (", ..." if len(value) > _SHOWN else "")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
