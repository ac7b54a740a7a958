"""simplexcoding info: what a model file holds."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from simplexcoding.cli.model_file import load_model

_FITTED = ("best_score_", "alpha_", "lambda_", "gamma_", "C_", "duality_gap_", "n_iter_")


def info(model: Annotated[Path, typer.Argument(help="Model file.")]) -> None:
    """Tell what a model file holds, without trusting it.

    Example: simplexcoding info flowers.model
    """
    stored = load_model(model)
    estimator = stored.estimator
    table = Table(show_header=False, box=None)
    rows = {
        "file": str(model),
        "written by": f"release {stored.package}",
        "model": type(estimator).__name__,
        "target": stored.target,
        "classes": _listed(estimator.classes_),
        "features": _listed(stored.features),
        "standardised": "no" if stored.model is estimator else "yes",
    }
    for name in _FITTED:
        value = getattr(estimator, name, None)
        if isinstance(value, int | float | np.number):
            rows[name] = f"{value:.6g}"
    for name, value in estimator.get_params(deep=False).items():
        rows[f"parameter {name}"] = str(value)
    for name, text in rows.items():
        table.add_row(name, text)
    Console(highlight=False, markup=False).print(table)


def _listed(names: object) -> str:
    words = [str(name) for name in np.asarray(names)]
    shown = ", ".join(words[:10]) + (", ..." if len(words) > 10 else "")
    return f"{len(words)}: {shown}"
