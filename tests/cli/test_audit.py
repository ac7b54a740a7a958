import pandas as pd


def test_a_label_that_was_changed_comes_first(command, flowers, tmp_path):
    frame = pd.read_csv(flowers)
    frame.loc[7, "species"] = "virginica"
    frame.to_csv(flowers, index=False)
    out = command("audit", flowers, "-t", "species", "--top", 3, "-o", tmp_path / "out.csv")
    found = pd.read_csv(tmp_path / "out.csv")
    assert found["row"][0] == 7 and len(found) == 150
    assert (found["given"][0], found["suggested"][0]) == ("virginica", "setosa")
    assert "150 labels: " in out and "contradicted" in out
    assert out.count("\n") < 15
