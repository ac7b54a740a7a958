import pytest

from simplexcoding.experiments import runner as module
from simplexcoding.experiments.cell import Cell
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.protocol import QUICK
from simplexcoding.experiments.runner import Run, plan, reproduce


@pytest.fixture
def cells():
    return plan(["iris", "wine"], ["ls_linear"], ["raw"], QUICK)


def events_of(run, path):
    events = []
    reproduce(run, Journal(path), lambda event, cell, _: events.append((event, cell.dataset)))
    return events


def test_a_run_that_was_interrupted_goes_on_where_it_stopped(tmp_path, cells, monkeypatch):
    path = tmp_path / "results.json"
    real, seen = module.run_cell, []

    def interrupted(cell, folder):
        if seen:
            raise KeyboardInterrupt
        seen.append(cell)
        return real(cell, folder)

    monkeypatch.setattr(module, "run_cell", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reproduce(Run(cells), Journal(path))
    monkeypatch.setattr(module, "run_cell", real)
    assert events_of(Run(cells), path) == [("kept", "iris"), ("started", "wine"), ("done", "wine")]


def test_jobs_give_the_figures_of_one(tmp_path, cells):
    one = reproduce(Run(cells), Journal(tmp_path / "one.json"))
    two = reproduce(Run(cells, jobs=2), Journal(tmp_path / "two.json"))
    figures = [{row["dataset"]: row["accuracy"] for row in each.rows} for each in (one, two)]
    assert figures[0] == figures[1] and len(figures[0]) == 2


def test_cheap_cells_come_first():
    cells = plan(["letter", "landsat"], ["ls_rbf", "ls_linear"], ["raw"])
    assert [(cell.dataset, cell.method) for cell in cells] == [
        ("landsat", "ls_linear"),
        ("letter", "ls_linear"),
        ("landsat", "ls_rbf"),
        ("letter", "ls_rbf"),
    ]


def test_an_unknown_method_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'svm' is no method; choose among .*ls_linear"):
        plan(["iris"], ["svm"])


def test_a_failed_cell_is_tried_again(tmp_path, cells, monkeypatch):
    path = tmp_path / "results.json"
    cell = Cell("iris", "raw", "ls_linear", QUICK)
    monkeypatch.setattr(module, "run_cell", lambda cell, _: {**cell.key, "error": "MemoryError"})
    reproduce(Run([cell]), Journal(path))
    monkeypatch.undo()
    assert events_of(Run([cell]), path) == [("started", "iris"), ("done", "iris")]
