"""Settings of the code on pages."""

import pytest


@pytest.fixture(autouse=True)
def dispatch_on_the_page_of_tensors(request, monkeypatch):
    """The page sets what scikit-learn asks for; other pages do not see it."""
    if request.path.name == "tensors.md":
        pytest.importorskip("scipy", minversion="1.14")  # Below, scikit-learn does not dispatch.
        monkeypatch.setenv("SCIPY_ARRAY_API", "1")
