from contextlib import redirect_stdout
from io import StringIO

import pytest

from simplexcoding.demo import main

FILES = {
    "simplex_code.png",
    "level_sets.png",
    "level_sets_all.png",
    "theory_table.txt",
    "consistency.txt",
    "results.json",
    "report.html",
}


@pytest.fixture(scope="module")
def tour(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tour") / "new" / "folder"
    with redirect_stdout(StringIO()) as text:
        status = main(["--output", str(folder), "--datasets", "iris"])
    return folder, status, text.getvalue()


def test_writes_what_it_names_and_names_what_it_writes(tour):
    folder, status, text = tour
    assert status == 0
    assert {path.name for path in folder.iterdir()} == FILES
    ending = text.split("Written:")[1].replace("Report:", "")
    assert set(ending.split()) == {str(folder / name) for name in FILES}


def test_ends_by_naming_the_report(tour):
    folder, _, text = tour
    assert text.splitlines()[-1] == f"Report: {folder / 'report.html'}"


def test_figures_are_images_of_some_size(tour):
    folder, _, _ = tour
    for path in folder.glob("*.png"):
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG")
        width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
        assert width >= 700 and height >= 400


def test_prints_the_table_and_both_kinds_of_finding(tour):
    folder, _, text = tour
    assert (folder / "theory_table.txt").read_text().strip() in text
    assert "LeastSquares(): no failure in 2000 distributions" in text
    assert "RelativeHinge(): at P = " in text
    assert "HalfSpaceHinge(hull=False): at P = " in text
    assert "S-LS rbf batch" in text and "standardised features" in text
