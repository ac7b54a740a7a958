import json
import os
import pickle
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.svm import SVC

import simplexcoding
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.encoding import ESTIMATORS
from simplexcoding.cli.model_file import StoredModel, load_model, read_header, save_model
from simplexcoding.kernels import Kernel

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"], dtype=object)[Y]
AVAILABLE = [name for name in ESTIMATORS if name in simplexcoding.__all__]


def stored(path, estimator, y=NAMES):
    model = StoredModel(estimator.fit(X, y), ["a", "b", "c", "d"], "kind")
    save_model(path, model)
    return model


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "m.model"
    stored(found, simplexcoding.SimplexRidgeClassifier())
    return found


@pytest.mark.filterwarnings("ignore:max_iter")  # raw lengths: slow for the online method
@pytest.mark.parametrize("labels", [NAMES, NAMES.astype(str), Y, Y > 0], ids=lambda y: str(y.dtype))
@pytest.mark.parametrize("name", AVAILABLE)
def test_every_estimator_comes_back_whole(tmp_path, name, labels):
    estimator = getattr(simplexcoding, name)(random_state=0)
    model = stored(tmp_path / "m", estimator, labels)
    found = load_model(tmp_path / "m")
    assert type(found.estimator) is type(estimator)
    assert str(found.estimator.get_params()) == str(estimator.get_params())
    kept = estimator.__getstate__().keys() - {"_sklearn_version"}
    assert vars(found.estimator).keys() == kept
    np.testing.assert_array_equal(found.estimator.predict(X), estimator.predict(X))
    np.testing.assert_array_equal(
        found.estimator.decision_function(X), estimator.decision_function(X)
    )
    assert (found.features, found.target) == (model.features, model.target)


def test_scaling_is_part_of_the_model(tmp_path):
    model = simplexcoding.SimplexRidgeClassifier("rbf").fit((X - 3) / 2, Y)
    save_model(
        tmp_path / "m", StoredModel(model, list("abcd"), "y", np.full(4, 3.0), np.full(4, 2.0))
    )
    found = load_model(tmp_path / "m")
    np.testing.assert_array_equal(found.prepared(X), (X - 3) / 2)


def test_the_header_tells_version_and_checksum(path):
    header = read_header(path)
    assert header["version"] == 1 and header["package"] == simplexcoding.__version__


def rewritten(path, change_header=None, change_member=None, compression=0):
    """The file with its header or a member changed."""
    stream = BytesIO()
    with ZipFile(path) as old, ZipFile(stream, "w", compression) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "header.json" and change_header:
                header = json.loads(data)
                change_header(header)
                data = json.dumps(header).encode()
            elif name != "header.json" and change_member:
                data = change_member(data)
            new.writestr(name, data)
    path.write_bytes(stream.getvalue())


def test_a_changed_header_is_noticed(path):
    rewritten(path, lambda header: header["content"].update(target="other"))
    with pytest.raises(Complaint, match="checksum is wrong"):
        load_model(path)


def test_a_changed_array_is_noticed(path):
    rewritten(path, change_member=lambda data: data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(Complaint, match="checksum is wrong"):
        load_model(path)


def test_another_version_is_refused_with_a_cure(path):
    rewritten(path, lambda header: header.update(version=2))
    with pytest.raises(Complaint, match="is of version 2, this program reads 1; use the release"):
        load_model(path)


def test_compressed_members_are_refused(path):
    rewritten(path, compression=ZIP_DEFLATED)
    with pytest.raises(Complaint, match="is no model file"):
        load_model(path)


def signed(header, members):
    from simplexcoding.cli.model_file import _checksum

    header["sha256"] = _checksum(header["content"], members)


@pytest.mark.parametrize("name", ["Popen", "SimplexCode", "os.system"])
def test_a_class_outside_the_list_is_refused_even_with_a_right_checksum(path, name):
    with ZipFile(path) as archive:
        members = {n: archive.read(n) for n in archive.namelist() if n != "header.json"}

    def change(header):
        header["content"]["class"] = name
        signed(header, members)

    rewritten(path, change)
    with pytest.raises(Complaint, match="which no model file may hold"):
        load_model(path)


def test_an_array_that_promises_more_than_it_holds_is_refused(path):
    stream = BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)}
    )
    lie = stream.getvalue()
    with ZipFile(path) as archive:
        names = [n for n in archive.namelist() if n != "header.json"]
    rewritten(
        path,
        lambda header: signed(header, dict.fromkeys(names, lie)),
        change_member=lambda _: lie,
    )
    with pytest.raises(Complaint, match="not what it says"):
        load_model(path)


@pytest.mark.parametrize("kind", ["pickle", "text", "zip", "empty"])
def test_anything_else_is_refused_and_no_pickle_is_opened(tmp_path, kind):
    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "sprung"),))

    path = tmp_path / "m"
    path.write_bytes({"pickle": pickle.dumps(Trap()), "text": b"hello"}.get(kind, b""))
    if kind == "zip":
        with ZipFile(path, "w") as archive:
            archive.writestr("data.pkl", pickle.dumps(Trap()))
    with pytest.raises(Complaint, match="m: is no model file of simplexcoding; make one"):
        load_model(path)
    assert not (tmp_path / "sprung").exists()


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Complaint, match="m: no such file"):
        load_model(tmp_path / "m")


def test_other_estimators_and_functions_as_kernels_are_not_stored(tmp_path):
    with pytest.raises(Complaint, match="a SVC cannot be stored"):
        save_model(tmp_path / "m", StoredModel(SVC().fit(X, Y), [], "y"))
    model = simplexcoding.SimplexRidgeClassifier(Kernel("rbf").matrix).fit(X, Y)
    with pytest.raises(Complaint, match="cannot be stored"):
        save_model(tmp_path / "m", StoredModel(model, [], "y"))
    assert not (tmp_path / "m").exists()


def test_an_interrupted_write_leaves_the_old_model(path, monkeypatch):
    old = path.read_bytes()

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        stored(path, simplexcoding.SimplexRidgeClassifier("rbf"))
    assert path.read_bytes() == old
