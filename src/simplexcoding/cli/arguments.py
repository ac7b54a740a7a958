"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[Path, typer.Argument(help="CSV, Parquet, NPZ or NPY file; - is standard input.")]
Model = Annotated[Path, typer.Argument(help="Model file; - is standard input.")]
Target = Annotated[
    str, typer.Option("--target", "-t", metavar="<column>", help="Column of the labels.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", metavar="<column>", help="Column that is no feature; may be repeated."),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        "--keep",
        metavar="<column>",
        help="Column, such as an id, to carry to the output; no feature; repeatable.",
    ),
]
Weights = Annotated[
    str | None, typer.Option("--weights", metavar="<column>", help="Column of the rows' weights.")
]
Groups = Annotated[
    str | None,
    typer.Option(
        "--groups", metavar="<column>", help="Column of groups that are left out together."
    ),
]
KernelName = Annotated[
    str | None,
    typer.Option(
        "--kernel", metavar="<name>", help="auto, linear, rbf, exponential, laplacian or poly."
    ),
]
Scaling = Annotated[
    str | None,
    typer.Option(
        "--scaling", metavar="<name>", help="Features over their spreads: none, standard or auto."
    ),
]
Gamma = Annotated[
    str | None,
    typer.Option(
        "--gamma",
        metavar="<numbers>",
        help="Of the kernel: a number, several separated by commas, quantile or auto.",
    ),
]
Landmarks = Annotated[
    str | None,
    typer.Option(
        "--landmarks",
        metavar="<number>",
        help="Rows to project the kernel on: a number, auto or none.",
    ),
]
Alphas = Annotated[
    str | None,
    typer.Option(
        "--alphas",
        metavar="<numbers>",
        help="Regularisation to choose from, separated by commas, or auto.",
    ),
]
Costs = Annotated[
    str | None,
    typer.Option(
        "--C", metavar="<numbers>", help="Costs to choose from, separated by commas, or auto."
    ),
]
Calibration = Annotated[
    str | None,
    typer.Option(
        "--calibration", metavar="<name>", help="auto, temperature, pooled, vector or none."
    ),
]
Standardise = Annotated[
    bool, typer.Option("--standardise", help="Give every feature mean 0 and spread 1 first.")
]
Stream = Annotated[
    bool | None,
    typer.Option(
        "--stream/--no-stream",
        help="Read CSV or Parquet in blocks, in constant memory; large files are so by default.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="<address>",
        help="Address of a Dask scheduler, or local: read in blocks there.",
    ),
]
