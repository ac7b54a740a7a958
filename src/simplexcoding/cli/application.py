"""The program `simplexcoding` and its commands."""

import sys

import typer
from rich.console import Console

from simplexcoding import __version__
from simplexcoding.cli.audit import audit
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.demo import demo
from simplexcoding.cli.fit import fit
from simplexcoding.cli.info import info
from simplexcoding.cli.path import path
from simplexcoding.cli.predict import predict
from simplexcoding.cli.reproduce import reproduce
from simplexcoding.datasets import DataError
from simplexcoding.persistence import ModelFileError

app = typer.Typer(
    name="simplexcoding",
    help="Multiclass learning with simplex coding.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for command in (fit, predict, path, audit, info, demo, reproduce):
    app.command(no_args_is_help=command in (fit, predict, path, audit, info))(command)


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
    """Run a command; what the user can mend is one line and exit code 2."""
    try:
        app(arguments)
    except (Complaint, DataError, ModelFileError) as error:
        Console(stderr=True, soft_wrap=True, highlight=False).print(
            f"simplexcoding: {error}", markup=False
        )
        sys.exit(2)
