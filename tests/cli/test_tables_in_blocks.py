import pickle

import numpy as np
import pandas as pd
import pytest

from simplexcoding.cli import tables_in_blocks
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.tables import Wanted, read_columns
from simplexcoding.cli.tables_in_blocks import is_streamed, open_table

rng = np.random.default_rng(0)
frame = pd.DataFrame(rng.normal(size=(50, 2)), columns=["a", "b"])
frame["label"] = rng.choice([7, 8], 50)
frame["w"] = 2.0


@pytest.fixture(params=[".csv", ".parquet"])
def path(request, tmp_path):
    path = tmp_path / f"table{request.param}"
    if request.param == ".csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, row_group_size=20)
    return path


def test_blocks_hold_what_reading_whole_holds(path, monkeypatch):
    monkeypatch.setattr(tables_in_blocks, "rows_for", lambda width: 8)
    wanted = Wanted("label", weights="w")
    whole, table = read_columns(path, wanted), open_table(path, wanted)
    parts = pickle.loads(pickle.dumps(table.source.parts))
    blocks = [block for part in parts for block in part]
    assert max(len(block.y) for block in blocks) <= 8
    assert table.features == whole.features
    assert table.n_rows == table.source.n_rows == 50
    assert np.array_equal(np.concatenate([block.X for block in blocks]), whole.X)
    labels = np.concatenate([block.y for block in blocks])
    assert labels.dtype.kind == "i"
    assert np.array_equal(labels, whole.target)
    assert np.array_equal(np.concatenate([block.weight for block in blocks]), whole.weights)


def test_answers_of_many_numbers_take_blocks_of_fewer_rows(path):
    rows = [open_table(path, Wanted("label"), n).parts[0].rows for n in (1, 2**14, 2**20)]
    assert rows == [2**16, 256, 256]


def test_labels_are_integers_in_every_block_or_in_none(tmp_path, monkeypatch):
    monkeypatch.setattr(tables_in_blocks, "rows_for", lambda width: 2)
    path = tmp_path / "t.csv"
    path.write_text("a,label\n1,1\n2,2\n3,007\n4,1\n")
    labels = [label for block in open_table(path, Wanted("label")).source for label in block.y]
    assert labels == ["1", "2", "007", "1"]


def test_a_folder_is_one_table(tmp_path):
    frame[:30].to_csv(tmp_path / "one.csv", index=False)
    frame[30:].to_parquet(tmp_path / "two.parquet")
    (tmp_path / "notes.txt").write_text("")
    table = open_table(tmp_path, Wanted("label", drop=["w"]))
    assert table.n_rows == 50
    assert np.array_equal(np.concatenate([block.y for block in table.source]), frame["label"])


def test_what_is_streamed(path, tmp_path, monkeypatch):
    assert not is_streamed(path, None)
    assert is_streamed(path, True)
    assert is_streamed(tmp_path, None)
    monkeypatch.setattr(tables_in_blocks, "LARGEST_IN_MEMORY", 10)
    assert is_streamed(path, None)
    assert not is_streamed(path, False)
    with pytest.raises(Complaint, match="is no CSV or Parquet file"):
        is_streamed(tmp_path / "x.npz", True)


def test_complaints_name_the_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(tables_in_blocks, "rows_for", lambda width: 512)
    path = tmp_path / "t.csv"
    path.write_text("a,label\n" + "1,x\n" * 1026 + ",y\n")
    with pytest.raises(Complaint, match=r"t.csv, rows from 1024 on: column 'a' .* in row 2"):
        list(open_table(path, Wanted("label")).source)
    with pytest.raises(Complaint, match="no column 'b'"):
        open_table(path, Wanted("b"))
    with pytest.raises(Complaint, match="no such file"):
        open_table(tmp_path / "none.csv", Wanted("label"))
    (tmp_path / "bad.parquet").write_text("no")
    with pytest.raises(Complaint, match="cannot be read"):
        open_table(tmp_path / "bad.parquet", Wanted("label"))
