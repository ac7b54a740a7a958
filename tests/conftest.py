"""Settings of every test, and what several need."""

import pytest
from hypothesis import settings

# A busy machine is no bug: time is measured in benchmarks/, not in tests.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture
def dispatch_allowed(monkeypatch):
    """Without it scikit-learn refuses to dispatch to other array libraries."""
    pytest.importorskip("scipy", minversion="1.14")  # Below, scikit-learn does not dispatch.
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")
