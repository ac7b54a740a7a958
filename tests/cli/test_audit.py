import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import LeaveOneGroupOut

from simplexcoding import SimplexRidgeClassifier, audit_labels


@pytest.fixture
def changed(flowers):
    """The flowers with one label changed, and an id."""
    frame = pd.read_csv(flowers)
    frame.loc[7, "species"] = "virginica"
    frame["id"] = [f"{k:03}" for k in range(150)]
    frame.to_csv(flowers, index=False)
    return flowers


def test_a_label_that_was_changed_comes_first(command, changed, tmp_path):
    line = ("audit", changed, "-t", "species", "--top", 3, "--drop", "id")
    out = command(*line, "-o", tmp_path / "out.csv")
    found = pd.read_csv(tmp_path / "out.csv")
    assert found["row"][0] == 7 and len(found) == 150
    assert (found["given"][0], found["suggested"][0]) == ("virginica", "setosa")
    assert "150 labels: " in out and "contradicted" in out
    assert out.count("\n") < 15


def test_kept_columns_stand_beside_their_label(command, changed):
    out = command("audit", changed, "-t", "species", "--keep", "id", "--json", "--top", 2)
    found = json.loads(out)
    assert len(found["suspects"]) == 2 and found["labels"] == 150
    assert (found["suspects"][0]["row"], found["suspects"][0]["id"]) == (7, "007")


@pytest.mark.parametrize(
    "labels", [("[/bold]", "[red]", "[link=x]"), ("a" * 70 + "1", "a" * 70 + "2", "b")]
)
def test_any_label_can_be_shown_at_80_columns(command, flowers, labels, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    frame = pd.read_csv(flowers)
    frame["species"] = frame["species"].map(
        dict(zip(frame["species"].unique(), labels, strict=True))
    )
    frame.loc[120, "species"] = labels[1]
    frame.to_csv(flowers, index=False)
    out = command("audit", flowers, "-t", "species", "--top", 5)
    assert max(len(line) for line in out.splitlines()) <= 80
    rows = [line.split("\u2502")[1:-1] for line in out.splitlines() if line.startswith("\u2502")]
    text = "".join(row[1].strip() for row in rows), "".join(row[2].strip() for row in rows)
    assert labels[1] in text[0] and labels[1 if labels[1] in text[1] else 2] in text[1]


def test_only_contradicted_rows_are_shown_under_headings_that_fit(command, changed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    line = ("audit", changed, "-t", "species", "--top", 150, "--keep", "id")
    found = json.loads(command(*line, "--json"))
    assert 0 < found["contradicted"] == len(found["suspects"]) < 150
    assert all(row["given"] != row["suggested"] for row in found["suspects"])
    headings = [text for text in command(*line).splitlines() if text.startswith("\u2503")]
    words = {word for text in headings for word in text.replace("\u2503", " ").split()}
    assert words == {"row", "given", "suggested", "p", "score", "id"}


def test_a_sentence_stands_under_its_row(command, changed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    frame = pd.read_csv(changed, dtype={"id": str})
    frame["said"] = [f"Where is the card number {k} that I asked for?" for k in range(150)]
    frame.to_csv(changed, index=False)
    line = ("audit", changed, "-t", "species", "--top", 2, "--keep", "id", "--keep", "said")
    out = command(*line).splitlines()
    assert max(len(text) for text in out) <= 80
    place = next(k for k, text in enumerate(out) if " 007 " in text)
    assert "said: Where is the card number 7 that I asked for?" in out[place + 1]
    assert not any("said" in text for text in out if text.startswith("\u2503"))


def test_every_row_goes_to_standard_output_and_words_beside_it(outcome, changed, tmp_path):
    line = ("audit", changed, "-t", "species", "--keep", "id", "--top", 3, "-o")
    outcome(*line, tmp_path / "out.csv")
    code, out, err = outcome(*line, "-")
    assert code == 0 and out == (tmp_path / "out.csv").read_text()
    assert "150 labels: " in err and "contradicted" in err


def test_weights_and_groups_are_those_of_the_program(command, changed):
    frame = pd.read_csv(changed).drop(columns="id")
    frame = frame.assign(times=np.arange(150) % 3, who=[f"g{k % 10}" for k in range(150)])
    frame.to_csv(changed, index=False)
    line = ("audit", changed, "-t", "species", "--top", 150, "--json")
    found = json.loads(command(*line, "--weights", "times", "--groups", "who"))["suspects"]
    model = SimplexRidgeClassifier("rbf", cv=LeaveOneGroupOut())
    X = frame[["length", "width", "petal", "sepal"]].to_numpy()
    model.fit(X, frame["species"], frame["times"], groups=frame["who"])
    expected = audit_labels(model, frame["species"])
    assert [row["row"] for row in found] == expected.row[: expected.n_contradicted].tolist()
    scores = [row["score"] for row in found]
    assert scores == pytest.approx(expected.score[: expected.n_contradicted])
    plain = json.loads(command(*line, "--drop", "times", "--drop", "who"))["suspects"]
    assert [row["score"] for row in plain] != pytest.approx(scores)
