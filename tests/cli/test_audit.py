import json

import pandas as pd
import pytest


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
