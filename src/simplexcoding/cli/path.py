"""simplexcoding path: the score of left-out rows along the regularisation path."""

from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import typer

from simplexcoding.cli import arguments as a

_FIGURES = (".png", ".svg", ".pdf")
_SHOWN = 15


def path(
    data: a.Data,
    target: a.Target,
    kernel: a.KernelName = None,
    scaling: a.Scaling = None,
    gamma: a.Gamma = None,
    landmarks: a.Landmarks = None,
    alphas: a.Alphas = None,
    calibration: a.Calibration = None,
    standardise: a.Standardise = False,
    drop: a.Drop = None,
    weights: a.Weights = None,
    groups: a.Groups = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV, Parquet, PNG, SVG or PDF to write.")
    ] = None,
    stream: a.Stream = None,
    dask: a.Dask = None,
    as_json: a.Json = False,
) -> None:
    """Show the score of left-out rows along alpha.

    The score, by leave-one-out, is exact at the alphas marked so. For kernels on more than 1,500
    rows, for very many rows times classes and for files read in blocks these are the chosen one
    and few others, if any: between them the score is interpolated. An effective dimension that
    is not known is left blank.

    Example: simplexcoding path flowers.csv --target species --kernel rbf -o path.png
    """
    from simplexcoding.cli.estimator_options import Options, make_estimator
    from simplexcoding.cli.learning import choice, learn_file, left_out_words
    from simplexcoding.cli.printing import Printer, cell
    from simplexcoding.cli.sources import check_output, is_standard, save
    from simplexcoding.cli.tables import Wanted
    from simplexcoding.cli.writing import TABLES, write_table

    check_output(output, (*TABLES, *_FIGURES))
    estimator = make_estimator(
        Options("least_squares", kernel, scaling, gamma, landmarks, alphas, None, calibration)
    )
    wanted = Wanted(target, drop=drop or (), weights=weights, groups=groups)
    fitted = learn_file(data, wanted, estimator, standardise, stream, dask)[0].estimator
    columns, best = _columns(fitted)
    printer = Printer(as_json, beside=is_standard(output))
    count = len(columns["alpha"])
    shown = sorted({*range(0, count, max(1, count // _SHOWN)), best})
    printer.table(
        "Left-out rows along the path" if groups else "Leave-one-out along the path",
        [name.replace("_", " ") for name in columns],
        [[values[k] for values in columns.values()] for k in shown],
        bold=shown.index(best),
    )
    chosen = choice(fitted)
    printer.line(", ".join([f"Chosen: alpha {cell(fitted.alpha_)}", *left_out_words(chosen)]))
    if output is not None:
        if output.suffix.lower() in _FIGURES:
            save(output, _drawn(fitted, output.suffix.lower()[1:]))
        else:
            write_table(output, columns)
        printer.line(f"Written: {output}")
    printer.result({"chosen": chosen, "path": columns, "written": output})


def _columns(fitted: Any) -> tuple[dict[str, Any], int]:
    """The path of the chosen kernel, and the place of the choice on it."""
    found = fitted.path_.chosen
    names = ("score", "squared_error", "effective_dimension", "exact")
    return {"alpha": found.alphas, **{name: getattr(found, name) for name in names}}, found.best


def _drawn(fitted: Any, kind: str) -> bytes:
    from simplexcoding.cli.complaint import Complaint
    from simplexcoding.plots.path import PathDisplay

    try:
        figure = PathDisplay.from_estimator(fitted).figure_
    except ImportError as error:
        raise Complaint(str(error)) from None
    stream = BytesIO()
    figure.get_figure(root=True).savefig(stream, format=kind, dpi=130)
    return stream.getvalue()
