import json
import os
import stat

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import LeaveOneGroupOut

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
    assert [name for name, _ in found.features] == ["length", "width", "petal", "sepal"]


def test_standardising_makes_the_units_of_a_feature_irrelevant(command, flowers, tmp_path):
    frame = pd.read_csv(flowers)
    frame["length"] *= 1000
    frame.to_csv(tmp_path / "other.csv", index=False)
    for name in ("flowers", "other"):
        data = tmp_path / f"{name}.csv"
        command(
            "fit", data, "-t", "species", "-o", tmp_path / name, "--standardise", "--kernel=linear"
        )
    one, two = (load_model(tmp_path / name).estimator for name in ("flowers", "other"))
    np.testing.assert_allclose(one.coef_, two.coef_, atol=1e-8)


def test_a_column_that_cannot_be_learnt_is_named(command, flowers, tmp_path):
    frame = pd.read_csv(flowers).assign(species="setosa")
    frame.to_csv(flowers, index=False)
    with pytest.raises(Complaint, match=r"flowers\.csv: column 'species' cannot be learnt: .* one"):
        command("fit", flowers, "-t", "species", "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("options", "key"),
    [
        (["--loss", "cone", "--C", "0.1,1,10"], "C"),
        (["--loss", "cone", "--online", "--alphas", "0.1,0.01"], "alpha"),
        (["--online"], "alpha"),
        (["--kernel", "rbf", "--gamma", "0.1,1"], "gamma"),
    ],
)
def test_json_tells_the_choice_and_its_score(command, flowers, tmp_path, options, key):
    out = command("fit", flowers, "-t", "species", "-o", tmp_path / "m", "--json", *options)
    found = json.loads(out)
    assert found["rows"] == 150 and found["classes"] == ["setosa", "versicolor", "virginica"]
    assert key in found["chosen"] and 0.6 < found["chosen"]["left_out_score"] <= 1


def test_boosted_trees_tell_their_rounds(command, flowers, tmp_path):
    out = command("fit", flowers, "-t", "species", "-o", tmp_path / "m", "--boosting")
    fitted = load_model(tmp_path / "m").estimator
    assert f"Chosen: n_estimators {fitted.n_estimators_}" in out
    least = fitted.validation_score_.min()
    assert out.splitlines()[0] == (
        f"SimplexBoostingClassifier: 150 rows, 4 features, 3 classes; left-out log-loss {least:.4f}"
    )


def test_labels_that_differ_in_spelling_stay_apart(command, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=90), "kind": ["007", "7", "0x7"] * 30})
    frame.to_csv(tmp_path / "d.csv", index=False)
    command("fit", tmp_path / "d.csv", "-t", "kind", "-o", tmp_path / "m")
    assert load_model(tmp_path / "m").estimator.classes_.tolist() == ["007", "0x7", "7"]


def test_links_devices_and_modes_stay_what_they_are(command, flowers, tmp_path):
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_bytes(b"")
    target.chmod(0o600)
    link.symlink_to(target)
    for output in (link, "/dev/null"):
        command("fit", flowers, "-t", "species", "-o", output)
    assert link.is_symlink() and stat.S_IMODE(target.stat().st_mode) == 0o600
    assert load_model(target).target == "species"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_parameter_of_a_wrong_kind_is_named(command, flowers, tmp_path):
    for option, value in (("--kernel", "sigmoid"), ("--gamma", "wide"), ("--alphas", "-1")):
        with pytest.raises(Complaint, match=option.strip("-")):
            command("fit", flowers, "-t", "species", "-o", tmp_path / "m", option, value)


def test_weights_and_groups_are_those_of_the_program(command, flowers, tmp_path):
    frame = pd.read_csv(flowers)
    frame = frame.assign(times=np.arange(150) % 3, who=[f"g{k % 10}" for k in range(150)])
    frame.to_csv(flowers, index=False)
    line = ("fit", flowers, "-t", "species", "--kernel=linear", "-o", tmp_path / "m", "--json")
    found = json.loads(command(*line, "--weights", "times", "--groups", "who"))["chosen"]
    model = SimplexRidgeClassifier("linear", cv=LeaveOneGroupOut())
    X = frame[["length", "width", "petal", "sepal"]].to_numpy()
    model.fit(X, frame["species"], frame["times"], groups=frame["who"])
    assert found["alpha"] == pytest.approx(model.alpha_)
    assert np.allclose(load_model(tmp_path / "m").model.coef_, model.coef_)
