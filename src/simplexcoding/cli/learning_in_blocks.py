"""Fit an estimator on a table that is read in blocks, here or on a Dask cluster."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from simplexcoding.blocks.block import Block, Part, checked_block
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.model_file import StoredModel
from simplexcoding.cli.printing import plain
from simplexcoding.cli.sources import named
from simplexcoding.cli.tables import Wanted
from simplexcoding.cli.tables_in_blocks import Table, open_table
from simplexcoding.dask.scheduler import KEEP_MEMORY
from simplexcoding.estimators.progress import Progress
from simplexcoding.passes.judge import class_numbers


def learn_table(
    table: Table,
    name: str,
    target: str,
    estimator: Any,
    standardise: bool,
    dask: str | None = None,
    **options: Any,
) -> StoredModel:
    """Fit in passes over the rows; warnings become notes.

    Parameters
    ----------
    table : Table
    name : str, of the data in messages
    target : str
    estimator : with `fit_blocks`
    standardise : bool, which takes one pass more
    dask : str, default=None
        Address of a scheduler, "local" for one on this machine.
    **options : for `fit_blocks`
    """
    if not hasattr(estimator, "fit_blocks"):
        raise Complaint(f"--stream: {type(estimator).__name__} needs all rows at once; omit it.")
    source, model = table.source, estimator
    try:
        if standardise:
            from sklearn.pipeline import make_pipeline
            from sklearn.preprocessing import StandardScaler

            scaler = StandardScaler()
            for part in source.parts:
                for block in part:
                    X, _, weight = checked_block(block, part.name)
                    scaler.partial_fit(X, sample_weight=weight)
            parts = [Scaled(part, scaler) for part in source.parts]
            source = replace(source, parts=parts)
            model = make_pipeline(scaler, estimator)
        with catch_warnings(record=True) as caught, cluster(dask):
            simplefilter("always")
            estimator.fit_blocks(replace(source, on_dask=dask is not None), **options)
    except (ValueError, TypeError, RuntimeError) as error:
        reason = str(error).splitlines()[0]
        raise Complaint(f"{name}: column {target!r} cannot be learnt: {reason}") from None
    for message in dict.fromkeys(str(each.message) for each in caught):
        print(f"note: {plain(message)}", file=sys.stderr)
    return StoredModel(model, table.features, target)


def audit_table(
    path: Path, wanted: Wanted, estimator: Any, standardise: bool, most: int | None
) -> tuple[Any, dict[str, Any]]:
    """Audit the labels of a table that is never held; and the columns to keep.

    Left-out scores go through a file. Memory is a few numbers for each row, and the columns
    to keep of the first `most` rows in order, or of all.
    """
    from simplexcoding.inference.audit_in_blocks import rank_in_blocks
    from simplexcoding.inference.label_audit import LabelAudit

    assert wanted.target is not None
    table = open_table(path, wanted)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scores.npy"
        learn_table(table, named(path), wanted.target, estimator, standardise, left_out=file)
        classes = estimator.classes_
        small = np.min_scalar_type(len(classes))
        y = np.concatenate(
            [class_numbers(b.y, classes, named(path)).astype(small) for b in table.source]
        )
        with Progress("audit") as progress:
            found = LabelAudit(rank_in_blocks(file, y, progress.rows), classes)
    return found, _kept(table, wanted, found.row[:most])


def _kept(table: Table, wanted: Wanted, rows: Any) -> dict[str, Any]:
    """The columns to keep of some rows, in their order."""
    if not wanted.keep or not len(rows):
        return {}
    order = np.argsort(rows, kind="stable")
    ascending, start = rows[order], 0
    pieces: dict[str, list[Any]] = {name: [] for name in wanted.keep}
    for columns in table.columns():
        stop = start + len(columns.X)
        here = ascending[slice(*np.searchsorted(ascending, [start, stop]))] - start
        for name, piece in pieces.items():
            piece.append(columns.kept[name][here])
        start = stop
    places = np.empty(len(order), dtype=np.intp)
    places[order] = np.arange(len(order))
    return {name: np.concatenate(piece)[places] for name, piece in pieces.items()}


@dataclass(frozen=True)
class Scaled:
    """A part whose features a fitted scaler transforms."""

    part: Part
    scaler: Any

    @property
    def name(self) -> str:
        """That of the part."""
        return self.part.name

    @property
    def files(self) -> Any:
        """Those of the part."""
        return getattr(self.part, "files", ())

    def __iter__(self) -> Iterator[Block]:
        for block in self.part:
            yield block._replace(X=self.scaler.transform(block.X))


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """A client of a Dask scheduler that is current for a while; "local" starts one here."""
    if address is None:
        yield
        return
    try:
        from distributed import Client, LocalCluster

        from dask import config
    except ImportError:
        raise Complaint("--dask: needs Dask: pip install 'simplexcoding[dask]'.") from None
    if address == "local":
        with (
            config.set({"distributed.nanny.pre-spawn-environ": KEEP_MEMORY}),
            LocalCluster(threads_per_worker=1, dashboard_address=":0") as made,
            Client(made),
        ):
            yield
        return
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise Complaint(f"--dask {address}: no scheduler answers: {reason}") from None
    with client:
        yield
