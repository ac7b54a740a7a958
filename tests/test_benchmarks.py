"""The benchmark harness: every problem runs on small sizes, and a subset keeps the rest."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import harness, report
from benchmarks.data import load
from benchmarks.harness import Contender, Problem, Skip, Timed, measure, peak_memory

ROOT = Path(__file__).resolve().parents[1]


def run(*arguments):
    command = [sys.executable, "-m", "benchmarks", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def race(contenders, limit=2.0):
    return measure(Problem("p", "P", "b", limit, "base", 1, lambda quick: contenders), quick=False)


def fixed(label, seconds, ours=True):
    return Contender(label, lambda: Timed(seconds), ours=ours)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    path = tmp_path_factory.mktemp("benchmarks") / "results.md"
    run("--quick", "--output", path)
    return path


def test_every_problem_has_a_table_or_a_reason(results):
    names = [line.split()[0] for line in run("--list").splitlines()]
    text = results.read_text()
    sections = text.split("\n## ")[1:]
    assert [part.split("\n")[0] for part in sections] == names
    assert all("| library |" in part or "skipped: " in part for part in sections)


def test_a_subset_rewrites_its_own_section_only(results):
    marked = results.read_text().replace("Measured on", "MEASURED ON")
    results.write_text(marked)
    run("--quick", "--only", "prox", "--output", results)
    for part in results.read_text().split("\n## ")[1:]:
        assert ("MEASURED ON" in part) == (not part.startswith("prox"))


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
    assert "**bar missed**" in report.section(missed, quick=False)
    # Without a limit on time the verdicts decide alone, and without them nothing does.
    assert race([base, judged(False)], limit=float("inf")).holds is False
    assert race([base, judged(True)], limit=float("inf")).holds is True
    assert race([base, fixed("a", 9.0)], limit=float("inf")).holds is None


def test_a_missing_peer_skips_its_row_only():
    peer = Contender("peer", lambda: harness.require("no_such_module"))
    outcome = race([fixed("base", 1.0), peer, fixed("a", 1.0)])
    assert outcome.holds is True
    assert "skipped: no_such_module is not installed" in report.section(outcome, quick=False)


def test_missing_data_skips_the_problem(monkeypatch, tmp_path):
    monkeypatch.setenv("SIMPLEXCODING_DATA", str(tmp_path))
    with pytest.raises(Skip, match=r"no letter\.npz"):
        load("letter")

    def contenders(quick):
        load("letter")

    outcome = measure(Problem("p", "P", "b", 2.0, "base", 1, contenders), quick=True)
    assert outcome.holds is None
    assert "skipped: no letter.npz" in report.section(outcome, quick=True)


def test_peak_memory_sees_a_large_array():
    small, large = peak_memory("pass"), peak_memory("x = bytearray(b'1') * (100 * 2**20)")
    assert 90 < large - small < 130
