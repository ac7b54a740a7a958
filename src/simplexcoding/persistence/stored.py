"""What travels with the values of a model file: their arrays, and lengths that must agree."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from simplexcoding.persistence.refusal import Refusal


class Sizes:
    """Lengths that have to agree: T classes, p features, and the letters of one record."""

    def __init__(self, known: Mapping[str, int] | None = None) -> None:
        self._known = dict(known or {})

    def inner(self) -> "Sizes":
        """Sizes of a record inside: T and p are shared, other letters are its own."""
        return Sizes({name: self._known[name] for name in ("T", "p") if name in self._known})

    def set(self, letter: str, length: int) -> None:
        """Take a length, or refuse one that differs from an earlier one."""
        if self._known.setdefault(letter, length) != length:
            raise Refusal(f"has length {length} where {letter} = {self._known[letter]}")

    def __getitem__(self, letter: str) -> int:
        if letter not in self._known:
            raise Refusal(f"comes before what tells {letter}")
        return self._known[letter]

    def match(self, letters: tuple[str, ...], shape: tuple[int, ...]) -> None:
        """Refuse a shape that does not agree."""
        if len(letters) != len(shape):
            raise Refusal(f"has shape {shape}, expected ({', '.join(letters)})")
        for letter, length in zip(letters, shape, strict=True):
            if letter.isdigit():
                self._known[letter] = int(letter)
            self.set(letter, length)


@dataclass
class Stored:
    """Arrays on their way to a file or out of one, and the sizes found so far."""

    arrays: list[Any] = field(default_factory=list)
    sizes: Sizes = field(default_factory=Sizes)
    file_size: int = 0
    used: set[int] = field(default_factory=set)

    def keep(self, array: Any) -> int:
        """Number of an array to be stored."""
        self.arrays.append(array)
        return len(self.arrays) - 1

    def take(self, number: Any) -> Any:
        """Array of this number; each belongs to one place."""
        if type(number) is not int or not 0 <= number < len(self.arrays) or number in self.used:
            raise Refusal("names no array of its own")
        self.used.add(number)
        return self.arrays[number]

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Sizes of a record inside this one."""
        outer, self.sizes = self.sizes, self.sizes.inner()
        try:
            yield
        finally:
            self.sizes = outer
