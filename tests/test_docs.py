"""Pages of the documentation: tested code, links that lead somewhere, described pictures."""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image
from sklearn.datasets import load_digits

import simplexcoding
from simplexcoding.experiments.figures import drawn_from

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *(DOCS / "decisions").glob("*.md")])
SCRIPT = runpy.run_path(str(DOCS / "figures" / "tables.py"))
each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)


@each_page
def test_python_on_a_page_is_run_by_doctest(path):
    for block in re.findall(r"^```python\n(.*?)^```", path.read_text(), flags=re.S | re.M):
        assert block.startswith(">>> ")
        assert block.endswith("\n\n"), "doctest reads the fence as output without an empty line"


@each_page
def test_no_code_stands_where_doctest_does_not_see_it(path):
    fenced = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
    hidden = re.findall(r"^ {4,}(?:from \w[\w.]* )?import .*", fenced, flags=re.M)
    assert not hidden


def tables(folder):
    """The files that the page's command lines name: digits as tables."""
    X, y = load_digits(return_X_y=True)
    frame = pd.DataFrame(X[:, 10:30], columns=[f"x{k}" for k in range(20)])
    rows = frame.assign(label=y)
    texts = frame.assign(intent=[f"digit {k}" for k in y], id=[f"{k:05}" for k in range(len(y))])
    texts[::2].to_parquet(folder / "train.parquet", index=False)
    texts[1::2].drop(columns="intent").to_csv(folder / "new.csv", index=False)
    texts[1::2].to_csv(folder / "held_out.csv", index=False)
    rows[::2].to_parquet(folder / "rows.parquet", index=False)
    rows[1::2].drop(columns="label").to_parquet(folder / "new.parquet", index=False)
    (folder / "folder").mkdir()
    for part in range(2):
        rows[part::4].to_parquet(folder / "folder" / f"part{part}.parquet", index=False)


def test_the_command_lines_run_in_order(tmp_path):
    tables(tmp_path)
    (tmp_path / "bin").mkdir()
    jq = tmp_path / "bin" / "jq"  # Every machine has one that knows these two questions.
    jq.write_text(
        f"#!{sys.executable}\nimport json, sys\nprint(json.load(sys.stdin)[sys.argv[1][1:]])\n"
    )
    jq.chmod(0o755)
    places = [str(jq.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    text = re.sub(r"^```.*?^```", "", (DOCS / "command_line.md").read_text(), flags=re.S | re.M)
    lines = re.findall(r"^ {4}(\S.*)", text, flags=re.M)
    assert len(lines) >= 6 and all("simplexcoding" in line for line in lines)
    for line in lines:
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            cwd=tmp_path,
            env={**os.environ, "PATH": os.pathsep.join(places)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (line, done.stderr)
        if "jq .accuracy" in line:
            assert float(done.stdout) > 0.8
        for name in re.findall(r"(?:-o|>) (\S+)", line):
            assert (tmp_path / name).stat().st_size > 0
    labels = pd.read_csv(tmp_path / "labels.csv", dtype=str)
    assert list(labels["id"]) == [f"{k:05}" for k in range(1, 1797, 2)]


@each_page
def test_links_lead_to_files(path):
    text = re.sub(r"`[^`]*`", "", path.read_text())
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
        assert (path.parent / target).exists(), target


@each_page
def test_pictures_are_described(path):
    for words in re.findall(r"!\[([^\]]*)\]", path.read_text()):
        assert len(words.split()) > 3


@each_page
def test_every_page_stands_in_a_table_of_contents(path):
    if path.stem == "index" and path.parent == DOCS:
        return
    entry = path.relative_to(DOCS).with_suffix("").as_posix()
    lists = {
        line.strip()
        for page in PAGES
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(), flags=re.S)
        for line in block.splitlines()
    }
    assert entry in lists or path.stem in lists


def test_every_public_name_is_on_the_api_page():
    listed = {line.strip() for line in (DOCS / "api.md").read_text().splitlines()}
    assert set(simplexcoding.__all__) - {"__version__"} <= listed


@pytest.mark.parametrize("page", SCRIPT["TABLES"])
def test_tables_are_those_of_their_results(page):
    """Run python docs/figures/tables.py after a benchmark or a reproduction has changed."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for table in SCRIPT["TABLES"][page]:
        assert SCRIPT["written"](text, table) == text


def figures(name):
    return runpy.run_path(str(DOCS / "figures" / f"{name}.py"))


def drawn():
    """What each picture shows, from the results that there are."""
    comparison, boosting, scale = map(figures, ("comparison", "boosting_benchmarks", "scale_rows"))
    found = comparison["results"]()
    yield "_static/comparison.png", found
    yield "_static/gain.png", comparison["few"](found)
    yield "figures/boosting_classes.png", boosting["times"](boosting["read"]()[boosting["CLASSES"]])
    yield "figures/scale_rows.png", scale["points"](json.loads(scale["RESULTS"].read_text()))
    yield (
        "figures/complexity.png",
        json.loads((DOCS / "reproduction.json").read_text())["complexity"],
    )


def test_pictures_are_drawn_from_the_results_there_are():
    """Run the script of docs/figures that draws it after a benchmark or a reproduction."""
    for path, data in drawn():
        with Image.open(DOCS / path) as picture:
            assert picture.info["Description"] == drawn_from(data)["Description"], path
