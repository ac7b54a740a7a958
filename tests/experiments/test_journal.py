import json
import os

import pytest

from simplexcoding.experiments.cell import Cell
from simplexcoding.experiments.journal import Journal, source
from simplexcoding.experiments.protocol import QUICK, Protocol

CELL = Cell("iris", "raw", "ls_linear", QUICK)
SERIES = dict(title="S-RLS", axis="n", order="3", values=[1, 2], seconds=[0.1, 0.2], slope=1.0)


def row(cell, **more):
    return {**cell.key, **more}


def test_rows_outlive_the_program_with_versions_and_seed(tmp_path):
    path = tmp_path / "new" / "results.json"
    Journal(path).add(CELL, row(CELL, accuracy=80.0))
    found = Journal(path).find(CELL)
    assert found["accuracy"] == 80.0
    assert found["protocol"]["seed"] == 0
    assert found["environment"]["versions"]["numpy"]
    assert found["environment"]["source"] == source()


def test_rows_of_another_protocol_are_not_taken_for_this_one(tmp_path):
    journal = Journal(tmp_path / "results.json")
    journal.add(CELL, row(CELL, accuracy=80.0))
    assert journal.find(Cell("iris", "raw", "ls_linear", Protocol())) is None
    assert journal.find(Cell("iris", "standardised", "ls_linear", QUICK)) is None


def test_a_failed_row_is_kept_until_the_cell_succeeds(tmp_path):
    journal = Journal(tmp_path / "results.json")
    journal.add(CELL, row(CELL, error="MemoryError"))
    assert journal.find(CELL) is None and journal.last(CELL)["error"] == "MemoryError"
    journal.add(CELL, row(CELL, accuracy=80.0))
    assert journal.find(CELL)["accuracy"] == 80.0
    assert len(journal.rows) == 1


def test_an_interrupted_write_leaves_the_rows_that_were_there(tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    journal = Journal(path)
    journal.add(CELL, row(CELL, accuracy=80.0))

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    other = Cell("wine", "raw", "ls_linear", QUICK)
    with pytest.raises(KeyboardInterrupt):
        journal.add(other, row(other, accuracy=90.0))
    assert [each["dataset"] for each in Journal(path).rows] == ["iris"]


@pytest.mark.parametrize(
    "text",
    [
        *("{", "[]", "null", "3", "[" * 100_000),
        json.dumps({"format": 99, "rows": []}),
        json.dumps({"format": 1, "rows": 3}),
        json.dumps({"format": 1, "rows": [3]}),
        json.dumps({"format": 1, "rows": [{"dataset": "iris"}]}),
        json.dumps({"format": 1, "rows": [{**CELL.key, "accuracy": "high"}]}),
        json.dumps({"format": 1, "rows": [], "complexity": 3}),
        json.dumps({"format": 1, "rows": [], "complexity": [3]}),
        json.dumps({"format": 1, "rows": [], "complexity": [{**SERIES, "seconds": [1, "two"]}]}),
        json.dumps({"format": 1, "rows": [], "complexity": [{**SERIES, "seconds": [1]}]}),
        json.dumps({"format": 1, "rows": [], "complexity": [{"title": "S-RLS", "slope": 3.0}]}),
    ],
)
def test_a_file_that_is_not_ours_is_not_overwritten(tmp_path, text):
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="holds no results of this program"):
        Journal(path)
    assert path.read_text() == text


def test_a_place_that_is_no_file_is_told(tmp_path):
    with pytest.raises(ValueError, match="cannot be read"):
        Journal(tmp_path)


def test_series_of_timings_are_kept_beside_the_rows(tmp_path):
    path = tmp_path / "results.json"
    Journal(path).add_complexity([SERIES])
    assert Journal(path).complexity == [SERIES]


def test_the_figures_are_the_rows_without_what_only_the_report_draws(tmp_path):
    journal = Journal(tmp_path / "results.json")
    journal.add(CELL, row(CELL, accuracy=80.0, confusion=[[1]], curve={"x": [1]}))
    (kept,) = journal.figures()["rows"]
    assert kept["accuracy"] == 80.0 and not {"confusion", "curve"} & set(kept)
    assert "confusion" in journal.rows[0]
