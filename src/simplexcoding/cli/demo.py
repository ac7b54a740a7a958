"""simplexcoding demo: the main job, and the paper's table, in two minutes."""

from pathlib import Path
from typing import Annotated

import typer

from simplexcoding.cli import arguments as a


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to fill.")] = Path(
        "demo_output"
    ),
    as_json: a.Json = False,
) -> None:
    """Run the main job on bundled data and write a report.

    Example: simplexcoding demo -o demo_output
    """
    import sys
    from contextlib import redirect_stdout

    from simplexcoding.cli.printing import Printer
    from simplexcoding.cli.sources import check_folder
    from simplexcoding.demo.tour import main

    check_folder(output)
    with redirect_stdout(sys.stderr if as_json else sys.stdout):
        main(["--output", str(output)])
    Printer(as_json).result({"report": output / "report.html"})
