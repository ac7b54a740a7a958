"""Pages of the documentation: tested code, links that lead somewhere, described pictures."""

import re
import runpy
from pathlib import Path

import pytest

import simplexcoding

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
