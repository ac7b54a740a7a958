import os

import numpy as np
import pandas as pd
import pytest

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.tables import read_columns, save, write_table

FRAME = pd.DataFrame({"a": [1, 2, 3], "kind": ["x", "y", "x"], "b": [0.5, 1.5, 2.5]})


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_tables_come_back_with_names_and_labels(tmp_path, ending):
    path = tmp_path / f"table{ending}"
    write_table(path, FRAME.to_dict("list"))
    columns = read_columns(path, "kind")
    assert columns.names == ["a", "b"]
    np.testing.assert_array_equal(columns.X, [[1, 0.5], [2, 1.5], [3, 2.5]])
    assert columns.target.tolist() == ["x", "y", "x"]


def test_arrays_have_numbered_columns(tmp_path):
    X, y = np.arange(6.0).reshape(3, 2), np.array(["x", "y", "x"])
    np.savez(tmp_path / "table.npz", X=X, kind=y, other=np.ones((2, 2)))
    columns = read_columns(tmp_path / "table.npz", "kind")
    assert columns.names == ["x0", "x1"] and columns.target.tolist() == y.tolist()
    np.save(tmp_path / "table.npy", X)
    np.testing.assert_array_equal(read_columns(tmp_path / "table.npy", "x1").target, X[:, 1])


def test_features_are_taken_by_name_in_the_order_asked_for(tmp_path):
    FRAME.to_csv(tmp_path / "t.csv")
    np.testing.assert_array_equal(read_columns(tmp_path / "t.csv", None, ["b", "a"]).X[0], [0.5, 1])


@pytest.mark.parametrize(
    ("frame", "target", "wanted", "text"),
    [
        (FRAME, "sort", None, r"t\.csv: no column 'sort'; there are 'a', 'kind', 'b'"),
        (FRAME, "a", None, r"t\.csv: column 'kind' is not of numbers"),
        (FRAME, None, ["a", "c"], r"t\.csv: no column 'c', which the model was fitted on"),
        (FRAME.assign(b=[1, np.nan, 2]), "kind", None, "column 'b' is missing or .* in row 1"),
        (FRAME.assign(kind=["x", None, "y"]), "kind", None, "'kind' has no label in row 1"),
        (FRAME.assign(kind=[1.0, 2.0, np.nan]), "kind", None, "'kind' has no label in row 2"),
        (FRAME[["kind"]], "kind", None, "no column is left"),
        (FRAME[:0], "kind", None, "has no rows"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_with_file_and_column(
    tmp_path, frame, target, wanted, text
):
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(Complaint, match=text):
        read_columns(tmp_path / "t.csv", target, wanted)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("t.xls", b"", r"t\.xls: unknown ending '\.xls'; give one of \.csv"),
        ("t.parquet", b"no parquet", r"t\.parquet: cannot be read as PARQUET"),
        ("t.npy", b"no array", r"t\.npy: cannot be read as NPY"),
        ("t.csv", b"", r"t\.csv: cannot be read as CSV"),
    ],
)
def test_files_that_cannot_be_read_are_named(tmp_path, name, content, text):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(Complaint, match=text):
        read_columns(tmp_path / name, "y")


def test_pickles_inside_arrays_are_not_opened(tmp_path):
    class Trap:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "sprung"),))

    np.save(tmp_path / "t.npy", np.array([[Trap()]], dtype=object), allow_pickle=True)
    with pytest.raises(Complaint, match="cannot be read"):
        read_columns(tmp_path / "t.npy", None)
    assert not (tmp_path / "sprung").exists()


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Complaint, match=r"file/out\.csv: cannot be written"):
        save(tmp_path / "file" / "out.csv", b"")
    with pytest.raises(Complaint, match=r"unknown ending '\.txt'"):
        write_table(tmp_path / "out.txt", {"a": [1]})
