from simplexcoding.datasets import CATALOGUE
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.published import PUBLISHED, published


def test_every_figure_belongs_to_a_row_and_a_column_of_ours():
    for method, figures in PUBLISHED.items():
        assert METHODS[method].in_paper
        assert list(figures) == [name for name in CATALOGUE if name != "caltech101"]
        assert all(0 < figure < 100 for figure in figures.values())


def test_there_is_no_figure_for_features_that_were_never_published():
    assert published("ls_rbf", "caltech101") is None
    assert published("ova_rbf", "letter") is None
    assert published("sh_online", "letter") == 38.40
