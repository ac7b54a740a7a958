"""Model files that are safe to open: a zip of one JSON header and plain arrays, no pickle."""

import json
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np

import simplexcoding
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.encoding import ESTIMATORS, decode, encode, named
from simplexcoding.cli.tables import save

FORMAT = "simplexcoding model"
VERSION = 1
_HEADER = "header.json"


@dataclass(frozen=True)
class StoredModel:
    """A fitted estimator and what the command line must know to use it.

    Parameters
    ----------
    estimator : fitted estimator of this package
    features : list of str
        Columns it was fitted on, in their order.
    target : str
        Column of the labels.
    mean, spread : (p,) arrays or None
        Taken off the features, and divided by, before the estimator sees them.
    """

    estimator: Any
    features: list[str]
    target: str
    mean: Any = None
    spread: Any = None

    def prepared(self, X: Any) -> Any:
        """Rows as the estimator was fitted on them."""
        return X if self.mean is None else (X - self.mean) / self.spread


def save_model(path: Path, model: StoredModel) -> None:
    """Write a model file whole, or leave the old one.

    Parameters
    ----------
    path : Path
    model : StoredModel
    """
    arrays: dict[str, Any] = {}
    estimator = model.estimator
    kind = type(estimator).__name__
    if ESTIMATORS.get(kind) != type(estimator).__module__:
        raise Complaint(f"{path}: a {kind} cannot be stored.")
    try:
        content = {
            "class": kind,
            "parameters": encode(estimator.get_params(deep=False), arrays),
            "state": encode(_state(estimator), arrays),
            "features": model.features,
            "target": model.target,
            "mean": encode(model.mean, arrays),
            "spread": encode(model.spread, arrays),
        }
    except Complaint as complaint:
        raise Complaint(f"{path}: {complaint}") from None
    members = {f"{name}.npy": _npy(array) for name, array in arrays.items()}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "package": simplexcoding.__version__,
        "content": content,
        "sha256": _checksum(content, members),
    }
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_STORED) as archive:
        archive.writestr(_HEADER, json.dumps(header))
        for name, data in members.items():
            archive.writestr(name, data)
    save(path, stream.getvalue())


def load_model(path: Path) -> StoredModel:
    """Read a model file, refusing anything that is not one, whole and of this version.

    Nothing in the file is run: estimators and values are built from a list of names, and
    arrays are read without pickle. Members are stored, not compressed, so that a file
    cannot ask for more memory than its own size.
    """
    header, members = _read(path)
    try:
        content = header["content"]
        if header["sha256"] != _checksum(content, members):
            raise Complaint("its checksum is wrong: it is damaged or was changed.")
        arrays = {name.removesuffix(".npy"): _array(data) for name, data in members.items()}
        estimator = named(content["class"], ESTIMATORS)(**decode(content["parameters"], arrays))
        vars(estimator).update(decode(content["state"], arrays))
        mean, spread = decode(content["mean"], arrays), decode(content["spread"], arrays)
        return StoredModel(estimator, content["features"], content["target"], mean, spread)
    except Complaint as complaint:
        raise Complaint(f"{path}: {complaint}") from None
    except (KeyError, TypeError, ValueError, AttributeError, ImportError):
        raise Complaint(f"{path}: is no sound model file; fit the model again.") from None


def read_header(path: Path) -> dict[str, Any]:
    """Format, version and package version of a model file."""
    header, _ = _read(path)
    return {name: header[name] for name in ("format", "version", "package", "sha256")}


def _read(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    if not path.is_file():
        raise Complaint(f"{path}: no such file.")
    strange = Complaint(f"{path}: is no model file of simplexcoding; make one with `fit -o`.")
    try:
        with ZipFile(path) as archive:
            if any(member.compress_type != ZIP_STORED for member in archive.infolist()):
                raise strange
            members = {name: archive.read(name) for name in archive.namelist()}
        header = json.loads(members.pop(_HEADER))
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise strange
    except (BadZipFile, KeyError, ValueError, OSError):
        raise strange from None
    if header.get("version") != VERSION:
        raise Complaint(
            f"{path}: is of version {header.get('version')!r}, this program reads {VERSION}; "
            "use the release that wrote it, or fit the model again."
        )
    return header, members


def _state(estimator: Any) -> dict[str, Any]:
    """What a copy of the estimator would keep; some leave their training rows behind."""
    left_out = {*estimator.get_params(deep=False), "_sklearn_version"}
    state = estimator.__getstate__()
    return {name: value for name, value in state.items() if name not in left_out}


def _checksum(content: Any, members: dict[str, bytes]) -> str:
    digest = sha256(json.dumps(content, sort_keys=True).encode())
    for name in sorted(members):
        digest.update(name.encode())
        digest.update(sha256(members[name]).digest())
    return digest.hexdigest()


def _npy(array: Any) -> bytes:
    stream = BytesIO()
    np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
    return stream.getvalue()


def _array(data: bytes) -> Any:
    # From memory: a shape that promises more than there is fails before it is filled.
    stream = BytesIO(data)
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else None
    shape, _, dtype = (
        read(stream) if read is not None else np.lib.format.read_array_header_2_0(stream)
    )
    if dtype.hasobject or int(np.prod(shape)) * dtype.itemsize != len(data) - stream.tell():
        raise Complaint("holds an array that is not what it says.")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)
