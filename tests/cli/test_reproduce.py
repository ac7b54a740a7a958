import json

QUICK = ("--quick", "--datasets", "iris", "--methods", "ls_linear,ls_rbf", "--no-complexity")


def test_it_prints_the_tables_and_names_what_it_wrote(command, tmp_path):
    out = command("reproduce", *QUICK, "--features", "raw,standardised", "-o", tmp_path / "run")
    assert "Accuracy in per cent, raw features" in " ".join(out.split())
    assert "Accuracy in per cent, standardised features" in " ".join(out.split())
    assert out.rstrip().endswith(f"Report: {tmp_path / 'run' / 'report.html'}")
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert len(results["rows"]) == 4
    assert (tmp_path / "run" / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_json_holds_the_rows(command, tmp_path):
    out = command("reproduce", *QUICK, "--features", "raw", "-o", tmp_path, "--json")
    found = json.loads(out)
    assert [row["method"] for row in found["rows"]] == ["ls_linear", "ls_rbf"]
    assert found["report"] == str(tmp_path / "report.html")
