"""Files that are replaced whole: an interrupted write leaves the old one."""

import os
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside the file, then put the new one in its place in one step.

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
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(beside, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
