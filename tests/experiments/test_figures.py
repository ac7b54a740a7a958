from base64 import b64decode

import pytest

from simplexcoding.experiments import figures

CURVE = {"x_label": "alpha", "x": [1.0, 0.1, 0.01], "y_label": "score", "y": [0.1, 0.9, 0.5]}
ROWS = [
    {
        "dataset": "iris",
        "method": "ls_linear",
        "accuracy": 75.0,
        "fit_seconds": 0.5,
        "curve": CURVE,
        "confusion": [[3, 1], [1, 3]],
    },
    {"dataset": "iris", "method": "ls_rbf", "error": "MemoryError"},
]
SERIES = [
    {
        "title": "S-RLS",
        "axis": axis,
        "values": [2, 4],
        "seconds": [1.0, 8.0],
        "slope": 3.0,
        "order": "3",
    }
    for axis in "nT"
]


def size(address):
    start = "data:image/png;base64,"
    assert address.startswith(start)
    data = b64decode(address.removeprefix(start))
    assert data.startswith(b"\x89PNG")
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


@pytest.mark.parametrize(
    ("draw", "given"),
    [
        (figures.paths, ROWS),
        (figures.confusions, ROWS),
        (figures.timings, ROWS),
        (figures.complexity, SERIES),
    ],
)
def test_each_figure_is_an_image_inside_an_address_and_absent_without_results(draw, given):
    width, height = size(draw(given))
    assert width > 250 and height > 100
    assert draw(given[:0]) is None


def test_more_methods_take_more_room():
    assert size(figures.paths(ROWS[:1] * 6)) > size(figures.paths(ROWS[:1]))


def test_level_sets_are_drawn():
    assert size(figures.level_sets())[0] > 700
