"""Files to read and to write, standard input and output among them."""

import os
import stat
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from simplexcoding.atomic import destination, write_atomically
from simplexcoding.cli.complaint import Complaint

STANDARD = Path("-")
# First bytes of the formats that are not text.
_MAGIC = {b"PAR1": ".parquet", b"\x93NUMPY": ".npy", b"PK\x03\x04": ".npz"}


def is_standard(path: Path | None) -> bool:
    """Whether - was given, standard input or output."""
    return path == STANDARD


def named(path: Path) -> str:
    """Name of a source in messages."""
    return "standard input" if is_standard(path) else str(path)


def open_source(path: Path, endings: tuple[str, ...]) -> tuple[Any, str]:
    """What a reader can take, a path or a stream of bytes, and the ending of its format.

    Standard input, pipes and devices are read whole and known by their first bytes.
    """
    try:
        if is_standard(path):
            return _sniffed(sys.stdin.buffer.read())
        kind = path.stat().st_mode
        if stat.S_ISDIR(kind):
            raise Complaint(f"{path}: is a folder.")
        ending = path.suffix.lower()
        if not stat.S_ISREG(kind):
            return _sniffed(path.read_bytes())
        if ending not in endings:
            raise Complaint(f"{path}: unknown ending {ending!r}; give one of {', '.join(endings)}.")
        with open(path, "rb"):
            return path, ending
    except FileNotFoundError:
        raise Complaint(f"{path}: no such file.") from None
    except OSError as error:
        raise Complaint(f"{named(path)}: cannot be read: {error.strerror or error}.") from None


def _sniffed(data: bytes) -> tuple[BytesIO, str]:
    ending = next((ending for magic, ending in _MAGIC.items() if data.startswith(magic)), ".csv")
    return BytesIO(data), ending


def check_output(path: Path | None, endings: tuple[str, ...] = ()) -> None:
    """Complain of a place that cannot be written, before any work is done."""
    if path is None or is_standard(path):
        return
    try:
        kind = path.stat().st_mode if path.exists() else stat.S_IFREG
        if stat.S_ISDIR(kind):
            raise Complaint(f"{path}: is a folder; name a file in it.")
        if not stat.S_ISREG(kind):
            return
        if endings and path.suffix.lower() not in endings:
            known = ", ".join(endings)
            raise Complaint(f"{path}: unknown ending {path.suffix!r}; give one of {known}.")
        check_folder(destination(path).parent, path)
    except OSError as error:
        raise Complaint(f"{path}: cannot be written: {error.strerror or error}.") from None


def check_folder(folder: Path, named: Path | None = None) -> None:
    """Complain of a folder in which no file can be made, whether it is there or not."""
    named = named or folder
    try:
        while not folder.exists():
            folder = folder.parent
    except OSError as error:
        raise Complaint(f"{named}: cannot be written: {error.strerror or error}.") from None
    if not folder.is_dir():
        raise Complaint(f"{named}: cannot be written: {folder} is no folder.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Complaint(f"{named}: cannot be written: no permission in {folder}.")


def save(path: Path, data: bytes) -> None:
    """Write a file whole, or complain; - is standard output."""
    if is_standard(path):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        write_atomically(path, data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Complaint(f"{path}: cannot be written: {error.strerror or error}.") from None
