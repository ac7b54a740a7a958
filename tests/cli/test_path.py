import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import LeaveOneGroupOut

from simplexcoding import SimplexRidgeClassifier


def test_the_table_is_written_whole_and_shown_in_part(command, flowers, tmp_path):
    out = command("path", flowers, "-t", "species", "--kernel=linear", "-o", tmp_path / "path.csv")
    found = pd.read_csv(tmp_path / "path.csv")
    assert len(found) == 100
    assert found["alpha"].is_monotonic_decreasing
    assert found["effective_dimension"].is_monotonic_increasing
    best = found["score"].max()
    assert f"left-out score {best:.4f}" in out
    assert out.count("\n") < 40


def test_interpolated_values_are_told_from_exact_ones(command, tmp_path):
    # Two thousand rows of a kernel: a few alphas are asked, the others interpolated.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    rows = pd.DataFrame(X, columns=["a", "b", "c"]).assign(label=(X[:, 0] > X[:, 1]).astype(int))
    rows.to_csv(tmp_path / "rows.csv", index=False)
    out = command(
        "path", tmp_path / "rows.csv", "-t", "label", "--kernel", "rbf", "-o", tmp_path / "p.csv"
    )
    shown = [line.split("\u2502")[1:-1] for line in out.splitlines() if line.startswith("\u2502")]
    answers = [(cells[-2].strip() != "", cells[-1].strip()) for cells in shown]
    assert {answer for _, answer in answers} == {"yes", "no"}
    assert all(known == (answer == "yes") for known, answer in answers)
    found = pd.read_csv(tmp_path / "p.csv")
    assert found["exact"].sum() < 10
    assert (found["effective_dimension"].notna() == found["exact"]).all()


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_the_figure_is_drawn_as_its_ending_says(command, flowers, tmp_path, ending, start):
    out = tmp_path / f"path.{ending}"
    command("path", flowers, "-t", "species", "--kernel", "rbf", "-o", out)
    assert out.read_bytes().startswith(start)


def test_json_holds_the_path(command, flowers):
    found = json.loads(command("path", flowers, "-t", "species", "--alphas", "1,10", "--json"))
    assert found["path"]["alpha"] == [10, 1] and len(found["path"]["score"]) == 2
    assert found["chosen"]["alpha"] in (1, 10) and found["written"] is None


def test_the_table_goes_to_standard_output_and_words_beside_it(outcome, flowers, tmp_path):
    line = ("path", flowers, "-t", "species", "--kernel=linear", "-o")
    outcome(*line, tmp_path / "path.csv")
    code, out, err = outcome(*line, "-")
    assert code == 0 and out == (tmp_path / "path.csv").read_text()
    assert out.startswith("alpha,score,") and "Chosen: alpha" in err


def test_weights_and_groups_are_those_of_the_program(command, flowers):
    frame = pd.read_csv(flowers)
    frame = frame.assign(times=np.arange(150) % 3, who=[f"g{k % 10}" for k in range(150)])
    frame.to_csv(flowers, index=False)
    line = ("path", flowers, "-t", "species", "--kernel=linear", "--json")
    found = json.loads(command(*line, "--weights", "times", "--groups", "who"))["path"]
    model = SimplexRidgeClassifier("linear", cv=LeaveOneGroupOut())
    X = frame[["length", "width", "petal", "sepal"]].to_numpy()
    model.fit(X, frame["species"], frame["times"], groups=frame["who"])
    assert found["score"] == pytest.approx(model.path_.score[0])
    assert found["squared_error"] == pytest.approx(model.path_.squared_error[0])
