import pytest

from simplexcoding.passes import checkpoint as checkpoints
from simplexcoding.passes.checkpoint import Checkpoint


def test_what_is_saved_is_found_and_removed(tmp_path):
    saved = Checkpoint(tmp_path / "new", "fit")
    assert saved.load("moments") is None
    saved.save("moments", [1, 2])
    assert Checkpoint(tmp_path / "new", "fit").load("moments") == [1, 2]
    assert saved.load("judge") is None
    saved.remove()
    assert saved.load("moments") is None


def test_notes_are_seldom(tmp_path, monkeypatch):
    saved = Checkpoint(tmp_path, "fit")
    saved.note("moments", 1)
    assert saved.load("moments") is None
    monkeypatch.setattr(checkpoints, "INTERVAL", 0.0)
    saved.note("moments", 2)
    assert saved.load("moments") == 2


def test_the_folder_of_another_fit_is_refused(tmp_path):
    Checkpoint(tmp_path, "fit").save("moments", 1)
    with pytest.raises(ValueError, match="is of another fit"):
        Checkpoint(tmp_path, "other").load("moments")
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file; give a folder"):
        Checkpoint(tmp_path / "file", "fit")
