from simplexcoding.datasets.catalogue import BUNDLED, CATALOGUE
from simplexcoding.datasets.checks import known_fingerprints
from simplexcoding.datasets.official_order import known_places


def test_every_set_has_a_fingerprint_and_every_table_from_outside_an_order():
    assert set(known_fingerprints()) == {*CATALOGUE, *BUNDLED}
    from_outside = {name for name, info in CATALOGUE.items() if info.keel or info.openml}
    assert set(known_places()) == from_outside


def test_sizes_are_those_of_the_uci_descriptions():
    shapes = {name: known_fingerprints()[name].shapes for name in CATALOGUE}
    assert shapes["landsat"] == [[4435, 36], [2000, 36]]
    assert shapes["letter"] == [[16000, 16], [4000, 16]]
    assert shapes["isolet"] == [[6238, 617], [1559, 617]]
    for name, places in known_places().items():
        assert sorted(places) == list(range(sum(rows for rows, _ in shapes[name])))
