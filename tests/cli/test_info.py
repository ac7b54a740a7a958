import json


def test_it_tells_what_the_file_holds(command, flowers, tmp_path):
    command("fit", flowers, "-t", "species", "--kernel", "rbf", "-o", tmp_path / "m")
    out = command("info", tmp_path / "m")
    lines = {line.split("  ")[0].strip(): line for line in out.splitlines()}
    assert "SimplexRidgeClassifier" in lines["model"]
    assert "3: setosa, versicolor, virginica" in lines["classes"]
    assert "4: length, width, petal, sepal" in lines["features"]
    assert "rbf" in lines["parameter kernel"]
    assert "best_score_" in lines and "release" in lines["written by"]
    assert lines["standardised"].split()[-1] == "no"
    assert len({line.index(line.split("  ")[-1].strip(), 10) for line in out.splitlines()}) == 1


def test_json_holds_all_of_it(command, flowers, tmp_path):
    command("fit", flowers, "-t", "species", "--standardise", "-o", tmp_path / "m")
    found = json.loads(command("info", tmp_path / "m", "--json"))
    assert found["target"] == "species" and found["standardised"] is True
    assert found["parameters"]["calibration"] == "auto"
    assert 0.8 < found["best_score_"] <= 1
