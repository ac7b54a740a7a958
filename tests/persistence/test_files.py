import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from simplexcoding import SimplexRidgeClassifier, persistence
from simplexcoding.persistence.container import pack, unpack

X, Y = load_iris(return_X_y=True)
MODEL = SimplexRidgeClassifier("rbf").fit(X, Y)
ModelFileError = persistence.ModelFileError


@pytest.fixture
def path(tmp_path):
    persistence.save(MODEL, tmp_path / "m.model", {"target": "kind", "n": [1, 2]})
    return tmp_path / "m.model"


def test_a_model_comes_back_with_its_notes(path):
    found = persistence.open_model_file(path)
    assert found.notes == {"target": "kind", "n": [1, 2]}
    np.testing.assert_array_equal(found.model.predict_proba(X), MODEL.predict_proba(X))
    np.testing.assert_array_equal(persistence.load(str(path)).predict(X), MODEL.predict(X))


def test_a_file_is_about_as_large_as_its_arrays(path):
    _, arrays = unpack(path.read_bytes())
    assert path.stat().st_size < sum(array.nbytes for array in arrays) + 2000


@pytest.mark.parametrize("kind", ["pickle", "text", "empty"])
def test_anything_else_is_refused_and_no_pickle_is_opened(tmp_path, kind):
    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "sprung"),))

    path = tmp_path / "m"
    path.write_bytes({"pickle": pickle.dumps(Trap()), "text": b"hello"}.get(kind, b""))
    with pytest.raises(ModelFileError, match="m: is no model file of simplexcoding; make one"):
        persistence.load(path)
    assert not (tmp_path / "sprung").exists()


def test_what_is_no_file_is_named(tmp_path):
    with pytest.raises(ModelFileError, match="m: no such file"):
        persistence.load(tmp_path / "m")
    with pytest.raises(ModelFileError, match="is no file"):
        persistence.load(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="pipe: is no file"):
        persistence.load(tmp_path / "pipe")


def test_what_cannot_be_stored_leaves_no_file(tmp_path):
    with pytest.raises(ModelFileError, match="m: the model cannot be stored: is a SimplexRidge"):
        persistence.save(SimplexRidgeClassifier(kernel="linear"), tmp_path / "m")
    with pytest.raises(ModelFileError, match="cannot be stored: is a function"):
        persistence.save(MODEL, tmp_path / "m", {"f": lambda: 0})
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelFileError, match="cannot be written"):
        persistence.save(MODEL, tmp_path / "file" / "m")
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda c, a: c.pop("notes"), "holds no model"),
        (lambda c, a: c.update(notes=1), "has notes of a wrong kind"),
        (lambda c, a: c.update(package=1), "expected text"),
        (lambda c, a: a.append(np.zeros(3)), "arrays that belong to nothing"),
        (lambda c, a: c["model"]["state"].update(alpha_="1"), "alpha_ is '1', expected a number"),
    ],
)
def test_content_of_a_wrong_kind_is_one_line(path, change, text):
    content, arrays = unpack(path.read_bytes())
    change(content, arrays)
    path.write_bytes(pack(content, arrays))
    with pytest.raises(ModelFileError, match=rf"m\.model: .*{text}.*; fit the model again") as info:
        persistence.load(path)
    assert "\n" not in str(info.value)


def test_a_file_of_another_release_that_does_not_fit_says_so(path):
    content, arrays = unpack(path.read_bytes())
    content["package"] = "9.9"
    content["model"]["state"]["new_"] = 1
    path.write_bytes(pack(content, arrays))
    with pytest.raises(ModelFileError, match=r"new_.*\(written by release 9.9, this is "):
        persistence.load(path)


def test_mutants_are_refused_or_work_within_a_memory_limit():
    program = Path(__file__).with_name("fuzz.py")
    done = subprocess.run(
        [sys.executable, program, "400"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("400 mutants: ")
