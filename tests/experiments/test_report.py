"""The report stands alone: well formed, no address outside itself, readable in a browser."""

import re
from xml.etree import ElementTree

import pytest

from reference.browser import needs_browser, show
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.protocol import QUICK
from simplexcoding.experiments.report import report
from simplexcoding.experiments.runner import Run, plan, reproduce

SERIES = [
    {
        "title": "S-RLS <rbf>",
        "axis": axis,
        "values": [2, 4],
        "seconds": [1.0, 8.0],
        "slope": 3.0,
        "order": "3",
    }
    for axis in "nT"
]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    cells = plan(["iris"], ["ls_linear", "ls_rbf"], protocol=QUICK)
    rows = reproduce(Run(cells), Journal(tmp_path_factory.mktemp("run") / "results.json")).rows
    failed = {**rows[0], "method": "ova_rbf", "error": 'MemoryError: "big" & <bad>'}
    for gone in ("accuracy", "fit_seconds", "curve", "confusion"):
        failed.pop(gone)
    published = {**rows[0], "dataset": "letter", "accuracy": 50.0}
    return report([*rows, failed, published], SERIES)


def test_it_is_well_formed_and_has_every_part(text):
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
    headings = [heading.text for heading in root.iter("h2")]
    assert headings == [
        "Accuracy, raw features",
        "Accuracy, standardised features",
        "Time",
        "Complexity",
        "Iris, raw features",
        "Iris, standardised features",
        "Letter, raw features",
        "Level sets of the losses",
        "How it was made",
    ]
    assert all(image.get("alt") for image in root.iter("img"))


def test_nothing_outside_is_asked_for_and_nothing_runs(text):
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
    addresses = [node.get(name) for node in root.iter() for name in ("src", "href", "data")]
    assert all(each.startswith("data:image/png;base64,") for each in addresses if each)
    assert not {"script", "link", "iframe", "object", "base"} & {node.tag for node in root.iter()}
    assert not re.search(r"https?:|url\(|@import", text)


def test_a_figure_a_point_below_the_paper_is_marked(text):
    # 54.96 on Letter is the paper's.
    assert '<b>50.00</b> <small>(54.96, <span class="below">-4.96</span>)</small>' in text
    assert ">failed</span>" in text


@needs_browser
@pytest.mark.parametrize("width", [1200, 500, 390])
def test_a_browser_shows_it_without_sideways_scrolling(text, tmp_path, width):
    shown = show(text, tmp_path, width)
    assert shown.given == width and shown.needed <= width
    assert shown.n_pictures == text.count("<img") > 0 and shown.all_drawn
