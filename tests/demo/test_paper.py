import json

from simplexcoding.datasets import DataError
from simplexcoding.demo import paper


def test_without_the_papers_data_the_bundled_sets_follow(monkeypatch):
    def nowhere(name, download):
        assert download is False
        raise DataError(f"{name} is in no source at hand.")

    said = []
    monkeypatch.setattr(paper, "load", nowhere)
    assert paper.datasets(said.append) == ["digits", "wine", "iris"]
    assert said == ["landsat is in no source at hand. The sets that scikit-learn carries follow."]
    monkeypatch.setattr(paper, "load", lambda name, download: None)
    assert paper.datasets(said.append) == list(paper.PAPER)


def test_the_table_holds_every_quick_method_and_is_not_run_twice(tmp_path):
    said = []
    found = paper.table(["iris"], tmp_path / "results.json", said.append)
    assert set(found.methods) == set(paper.METHODS) and found.datasets == ["iris"]
    assert len(said) == len(paper.METHODS) and all("%" in line for line in said)
    assert len(json.loads((tmp_path / "results.json").read_text())["rows"]) == len(paper.METHODS)
    paper.table(["iris"], tmp_path / "results.json", said.append)
    assert len(said) == len(paper.METHODS)
