from simplexcoding.demo.tour import main


def test_it_tells_what_it_finds_and_ends_by_naming_the_report(tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main(["--output", str(folder), "--datasets", "iris"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"Report: {folder / 'report.html'}"
    assert {path.name for path in folder.iterdir()} == {"results.json", "report.html"}
    assert any("left out" in line and "on new rows" in line for line in lines)
    assert any(line.startswith("  S-LS rbf batch") for line in lines)
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")
