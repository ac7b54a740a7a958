import os

import numpy as np
import pandas as pd
import pytest

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.tables import Wanted, read_columns
from simplexcoding.cli.writing import write_table

FRAME = pd.DataFrame({"a": [1, 2, 3], "kind": ["x", "y", "x"], "b": [0.5, 1.5, 2.5]})


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_tables_come_back_with_names_and_labels(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    write_table(path, FRAME.to_dict("list"))
    columns = read_columns(path, Wanted("kind"))
    assert columns.features == [("a", 1), ("b", 1)]
    np.testing.assert_array_equal(columns.X, [[1, 0.5], [2, 1.5], [3, 2.5]])
    assert columns.target.tolist() == ["x", "y", "x"]


def test_arrays_have_numbered_columns(tmp_path):
    X, y = np.arange(6.0).reshape(3, 2), np.array(["x", "y", "x"])
    np.savez(tmp_path / "table.npz", X=X, kind=y, other=np.ones((2, 2)))
    columns = read_columns(tmp_path / "table.npz", Wanted("kind"))
    assert columns.features == [("x0", 1), ("x1", 1)] and columns.target.tolist() == y.tolist()
    np.save(tmp_path / "table.npy", X)
    found = read_columns(tmp_path / "table.npy", Wanted("x1"))
    np.testing.assert_array_equal(found.target, X[:, 1])


def test_features_are_taken_by_name_in_the_order_asked_for(tmp_path):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    found = read_columns(tmp_path / "t.csv", Wanted(features=[("b", 1), ("a", 1)]))
    np.testing.assert_array_equal(found.X[0], [0.5, 1])


def test_columns_have_other_parts_than_features(tmp_path):
    frame = FRAME.assign(id=["01", "1", "2"], w=[1, 0, 2], g=["u", "u", "v"], note=["é", "", "z"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = read_columns(tmp_path / "t.csv", Wanted("kind", None, ["a"], ["id", "note"], "w", "g"))
    assert found.features == [("b", 1)]
    assert found.weights.tolist() == [1, 0, 2] and found.groups.tolist() == ["u", "u", "v"]
    assert found.kept["id"].tolist() == ["01", "1", "2"]
    assert found.kept["note"].tolist() == ["é", None, "z"]


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_a_column_of_lists_is_as_many_features(tmp_path, ending):
    path = tmp_path / f"t{ending}"
    lists = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]
    write_table(path, {"a": [1, 2, 3], "e": lists, "kind": ["x", "y", "x"]})
    found = read_columns(path, Wanted("kind"))
    assert found.features == [("a", 1), ("e", 3)]
    np.testing.assert_array_equal(found.X[:, 1:], lists)
    with pytest.raises(Complaint, match="column 'e' has 3 numbers, fitted on 2"):
        read_columns(path, Wanted(features=[("e", 2)]))


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize(
    ("lists", "text"),
    [
        ([["a"], ["b"], ["c"]], "is not of numbers; leave it out with --drop"),
        ([[], [], []], "is not of numbers; leave it out with --drop"),
        ([[[1]]] * 3, "is not of numbers; leave it out with --drop"),
        ([[1.0, 2.0], [3.0], [4.0, 5.0]], "has 1 numbers in row 1 and 2 in row 0; its lists must"),
        ([[1.0, 2.0], [3.0, 4.0], None], "is missing in row 2; fill or drop it"),
        ([None, [1.0, 2.0], [3.0, 4.0]], "is missing in row 0; fill or drop it"),
    ],
)
def test_lists_of_no_numbers_or_several_lengths_are_refused(tmp_path, ending, lists, text):
    path = tmp_path / f"t{ending}"
    write_table(path, {"e": lists, "kind": ["x", "y", "x"]})
    with pytest.raises(Complaint, match=f"column 'e' {text}"):
        read_columns(path, Wanted("kind"))


@pytest.mark.parametrize(
    ("frame", "wanted", "text"),
    [
        (FRAME, Wanted("sort"), r"t\.csv: no column 'sort'; there are 'a', 'kind', 'b'"),
        (FRAME, Wanted("kind", drop=["c"]), r"t\.csv: no column 'c'; there are 'a'"),
        (FRAME, Wanted("a"), r"t\.csv: column 'kind' is not of numbers"),
        (FRAME, Wanted(None, [("a", 1), ("c", 1)]), r"no column 'c', which the model was fitted"),
        (FRAME.assign(b=[1, np.nan, 2]), Wanted("kind"), "column 'b' is missing or .* in row 1"),
        (FRAME.assign(kind=["x", None, "y"]), Wanted("kind"), "'kind' has no label in row 1"),
        (FRAME.assign(kind=[1.0, 2.0, np.nan]), Wanted("kind"), "'kind' has no label in row 2"),
        (FRAME.assign(b=[1, -1, 1]), Wanted("kind", weights="b"), "'b' must hold weights of zero"),
        (FRAME, Wanted("a", weights="kind"), "'kind' is not of numbers; --weights needs a column"),
        (FRAME[["kind"]], Wanted("kind"), "no column is left"),
        (FRAME[:0], Wanted("kind"), "has no rows"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_with_file_and_column(tmp_path, frame, wanted, text):
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(Complaint, match=text):
        read_columns(tmp_path / "t.csv", wanted)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("t.xls", b"", r"t\.xls: unknown ending '\.xls'; give one of \.csv"),
        ("t.parquet", b"no parquet", r"t\.parquet: cannot be read as PARQUET"),
        ("t.npy", b"no array", r"t\.npy: cannot be read as NPY"),
        ("t.csv", b"", r"t\.csv: cannot be read as CSV"),
        ("t.csv", b"a,b\n\xff,1\n", r"t\.csv: cannot be read as CSV"),
        ("t.csv", b"a,y\n1,2,3\n", r"t\.csv: has a row of more fields than its 2 columns"),
    ],
)
def test_files_that_cannot_be_read_are_named(tmp_path, name, content, text):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Complaint, match=text):
        read_columns(tmp_path / name, Wanted("y"))


def test_labels_that_are_lists_are_refused(tmp_path):
    write_table(tmp_path / "t.parquet", {"a": [1, 2], "kind": [["x"], ["y"]]})
    with pytest.raises(Complaint, match="'kind' holds no text or number in row 0"):
        read_columns(tmp_path / "t.parquet", Wanted("kind"))


def test_pickles_inside_arrays_are_not_opened(tmp_path):
    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "sprung"),))

    np.save(tmp_path / "t.npy", np.array([[Trap()]], dtype=object), allow_pickle=True)
    with pytest.raises(Complaint, match="cannot be read"):
        read_columns(tmp_path / "t.npy", Wanted())
    assert not (tmp_path / "sprung").exists()
