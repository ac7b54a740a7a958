from io import BytesIO

import pytest

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.csv_files import read_csv


def read(text, *columns):
    return read_csv(BytesIO(text.encode()), columns)


def test_numbers_are_numbers_and_text_is_as_written():
    frame = read("id,x,kind\n007,1.5,7\n7,2,007\n08,3,NA\n", "id", "kind")
    assert frame["id"].tolist() == ["007", "7", "08"]
    assert frame["kind"].tolist() == ["7", "007", "NA"]
    assert frame["x"].tolist() == [1.5, 2.0, 3.0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "20", "-3", "0"], [1, 20, -3, 0]),
        (["1", "01"], ["1", "01"]),
        (["1", "1.0"], ["1", "1.0"]),
        (["1", "+1"], ["1", "+1"]),
        (["0", "-0"], ["0", "-0"]),
        (["1", "99999999999999999999"], ["1", "99999999999999999999"]),
        (["1", ""], ["1", None]),
        (["True", "None"], ["True", "None"]),
    ],
)
def test_labels_are_integers_only_if_all_are_printed_so(values, expected):
    text = "x,kind\n" + "".join(f"1,{value}\n" for value in values)
    assert read(text, "kind")["kind"].tolist() == expected


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2,3\n4,5\n",
        "a,b\n1,2,3\n4,5,6\n",
        "a,b\n1,2,\n4,5,6\n",
    ],
)
def test_a_first_row_of_more_fields_shifts_no_column(text):
    with pytest.raises(Complaint, match="has a row of more fields than its 2 columns"):
        read(text)


def test_an_empty_field_at_the_end_of_every_row_is_harmless():
    frame = read("a,b\n1,2,\n4,5,\n")
    assert frame.to_dict("list") == {"a": [1, 4], "b": [2, 5]}


def test_a_later_row_of_more_fields_is_named():
    with pytest.raises(Exception, match="Expected 2 fields in line 3, saw 3"):
        read("a,b\n1,2\n1,2,3\n")


def test_a_column_stands_once():
    with pytest.raises(Complaint, match="has two columns 'a'"):
        read("a,b,a\n1,2,3\n")


def test_a_mark_at_the_start_is_no_part_of_a_name(tmp_path):
    (tmp_path / "t.csv").write_bytes("\ufeffa,b\n1,x\n".encode())
    frame = read_csv(tmp_path / "t.csv", ["b"])
    assert list(frame.columns) == ["a", "b"] and frame["b"].tolist() == ["x"]


def test_chunks_are_the_whole_in_pieces(tmp_path):
    import pandas as pd

    from simplexcoding.cli.csv_files import csv_chunks, integer_columns

    path = tmp_path / "t.csv"
    path.write_text("a,t,u\n1,5,x\n2.5,6,\n3,7,z\n")
    assert integer_columns(path, ["t", "u"], 2) == ({"t"}, 3)
    pieces = list(csv_chunks(path, ["t", "u"], 2, {"t"}))
    assert [len(piece) for piece in pieces] == [2, 1]
    pd.testing.assert_frame_equal(
        pd.concat(pieces, ignore_index=True), read_csv(path, ["t", "u"]), check_dtype=False
    )
