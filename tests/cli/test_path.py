import pandas as pd


def test_the_table_is_written_whole_and_shown_in_part(command, flowers, tmp_path):
    out = command("path", flowers, "-t", "species", "-o", tmp_path / "path.csv")
    found = pd.read_csv(tmp_path / "path.csv")
    assert len(found) == 100
    assert found["alpha"].is_monotonic_decreasing
    assert found["effective_dimension"].is_monotonic_increasing
    best = found["score"].max()
    assert f"leave-one-out score {best:.4f}" in out
    assert out.count("\n") < 40


def test_the_figure_is_drawn(command, flowers, tmp_path):
    command("path", flowers, "-t", "species", "--kernel", "rbf", "-o", tmp_path / "path.png")
    assert (tmp_path / "path.png").read_bytes().startswith(b"\x89PNG")
