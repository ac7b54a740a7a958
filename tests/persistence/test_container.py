import json
from hashlib import sha256

import numpy as np
import pytest

from simplexcoding.persistence.container import VERSION, pack, unpack
from simplexcoding.persistence.refusal import Refusal

ARRAYS = [
    np.arange(6.0).reshape(2, 3),
    np.array([True, False, True]),
    np.arange(3),
    np.zeros((0, 2), dtype=np.float32),
    np.array(2.5),
]


def sealed(text, rest=b"", length=None):
    """A file of this JSON text with a right checksum."""
    text = text if isinstance(text, bytes) else json.dumps(text).encode()
    body = b"%020d\n" % (len(text) if length is None else length) + text + rest
    return b"simplexcoding model %d\n" % VERSION + sha256(body).hexdigest().encode() + b"\n" + body


def described(dtype, shape):
    return {"arrays": [[dtype, shape]], "content": 0}


def test_content_and_arrays_come_back():
    content, arrays = unpack(pack({"a": [1, "b", None]}, ARRAYS))
    assert content == {"a": [1, "b", None]}
    for found, given in zip(arrays, ARRAYS, strict=True):
        np.testing.assert_array_equal(found, given)
        assert found.dtype == given.dtype and found.shape == given.shape
        assert found.flags.writeable and found.flags.aligned


def test_one_model_gives_one_file():
    assert pack({"a": 1}, ARRAYS) == pack({"a": 1}, ARRAYS)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "is no model file"),
        (b"\x80\x04pickle", "is no model file"),
        (b"PK\x03\x04zip", "is of version 1, this program reads 2"),
        (b"simplexcoding model 3\n", "is of version '3', this program reads 2"),
        (b"simplexcoding model ", "is of version ''"),
        (b"simplexcoding model 2\n", "wrong checksum"),
        (pack(1, [])[:-1], "wrong checksum"),
        (sealed(b"[" * 100_000), "nested too deeply"),
        (sealed(b"{"), "is no JSON"),
        (sealed(b"\xff"), "is no JSON"),
        (sealed(b'{"arrays":[],"content":NaN}'), "is no JSON"),
        (sealed(b'{"arrays":[],"content":1,"content":2}'), "is no JSON"),
        (sealed(b'{"arrays":[],"content":' + b"9" * 5000 + b"}"), "is no JSON"),
        (sealed([]), "without arrays and content"),
        (sealed({"arrays": []}), "without arrays and content"),
        (sealed({"arrays": 1, "content": 0}), "no list of arrays"),
        (sealed({"arrays": [1], "content": 0}), "describes an array wrongly"),
        (sealed({"arrays": [], "content": 0}, length=10**9), "a wrong length"),
        (sealed({"arrays": [], "content": 0}, bytes(8)), "has 8 bytes of arrays and describes 0"),
        (sealed(described("<f8", [2]), bytes(8)), "promises more bytes than it has"),
        (sealed(described("<f8", [10**12]), bytes(8)), "whose shape cannot be"),
        (sealed(described("<f8", [0, 10**12]), bytes(8)), "whose shape cannot be"),
        (sealed(described("<f8", [-1]), bytes(8)), "whose shape cannot be"),
        (sealed(described("<f8", [True]), bytes(8)), "whose shape cannot be"),
        (sealed(described("<f8", [1, 1, 1, 1]), bytes(8)), "whose shape cannot be"),
        (sealed(described("<U0", [8]), bytes(8)), "array of type '<U0'"),
        (sealed(described("|O", [1]), bytes(8)), "array of type"),
        (sealed(described(["<f8"], [1]), bytes(8)), "array of type"),
    ],
)
def test_bytes_that_pack_does_not_make_are_refused(data, text):
    with pytest.raises(Refusal, match=text.replace("(", r"\(")):
        unpack(data)


def test_every_changed_byte_is_noticed():
    data = pack({"a": 1}, ARRAYS)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 4
        with pytest.raises(Refusal):
            unpack(bytes(changed))
