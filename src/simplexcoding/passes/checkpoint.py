"""How far a fit from blocks has come, in a folder, so that a killed one goes on."""

import hashlib
import pickle
from pathlib import Path
from time import monotonic
from typing import Any

from simplexcoding.atomic import write_atomically

# Seconds between two notes of a pass.
INTERVAL = 20.0
# Raised with every change of what the passes add up.
_FORMAT = 2


class Checkpoint:
    """One file for each pass, replaced whole.

    The files are pickles, for the process that wrote them: open no stranger's.

    Parameters
    ----------
    folder : str or Path, made where it is not there
    fingerprint : str
        What is fitted to what. A folder of another fit is refused.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Checkpoint(folder, "fit").save("moments", 3)
    ...     Checkpoint(folder, "fit").load("moments")
    3
    """

    def __init__(self, folder: Any, fingerprint: str) -> None:
        self._folder = Path(folder)
        self._print = hashlib.sha256(f"{_FORMAT}\n{fingerprint}".encode()).hexdigest()
        self._last = monotonic()
        if self._folder.exists() and not self._folder.is_dir():
            raise ValueError(f"checkpoint={str(folder)!r} is a file; give a folder.")

    def load(self, stage: str) -> Any:
        """What was saved of a pass, or None."""
        try:
            data = self._file(stage).read_bytes()
        except FileNotFoundError:
            return None
        wrote, state = pickle.loads(data)
        if wrote != self._print:
            raise ValueError(
                f"checkpoint={str(self._folder)!r} is of another fit (parameters, data or "
                "version differ); give another folder or empty it."
            )
        return state

    def note(self, stage: str, state: Any) -> None:
        """Save, but not too often."""
        if monotonic() - self._last >= INTERVAL:
            self.save(stage, state)

    def save(self, stage: str, state: Any) -> None:
        """Replace what is saved of a pass."""
        write_atomically(self._file(stage), pickle.dumps((self._print, state), protocol=5))
        self._last = monotonic()

    def remove(self) -> None:
        """Forget everything: the fit is done."""
        for file in self._folder.glob("*.pass"):
            file.unlink()

    def _file(self, stage: str) -> Path:
        return self._folder / f"{stage}.pass"
