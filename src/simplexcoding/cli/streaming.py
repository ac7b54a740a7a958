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
from simplexcoding.cli.streams import Table, open_table
from simplexcoding.cli.tables import Wanted


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
    dask : address of a scheduler, "local" for one on this machine, or None
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
    path: Path, wanted: Wanted, estimator: Any, standardise: bool
) -> tuple[Any, dict[str, Any]]:
    """Audit the labels of a table whose features are never held; and the columns to keep.

    Left-out scores go through a file; they, not the features, are what memory holds at last.
    """
    from simplexcoding.inference.label_audit import audit_left_out

    assert wanted.target is not None
    table = open_table(path, wanted)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scores.npy"
        learn_table(table, named(path), wanted.target, estimator, standardise, left_out=file)
        # Labels and what is to be kept, without the features beside them.
        pieces = [(columns.target, columns.kept) for columns in table.columns()]
        labels = np.concatenate([target for target, _ in pieces])
        kept = {name: np.concatenate([texts[name] for _, texts in pieces]) for name in wanted.keep}
        found = audit_left_out(np.load(file, mmap_mode="r"), labels, estimator.classes_)
    return found, kept


@dataclass(frozen=True)
class Scaled:
    """A part whose features a fitted scaler transforms."""

    part: Part
    scaler: Any

    @property
    def name(self) -> str:
        """That of the part."""
        return self.part.name

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
    except ImportError:
        raise Complaint("--dask: needs Dask: pip install 'simplexcoding[dask]'.") from None
    if address == "local":
        with LocalCluster(threads_per_worker=1, dashboard_address=":0") as made, Client(made):
            yield
        return
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise Complaint(f"--dask {address}: no scheduler answers: {reason}") from None
    with client:
        yield
