import json

import numpy as np
import pandas as pd
import pyarrow.parquet

from simplexcoding.cli.writing import arrow_types, table_writer, write_table


def test_lists_are_lists_in_parquet_and_json_in_csv(tmp_path):
    columns = {"kind": ["a", "b"], "kind_set": [["a"], ["a", "b,c"]]}
    for ending in ("csv", "parquet"):
        write_table(tmp_path / f"t.{ending}", columns)
    text = pd.read_csv(tmp_path / "t.csv")["kind_set"]
    assert [json.loads(each) for each in text] == columns["kind_set"]
    found = pd.read_parquet(tmp_path / "t.parquet")["kind_set"]
    assert [list(each) for each in found] == columns["kind_set"]


def test_the_first_piece_need_not_show_the_types(tmp_path):
    types = arrow_types({"id": [None, 3], "set": [["a"]], "text": np.array(["x"], dtype=object)})
    path = tmp_path / "t.parquet"
    with table_writer(path, types) as writer:
        writer.write({"id": [None, None], "set": [[], []], "text": [None, None], "p": [1.0, 2.0]})
        writer.write({"id": [7, None], "set": [["a"], []], "text": [None, "x"], "p": [3.0, 4.0]})
    found = pyarrow.parquet.read_table(path).to_pydict()
    assert found == {
        "id": [None, None, 7, None],
        "set": [[], [], ["a"], []],
        "text": [None, None, None, "x"],
        "p": [1.0, 2.0, 3.0, 4.0],
    }
