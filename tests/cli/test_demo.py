import json

import simplexcoding.demo.tour


def test_it_hands_the_folder_to_the_demonstration(command, monkeypatch, tmp_path):
    given = []
    monkeypatch.setattr(simplexcoding.demo.tour, "main", given.append)
    monkeypatch.chdir(tmp_path)
    command("demo", "-o", tmp_path)
    found = json.loads(command("demo", "--json"))
    assert given == [["--output", str(tmp_path)], ["--output", "demo_output"]]
    assert found == {"report": "demo_output/report.html"}
