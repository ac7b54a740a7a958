from threading import active_count
from time import sleep

import pytest

from simplexcoding.estimators import progress as module
from simplexcoding.estimators.progress import Progress


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    return now


def test_short_fits_are_silent(clock, capsys):
    with Progress("fit", verbose=True) as progress:
        clock[0] = 1.0
        progress(0.5)
    assert capsys.readouterr().err == ""


def test_long_fits_say_how_much_is_left_and_wipe_the_line(clock, capsys):
    with Progress("fit", verbose=True) as progress:
        clock[0] = 10.0
        progress(0.25)
        clock[0] = 10.1
        progress(0.26)
    written = capsys.readouterr().err
    assert "fit:  25%, 10 s, about 30 s left" in written
    assert "26%" not in written
    assert written.endswith("\r")


def test_auto_writes_only_to_a_terminal(clock, capsys):
    with Progress("fit", verbose="auto") as progress:
        clock[0] = 10.0
        progress(0.25)
    assert capsys.readouterr().err == ""


def test_misuse_is_named():
    with pytest.raises(ValueError, match="verbose must be True, False or \"auto\", got 'yes'"):
        Progress("fit", verbose="yes")


def test_what_the_first_fit_waits_for_is_said_once(capsys, monkeypatch):
    monkeypatch.setattr(Progress, "_begun", set())
    for _ in range(2):
        with Progress("a fit", verbose=True) as progress:
            progress.once("compiling")
    with Progress("another", verbose=False) as progress:
        progress.once("compiling")
    assert capsys.readouterr().err.count("compiling") == 1


def test_rows_that_pass_are_counted(clock, capsys):
    progress = Progress("fit", verbose=True)
    clock[0] = 10.0
    progress.rows(1000, 4000)
    assert "25%, 10 s, about 30 s left, 1,000 rows, 100 per second" in capsys.readouterr().err


def test_a_long_step_that_says_nothing_is_counted(monkeypatch, capsys):
    monkeypatch.setattr(module, "_SILENT_SECONDS", 0.05)
    monkeypatch.setattr(module, "_SECONDS_BETWEEN_BEATS", 0.02)
    before = active_count()
    with Progress("fit", verbose=True):
        sleep(0.5)  # No call: one factorisation.
    written = capsys.readouterr().err
    assert written.count("fit: 0 s") >= 2 and written.endswith("\r")
    assert active_count() == before
    with Progress("fit", verbose=False):
        sleep(0.1)
    assert capsys.readouterr().err == ""
