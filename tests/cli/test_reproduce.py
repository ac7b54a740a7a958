import json

import pytest

from simplexcoding.cli import reproduce as module
from simplexcoding.datasets import DataError

QUICK = ("--quick", "--datasets", "iris", "--methods", "ls_linear,ls_rbf", "--no-complexity")


def test_it_prints_the_tables_and_names_what_it_wrote(command, tmp_path):
    out = command("reproduce", *QUICK, "--features", "raw,standardised", "-o", tmp_path / "run")
    assert "Accuracy in per cent, raw features" in " ".join(out.split())
    assert "Accuracy in per cent, standardised features" in " ".join(out.split())
    assert out.rstrip().endswith(f"Report: {tmp_path / 'run' / 'report.html'}")
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert len(results["rows"]) == 4
    assert (tmp_path / "run" / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_a_second_run_runs_nothing_and_a_wider_one_only_what_is_new(command, tmp_path):
    command("reproduce", *QUICK, "--features", "raw", "-o", tmp_path)
    first = json.loads((tmp_path / "results.json").read_text())["rows"]
    out = command("reproduce", *QUICK, "--features", "raw,standardised", "-o", tmp_path)
    rows = json.loads((tmp_path / "results.json").read_text())["rows"]
    assert rows[:2] == first and len(rows) == 4
    assert out.count("iris, standardised:") >= 2
    assert "iris, raw: S-LS batch: " not in out


def test_without_any_of_the_papers_data_the_bundled_sets_follow_with_a_notice(capsys, monkeypatch):
    from rich.console import Console

    def nowhere(name, folder):
        raise DataError(f"{name} is in no source at hand.")

    monkeypatch.setattr(module, "load", nowhere)
    assert module._at_hand(None, Console()) == ["digits", "wine", "iris"]
    out = capsys.readouterr().out
    assert "Left out: letter is in no source" in out
    assert "None of the paper's data is at hand" in out


def test_results_of_something_else_are_not_overwritten(command, tmp_path):
    (tmp_path / "results.json").write_text("{}")
    with pytest.raises(module.Complaint, match="holds no results of this program"):
        command("reproduce", *QUICK, "-o", tmp_path)
    assert (tmp_path / "results.json").read_text() == "{}"
