import json

import numpy as np
import pytest

from simplexcoding.cli.printing import Printer, as_plain, cell, plain, wrapped


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


def test_lines_break_after_spaces_and_underscores(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    label, others = "card_payment_fee_charged", [f"a number {k}" for k in range(5)]
    Printer(False).table("", ["given", *others], [[label, *others]])
    lines = [line.split("\u2502")[1:-1] for line in capsys.readouterr().out.splitlines()]
    pieces = [line[0].strip() for line in lines if line and line[0].strip()]
    assert "".join(pieces) == label and len(pieces) > 1
    assert all(piece.endswith("_") for piece in pieces[:-1])


@pytest.mark.parametrize("width", [1, 2, 5, 8, 40])
@pytest.mark.parametrize(
    "text",
    ["card_payment_fee", "a b  c_d", "x" * 30, "\u5361\u7247\u4ed8\u6b3e", "", "two\nlines", "_"],
)
def test_wrapped_lines_fit_and_lose_nothing(text, width):
    from rich.cells import cell_len

    lines = wrapped(text, width)
    # Half of a wide letter cannot be shown.
    assert all(cell_len(line) <= max(width, cell_len(line[:1])) for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_texts_stand_under_their_rows(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    rows, texts = [["1", "a"], ["2", "b"]], ["first [/bold] " + "word " * 20, "\ue000 second"]
    Printer(False).table("", ["row", "kind"], rows, under=texts)
    out = capsys.readouterr().out.splitlines()
    assert {len(line) for line in out} == {60}
    body = [line.strip("\u2502 ") for line in out if line.startswith("\u2502")]
    assert [line.split()[0] for line in body if line[:1] in "12"] == ["1", "2"]
    assert body[0].startswith("1") and body[1].startswith("first [/bold] word")
    assert " ".join(body[1:-2]).split() == texts[0].split()
    assert body[-2].startswith("2") and body[-1] == "\\ue000 second"


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
