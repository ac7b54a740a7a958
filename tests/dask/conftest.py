"""No test of a scheduler may hang: each ends within minutes, with the stacks of all threads."""

import faulthandler
import os

import pytest

from simplexcoding.passes import knowledge

_SECONDS = 150


@pytest.fixture(scope="session")
def terminal(pytestconfig):
    """The error stream itself, which outlives what is captured."""
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        return os.dup(2)


@pytest.fixture(autouse=True)
def bounded(terminal):
    faulthandler.dump_traceback_later(_SECONDS, exit=True, file=terminal)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    """A sample that is not all rows, so that fits take both passes."""
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 300)
