import json

import numpy as np
import pytest

from simplexcoding.cli.printing import Printer, as_plain, cell, plain


def test_labels_are_no_markup_and_do_not_steer_the_terminal(capsys):
    Printer(False).table("[bold]", ["[/red]"], [["[/bold]"], ["\x1b[31m"], ["tab\t"]])
    out = capsys.readouterr().out
    for text in ("[bold]", "[/red]", "[/bold]", "\\x1b[31m", "tab\\t"):
        assert text in out
    assert "\x1b" not in out


def test_long_text_is_wrapped_and_not_cut(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    one, two = "card_payment_" * 6 + "one", "card_payment_" * 6 + "two"
    Printer(False).table("", ["given", "suggested"], [[one, two]])
    rows = [line.split("\u2502")[1:-1] for line in capsys.readouterr().out.splitlines()]
    cells = ["".join(row[k].strip() for row in rows if len(row) == 2) for k in (0, 1)]
    assert cells[0].endswith(one) and cells[1].endswith(two)


def test_json_is_the_only_thing_printed(capsys):
    printer = Printer(True)
    printer.line("words")
    printer.table("", ["a"], [[1]])
    printer.console.print("words")
    printer.result({"a": np.float64(0.5), "b": [np.nan, np.int64(3)], "c": np.array(["é"])})
    out = capsys.readouterr().out
    assert json.loads(out) == {"a": 0.5, "b": [None, 3], "c": ["é"]} and out.count("\n") == 1


def test_words_go_beside_data(capsys):
    Printer(False, beside=True).line("words")
    assert capsys.readouterr() == ("", "words\n")


@pytest.mark.parametrize(
    ("value", "text"), [(np.True_, "yes"), (np.nan, ""), (0.123456, "0.1235"), (3, "3"), ("a", "a")]
)
def test_cells(value, text):
    assert cell(value) == text


def test_plain_values():
    assert as_plain({1: (np.inf, None)}) == {"1": [None, None]}
    assert plain("a\x00é\n") == "a\\x00é\n"
