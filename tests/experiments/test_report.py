"""The report stands alone: well formed, no address outside itself, readable in a browser."""

import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest

from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.protocol import QUICK
from simplexcoding.experiments.report import report
from simplexcoding.experiments.runner import Run, plan, reproduce

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
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


@pytest.mark.skipif(BROWSER is None, reason="no chromium on this machine")
@pytest.mark.parametrize("width", [1200, 500])
def test_a_browser_shows_it_without_sideways_scrolling(text, tmp_path, width):
    page = tmp_path / "report.html"
    probe = (
        "<script>onload = () => document.title = "
        "JSON.stringify([document.documentElement.scrollWidth, innerWidth,"
        "[...document.images].every(i => i.naturalWidth > 0)])</script>"
    )
    page.write_text(text.replace("</body>", f"{probe}</body>"))
    done = subprocess.run(
        [
            BROWSER,
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--window-size={width},900",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    needed, given, images = re.search(r"<title>\[(\d+),(\d+),(\w+)\]", done.stdout).groups()
    assert int(needed) <= int(given)
    assert images == "true"
