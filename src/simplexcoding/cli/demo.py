"""simplexcoding demo: the main job on data that comes with scikit-learn."""

from pathlib import Path
from typing import Annotated

import typer

from simplexcoding.demo import main


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to fill.")] = Path(
        "demo_output"
    ),
) -> None:
    """Run the main job on bundled data, in under a minute.

    Example: simplexcoding demo -o demo_output
    """
    main(["--output", str(output)])
