"""The command line: simplexcoding fit, predict, path, audit, info, demo, reproduce."""

import sys
from importlib.util import find_spec


def main() -> None:
    """Run the command line, or say in one line what to install."""
    if not all(find_spec(name) for name in ("typer", "rich", "pandas")):
        print(
            "simplexcoding: the command line needs more: pip install simplexcoding[cli]",
            file=sys.stderr,
        )
        raise SystemExit(2)
    from simplexcoding.cli.application import run

    run()
