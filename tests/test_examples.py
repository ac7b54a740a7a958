"""Every example of the gallery runs."""

import runpy
from pathlib import Path

import matplotlib.pyplot
import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "docs" / "examples").glob("plot_*.py"))


def words_of(figure):
    """The titles that sphinx-gallery makes the alternative text of a picture of."""
    titles = [figure.get_suptitle()]
    titles += [ax.get_title(place) for ax in figure.axes for place in ("left", "center", "right")]
    return " ".join(titles).split()


@pytest.fixture(autouse=True)
def no_window():
    matplotlib.pyplot.switch_backend("agg")
    matplotlib.pyplot.close("all")  # Of other tests.
    yield
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_opens_with_a_title(path):
    runpy.run_path(str(path))
    assert matplotlib.pyplot.get_fignums(), "an example of the gallery draws a figure"
    for number in matplotlib.pyplot.get_fignums():
        assert len(words_of(matplotlib.pyplot.figure(number))) > 2, "words for who cannot see it"
    lines = path.read_text().splitlines()
    assert lines[0] == '"""' and set(lines[2]) == {"="} and len(lines[2]) == len(lines[1])
