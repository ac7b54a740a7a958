from simplexcoding.datasets import CATALOGUE
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.published import COLUMNS, OWN_FEATURES, PUBLISHED, published


def test_every_cell_of_the_paper_is_here():
    """Eight rows by seven columns, of which boosting leaves two empty."""
    assert all(METHODS[method].in_paper for method in PUBLISHED)
    assert sum(len(figures) for figures in PUBLISHED.values()) == 8 * 7 - 2
    assert list(PUBLISHED["ova_rbf"]) == list(COLUMNS)
    assert PUBLISHED["ova_rbf"]["letter"] == 97.12
    assert PUBLISHED["ova_linear"]["pubfig83"] == 85.97
    assert PUBLISHED["sh_online"]["caltech101"] == 45.0
    assert "pubfig83" not in PUBLISHED["boosting"]
    assert all(0 < figure < 100 for row in PUBLISHED.values() for figure in row.values())


def test_ours_stand_beside_the_paper_only_where_the_features_are_the_same():
    for method in PUBLISHED:
        for dataset in CATALOGUE:
            comparable = published(method, dataset) is not None
            assert comparable == (dataset not in OWN_FEATURES)
    assert published("sh_plain", "letter") == published("sh_online", "letter") == 38.40
    assert published("sc_rbf", "letter") is None
