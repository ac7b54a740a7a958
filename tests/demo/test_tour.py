from simplexcoding.demo.tour import lines, main
from simplexcoding.experiments.table import Entry, Table


def test_it_tells_what_it_finds_and_ends_by_naming_the_report(tmp_path, capsys):
    folder = tmp_path / "new" / "folder"
    assert main(["--output", str(folder), "--datasets", "iris"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"Report: {folder / 'report.html'}"
    assert {path.name for path in folder.iterdir()} == {"results.json", "report.html"}
    assert any("left out" in line and "on new rows" in line for line in lines)
    assert any(line.startswith("  S-LS rbf batch") for line in lines)
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_the_table_fits_eighty_columns():
    names = ["landsat", "optdigit", "pendigit", "letter"]
    entries = {("sc_plain", name): Entry(91.234, 90.0) for name in names}
    entries["sc_plain", "letter"] = Entry(None, 90.0, "no memory")
    del entries["sc_plain", "pendigit"]
    shown = lines(Table("standardised", names, ["sc_plain"], entries))
    assert all(len(line.rstrip()) <= 80 for line in shown)
    assert shown[1].split("rule")[1].split() == ["91.2", "(90.0)"] * 2 + ["not", "run", "failed"]
