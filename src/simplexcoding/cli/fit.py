"""simplexcoding fit: learn a model from a file and store it."""

from pathlib import Path
from typing import Annotated

import typer

from simplexcoding.cli import arguments as a

Loss = Annotated[
    str | None,
    typer.Option(
        metavar="<name>",
        help="least_squares (a ridge, the default); cone, half_space, relative, vertex or "
        "logistic (a margin machine); exponential (the published boosting). With --online and "
        "--boosting the default is logistic.",
    ),
]
_CHOICES_TOLD = ("kernel", "gamma", "scaling", "alpha", "C", "n_estimators")


def fit(
    data: a.Data,
    target: a.Target,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write, or -.")],
    loss: Loss = None,
    kernel: a.KernelName = None,
    scaling: a.Scaling = None,
    gamma: a.Gamma = None,
    landmarks: a.Landmarks = None,
    alphas: a.Alphas = None,
    costs: a.Costs = None,
    calibration: a.Calibration = None,
    online: Annotated[bool, typer.Option("--online", help="Learn row by row (linear).")] = False,
    boosting: Annotated[bool, typer.Option("--boosting", help="Boosted trees.")] = False,
    standardise: a.Standardise = False,
    drop: a.Drop = None,
    weights: a.Weights = None,
    groups: a.Groups = None,
    seed: Annotated[
        int, typer.Option(help="Seed of every draw.", min=0, max=2**32 - 1, metavar="<int>")
    ] = 0,
    stream: a.Stream = None,
    dask: a.Dask = None,
    as_json: a.Json = False,
) -> None:
    """Learn a model; it chooses its own regularisation.

    Example: simplexcoding fit flowers.csv --target species --kernel rbf -o flowers.model
    """
    from simplexcoding.cli.estimator_options import Options, make_estimator
    from simplexcoding.cli.learning import choice, learn_file, left_out_words
    from simplexcoding.cli.model_file import save_model
    from simplexcoding.cli.printing import Printer, cell
    from simplexcoding.cli.sources import check_output, is_standard
    from simplexcoding.cli.tables import Wanted

    check_output(output)
    options = Options(
        loss, kernel, scaling, gamma, landmarks, alphas, costs, calibration, online, boosting, seed
    )
    estimator = make_estimator(options)
    wanted = Wanted(target, drop=drop or (), weights=weights, groups=groups)
    model, n = learn_file(data, wanted, estimator, standardise, stream, dask)
    save_model(output, model)
    fitted = model.estimator
    printer = Printer(as_json, beside=is_standard(output))
    p = fitted.n_features_in_
    name, chosen = type(fitted).__name__, choice(fitted)
    words = f"{name}: {n} rows, {p} features, {len(fitted.classes_)} classes"
    printer.line("; ".join([words, *left_out_words(chosen)]))
    told = [f"{key} {cell(value)}" for key, value in chosen.items() if key in _CHOICES_TOLD]
    if told:
        printer.line(f"Chosen: {', '.join(told)}")
    if "because" in chosen:
        printer.line(f"Because: {chosen['because']}")
    printer.line(f"Written: {'standard output' if is_standard(output) else output}")
    printer.result(
        {
            "model": name,
            "rows": n,
            "features": p,
            "classes": fitted.classes_,
            "chosen": chosen,
            "written": output,
        }
    )
