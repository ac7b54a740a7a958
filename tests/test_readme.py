"""The README's console lines run as written; its Python is run by doctest."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks.problems
from benchmarks.harness import PROBLEMS

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text()


def sessions(text):
    """Commands with the output printed below them."""
    block = re.search(r"```console\n(.*?)```", text, re.S)[1]
    parts = re.split(r"^\$ ", block, flags=re.M)[1:]
    return [(part.split("\n", 1)[0], part.split("\n", 1)[1].strip()) for part in parts]


def test_the_console_lines_run_in_order_and_print_what_is_shown(tmp_path):
    folder = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ["PATH"]])}
    for command, shown in sessions(TEXT):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        if shown:
            assert done.stdout.strip() == shown


def test_every_block_is_of_a_kind_that_is_run():
    kinds = re.findall(r"^```(\w+)$", TEXT, flags=re.M)
    assert set(kinds) == {"python", "console"}
    for block in re.findall(r"```python\n(.*?)```", TEXT, re.S):
        assert block.startswith(">>> ")


@pytest.mark.parametrize("path", re.findall(r"\]\((?!https?:)([^)#]+)\)", TEXT))
def test_links_lead_to_files(path):
    assert (ROOT / path).exists()


def test_targets_of_make_that_it_names_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in set(re.findall(r"make ([a-z]+)", TEXT)):
        assert re.search(rf"^{target}:", makefile, flags=re.M)


def test_benchmarks_that_it_names_exist():
    assert set(benchmarks.problems.__all__)  # imported: its problems are registered
    for name in re.findall(r"ONLY=(\w+)", TEXT):
        assert any(known == name or known.startswith(f"{name}_") for known in PROBLEMS)


def test_code_stands_within_the_first_screen():
    assert TEXT[: TEXT.index("```python")].count("\n") < 12


def test_the_comparison_is_rendered_from_its_results():
    comparison = runpy.run_path(str(ROOT / "docs" / "figures" / "comparison.py"))
    found = comparison["results"]()
    for path in comparison["TABLES"]:
        assert path.read_text() == comparison["rendered"](path, found)


def test_the_times_are_rendered_from_their_results():
    timings = runpy.run_path(str(ROOT / "docs" / "figures" / "timings.py"))
    assert timings["rendered"]() == TEXT
