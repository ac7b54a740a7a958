"""Files that are replaced whole: a write that is interrupted or killed leaves the old one."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def write_atomically(path: Path, data: bytes) -> None:
    """Write a new file out of sight, then put it in the place of the old one in one step.

    Symbolic links are followed and stay, a file keeps its mode and owner, and pipes and
    devices are written to as they are.

    Parameters
    ----------
    path : Path
        Its folder is made if it is not there.
    data : bytes

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_atomically(Path(folder) / "new" / "file", b"text")
    ...     (Path(folder) / "new" / "file").read_text()
    'text'
    """
    with open_atomically(path) as stream:
        stream.write(data)


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """As `write_atomically`, for what is written piece by piece; an error leaves the old file."""
    path = destination(path)
    old = path.stat() if path.exists() else None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(path, "wb") as stream:
            yield stream
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode)
    handle, named = _hidden(path.parent, beside, mode)
    try:
        with open(handle, "wb") as stream:
            if old is not None:
                _as_before(handle, old)
            yield stream
            stream.flush()
            os.fsync(handle)
            if not named:
                # Through a folder's handle: only so does Python follow the link in /proc.
                os.link(f"/proc/self/fd/{handle}", beside, src_dir_fd=handle)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def destination(path: Path) -> Path:
    """Where a write to a path goes: links are followed, and an OSError says if they go round."""
    end = Path(os.path.realpath(path))
    if end.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return end


def _hidden(folder: Path, beside: Path, mode: int) -> tuple[int, bool]:
    """Handle of a file without a name, which vanishes with its process; else of one beside."""
    if hasattr(os, "O_TMPFILE") and os.path.isdir("/proc/self/fd"):
        with suppress(OSError):
            return os.open(folder, os.O_TMPFILE | os.O_WRONLY, mode), False
    beside.unlink(missing_ok=True)
    return os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), True


def _as_before(handle: int, old: os.stat_result) -> None:
    """Give the new file the mode and, where that is allowed, the owner of the old one."""
    if not hasattr(os, "fchmod"):
        return
    with suppress(OSError):
        os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
