"""The ridge's peers: each is fitted and judged, and their cells are kept with their versions."""

import json
from datetime import date

import numpy as np
import pytest
import sklearn

from benchmarks import data, heads
from benchmarks.harness import Skip
from benchmarks.problems import heads as problems

# Peers warn of few rows and of iterations that end; what this package says stays an error.
OF_PEERS = pytest.mark.filterwarnings(
    r"ignore:::(sklearn|lightgbm)\b",
    "ignore:The number of unique classes is greater than 50%:UserWarning",
)


@pytest.fixture
def stand_ins(monkeypatch, tmp_path):
    """No files of data: drawn rows take their place, so that every problem runs everywhere."""
    monkeypatch.setenv("SIMPLEXCODING_DATA", str(tmp_path))
    data.allow_stand_ins(True)
    yield
    data.allow_stand_ins(False)


@pytest.mark.parametrize(
    ("method", "tuned"),
    sorted({(one, tuned) for one in heads.METHODS for tuned in (False, one != heads.OURS)}),
)
@OF_PEERS
def test_every_head_is_fitted_and_judged(method, tuned, stand_ins):
    try:
        found = heads.run("a set", method, tuned, few=30)
    except Skip as reason:
        pytest.skip(str(reason))
    X, y, Xt, yt = heads.rows_of("a set", few=30)
    assert [len(X), *np.bincount(y)] == [240] + 8 * [30] and len(Xt) == len(yt) == 800
    # The stand-in's classes are far apart: every method answers nearly all rows.
    assert found["seconds"] > 0 and 94 < found["accuracy"] <= 100
    no_probabilities = ("LinearSVC", "SVC", "RidgeClassifierCV")
    assert ("log_loss" in found) == (method not in no_probabilities)


def test_cells_of_peers_are_kept_and_ours_is_measured_anew(monkeypatch, tmp_path):
    runs = []
    monkeypatch.setattr(heads, "CELLS", tmp_path / "cells")
    monkeypatch.setattr(heads, "_fresh", lambda cell: runs.append(cell[1]) or {"seconds": 1.0})
    for method in ("SVC", heads.OURS, "SVC", heads.OURS):
        found = heads.in_child("a set", method, tuned=False)
        assert found["seconds"] == 1.0 and ("measured" in found) == (method != heads.OURS)
    assert runs == ["SVC", heads.OURS, heads.OURS]
    (cell,) = (tmp_path / "cells").iterdir()
    kept = json.loads(cell.read_text())
    assert kept["measured"] == str(date.today())
    assert kept["versions"]["scikit-learn"] == sklearn.__version__
    # Another limit, or another version of the library, is another cell.
    monkeypatch.setattr(heads, "LIMIT", 7)
    heads.in_child("a set", "SVC", tuned=False)
    assert runs[3:] == ["SVC"]
    old = kept | {"versions": kept["versions"] | {"scikit-learn": "0.1", "limit": 7}, "seconds": 2}
    cell.write_text(json.dumps(old))
    assert heads.in_child("a set", "SVC", tuned=False)["seconds"] == 1.0
    assert runs[4:] == ["SVC"]


def test_a_peer_that_is_not_installed_serves_by_its_cell_or_is_skipped(monkeypatch, tmp_path):
    monkeypatch.setattr(heads, "CELLS", tmp_path)
    monkeypatch.setattr(heads, "_version", lambda library: None)
    monkeypatch.setattr(heads, "_fresh", lambda cell: pytest.fail("no such peer is run"))
    with pytest.raises(Skip, match="lightgbm is not installed"):
        heads.in_child("a set", "LGBMClassifier", tuned=False)
    assert not [*tmp_path.iterdir()]
    kept = {"seconds": 3.0, "versions": {"lightgbm": "4.7.0", "limit": heads.LIMIT}}
    (tmp_path / "a set-LGBMClassifier-default.json").write_text(json.dumps(kept))
    assert heads.in_child("a set", "LGBMClassifier", tuned=False)["seconds"] == 3.0


@pytest.mark.parametrize("path", sorted(heads.CELLS.glob("*.json")), ids=lambda path: path.stem)
def test_kept_cells_say_what_made_them(path):
    name, method, how = path.stem.split("-")
    assert name in problems.SETS and how in ("default", "tuned")
    found = json.loads(path.read_text())
    assert {heads.METHODS[method].library, "limit"} <= {*found["versions"]}
    assert ("skipped" in found) != ("seconds" in found and 0 < found["accuracy"] <= 100)


def test_a_head_that_takes_too_long_is_stopped_and_said(monkeypatch, tmp_path):
    monkeypatch.setattr(heads, "CELLS", tmp_path / "cells")
    monkeypatch.setattr(heads, "LIMIT", 1)
    try:
        data.load("letter")
    except Skip as reason:
        pytest.skip(str(reason))
    with pytest.raises(Skip, match="more than 1 s"):
        heads.in_child("letter", "SVC", tuned=True)
