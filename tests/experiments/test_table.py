import pytest

from simplexcoding.experiments.table import Entry, Table, notes


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Entry(97.0, 96.48), "97.00 (96.48, +0.52)"),
        (Entry(90.5, None), "90.50"),
        (Entry(None, 96.48), "- (96.48)"),
        (Entry(None, None), ""),
        (Entry(None, 96.48, "MemoryError"), "failed"),
    ],
)
def test_an_entry_shows_ours_the_papers_and_the_difference(entry, text):
    assert str(entry) == text


ROWS = [
    {"dataset": "letter", "features": "raw", "method": "ls_rbf", "accuracy": 97.0},
    {"dataset": "landsat", "features": "raw", "method": "ls_linear", "accuracy": 65.0},
    {"dataset": "caltech101", "features": "raw", "method": "ls_rbf", "accuracy": 95.0},
    {"dataset": "landsat", "features": "standardised", "method": "ls_rbf", "accuracy": 91.0},
]


def test_rows_and_columns_are_in_the_papers_order_and_one_kind_of_features_alone():
    table = Table.of(ROWS, "raw")
    assert table.lines() == [
        ["method", "chosen by", "Landsat", "Letter", "Caltech101 (CLIP)"],
        ["S-LS batch", "leave-one-out", "65.00 (65.88, -0.88)", "- (54.96)", ""],
        ["S-LS rbf batch", "leave-one-out", "- (90.15)", "97.00 (96.48, +0.52)", "95.00"],
    ]


def test_markdown_is_the_same_table():
    lines = Table.of(ROWS[:1], "raw").markdown().splitlines()
    assert lines == [
        "| method | chosen by | Letter |",
        "| --- | --- | ---: |",
        "| S-LS rbf batch | leave-one-out | 97.00 (96.48, +0.52) |",
    ]


def test_notes_warn_of_features_other_than_the_papers():
    (note,) = notes(["letter", "caltech101"])
    assert "not the features of the paper" in note
