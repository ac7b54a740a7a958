import json
from pathlib import Path

import numpy as np

from simplexcoding.datasets import load
from simplexcoding.experiments import complexity
from simplexcoding.experiments.complexity import Contender, as_rows, measure, sample, slope

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_slope_of_a_power_is_its_exponent():
    n = np.array([10, 20, 50])
    np.testing.assert_allclose(slope(n, 7 * n**2.5), 2.5)


def test_a_sample_has_the_rows_and_classes_asked_for():
    X, y = sample(load("digits"), 400, 4)
    assert X.shape == (400, 64) and set(y) == {0, 1, 2, 3}
    assert np.bincount(y).min() == 100


def test_times_are_taken_along_both_axes_of_the_sizes_asked_for(monkeypatch):
    sizes, clock = [], iter(range(1000))

    class Fitted:
        def fit(self, X, y):
            sizes.append((len(y), len(set(y))))

    monkeypatch.setattr(complexity, "process_time", lambda: float(next(clock)))
    contender = Contender("instant", lambda gamma: Fitted(), "3", "1")
    series = measure(load("digits"), [250, 500], [2, 10], [contender])
    # Every size has a small fit to warm up and three turns.
    assert sizes[3::4] == [(250, 10), (500, 10), (244, 2), (244, 10)]
    assert [(each.axis, each.values, each.order) for each in series] == [
        ("n", [250, 500], "3"),
        ("T", [2, 10], "1"),
    ]
    assert all(seconds == 1.0 for each in series for seconds in each.seconds)
    assert abs(as_rows(series)[0]["slope"]) < 1e-12


def test_what_the_paper_states_what_is_inferred_and_what_was_not_read():
    stated = {each.title: (each.paper_n, each.paper_T) for each in complexity.CONTENDERS}
    # The abstract's claim; all else about T follows from the problems, and n was not read.
    assert stated.pop("S-RLS rbf, one alpha") == ("-", "0")
    assert {paper_n for paper_n, _ in stated.values()} == {"-"}
    assert {paper_T for _, paper_T in stated.values()} == {"-", "0, inferred", "1, inferred"}
    kept = json.loads((DOCS / "reproduction.json").read_text())["complexity"]
    by_title = {each.title: each for each in complexity.CONTENDERS}
    for series in kept:
        assert series["paper"] == getattr(by_title[series["title"]], f"paper_{series['axis']}")


def test_methods_of_an_absent_estimator_are_not_measured(monkeypatch):
    monkeypatch.setattr(complexity.simplexcoding, "__all__", [])
    assert [each.title for each in complexity.available_contenders()] == ["SVM one-vs-all rbf"]
