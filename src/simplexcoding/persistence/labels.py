"""Labels, names and parameters in a model file."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.specs import Spec, check_text, short
from simplexcoding.persistence.stored import Stored

_LABEL_TYPES = {"b": (bool,), "i": (int,), "u": (int,), "f": (int, float), "U": (str,)}
_OBJECT_TYPES = (str, int, float, bool)
# Strings of an array all take the room of the longest: so many times the file, at most.
_MOST_OF_FILE_SIZE = 64
_DEEPEST_NESTING = 6
_PLAIN_DTYPES = (np.bool_, np.int64, np.float32, np.float64)


@dataclass(frozen=True)
class Labels(Spec):
    """Classes: two or more different labels in rising order, whose number is T."""

    def write(self, value: Any, out: Stored) -> Any:
        if not isinstance(value, np.ndarray) or value.ndim != 1:
            raise Refusal(f"is {short(value)}, expected an array of labels")
        code = [value.dtype.kind, value.dtype.itemsize, value.tolist()]
        if value.dtype.kind in "UO":
            code[1] = 0
        self._made(code, 2**62)
        out.sizes.set("T", len(value))
        return code

    def read(self, code: Any, source: Stored) -> Any:
        if not isinstance(code, list) or len(code) != 3 or not isinstance(code[2], list):
            raise Refusal("is no list of labels")
        labels = self._made(code, source.file_size)
        source.sizes.set("T", len(labels))
        return labels

    def _made(self, code: Any, file_size: int) -> Any:
        kind, width, items = code
        if type(kind) is not str or kind not in (*_LABEL_TYPES, "O"):
            raise Refusal(f"is of the kind {short(kind)}, expected numbers or text")
        if len(items) < 2:
            raise Refusal(f"holds {len(items)} labels, expected two or more")
        types = _LABEL_TYPES.get(kind, _OBJECT_TYPES)
        for item in items:
            if type(item) not in types or (type(item) is float and not isfinite(item)):
                raise Refusal(f"holds the label {short(item)}")
            if type(item) is str:
                check_text(item)
        labels = self._array(kind, width, items, file_size)
        try:
            rising = all(labels[k] < labels[k + 1] for k in range(len(labels) - 1))
        except TypeError:
            raise Refusal("holds labels of several kinds") from None
        if not rising:
            raise Refusal("holds labels that are not in rising order")
        return labels

    def _array(self, kind: str, width: Any, items: list[Any], file_size: int) -> Any:
        if kind == "O":
            labels = np.empty(len(items), dtype=object)
            labels[:] = items
            return labels
        if kind == "U":
            longest = max(1, *(len(item) for item in items))
            if 4 * longest * len(items) > _MOST_OF_FILE_SIZE * file_size:
                raise Refusal("holds labels of very unequal lengths")
            return np.array(items, dtype=f"U{longest}")
        if type(width) is not int or width not in (1, 2, 4, 8):
            raise Refusal(f"holds numbers of {short(width)} bytes")
        if kind in "iu":
            # NumPy before 2 wraps such numbers around.
            room = np.iinfo(f"{kind}{width}")
            if not all(room.min <= item <= room.max for item in items):
                raise Refusal("holds a number that does not fit its type")
        try:
            return np.array(items, dtype=f"{kind}{width}")
        except (OverflowError, TypeError, ValueError):
            raise Refusal("holds a number that does not fit its type") from None


@dataclass(frozen=True)
class Names(Spec):
    """An array of names; `letter` is its length."""

    letter: str

    def write(self, value: Any, out: Stored) -> Any:
        names = [str(name) for name in value]
        self._check(names, out)
        return names

    def read(self, code: Any, source: Stored) -> Any:
        self._check(code, source)
        names = np.empty(len(code), dtype=object)
        names[:] = code
        return names

    def _check(self, names: Any, stored: Stored) -> None:
        if not isinstance(names, list):
            raise Refusal("is no list of names")
        for name in names:
            check_text(name)
        stored.sizes.match((self.letter,), (len(names),))


@dataclass(frozen=True)
class Plain(Spec):
    """A parameter: None, truth, number or text, lists and dicts of them, arrays of numbers."""

    def write(self, value: Any, out: Stored) -> Any:
        return self._write(value, out, 0)

    def _write(self, value: Any, out: Stored, depth: int) -> Any:
        value = value.item() if isinstance(value, np.generic) else value
        if depth > _DEEPEST_NESTING:
            raise Refusal("is nested too deeply")
        if value is None or type(value) in (bool, str, int, float):
            return self._scalar(value)
        if type(value) in (list, tuple):
            return {type(value).__name__: [self._write(item, out, depth + 1) for item in value]}
        if type(value) is dict:
            pairs = [
                [self._scalar(key), self._write(item, out, depth + 1)]
                for key, item in value.items()
            ]
            return {"dict": pairs}
        if isinstance(value, np.ndarray) and value.dtype in _PLAIN_DTYPES and value.ndim <= 3:
            return {"array": out.keep(value)}
        raise Refusal(f"is a {type(value).__name__}, which no model file holds")

    def _scalar(self, value: Any) -> Any:
        value = value.item() if isinstance(value, np.generic) else value
        if type(value) is str:
            check_text(value)
        elif type(value) is float and not isfinite(value):
            return {"float": str(value)}
        elif type(value) is int and abs(value) > 2**63:
            raise Refusal("is an integer of more than 64 bits")
        elif value is not None and type(value) not in (bool, int, float):
            raise Refusal(f"is a {type(value).__name__}, which no model file holds")
        return value

    def read(self, code: Any, source: Stored) -> Any:
        return self._read(code, source, 0)

    def _read(self, code: Any, source: Stored, depth: int) -> Any:
        if depth > _DEEPEST_NESTING:
            raise Refusal("is nested too deeply")
        if not isinstance(code, dict):
            return self._scalar(code)
        if len(code) != 1:
            raise Refusal("is no parameter")
        ((kind, inner),) = code.items()
        if kind == "float" and type(inner) is str and inner in ("inf", "-inf", "nan"):
            return float(inner)
        if kind == "array":
            return source.take(inner)
        if kind not in ("list", "tuple", "dict") or not isinstance(inner, list):
            raise Refusal("is no parameter")
        if kind == "dict":
            return self._dict(inner, source, depth)
        items = [self._read(item, source, depth + 1) for item in inner]
        return items if kind == "list" else tuple(items)

    def _dict(self, pairs: list[Any], source: Stored, depth: int) -> dict[Any, Any]:
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise Refusal("is no parameter")
        found = {
            self._scalar(key) if not isinstance(key, dict | list) else None: item
            for key, item in pairs
        }
        if len(found) < len(pairs):
            raise Refusal("names a key twice")
        return {key: self._read(item, source, depth + 1) for key, item in found.items()}
