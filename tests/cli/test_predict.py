import json

import numpy as np
import pandas as pd
import pytest

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.model_file import load_model

KINDS = ["setosa", "versicolor", "virginica"]


@pytest.fixture
def model(command, flowers, tmp_path):
    command("fit", flowers, "-t", "species", "--kernel", "rbf", "-o", tmp_path / "m")
    return tmp_path / "m"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_labels_and_probabilities_are_written(command, flowers, model, tmp_path, ending):
    frame = pd.read_csv(flowers)
    new = tmp_path / "new.csv"
    # Other columns and another order: features go by their names.
    frame[["sepal", "petal", "species", "width", "length"]].to_csv(new)
    out = tmp_path / f"out.{ending}"
    assert "150 rows" in command("predict", model, new, "-o", out, "--probabilities")
    found = pd.read_csv(out) if ending == "csv" else pd.read_parquet(out)
    fitted, X = load_model(model).model, frame.drop(columns="species").to_numpy()
    np.testing.assert_array_equal(found["species"], fitted.predict(X))
    shares = found[[f"p_{kind}" for kind in KINDS]].to_numpy()
    np.testing.assert_allclose(shares, fitted.predict_proba(X), rtol=1e-12)


def test_a_missing_column_is_named_and_nothing_written(command, flowers, model, tmp_path):
    pd.read_csv(flowers).drop(columns="petal").to_csv(tmp_path / "new.csv")
    with pytest.raises(Complaint, match=r"new\.csv: no column 'petal', which the model"):
        command("predict", model, tmp_path / "new.csv", "-o", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_sets_hold_the_label_and_the_kept_columns_stand_beside(command, flowers, model, tmp_path):
    frame = pd.read_csv(flowers)
    frame.insert(0, "id", [f"{k:04}" for k in range(150)])
    frame.to_csv(tmp_path / "new.csv", index=False)
    line = ("predict", model, tmp_path / "new.csv", "--coverage", 0.9, "--keep", "id")
    command(*line, "-o", tmp_path / "out.csv")
    found = pd.read_csv(tmp_path / "out.csv", dtype=str)
    assert list(found.columns) == ["id", "species", "species_set"]
    assert found["id"].tolist() == frame["id"].tolist()
    sets = [json.loads(text) for text in found["species_set"]]
    X = frame[["length", "width", "petal", "sepal"]].to_numpy()
    inside = load_model(model).estimator.predict_set(X, coverage=0.9)
    assert sets == [np.array(KINDS)[row].tolist() for row in inside]


def test_without_an_output_the_table_is_printed(command, flowers, model):
    lines = command("predict", model, flowers).splitlines()
    assert lines[0] == "species" and len(lines) == 151


def test_json_holds_the_predictions_unless_they_are_written(command, flowers, model, tmp_path):
    found = json.loads(command("predict", model, flowers, "--json", "-p", "--coverage", 0.5))
    assert found["rows"] == len(found["predictions"]) == 150
    first = found["predictions"][0]
    assert first["species"] == "setosa" and first["species_set"] == ["setosa"]
    X = pd.read_csv(flowers).drop(columns="species").to_numpy()
    share = load_model(model).model.predict_proba(X[:1])[0, 0]
    assert first["p_setosa"] == pytest.approx(share, rel=1e-12)
    out = tmp_path / "out.csv"
    found = json.loads(command("predict", model, flowers, "--json", "-o", out))
    assert found == {"rows": 150, "written": str(out)}


def test_sets_need_left_out_scores(command, flowers, tmp_path):
    command("fit", flowers, "-t", "species", "--loss", "exponential", "-o", tmp_path / "m")
    with pytest.raises(Complaint, match="--coverage: SimplexBoostingClassifier has no left-out"):
        command("predict", tmp_path / "m", flowers, "--coverage", 0.9)
    command("fit", flowers, "-t", "species", "--loss", "cone", "--C", "1", "-o", tmp_path / "m")
    with pytest.raises(Complaint, match=r"SimplexSVC .*; fit it with --calibration temperature"):
        command("predict", tmp_path / "m", flowers, "--coverage", 0.9)
