"""The command line: simplexcoding fit, predict, score, path, audit, info, demo, reproduce."""

import signal
import sys
from importlib.util import find_spec


def main() -> None:
    """Run the command line, or say in one line what to install."""
    # Libraries take a second to load: Ctrl-C ends the program at once and without a word.
    # Nothing is lost, for files are replaced whole; `reproduce` stops its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.argv[1:] == ["--version"]:
        from simplexcoding import __version__

        print(f"simplexcoding {__version__}")
        return
    if not all(find_spec(name) for name in ("typer", "rich", "pandas")):
        print(
            "simplexcoding: the command line needs more: pip install simplexcoding[cli]",
            file=sys.stderr,
        )
        raise SystemExit(2)
    from simplexcoding.cli.application import run

    run()
