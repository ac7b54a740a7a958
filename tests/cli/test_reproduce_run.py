import json
import os
import signal
import subprocess
import sys
import time

import pytest

from simplexcoding.cli import reproduce_run as module
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.printing import Printer
from simplexcoding.datasets import DataError

QUICK = ("--quick", "--datasets", "iris", "--methods", "ls_linear,ls_rbf", "--no-complexity")


def test_a_second_run_runs_nothing_and_a_wider_one_only_what_is_new(command, tmp_path):
    command("reproduce", *QUICK, "--features", "raw", "-o", tmp_path)
    first = json.loads((tmp_path / "results.json").read_text())["rows"]
    out = command("reproduce", *QUICK, "--features", "raw,standardised", "-o", tmp_path)
    rows = json.loads((tmp_path / "results.json").read_text())["rows"]
    assert rows[:2] == first and len(rows) == 4
    assert out.count("iris, standardised:") >= 2
    assert "iris, raw: S-LS batch: " not in out


def test_without_any_of_the_papers_data_the_bundled_sets_follow_with_a_notice(capsys, monkeypatch):
    def nowhere(name, folder):
        raise DataError(f"{name} is in no source at hand.")

    monkeypatch.setattr(module, "load", nowhere)
    assert module._at_hand(None, Printer(False)) == ["digits", "wine", "iris"]
    out = capsys.readouterr().out
    assert "Left out: letter is in no source" in out
    assert "None of the paper's data is at hand" in out


@pytest.mark.parametrize("text", ["{}", "[", '{"format": 1, "rows": [1]}'])
def test_results_of_something_else_are_not_overwritten(command, tmp_path, text):
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(Complaint, match="holds no results of this program"):
        command("reproduce", *QUICK, "-o", tmp_path)
    assert (tmp_path / "results.json").read_text() == text


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="workers are looked for in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_stopped_leaves_no_workers(tmp_path, number):
    line = [sys.executable, "-m", "simplexcoding", "reproduce", "--quick", "--datasets", "digits"]
    process = subprocess.Popen(
        [*line, "--jobs", "2", "-o", tmp_path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    end = time.monotonic() + 60
    while len(workers := children(process.pid)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    # A process that is killed cannot keep a worker that is just starting from complaining.
    if number != signal.SIGKILL:
        assert b"Traceback" not in err
        assert process.returncode == 2 and b"the same command goes on from here" in err
    end = time.monotonic() + 20
    while any(map(running, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    assert workers and not any(map(running, workers))
    assert not list(tmp_path.glob(".*"))


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as stream:
        return [int(word) for word in stream.read().split()]


def running(pid):
    try:
        with open(f"/proc/{pid}/stat") as stream:
            return stream.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
