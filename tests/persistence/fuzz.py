"""Mutants of model files, opened under a memory limit: `python tests/persistence/fuzz.py 10000`.

A mutant is a sound file with a few parts of its JSON, its arrays or its bytes changed and the
checksum made right again, so that it reaches the checks behind it. Opening it must end in
ModelFileError, or in a model that predicts. Anything else ends this program.
"""

import json
import os
import resource
import sys
import tempfile
import warnings
from functools import partial
from hashlib import sha256
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import make_blobs
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import simplexcoding as sc
from simplexcoding.persistence import ModelFileError, load
from simplexcoding.persistence.container import pack, unpack
from simplexcoding.persistence.files import to_bytes

ROOM = 300 * 2**20  # bytes that opening and predicting may take beyond those in use before
X, Y = make_blobs(24, centers=3, n_features=4, random_state=0)
WORDS = np.array(["one", "two", "three"])[Y]


def seeds():
    """Sound files, of every estimator and of the forms its state can take."""
    ridge, svc = sc.SimplexRidgeClassifier, sc.SimplexSVC
    sgd = partial(sc.SimplexSGDClassifier, random_state=0)
    boosting = partial(sc.SimplexBoostingClassifier, random_state=0)
    weights = np.arange(24) % 3
    models = [
        ridge().fit(X, WORDS),
        ridge("linear").fit(X, WORDS),
        ridge("rbf").fit(X, Y),
        ridge("rbf", landmarks=6).fit(X, WORDS.astype(object)),
        ridge("rbf", calibration="vector").fit(X, Y > 0),
        ridge("rbf").fit(sp.csr_array(X), Y),
        ridge("precomputed").fit(X @ X.T, Y, sample_weight=weights),
        svc(C=[0.1, 1.0]).fit(X, Y),
        svc(kernel="linear").fit(X, WORDS),
        svc(C=1.0, calibration="vector").fit(X, Y, sample_weight=weights),
        sgd(alpha=[0.1, 0.01]).fit(X, Y),
        sgd().fit(X, Y > 0),
        boosting(n_estimators=4).fit(X, WORDS),
        boosting(n_estimators=3, categorical_features=[0]).fit(np.round(X), Y),
        boosting(method="coordinate", n_estimators=3, max_depth=2).fit(X, Y),
        make_pipeline(StandardScaler(), ridge("rbf")).fit(X, Y),
    ]
    notes = {"features": list("abcd"), "target": "kind"}
    return [unpack(to_bytes(model, notes)) for model in models]


def deep(depth):
    code = []
    for _ in range(depth):
        code = [code]
    return code


ODD = [
    *(None, True, False, 0, 1, -1, 2, 7, 2**31, 2**62, 10**18, 0.5, -0.5, 1e308, 5e-324),
    *("", "x", "nan", "inf", "x" * 5000, "\ud800", "linear", "precomputed", "rbf", "Pipeline"),
    *([], [[]], {}, {"array": 0}, {"list": []}, {"dict": [[1, 2]]}, {"float": "nan"}, deep(50)),
    *([1, 2], ["a", "b"], {"a": 1}, {"tuple": [1]}, [0, 0], "SimplexSVC", "poly"),
]
VALUES = [
    10**9,
    10**12,
    -(10**12),
    np.nan,
    np.inf,
    -np.inf,
    -1,
    0,
    1,
    2,
    3,
    4,
    2**31,
    2**62,
    -(2**62),
    1e308,
    1e-308,
]


def places(code, found):
    """Every container of the JSON with each of its keys."""
    items = code.items() if isinstance(code, dict) else enumerate(code)
    for key, inner in items:
        found.append((code, key))
        if isinstance(inner, dict | list) and inner:
            places(inner, found)
    return found


def change_json(rng, content):
    found = places(content, [])
    holder, key = found[rng.integers(len(found))]
    other_holder, other_key = found[rng.integers(len(found))]
    kind = rng.integers(7)
    if kind <= 2:
        holder[key] = json.loads(json.dumps(ODD[rng.integers(len(ODD))]))
    elif kind == 3:
        del holder[key]
    elif kind == 4:
        holder[key] = json.loads(json.dumps(other_holder[other_key]))
    elif kind == 5 and type(holder[key]) in (int, float):
        holder[key] = holder[key] + int(rng.integers(-2, 3))
    elif isinstance(holder, dict):
        holder[["extra", "function_", "weights", "basis"][rng.integers(4)]] = holder[key]
    else:
        holder.insert(key, holder[key])


def change_array(rng, arrays):
    k = int(rng.integers(len(arrays)))
    array = arrays[k]
    kind = rng.integers(8)
    if kind <= 2 and array.size:
        with np.errstate(all="ignore"):
            value = np.array(VALUES[rng.integers(len(VALUES))]).astype(array.dtype)
        array.flat[rng.integers(array.size)] = value
    elif kind == 3:
        names = ["|b1", "<i8", "<f4", "<f8"]
        with np.errstate(all="ignore"):
            arrays[k] = array.astype(names[rng.integers(4)])
    elif kind == 4:
        arrays[k] = array[:-1] if array.ndim else array
    elif kind == 5:
        arrays[k] = np.concatenate([array, array[:1]]) if array.ndim else array
    elif kind == 6:
        shapes = [array.shape[::-1], (array.size,), (1, array.size), (0, *array.shape[1:])]
        shape = shapes[rng.integers(len(shapes))]
        arrays[k] = array[:0].reshape(shape) if 0 in shape else array.reshape(shape)
    else:
        other = int(rng.integers(len(arrays)))
        arrays[k], arrays[other] = arrays[other], arrays[k]


def signed(data):
    """The file with a right checksum."""
    line = data.find(b"\n") + 1
    rest = data[line + 65 :]
    return data[:line] + sha256(rest).hexdigest().encode() + b"\n" + rest


def change_bytes(rng, data):
    data = bytearray(data)
    kind = rng.integers(5)
    if kind == 0:
        data[rng.integers(len(data))] ^= 1 << rng.integers(8)
    elif kind == 1:
        del data[rng.integers(len(data)) :]
    elif kind == 2:
        start = data.find(b'"arrays"')
        digits = [k for k in range(start, min(start + 400, len(data))) if data[k] in b"0123456789"]
        place = digits[rng.integers(len(digits))]
        data[place : place + 1] = [b"9", b"0", b"999999999999", b"-1", b"1e9", b'"', b"[" * 4000][
            rng.integers(7)
        ]
    elif kind == 3:
        data += bytes(8)
    else:
        place = rng.integers(90, 110)
        data[place] = rng.integers(256)
    return bytes(data) if rng.integers(4) == 0 else signed(bytes(data))


def mutant(rng, sound):
    content, arrays = sound
    content = json.loads(json.dumps(content))
    arrays = [array.copy() for array in arrays]
    kind = rng.integers(5)
    for _ in range(rng.integers(1, 4)):
        if kind in (0, 1):
            change_json(rng, content)
        if kind in (1, 2, 3):
            change_array(rng, arrays)
    data = pack(content, arrays)
    return change_bytes(rng, data) if kind == 4 else data


def use(model):
    """Whatever can be asked of a model that was opened."""
    p = model.n_features_in_
    rows = np.linspace(-1, 1, 3 * p).reshape(3, p)
    if sp.issparse(getattr(model, "X_fit_", None)):
        rows = sp.csr_array(rows)
    assert set(model.predict(rows).tolist()) <= set(model.classes_.tolist())
    assert model.decision_function(rows).shape[0] == 3
    if hasattr(model, "predict_proba"):
        assert model.predict_proba(rows).shape == (3, len(model.classes_))
    if hasattr(model, "predict_set"):
        assert model.predict_set(rows).shape == (3, len(model.classes_))
    repr(model)


def main(count, seed):
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    rng = np.random.default_rng(seed)
    sound = seeds()
    path = Path(tempfile.mkdtemp()) / "m.model"
    for content, arrays in sound:
        path.write_bytes(pack(content, arrays))
        use(load(path))
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    room = pages * os.sysconf("SC_PAGE_SIZE") + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    refused = opened = 0
    for number in range(count):
        data = mutant(rng, sound[number % len(sound)])
        path.write_bytes(data)
        try:
            model = load(path)
        except ModelFileError as error:
            assert "\n" not in str(error) and len(str(error)) < 600, str(error)
            refused += 1
            continue
        except BaseException:
            print(f"mutant {number} of seed {seed}", file=sys.stderr)
            raise
        try:
            use(model)
        except BaseException:
            print(f"mutant {number} of seed {seed} opened", file=sys.stderr)
            raise
        opened += 1
    path.unlink()
    path.parent.rmdir()
    print(f"{count} mutants: {refused} refused, {opened} opened and used")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
