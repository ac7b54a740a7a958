import numpy as np
import pandas as pd
import pytest

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.model_file import load_model


def test_the_model_written_is_the_one_fitted_in_python(command, flowers, tmp_path):
    out = command("fit", flowers, "--target", "species", "--kernel", "rbf", "-o", tmp_path / "m")
    assert "SimplexRidgeClassifier: 150 rows, 4 features, 3 classes" in out
    assert f"Written: {tmp_path / 'm'}" in out
    frame = pd.read_csv(flowers)
    X = frame.drop(columns="species").to_numpy()
    expected = SimplexRidgeClassifier("rbf").fit(X, frame["species"].to_numpy(dtype=object))
    found = load_model(tmp_path / "m")
    np.testing.assert_allclose(found.estimator.dual_coef_, expected.dual_coef_, atol=1e-6)
    assert found.features == ["length", "width", "petal", "sepal"]


def test_standardising_makes_the_units_of_a_feature_irrelevant(command, flowers, tmp_path):
    frame = pd.read_csv(flowers)
    frame["length"] *= 1000
    frame.to_csv(tmp_path / "other.csv", index=False)
    for name in ("flowers", "other"):
        data = tmp_path / f"{name}.csv"
        command("fit", data, "-t", "species", "-o", tmp_path / name, "--standardise")
    one, two = (load_model(tmp_path / name).estimator for name in ("flowers", "other"))
    np.testing.assert_allclose(one.coef_, two.coef_, atol=1e-8)


def test_a_column_that_cannot_be_learnt_is_named(command, flowers, tmp_path):
    frame = pd.read_csv(flowers).assign(species="setosa")
    frame.to_csv(flowers, index=False)
    with pytest.raises(Complaint, match=r"flowers\.csv: column 'species' cannot be learnt: .* one"):
        command("fit", flowers, "-t", "species", "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()
