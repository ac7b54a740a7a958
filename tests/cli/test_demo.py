from pathlib import Path

from simplexcoding.cli import demo as module


def test_it_hands_the_folder_to_the_demonstration(command, monkeypatch, tmp_path):
    given = []
    monkeypatch.setattr(module, "main", given.append)
    command("demo", "-o", tmp_path)
    command("demo")
    assert given == [["--output", str(tmp_path)], ["--output", str(Path("demo_output"))]]
