import pytest

from simplexcoding.datasets import find
from simplexcoding.datasets.checks import DataError
from simplexcoding.datasets.find import load
from simplexcoding.datasets.split import Split


@pytest.fixture
def sources(monkeypatch):
    """Sources that have nothing, until a test fills one; the calls in their order."""
    calls = []
    monkeypatch.delenv("SIMPLEXCODING_DATA", raising=False)

    def fill(source, answer=None):
        def answers(*_):
            calls.append(source)
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(find, source, answers)

    for source in ("load_local", "load_keel", "load_openml"):
        fill(source)
    return calls, fill


SPLIT = Split.of("letter", ([[1.0]], [0], [[1.0]], [1]), "a test")


def test_the_folder_is_asked_first_and_a_source_that_has_it_ends_the_search(sources, tmp_path):
    calls, fill = sources
    fill("load_keel", SPLIT)
    assert load("letter", tmp_path) is SPLIT
    assert calls == ["load_local", "load_keel"]


def test_without_a_folder_the_download_comes_last_and_only_if_allowed(sources):
    calls, fill = sources
    fill("load_openml", SPLIT)
    assert load("letter") is SPLIT
    assert calls == ["load_keel", "load_openml"]
    with pytest.raises(DataError, match=r"letter is in no source .* simplexcoding\[data\]"):
        load("letter", download=False)


def test_a_failed_download_names_the_cure(sources):
    _, fill = sources
    fill("load_openml", DataError("no route"))
    with pytest.raises(DataError, match=r"no route\. Give --data a folder with isolet\.npz"):
        load("isolet")


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(DataError, match=r"'mnist' is no data set; known are landsat, .* iris"):
        load("mnist")
