"""simplexcoding reproduce: the paper's table, ours beside the published figures."""

from pathlib import Path
from typing import Annotated

import typer

from simplexcoding.cli import arguments as a

Names = Annotated[str | None, typer.Option(metavar="<names>", help="Names, separated by commas.")]


def reproduce(
    data: Annotated[
        Path | None, typer.Option(help="Folder of .npz files, else SIMPLEXCODING_DATA.")
    ] = None,
    datasets: Names = None,
    methods: Names = None,
    features: Names = None,
    jobs: Annotated[int, typer.Option(help="Cells to run at once.", min=1)] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="Bundled data, under a minute.")] = False,
    complexity: Annotated[bool, typer.Option(help="Measure time against n and T too.")] = True,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to fill.")] = Path(
        "reproduction"
    ),
    as_json: a.Json = False,
) -> None:
    """Compute the paper's table beside the published figures.

    A run that was interrupted goes on where it stopped.

    Example: simplexcoding reproduce --data ../data --datasets landsat,optdigit --jobs 2
    """
    from simplexcoding.cli.printing import Printer
    from simplexcoding.cli.reproduce_run import Request
    from simplexcoding.cli.reproduce_run import reproduce as run

    request = Request(data, datasets, methods, features, jobs, quick, complexity, output)
    run(request, Printer(as_json))
