"""Every example of the gallery runs."""

import runpy
from pathlib import Path

import matplotlib.pyplot
import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "docs" / "examples").glob("plot_*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_opens_with_a_title(path):
    matplotlib.pyplot.switch_backend("agg")
    runpy.run_path(str(path))
    assert matplotlib.pyplot.get_fignums(), "an example of the gallery draws a figure"
    matplotlib.pyplot.close("all")
    lines = path.read_text().splitlines()
    assert lines[0] == '"""' and set(lines[2]) == {"="} and len(lines[2]) == len(lines[1])
