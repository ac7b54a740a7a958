from xml.etree import ElementTree

from simplexcoding.experiments.html_page import entry_html, page, section, table_html
from simplexcoding.experiments.table import Entry


def test_text_is_escaped_and_the_page_well_formed():
    text = page("a < b", "x & y", [section("1 < 2", table_html(["n"], [["<b>7</b>"]]))])
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
    assert root.find("body/h1").text == "a < b"
    assert root.find("body/p").text == "x & y"
    assert root.find(".//td/b").text == "7"


def test_the_page_is_made_for_phones_and_for_paper():
    text = page("a", "b", [])
    assert "width=device-width" in text and "@media print" in text


def test_an_entry_has_the_figure_of_the_paper_beside_ours():
    assert entry_html(Entry(None, 90.0), "not run") == "not run"
    assert entry_html(Entry(91.234, None), "") == "<b>91.23</b>"
    level, below = entry_html(Entry(90.5, 91.0), ""), entry_html(Entry(88.0, 91.0), "")
    assert level.startswith("<b>90.50</b> <small>(91.00, ") and '"level">-0.50<' in level
    assert '"below">-3.00<' in below
    assert entry_html(Entry(None, 90.0, "a < b"), "") == '<span title="a &lt; b">failed</span>'
