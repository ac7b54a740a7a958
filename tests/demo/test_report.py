import re
from xml.etree import ElementTree

import pytest

from reference.browser import needs_browser, show
from simplexcoding.datasets import load
from simplexcoding.demo.paper import METHODS, PAPER
from simplexcoding.demo.report import report
from simplexcoding.demo.story import tell
from simplexcoding.experiments.table import Entry, Table


@pytest.fixture(scope="module")
def story():
    return tell(load("digits"))


def table(datasets, paper):
    entries = {(key, name): Entry(91.5, paper) for key in METHODS for name in datasets}
    entries["ls_rbf", datasets[0]] = Entry(None, paper, "MemoryError: <no room>")
    return Table("standardised", list(datasets), list(METHODS), entries)


def text(html):
    root = ElementTree.fromstring(html.replace("<!DOCTYPE html>", ""))
    return " ".join(" ".join(root.itertext()).split())


def test_it_is_whole_and_needs_nothing_else(story):
    html = report(story, table(PAPER, 90.0), "Made with <care>")
    words = text(html)
    assert "Made with <care>" in words
    assert not re.search(r'(src|href)="(?!data:)', html) and "http" not in html
    assert '<meta name="viewport"' in html


def test_the_papers_figures_stand_in_brackets_and_a_failure_is_told(story):
    words = text(report(story, table(PAPER, 90.0), ""))
    assert "7. The paper's table" in words and "91.50 (90.00, +1.50 )" in words
    assert "failed" in words and "NIPS 2012" in words


def test_without_the_papers_data_its_table_is_not_promised(story):
    words = text(report(story, table(["wine", "iris"], None), ""))
    assert "The paper's methods on bundled data" in words and "simplexcoding[data]" in words
    assert "NIPS" not in words


def test_the_story_is_told_in_order_with_its_figures(story):
    html = report(story, table(PAPER, 90.0), "")
    words = text(html)
    assert f"{100 * story.left_out:.2f} %" in words and f"{100 * story.test:.2f} %" in words
    headings = re.findall(r"<h2>(\d)\. ", html)
    assert headings == list("1234567")
    assert html.count('alt="a handwritten digit"') == 5 + len(story.examples)
    for each in story.suspects:
        assert f"labelled {each.given} model without it: {each.suggested}" in words
    assert f"Row {story.forgotten.row}, the most suspicious" in words


@needs_browser
@pytest.mark.parametrize("width", [1200, 390])
def test_a_phone_shows_it_without_sideways_scrolling(story, tmp_path, width):
    html = report(story, table(PAPER, 90.0), "Made with care")
    shown = show(html, tmp_path, width)
    assert shown.given == width and shown.needed <= width
    assert shown.n_pictures == html.count("<img") > 5 and shown.all_drawn
    # The probe sees what is too wide.
    wide = html.replace("<footer>", '<div style="width: 2000px">wide</div><footer>')
    assert show(wide, tmp_path, width).needed >= 2000
