"""The benchmarks: every problem runs on small sizes, results are data, the page is theirs."""

import json
import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import numpy as np
import pytest

import benchmarks.problems  # noqa: F401  fills PROBLEMS
from benchmarks import __main__ as command
from benchmarks import data, half_the_rows, harness, report, results
from benchmarks.harness import (
    PROBLEMS,
    Contender,
    Outcome,
    Problem,
    Skip,
    Timed,
    measure,
)

ROOT = Path(__file__).resolve().parents[1]
# Peers warn of few rows and of iterations that end; what this package says stays an error.
OF_PEERS = pytest.mark.filterwarnings(
    r"ignore:::(sklearn|aeon|catboost|cleanlab|lightgbm|mapie|xgboost)\b",
    # Of scikit-learn too, in the name of its caller.
    "ignore:The number of unique classes is greater than 50%:UserWarning",
)


def race(contenders, limit=2.0):
    return measure(Problem("p", "P", "b", limit, "base", 1, lambda quick: contenders), quick=False)


def fixed(label, seconds, ours=True):
    return Contender(label, lambda: Timed(seconds), ours=ours)


def written(outcome, quick=False):
    return report.section(json.loads(json.dumps(results.record(outcome, quick))))


@pytest.fixture
def stand_ins(monkeypatch, tmp_path):
    """No files of data: drawn rows take their place, so that every problem runs everywhere."""
    monkeypatch.setenv("SIMPLEXCODING_DATA", str(tmp_path))
    data.allow_stand_ins(True)
    yield
    data.allow_stand_ins(False)


@pytest.mark.parametrize("name", PROBLEMS)
@OF_PEERS
def test_every_problem_runs_on_small_sizes(name, stand_ins):
    outcome = measure(PROBLEMS[name], quick=True)
    if outcome.skipped.endswith("is not installed"):
        pytest.skip(outcome.skipped)
    assert not outcome.skipped
    ours = [row for row in outcome.rows if row.label != PROBLEMS[name].baseline]
    assert any(not row.skipped for row in ours)
    assert all(row.seconds < float("inf") for row in outcome.rows if not row.skipped)
    text = written(outcome, quick=True)
    assert "Not judged on small sizes." in text and "| library |" in text


def test_a_group_of_problems_has_one_name():
    assert command._named("heads") == [name for name in PROBLEMS if name.startswith("heads_")]
    assert command._named("ridge_isolet") == ["ridge_isolet"]
    with pytest.raises(ArgumentTypeError, match="no problem is called nothing"):
        command._named("nothing")


def test_the_page_is_the_rendering_of_the_results():
    assert command.PAGE.read_text() == report.page(results.read(results.FOLDER))


@pytest.mark.parametrize("path", sorted(results.FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_kept_results_are_of_a_problem_and_agree_with_themselves(path):
    found = json.loads(path.read_text())
    assert found["problem"] == path.stem and path.stem in PROBLEMS
    assert not found["small_sizes"] and found["threads"] >= 1
    assert {"date", "processor", "cores", "memory_gib", "python", "versions"} <= {
        *found["measured"]
    }
    verdicts = [verdict["holds"] for verdict in found["verdicts"]]
    assert found["holds"] == (all(verdicts) if verdicts else None)
    best = {row["label"]: row["seconds"] for row in found["rows"] if not row["skipped"]}
    for row in found["rows"]:
        if row["turns"]:
            assert row["seconds"] == min(row["turns"])
        if row["ratio"] is not None and row["seconds"] > 1e-3:
            assert row["ratio"] == pytest.approx(
                row["seconds"] / best[found["baseline"]], abs=0.02, rel=0.02
            )


def test_kept_results_are_of_the_problem_of_today_or_said_to_be_older():
    found = results.read(results.FOLDER)
    stale = {
        name: differing
        for name, one in found.items()
        if (differing := results.differing(one, PROBLEMS[name]))
    }
    assert {name: stale[name] for name in stale if found[name]["source"]} == {}
    for name in stale:
        assert "By an earlier version of the harness" in report.section(found[name])


def test_what_differs_from_the_problem_of_today_is_listed():
    problem = PROBLEMS["scale_rows"]
    now = json.loads(json.dumps(results.record(Outcome(problem, [], []), quick=False)))
    assert results.differing(now, problem) == []
    changed = {"title": "t", "bar": "b", "limit": 0.5, "baseline": "c", "threads": 7}
    assert results.differing(now | changed, problem) == [*changed]
    text = command._state("scale_rows", {"scale_rows": now | {"bar": "b", "threads": 7}})
    assert text.endswith("older code, bar differs, threads differs")
    assert "earlier version" not in report.section(now)
    assert "By an earlier version of the harness" in report.section(now | {"source": None})


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """A problem that counts its runs, and the command on a folder of its own."""
    runs = []

    def contenders(quick):
        runs.append(quick)
        return [fixed("base", 2.0, ours=False), fixed("a", 1.0)]

    problem = Problem("toy", "Toy", "faster", 1.0, "base", 3, contenders)
    monkeypatch.setitem(PROBLEMS, "toy", problem)
    folder, page = tmp_path / "results", tmp_path / "page.md"

    def call(*arguments):
        command.main([*arguments, "--folder", str(folder), "--page", str(page)])

    return problem, call, folder, page, runs


def test_a_run_keeps_its_results_and_renders_them(toy, capsys):
    problem, call, folder, page, runs = toy
    old = json.loads((results.FOLDER / "prox.json").read_text())
    results.write(folder, old)
    call("--only", "toy")
    found = results.read(folder)
    assert set(found) == {"prox", "toy"} and found["prox"] == old
    assert found["toy"]["rows"][1]["turns"] == [1.0, 1.0, 1.0] and found["toy"]["holds"] is True
    assert page.read_text() == report.page(found)
    # What is measured with today's code is not measured again; older results are.
    assert results.is_current(found["toy"], problem)
    assert not results.is_current(old, PROBLEMS["prox"])
    call("--resume", "--only", "toy")
    assert runs == [False]
    results.write(folder, found["toy"] | {"source": None})
    call("--resume", "--only", "toy")
    assert runs == [False, False]
    capsys.readouterr()
    call("--list")
    *lines, summary = capsys.readouterr().out.splitlines()
    listed = {line.split()[0]: line for line in lines}
    assert set(listed) == set(PROBLEMS)
    rest = len(PROBLEMS) - 2
    assert summary.startswith(
        f"{len(PROBLEMS)} problems: 1 current, 1 of older code or another bar, {rest} without"
    )
    assert summary.endswith(f"Of the {rest + 1} due no time is kept.")
    took = results.read(folder)["toy"]["took"]
    assert 0 <= took < 10
    results.write(folder, old | {"took": 90 * 60.0})
    call("--list")
    summary = capsys.readouterr().out.splitlines()[-1]
    assert f"1 of those due took 90 min when last measured; of {rest} no time is kept." in summary
    assert "older code" in listed["prox"] and "older" not in listed["toy"]
    assert "no results" in listed["import_time"]


def test_a_problem_that_is_skipped_leaves_what_was_measured(toy, monkeypatch):
    problem, call, folder, page, _ = toy
    skipped = Problem("toy", "Toy", "faster", 1.0, "base", 3, lambda quick: harness.require("none"))
    for measured in (problem, skipped, problem):
        monkeypatch.setitem(PROBLEMS, "toy", measured)
        call("--only", "toy")
        found = results.read(folder)["toy"]
        assert found["holds"] is True and found["skipped"] is None
        assert page.read_text() == report.page({"toy": found})
    (folder / "toy.json").unlink()
    monkeypatch.setitem(PROBLEMS, "toy", skipped)
    call("--only", "toy")
    assert results.read(folder)["toy"]["skipped"] == "none is not installed"
    monkeypatch.setitem(PROBLEMS, "toy", problem)
    call("--only", "toy")
    assert results.read(folder)["toy"]["holds"] is True


def test_small_sizes_keep_nothing(toy, capsys):
    _, call, folder, page, runs = toy
    call("--quick", "--only", "toy")
    data.allow_stand_ins(False)
    assert "Small sizes." in capsys.readouterr().out
    assert runs == [True] and not folder.exists() and not page.exists()


def test_a_failure_is_named_and_the_others_are_kept(toy, monkeypatch):
    _, call, *_ = toy
    monkeypatch.setattr(command, "_apart", lambda name, options: name != "prox")
    with pytest.raises(SystemExit, match="failed: prox; the others are kept"):
        call("--only", "toy", "prox")


def test_an_unknown_problem_is_named():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--only", "no_such_problem"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "no problem is called no_such_problem" in done.stderr


def test_results_of_another_bar_or_source_are_not_current():
    problem = PROBLEMS["prox"]
    found = results.record(Outcome(problem, [], []), quick=False)
    assert results.is_current(found, problem)
    for change in ({"small_sizes": True}, {"source": None}, {"bar": "none"}):
        assert not results.is_current(found | change, problem)
    assert not results.is_current(None, problem)


def test_ratios_and_the_bar():
    outcome = race([fixed("base", 2.0, ours=False), fixed("a", 3.0), fixed("b", 1.0)])
    assert [row.ratio for row in outcome.rows] == [1.0, 1.5, 0.5]
    assert outcome.holds is True
    assert race([fixed("base", 1.0), fixed("a", 3.0)]).holds is False
    assert race([fixed("base", 1.0), fixed("peer", 3.0, ours=False), fixed("a", 1.0)]).holds is True


def test_a_verdict_on_quality_counts_beside_the_clock():
    def judged(held):
        return Contender("a", lambda: Timed(1.0), lambda result: {"held": held}, ours=True)

    base = fixed("base", 1.0, ours=False)
    assert race([base, judged(True)]).holds is True
    missed = race([base, judged(False)])
    assert missed.holds is False
    assert "**It does not hold**: quality of a." in written(missed)
    assert "**bar missed**" in written(missed)
    # Without a limit on time the verdicts decide alone, and without them nothing does.
    assert race([base, judged(False)], limit=float("inf")).holds is False
    assert race([base, judged(True)], limit=float("inf")).holds is True
    assert race([base, fixed("a", 9.0)], limit=float("inf")).holds is None


def test_qualities_are_kept_as_numbers():

    notes = {"gap": np.float32(0.5), "rows": np.int64(3), "worst": float("nan"), "set": "isolet"}
    outcome = race([fixed("base", 1.0), Contender("a", lambda: Timed(1.0), lambda r: notes)])
    row = json.loads(json.dumps(results.record(outcome, quick=False)))["rows"][1]
    assert row["qualities"] == {"gap": 0.5, "rows": 3, "worst": None, "set": "isolet"}


def test_threads_are_those_of_the_problem():
    def threads():
        import numba
        from threadpoolctl import threadpool_info

        code = "import os; print(os.environ['OMP_NUM_THREADS'])"
        here = {library["num_threads"] for library in threadpool_info()}
        return Timed(1.0, (here, numba.get_num_threads(), harness.fresh(code)))

    contender = Contender("base", threads, lambda seen: {"seen": seen})
    problem = Problem("p", "P", "b", 2.0, "base", 1, lambda quick: [contender], threads=1)
    assert measure(problem, quick=True).rows[0].qualities["seen"] == ({1}, 1, "1")


def test_a_missing_peer_skips_its_row_only():
    peer = Contender("peer", lambda: harness.require("no_such_module"))
    outcome = race([fixed("base", 1.0), peer, fixed("a", 1.0)])
    assert outcome.holds is True
    assert "skipped: no_such_module is not installed" in written(outcome)


def test_half_a_bar_is_no_verdict():
    base = Contender("base", lambda: harness.require("no_such_module"))
    good = Contender("a", lambda: Timed(1.0), lambda result: {"held": True}, ours=True)
    assert race([base, good]).holds is None


def test_missing_data_skips_the_problem(monkeypatch, tmp_path):
    monkeypatch.setenv("SIMPLEXCODING_DATA", str(tmp_path))
    with pytest.raises(Skip, match=r"no letter\.npz"):
        data.load("letter")

    def contenders(quick):
        data.load("letter")

    outcome = measure(Problem("p", "P", "b", 2.0, "base", 1, contenders), quick=False)
    assert outcome.holds is None
    assert "Not measured: no letter.npz" in written(outcome)


def test_alphas_of_halves_are_compared_with_those_of_all_rows(stand_ins):
    found = half_the_rows.compared("a set", n_rows=120)
    assert len(found) == 2 * half_the_rows.DRAWS
    for _, *lost in found:
        assert len(lost) == 3 and min(lost) >= 0
    assert half_the_rows.told("a", found).startswith("a: ")
