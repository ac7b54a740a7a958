import json
import re

import numpy as np
import pandas as pd
import pytest

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.model_file import load_model


@pytest.fixture
def model(command, flowers, tmp_path):
    command(
        "fit", flowers, "-t", "species", "--kernel", "rbf", "--standardise", "-o", tmp_path / "m"
    )
    return tmp_path / "m"


def test_measures_are_those_of_scikit_learn(command, flowers, model):
    from sklearn.metrics import accuracy_score, balanced_accuracy_score, log_loss

    frame = pd.read_csv(flowers)[::2]
    frame.to_csv(flowers, index=False)
    found = json.loads(command("score", model, flowers, "--json"))
    fitted = load_model(model).model
    X, y = frame.drop(columns="species").to_numpy(), frame["species"]
    assert found["accuracy"] == pytest.approx(accuracy_score(y, fitted.predict(X)))
    balanced = balanced_accuracy_score(y, fitted.predict(X))
    assert found["balanced_accuracy"] == pytest.approx(balanced)
    assert found["log_loss"] == pytest.approx(log_loss(y, fitted.predict_proba(X)))
    assert found["rows"] == 75 and found["coverage_asked"] == 0.9
    assert 0.8 < found["coverage"] <= 1 and found["labels_per_set"] >= 1


def test_weighted_measures_are_those_of_the_rows_repeated(command, flowers, model, tmp_path):
    frame = pd.read_csv(flowers)
    frame.loc[::7, "species"] = "virginica"
    times = np.random.default_rng(0).integers(0, 4, len(frame))
    frame.loc[frame.index.repeat(times)].to_csv(tmp_path / "repeated.csv", index=False)
    frame.assign(times=times).to_csv(tmp_path / "weighted.csv", index=False)
    line = ("score", model, tmp_path / "weighted.csv", "--json")
    found = json.loads(command(*line, "--weights", "times"))
    expected = json.loads(command("score", model, tmp_path / "repeated.csv", "--json"))
    assert found.pop("rows") == 150 and expected.pop("rows") == times.sum()
    assert found == pytest.approx(expected, rel=1e-12)
    assert found["accuracy"] != json.loads(command(*line))["accuracy"]
    with pytest.raises(Complaint, match="--weights length: is a feature of the model"):
        command(*line, "--weights", "length")
    frame.assign(times=0).to_csv(tmp_path / "weighted.csv", index=False)
    with pytest.raises(Complaint, match=r"weighted\.csv: column 'times' has no weight above zero"):
        command(*line, "--weights", "times")


def test_the_table_is_for_people(command, flowers, model):
    out = command("score", model, flowers)
    assert "balanced accuracy" in out and "log loss" in out


def test_the_labels_may_stand_under_another_name(command, flowers, model, tmp_path):
    pd.read_csv(flowers).rename(columns={"species": "truth"}).to_csv(tmp_path / "n.csv")
    found = json.loads(command("score", model, tmp_path / "n.csv", "-t", "truth", "--json"))
    assert found == json.loads(command("score", model, flowers, "--json"))
    with pytest.raises(Complaint, match=r"n\.csv: no column 'species'"):
        command("score", model, tmp_path / "n.csv")


def test_a_feature_of_the_model_is_no_target(command, flowers, model):
    feature = pd.read_csv(flowers).columns[0]
    with pytest.raises(Complaint, match=f"--target {re.escape(feature)}: is a feature of the"):
        command("score", model, flowers, "-t", feature)


def test_labels_that_the_model_does_not_know_are_counted_wrong(command, flowers, model):
    frame = pd.read_csv(flowers)
    frame.loc[frame["species"] == "setosa", "species"] = "lily"
    frame.to_csv(flowers, index=False)
    found = json.loads(command("score", model, flowers, "--json"))
    X = frame.drop(columns="species").to_numpy()
    right = load_model(model).model.predict(X) == frame["species"]
    assert found["labels_unknown_to_the_model"] == 50 and found["accuracy"] == right.mean()
    frame.assign(species="lily").to_csv(flowers, index=False)
    with pytest.raises(Complaint, match="no label of column 'species' is one the model knows"):
        command("score", model, flowers)


def test_numbers_and_text_are_compared_as_the_model_has_them(command, tmp_path):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    frame = pd.DataFrame({"x": y + 0.01 * rng.normal(size=60), "kind": y})
    frame.to_csv(tmp_path / "d.csv", index=False)
    frame.to_parquet(tmp_path / "d.parquet", index=False)
    frame.assign(kind=[f"0{k}" for k in y]).to_csv(tmp_path / "text.csv", index=False)
    for data, model in (("d.csv", "m"), ("text.csv", "t")):
        command("fit", tmp_path / data, "-t", "kind", "--kernel=rbf", "-o", tmp_path / model)
    for data, model in (("d.csv", "m"), ("d.parquet", "m"), ("text.csv", "t")):
        found = json.loads(command("score", tmp_path / model, tmp_path / data, "--json"))
        assert found["accuracy"] == 1
