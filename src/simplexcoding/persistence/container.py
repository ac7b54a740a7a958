r"""Bytes of a model file: a line, a checksum, one JSON object, and the arrays one after another.

    simplexcoding model 2\n        the format and its version
    64 hexadecimal digits\n        SHA-256 of all that follows
    20 digits\n                    length of the JSON
    JSON                           {"arrays": [["<f8", [3, 4]], ...], "content": ...}
    arrays                         in that order, each begun at a multiple of 8 bytes

Places of arrays are not stored, they follow from the lengths before them: arrays cannot
overlap, and cannot hold more bytes than the file.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np

from simplexcoding.persistence.refusal import Refusal

VERSION = 2
# Of numbers only: strings stand in the JSON.
DTYPES = ("|b1", "<i8", "<f4", "<f8")
_FIRST_WORDS = b"simplexcoding model "
_ZIP = b"PK\x03\x04"  # how files of version 1 began
_LONGEST_LINE = 40
_ALIGN = 8
_MOST_DIMENSIONS = 3
# JSON grows about twentyfold in memory; arrays do not.
_MOST_JSON = 2**25


def pack(content: Any, arrays: Sequence[Any]) -> bytes:
    """File of a JSON content and the arrays it names by number."""
    described = [[array.dtype.str, list(array.shape)] for array in arrays]
    text = json.dumps(
        {"arrays": described, "content": content}, allow_nan=False, separators=(",", ":")
    ).encode("ascii")
    if len(text) > _MOST_JSON:
        raise Refusal(f"has {len(text)} bytes of labels and names; {_MOST_JSON} are the limit")
    text += b" " * (-len(text) % _ALIGN)
    parts = [b"%020d\n" % len(text), text]
    for array in arrays:
        data = array.tobytes()
        parts += [data, bytes(-len(data) % _ALIGN)]
    digest = sha256()
    for part in parts:
        digest.update(part)
    return b"".join([b"%s%d\n%s\n" % (_FIRST_WORDS, VERSION, digest.hexdigest().encode()), *parts])


def unpack(data: bytes) -> tuple[Any, list[Any]]:
    """Content and arrays of a file's bytes; arrays are read-only views of them.

    Raises Refusal where the bytes are not what `pack` makes.
    """
    if data.startswith(_ZIP):
        raise Refusal(f"is of version 1, this program reads {VERSION}")
    if not data.startswith(_FIRST_WORDS):
        raise Refusal("is no model file of simplexcoding")
    line = data.find(b"\n", 0, _LONGEST_LINE)
    version = data[len(_FIRST_WORDS) : line]
    if version != b"%d" % VERSION:
        shown = version[:20].decode("ascii", "replace")
        raise Refusal(f"is of version {shown!r}, this program reads {VERSION}")
    # A view: the arrays are not copied here.
    rest = memoryview(data)[line + 1 :]
    checksum, rest = bytes(rest[:65]), rest[65:]
    if f"{sha256(rest).hexdigest()}\n".encode() != checksum:
        raise Refusal("has a wrong checksum: it is damaged or was changed")
    length = bytes(rest[:20])
    if not length.isdigit() or not 0 < int(length) <= min(_MOST_JSON, len(rest) - 21):
        raise Refusal("has a JSON part of a wrong length")
    end = 21 + int(length)
    header = _parsed(bytes(rest[21:end]))
    return header["content"], _arrays(header["arrays"], rest[end:])


def _parsed(text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text, object_pairs_hook=_distinct, parse_constant=_not_json)
    except RecursionError:
        raise Refusal("has JSON that is nested too deeply") from None
    # Also digits beyond the limit of an integer, and bytes that are no UTF-8.
    except ValueError:
        raise Refusal("has a part that is no JSON") from None
    if not isinstance(header, dict) or set(header) != {"arrays", "content"}:
        raise Refusal("has a JSON part without arrays and content")
    return header


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _not_json(constant: str) -> Any:
    raise ValueError(constant)


def _arrays(described: Any, data: memoryview) -> list[Any]:
    if not isinstance(described, list):
        raise Refusal("has no list of arrays")
    arrays, start = [], 0
    for entry in described:
        dtype, shape = _described(entry, len(data))
        size = prod(shape) * dtype.itemsize
        if start + size > len(data):
            raise Refusal("promises more bytes than it has")
        count = prod(shape)
        # Copied, so that arrays are aligned and owned, as after a fit.
        array = np.frombuffer(data, dtype, count, start) if count else np.empty(0, dtype)
        arrays.append(array.reshape(shape).copy())
        start += size + -size % _ALIGN
    if start != len(data):
        raise Refusal(f"has {len(data)} bytes of arrays and describes {start}")
    return arrays


def _described(entry: Any, most: int) -> tuple[Any, tuple[int, ...]]:
    """Dtype and shape; no length above the bytes there are, also beside a length of zero."""
    if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], list)):
        raise Refusal("describes an array wrongly")
    name, shape = entry
    if not isinstance(name, str) or name not in DTYPES:
        raise Refusal(f"holds an array of type {str(name)[:20]!r}")
    whole = all(type(length) is int and 0 <= length <= most for length in shape)
    if len(shape) > _MOST_DIMENSIONS or not whole:
        raise Refusal("holds an array whose shape cannot be")
    return np.dtype(name), tuple(shape)
