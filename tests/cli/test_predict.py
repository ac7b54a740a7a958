import numpy as np
import pandas as pd
import pytest

from simplexcoding.cli.complaint import Complaint


@pytest.fixture
def model(command, flowers, tmp_path):
    command("fit", flowers, "-t", "species", "--kernel", "rbf", "-o", tmp_path / "m")
    return tmp_path / "m"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_labels_and_probabilities_of_columns_in_any_order(
    command, flowers, model, tmp_path, ending
):
    frame = pd.read_csv(flowers)
    new = tmp_path / "new.csv"
    frame[["sepal", "petal", "species", "width", "length"]].to_csv(new)
    out = tmp_path / f"out.{ending}"
    assert "150 rows" in command("predict", model, new, "-o", out, "--probabilities")
    found = pd.read_csv(out) if ending == "csv" else pd.read_parquet(out)
    assert (found["species"] == frame["species"]).mean() > 0.95
    shares = found[["p_setosa", "p_versicolor", "p_virginica"]].to_numpy()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    labels = np.array(["setosa", "versicolor", "virginica"])
    np.testing.assert_array_equal(labels[shares.argmax(axis=1)], found["species"])


def test_a_missing_column_is_named_and_nothing_written(command, flowers, model, tmp_path):
    pd.read_csv(flowers).drop(columns="petal").to_csv(tmp_path / "new.csv")
    with pytest.raises(Complaint, match=r"new\.csv: no column 'petal', which the model"):
        command("predict", model, tmp_path / "new.csv", "-o", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
