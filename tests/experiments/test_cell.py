import json
from dataclasses import replace
from time import sleep

import numpy as np

from simplexcoding.experiments import cell as cell_module
from simplexcoding.experiments.cell import Cell, run_cell
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.protocol import QUICK


def test_a_row_tells_what_was_found_and_how():
    row = run_cell(Cell("iris", "standardised", "ls_rbf", QUICK))
    confusion = np.array(row["confusion"])
    assert row["accuracy"] == round(100 * np.trace(confusion) / confusion.sum(), 2)
    assert confusion.sum() == row["n_test"] == 45 and row["n_classes"] == 3
    assert row["source"] == "scikit-learn"
    assert row["fit_seconds"] >= 0
    alphas, scores = row["curve"]["x"], row["curve"]["y"]
    assert len(alphas) == len(scores) == 100
    np.testing.assert_allclose(row["chosen"]["alpha"], alphas[int(np.argmax(scores))], rtol=1)
    assert json.loads(json.dumps(row)) == row


def test_seconds_are_those_of_the_processor(monkeypatch):
    class Sleeper:
        def fit(self, X, y):
            sleep(0.3)

        def predict(self, X):
            return np.zeros(len(X), dtype=int)

    monkeypatch.setitem(METHODS, "ls_rbf", replace(METHODS["ls_rbf"], build=lambda _: Sleeper()))
    assert run_cell(Cell("iris", "raw", "ls_rbf", QUICK))["fit_seconds"] < 0.2


def test_the_hold_out_of_scikit_learns_svm_is_reported_too():
    row = run_cell(Cell("iris", "raw", "ova_rbf", QUICK))
    np.testing.assert_allclose(
        np.min(np.abs(np.log(row["curve"]["x"]) - np.log(row["chosen"]["C"]))), 0, atol=1e-4
    )
    assert row["curve"]["x_label"] == "C" and len(row["curve"]["x"]) == QUICK.n_costs


def test_a_failure_becomes_a_row_of_one_line(monkeypatch):
    class Broken:
        def fit(self, X, y):
            raise MemoryError("too large\nby far")

    monkeypatch.setitem(METHODS, "ls_rbf", replace(METHODS["ls_rbf"], build=lambda _: Broken()))
    row = run_cell(Cell("iris", "raw", "ls_rbf", QUICK))
    assert row["error"] == "MemoryError: too large" and "accuracy" not in row


def test_curves_of_models_without_a_choice_are_absent():
    assert cell_module.curve(object()) is None
