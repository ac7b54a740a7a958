"""The download is tested against a stand-in that serves the format of openml.org."""

import json
import threading
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from sklearn.datasets import _openml

from simplexcoding.datasets import download, official_order
from simplexcoding.datasets.bundled import load_bundled
from simplexcoding.datasets.catalogue import SetInfo
from simplexcoding.datasets.checks import DataError
from simplexcoding.datasets.download import load_openml
from simplexcoding.datasets.official_order import sorting

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
    for name in ("_SEARCH_NAME", "_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
        address = getattr(_openml, name)
        monkeypatch.setattr(_openml, name, address.replace("https://www.openml.org", base))
    info = SetInfo("Iris", "iris", decimals=1, openml="stand-in")
    monkeypatch.setitem(download.CATALOGUE, "iris", info)
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

    monkeypatch.setattr(download, "fetch_openml", fail)
    with pytest.raises(DataError, match=r"letter could not be downloaded .*: no route"):
        load_openml("letter")


def test_sets_that_are_not_there_are_left_to_others():
    assert load_openml("caltech101") is None
