from xml.etree import ElementTree

from simplexcoding.experiments.html_page import page, section, table_html


def test_text_is_escaped_and_the_page_well_formed():
    text = page("a < b", "x & y", [section("1 < 2", table_html(["n"], [["<b>7</b>"]]))])
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
    assert root.find("body/h1").text == "a < b"
    assert root.find("body/p").text == "x & y"
    assert root.find(".//td/b").text == "7"


def test_the_page_is_made_for_phones_and_for_paper():
    text = page("a", "b", [])
    assert "width=device-width" in text and "@media print" in text
