"""simplexcoding audit: rows whose label the model without them contradicts."""

from pathlib import Path
from typing import Annotated, Any

import typer

from simplexcoding.cli import arguments as a

# Rows written at a time.
_ROWS = 2**16
# Characters of a kept column that stands beside the others; longer texts go under their row.
_LONGEST_BESIDE = 16
_HEADINGS = {"given_probability": "p given", "suggested_probability": "p suggested"}


def audit(
    data: a.Data,
    target: a.Target,
    kernel: a.KernelName = "rbf",
    scaling: a.Scaling = None,
    gamma: a.Gamma = None,
    landmarks: a.Landmarks = None,
    alphas: a.Alphas = None,
    standardise: a.Standardise = False,
    drop: a.Drop = None,
    keep: a.Keep = None,
    weights: a.Weights = None,
    groups: a.Groups = None,
    top: Annotated[int, typer.Option(help="Contradicted rows to show.", min=0)] = 20,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV or Parquet of every row, ranked.")
    ] = None,
    stream: a.Stream = None,
    as_json: a.Json = False,
) -> None:
    """Rank the rows whose label is most likely wrong.

    Example: simplexcoding audit flowers.csv --target species --top 10
    """
    from simplexcoding.arrays import slices
    from simplexcoding.audit import audit_labels
    from simplexcoding.cli.estimator_options import Options, make_estimator
    from simplexcoding.cli.learning import learn
    from simplexcoding.cli.learning_in_blocks import audit_table
    from simplexcoding.cli.printing import Printer
    from simplexcoding.cli.sources import check_output, is_standard
    from simplexcoding.cli.tables import Wanted, read_columns
    from simplexcoding.cli.tables_in_blocks import is_streamed
    from simplexcoding.cli.writing import TABLES, arrow_types, table_writer

    check_output(output, TABLES)
    wanted = Wanted(target, None, drop or (), keep or (), weights, groups)
    estimator = make_estimator(Options("least_squares", kernel, scaling, gamma, landmarks, alphas))
    if groups is None and is_streamed(data, stream):
        most = top if output is None else None
        found, kept = audit_table(data, wanted, estimator, standardise, most)
    else:
        columns = read_columns(data, wanted)
        model = learn(columns, target, estimator, standardise)
        found = audit_labels(model.estimator, columns.target)
        kept = {name: values[found.row] for name, values in columns.kept.items()}

    def ranked(rows: slice) -> Any:
        """Some rows in order of suspicion, with the columns kept."""
        return found.to_frame(rows).assign(**{name: kept[name][rows] for name in kept})

    words = f"{found.n_contradicted} contradicted, about {found.n_errors:.0f} estimated wrong"
    printer = Printer(as_json, beside=is_standard(output))
    # A word each, so that the columns of labels have the room.
    first = ranked(slice(0, min(top, found.n_contradicted)))
    long = [
        name for name in kept if any(len(text) > _LONGEST_BESIDE for text in _texts(first, name))
    ]
    under = [
        "  ".join(f"{name}: {text}" for name, text in zip(long, texts, strict=True))
        for texts in zip(*(_texts(first, name) for name in long), strict=True)
    ]
    shown = first.drop(columns=long)
    names = [_HEADINGS.get(name, name) for name in shown.columns]
    title = f"{len(found)} labels: {words}"
    printer.table(title, names, shown.itertuples(index=False, name=None), under=under)
    if output is not None:
        with table_writer(output, arrow_types(kept)) as writer:
            for rows in slices(len(found), _ROWS):
                writer.write(dict(ranked(rows)))
        printer.line(f"Written: {output}")
    printer.result(
        {
            "labels": len(found),
            "contradicted": found.n_contradicted,
            "estimated_wrong": found.n_errors,
            "suspects": first.to_dict("records"),
            "written": output,
        }
    )


def _texts(frame: Any, name: str) -> list[str]:
    return [str(value) for value in frame[name]]
