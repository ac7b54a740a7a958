import pandas as pd
import pytest

from simplexcoding.cli import audit as module
from simplexcoding.cli.complaint import Complaint


def test_without_the_audit_one_line_says_so(command, flowers, monkeypatch):
    monkeypatch.setattr(module, "_found", lambda: None)
    with pytest.raises(Complaint, match="this release has no label audit"):
        command("audit", flowers, "-t", "species")


@pytest.mark.skipif(module._found() is None, reason="this release has no label audit")
def test_a_label_that_was_changed_comes_first(command, flowers, tmp_path):
    frame = pd.read_csv(flowers)
    frame.loc[7, "species"] = "virginica"
    frame.to_csv(flowers, index=False)
    out = command("audit", flowers, "-t", "species", "--top", 3, "-o", tmp_path / "out.csv")
    found = pd.read_csv(tmp_path / "out.csv")
    assert found["row"][0] == 7
    assert "setosa" in out and "virginica" in out
    assert out.count("\n") < 15
