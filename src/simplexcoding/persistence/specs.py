"""What a stored value may be: small declarations that write a value, and read and check it.

Every declaration has `write(value, out)`, which gives JSON and hands arrays to `out`, and
`read(code, source)`, which gives the value back. Both check, and raise Refusal.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Stored


class Spec(ABC):
    """Declaration of a value."""

    @abstractmethod
    def write(self, value: Any, out: Stored) -> Any:
        """JSON of a value that fits."""

    @abstractmethod
    def read(self, code: Any, source: Stored) -> Any:
        """Value of a JSON code that fits."""


class Simple(Spec):
    """A value that is its own JSON."""

    @abstractmethod
    def check(self, value: Any, stored: Stored) -> None:
        """Refuse a value that does not fit."""

    def write(self, value: Any, out: Stored) -> Any:
        value = value.item() if isinstance(value, np.generic) else value
        self.check(value, out)
        return value

    def read(self, code: Any, source: Stored) -> Any:
        self.check(code, source)
        return code


@dataclass(frozen=True)
class Text(Simple):
    """A string, of the choices if there are any."""

    choices: tuple[str, ...] = ()

    def check(self, value: Any, stored: Stored) -> None:
        check_text(value)
        if self.choices and value not in self.choices:
            raise Refusal(f"is {short(value)}, expected one of {', '.join(self.choices)}")


@dataclass(frozen=True)
class Whole(Simple):
    """An integer in [low, high]; `letter` makes it a size."""

    low: int = 0
    high: int = 2**62
    letter: str = ""

    def check(self, value: Any, stored: Stored) -> None:
        if type(value) is not int or not self.low <= value <= self.high:
            raise Refusal(f"is {short(value)}, expected an integer >= {self.low}")
        if self.letter:
            stored.sizes.set(self.letter, value)


@dataclass(frozen=True)
class Number(Spec):
    """A float in [low, high]; infinite or NaN only where `finite` is False."""

    low: float = -np.inf
    high: float = np.inf
    finite: bool = True

    def write(self, value: Any, out: Stored) -> Any:
        value = value.item() if isinstance(value, np.generic) else value
        if type(value) not in (int, float):
            raise Refusal(f"is {short(value)}, expected a number")
        self._check(value)
        return value if isfinite(value) else str(value)

    def read(self, code: Any, source: Stored) -> Any:
        if type(code) is str and code in ("inf", "-inf", "nan"):
            code = float(code)
        if type(code) not in (int, float):
            raise Refusal(f"is {short(code)}, expected a number")
        self._check(code)
        return code

    def _check(self, value: float) -> None:
        if abs(value) > 1e308 and type(value) is int:
            raise Refusal("is an integer too large for a number")
        if self.finite and not isfinite(value):
            raise Refusal(f"is {value}, expected a finite number")
        if value < self.low or value > self.high:
            raise Refusal(f"is {value}, expected a number from {self.low:g} to {self.high:g}")


@dataclass(frozen=True)
class Nothing(Simple):
    """None, and nothing else."""

    def check(self, value: Any, stored: Stored) -> None:
        if value is not None:
            raise Refusal(f"is {short(value)}, expected nothing")


@dataclass(frozen=True)
class Maybe(Spec):
    """The value, or None.

    Parameters
    ----------
    spec : Spec of the value
    """

    spec: Spec

    def write(self, value: Any, out: Stored) -> Any:
        return None if value is None else self.spec.write(value, out)

    def read(self, code: Any, source: Stored) -> Any:
        return None if code is None else self.spec.read(code, source)


class OneOf(Spec):
    """One of several declarations, each with a name that stands in the file."""

    def __init__(self, **alternatives: Spec) -> None:
        self.alternatives = alternatives

    def write(self, value: Any, out: Stored) -> Any:
        reasons = []
        for name, spec in self.alternatives.items():
            before = len(out.arrays)
            try:
                return {name: spec.write(value, out)}
            except Refusal as refusal:
                del out.arrays[before:]
                reasons.append(f"no {name}: it {refusal}")
        raise Refusal(f"is of no kind expected ({'; '.join(reasons)})")

    def read(self, code: Any, source: Stored) -> Any:
        if not isinstance(code, dict) or len(code) != 1:
            raise Refusal(f"is {short(code)}, expected one of {', '.join(self.alternatives)}")
        ((name, inner),) = code.items()
        if name not in self.alternatives:
            raise Refusal(f"is {short(name)}, expected one of {', '.join(self.alternatives)}")
        return self.alternatives[name].read(inner, source)


@dataclass(frozen=True)
class Pair(Spec):
    """A tuple of two values.

    Parameters
    ----------
    first, second : Spec
    """

    first: Spec
    second: Spec

    def write(self, value: Any, out: Stored) -> Any:
        return [self.first.write(value[0], out), self.second.write(value[1], out)]

    def read(self, code: Any, source: Stored) -> Any:
        if not isinstance(code, list) or len(code) != 2:
            raise Refusal(f"is {short(code)}, expected a pair")
        return self.first.read(code[0], source), self.second.read(code[1], source)


def check_text(value: Any) -> None:
    """Refuse what is no string that can be printed or written as UTF-8."""
    if type(value) is not str:
        raise Refusal(f"is {short(value)}, expected text")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise Refusal("is text that cannot be written as UTF-8")


def short(value: Any) -> str:
    """A value in a few letters, for an error."""
    if type(value) in (str, bool, float, type(None)) or (type(value) is int and abs(value) < 1e20):
        text = repr(value)
        return text if len(text) <= 40 else f"{text[:37]}..."
    return f"a {type(value).__name__}"
