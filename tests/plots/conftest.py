import matplotlib.pyplot
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _no_figure_stays_open():
    yield
    matplotlib.pyplot.close("all")
