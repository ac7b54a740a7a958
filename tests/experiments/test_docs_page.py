"""The page of the reproduction is the rendering of its results file, figure for figure."""

import json
import re
from pathlib import Path

import pytest

from simplexcoding.datasets import CATALOGUE
from simplexcoding.experiments.docs_page import render
from simplexcoding.experiments.methods import METHODS

DOCS = Path(__file__).resolve().parents[2] / "docs"


MADE = {"python": "3.12", "versions": {"numpy": "2.0"}, "system": "Linux", "cores": 2}


def row(method, dataset, accuracy, **more):
    return {
        "method": method,
        "dataset": dataset,
        "features": "raw",
        "accuracy": accuracy,
        "environment": MADE,
        "finished": "2030-01-02T00:00:00",
        **more,
    }


GRID = [
    {"range": kind, "passes": k, "iterate": it, "lambda_": 0.1, "held_out": h, "accuracy": a}
    for kind, k, it, h, a in [
        ("eigenvalues", 1, "last", 60.0, 61.0),
        ("eigenvalues", 2, "last", 62.0, 59.0),
        ("eigenvalues", 3, "last", 62.0, 58.0),
        ("powers", 1, "mean", 50.0, 51.5),
    ]
]
RESULTS = {
    "rows": [
        row("sc_plain", "letter", 59.0, grid=GRID),
        row("ls_rbf", "letter", 90.0),
        row("ls_rbf", "caltech101", 94.0),
    ]
}


def part(name, results=RESULTS):
    return render(f"before <!-- {name} -->old<!-- end {name} --> after", results)


def test_text_outside_the_marks_stays_and_rendering_again_changes_nothing():
    once = part("raw")
    assert once.startswith("before <!-- raw -->") and once.endswith("<!-- end raw --> after")
    assert "old<!--" not in once
    assert render(once, RESULTS) == once
    with pytest.raises(ValueError, match="mark 'other' is unknown"):
        part("other")


def test_what_has_not_been_run_is_named():
    text = part("missing")
    assert "- S-LS rbf batch, raw features: Landsat, Optdigit, Pendigit, Isolet\n" in text
    assert "- S-LS rbf batch, standardised features: all sets\n" in text
    every = [
        row(method, name, 50.0, features=kind)
        for method in METHODS
        for kind in ("raw", "standardised")
        for name in CATALOGUE
    ]
    assert "None." in part("missing", {"rows": every})


def test_the_papers_table_is_whole_and_marks_what_ours_cannot_stand_beside():
    text = part("paper")
    assert "| Caltech101 † | Pubfig83 † |" in text
    assert "| 97.12 | 96.99 | 51.77 | 85.60 |" in text
    assert "| 91.02 | - | - |" in text


def test_the_grid_shows_the_passes_that_the_held_out_rows_choose():
    text = part("grid")
    assert "| SC-SVM online, plain rule | the paper |  |  | 52.82 |" in text
    assert "|  | raw | eigenvalues | last | 59.00 (2) |" in text
    assert "|  | raw | powers | mean | 51.50 (1) |" in text


def test_cells_a_point_below_are_listed_and_only_those():
    assert part("below").splitlines()[2:-2] == [
        "- S-LS rbf batch, raw features: Letter 90.00 (96.48, -6.48)"
    ]
    assert "None." in part("below", {"rows": []})


def test_times_and_origin():
    series = {"title": "A", "axis": "n", "slope": 2.0, "order": "3", "paper": "-", "seconds": [1.0]}
    assert "| A | n | 2.0 | 3 | - | 1 |" in part("times", {"rows": [], "complexity": [series]})
    assert "Not measured yet." in part("times")
    assert "3 cells, run 2030-01-02." in part("made")
    assert part("made").count("numpy 2.0") == 1


def test_every_cell_is_named_beside_the_mark_of_the_code_that_made_it():
    marked = [
        row(method, data, 90.0, finished=f"2030-01-0{day}", environment=MADE | marks)
        for day, (method, data, marks) in enumerate(
            [
                ("ls_rbf", "letter", {"source": "a"}),
                ("sc_rbf", "letter", {}),
                ("sh_rbf", "letter", {"source": "b"}),
                ("ls_rbf", "isolet", {"source": "b"}),
                ("sh_rbf", "isolet", {"source": "b"}),
            ],
            1,
        )
    ]
    text = part("made", {"rows": marked})
    ls, sc, sh = (METHODS[key].title for key in ("ls_rbf", "sc_rbf", "sh_rbf"))
    nothing = "By code of the version above that left no mark: it was not kept then"
    assert [line for line in text.splitlines() if "By code" in line] == [
        f"- By code `b`: 3 cells, run 2030-01-03 to 2030-01-05. {ls} (Isolet raw); {sh}",
        f"- By code `a`: 1 cell, run 2030-01-01. {ls} (Letter raw)",
        f"- {nothing}: 1 cell, run 2030-01-02. {sc}",
    ]
    assert "`b`: all 3 cells, run 2030-01-03 to 2030-01-05.\n" in part("made", {"rows": marked[2:]})
    assert f"{nothing}: all 3 cells, run 2030-01-02." in part("made")


def test_cells_without_a_mark_were_run_before_marks_were_kept():
    results = json.loads((DOCS / "reproduction.json").read_text(encoding="utf-8"))
    for each in results["rows"]:
        mark = each["environment"].get("source")
        assert mark is None or re.fullmatch("[0-9a-f]{16}", mark)
        # The program has kept them since this day.
        assert mark is not None or each["finished"] < "2026-11-19"


def test_the_summary_has_both_figures_where_both_had_the_same_features():
    lines = part("summary").splitlines()
    assert lines[2] == "| method | Landsat | Optdigit | Pendigit | Letter | Isolet |"
    assert (
        lines[4] == "| S-LS rbf batch | - (90.2) | - (97.1) | - (98.2) | 90.0 (96.5) | - (97.0) |"
    )


@pytest.mark.parametrize("page", ["docs/reproduction.md", "README.md"])
def test_the_page_is_the_rendering_of_its_results_file(page):
    page = (DOCS.parent / page).read_text(encoding="utf-8")
    assert "<!-- end summary -->" in page or "<!-- end times -->" in page
    results = json.loads((DOCS / "reproduction.json").read_text(encoding="utf-8"))
    assert render(page, results) == page


def test_the_results_file_is_a_journal_to_go_on_from():
    from simplexcoding.experiments.cell import Cell
    from simplexcoding.experiments.journal import Journal
    from simplexcoding.experiments.protocol import Protocol

    journal = Journal(DOCS / "reproduction.json")
    assert journal.find(Cell("landsat", "raw", "ls_linear", Protocol())) is not None
