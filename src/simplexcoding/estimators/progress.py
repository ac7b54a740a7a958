"""One line on the terminal for fits that take more than a few seconds."""

import sys
import warnings
from threading import Event, Lock, Thread
from time import monotonic
from typing import ClassVar

_SILENT_SECONDS = 2.0
_SECONDS_BETWEEN_LINES = 0.3
# Seconds between two signs of life while a solver says nothing.
_SECONDS_BETWEEN_BEATS = 1.0


class Progress:
    """Say how far a long fit is.

    A solver is handed the object and calls it with the fraction done and perhaps a note. Nothing is
    written during the first two seconds, so short fits stay silent. Inside a `with` block the
    line goes on counting seconds while one long step, such as a factorisation, says nothing.

    Parameters
    ----------
    label : str
    verbose : bool or "auto", default="auto"
        "auto" writes only where the error stream is a terminal.

    Examples
    --------
    >>> progress = Progress("fit", verbose=False)
    >>> progress(0.5)
    >>> progress.close()
    """

    _begun: ClassVar[set[str]] = set()

    def __init__(self, label: str, verbose: bool | str = "auto") -> None:
        if verbose not in (True, False, "auto"):
            raise ValueError(f'verbose must be True, False or "auto", got {verbose!r}.')
        self._label = label
        self._active = sys.stderr.isatty() if verbose == "auto" else bool(verbose)
        self._start = monotonic()
        self._last = self._start - _SECONDS_BETWEEN_LINES
        self._width = 0
        self._fraction, self._note = 0.0, ""
        self._lock, self._over = Lock(), Event()
        self._heart: Thread | None = None

    def rows(self, done: int, total: int) -> None:
        """Say how many rows have passed, and how many of them per second."""
        rate = done / max(monotonic() - self._start, 1e-9)
        self(min(1.0, done / max(total, 1)), f"{done:,} rows, {rate:,.0f} per second")

    def __call__(self, fraction: float, note: str = "") -> None:
        self._fraction, self._note = fraction, note
        now = monotonic()
        if (
            self._active
            and now - self._start >= _SILENT_SECONDS
            and now - self._last >= _SECONDS_BETWEEN_LINES
        ):
            self._show(now)

    def _show(self, now: float) -> None:
        """Write how far the fit is."""
        fraction, note, elapsed = self._fraction, self._note, now - self._start
        self._last = now
        line = f"{self._label}: {elapsed:.0f} s"
        if fraction > 0:
            left = elapsed * (1 - fraction) / max(fraction, 1e-3)
            line = f"{self._label}: {fraction:4.0%}, {elapsed:.0f} s, about {left:.0f} s left"
        self._write(f"{line}, {note}" if note else line)

    def _beat(self) -> None:
        """Count the seconds until the end."""
        pause = _SILENT_SECONDS
        while not self._over.wait(pause):
            pause = _SECONDS_BETWEEN_BEATS
            now = monotonic()
            if now - self._start >= _SILENT_SECONDS and now - self._last >= _SECONDS_BETWEEN_BEATS:
                self._show(now)

    def once(self, words: str) -> None:
        """Say at once what the first fit of a process waits for, such as compilation."""
        if self._active and self._label not in Progress._begun:
            self._write(f"{self._label}: {words}")
        Progress._begun.add(self._label)

    def close(self) -> None:
        """Wipe the line."""
        self._over.set()
        if self._heart is not None:
            self._heart.join()
            self._heart = None
        if self._width:
            self._write("")
            sys.stderr.write("\r")
            self._width = 0

    def __enter__(self) -> "Progress":
        if self._active:
            self._heart = Thread(target=self._beat, daemon=True)
            self._heart.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, line: str) -> None:
        with self._lock:
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
            self._width = len(line)


def warn_of_a_long_row(lost: float) -> None:
    """Say that rounding has taken a share of what tells the rows apart, where it shows."""
    if lost > 1e-7:
        says = f"One row of X dwarfs all others: {lost:.0e} of what tells those apart is lost to "
        warnings.warn(says + "rounding; leave the row out, or scale it.", stacklevel=5)
