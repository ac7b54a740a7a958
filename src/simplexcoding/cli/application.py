"""The program `simplexcoding` and its commands."""

import os
import sys

import typer

from simplexcoding import __version__
from simplexcoding.cli.audit import audit
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.demo import demo
from simplexcoding.cli.fit import fit
from simplexcoding.cli.info import info
from simplexcoding.cli.path import path
from simplexcoding.cli.predict import predict
from simplexcoding.cli.reproduce import reproduce
from simplexcoding.cli.score import score

app = typer.Typer(
    name="simplexcoding",
    help="Multiclass learning with simplex coding.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # Plain help: rich would take twice the time to load and draw it.
)
for command in (fit, predict, score, path, audit, info, demo, reproduce):
    app.command(no_args_is_help=command not in (demo, reproduce))(command)

# Errors of this package that the user can fix; named, so that they need not be imported first.
_EXPECTED = ("DataError", "ModelFileError")
_DEBUG = "SIMPLEXCODING_DEBUG"


def _version(wanted: bool) -> None:
    if wanted:
        print(f"simplexcoding {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Multiclass learning with simplex coding."""


def run(arguments: list[str] | None = None) -> None:
    """Run a command; what the user can fix is one line and exit code 2."""
    try:
        arguments = sys.argv[1:] if arguments is None else arguments
        if len(arguments) == 2 and arguments[1] == "--help":
            _help(arguments[0])
        app(arguments)
    except Complaint as error:
        _fail(str(error), 2)
    except BrokenPipeError:
        # The reader has gone, as with `| head`; Python must not try to write the rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except KeyboardInterrupt:
        _fail("interrupted.", 130)
    except MemoryError as error:
        _fail(f"not enough memory: {error}", 2)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _fail(f"{place}{error.strerror or error}", 2)
    except Exception as error:
        if type(error).__name__ in _EXPECTED:
            _fail(str(error), 2)
        if os.environ.get(_DEBUG):
            raise
        reason = (str(error) or "no reason given").splitlines()[0]
        _fail(f"{type(error).__name__}: {reason} (set {_DEBUG}=1 to see where)", 1)


def _help(name: str) -> None:
    """Print what a command takes and end, if there is a command of that name.

    By way of the group, typer loads pydantic first, which takes longer than all the rest.
    """
    command = getattr(typer.main.get_command(app), "commands", {}).get(name)
    if command is not None:
        command.main(["--help"], prog_name=f"simplexcoding {name}")


def _fail(text: str, code: int) -> None:
    from simplexcoding.cli.printing import plain

    print(f"simplexcoding: {plain(text)}", file=sys.stderr)
    sys.exit(code)
