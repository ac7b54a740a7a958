import json

import pandas as pd

from simplexcoding.cli.writing import write_table


def test_lists_are_lists_in_parquet_and_json_in_csv(tmp_path):
    columns = {"kind": ["a", "b"], "kind_set": [["a"], ["a", "b,c"]]}
    for ending in ("csv", "parquet"):
        write_table(tmp_path / f"t.{ending}", columns)
    text = pd.read_csv(tmp_path / "t.csv")["kind_set"]
    assert [json.loads(each) for each in text] == columns["kind_set"]
    found = pd.read_parquet(tmp_path / "t.parquet")["kind_set"]
    assert [list(each) for each in found] == columns["kind_set"]
