"""The mark of a problem changes with the code that it leads to, and with no other."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import benchmarks.problems  # noqa: F401  fills PROBLEMS
from benchmarks.fingerprints import ROOT, files_behind, fingerprint, spoken
from benchmarks.harness import PROBLEMS

PROBLEM = "benchmarks.problems.shape"
SOURCES = {
    "benchmarks/__init__.py": "",
    "benchmarks/harness.py": "import time\n",
    "benchmarks/problems/__init__.py": "from benchmarks.problems import shape, other\n",
    "benchmarks/problems/other.py": "import simplexcoding.unasked\n",
    "benchmarks/problems/shape.py": (
        "from benchmarks.harness import Timed\n"
        "from simplexcoding import Ridge\n"
        "def late():\n"
        "    import simplexcoding.late\n"
        'CODE = "from simplexcoding import spoken, Late"\n'
        'NAMED = "simplexcoding.named"\n'
    ),
    "src/simplexcoding/__init__.py": (
        "if TYPE_CHECKING:\n"
        "    from simplexcoding import spoken\n"
        "    from simplexcoding.solvers.ridge import Ridge\n"
        "    from simplexcoding.lazily import Late\n"
        "    from simplexcoding.unasked import Other\n"
    ),
    "src/simplexcoding/solvers/__init__.py": "from simplexcoding.solvers import base\n",
    "src/simplexcoding/solvers/base.py": "",
    "src/simplexcoding/solvers/ridge.py": "from simplexcoding import rows\n",
    **{
        f"src/simplexcoding/{name}.py": '"""Of simplexcoding.unasked."""\nx = 1  # one\n'
        for name in ("rows", "late", "lazily", "spoken", "named", "unasked")
    },
}


@pytest.fixture
def tree(tmp_path):
    for folder in ("before", "after"):
        for name, text in SOURCES.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return tmp_path / "before", tmp_path / "after"


def test_a_problem_leads_to_what_it_and_its_texts_import(tree):
    found = {path.relative_to(tree[0]).as_posix() for path in files_behind(PROBLEM, tree[0])}
    assert found == {
        "benchmarks/problems/shape.py",
        "src/simplexcoding/__init__.py",
        *(f"src/simplexcoding/solvers/{name}.py" for name in ("__init__", "base", "ridge")),
        *(f"src/simplexcoding/{name}.py" for name in ("rows", "late", "lazily", "spoken", "named")),
    }


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_the_mark_changes_with_the_code_that_is_led_to_and_no_other(tree, name):
    before, after = tree
    assert fingerprint(PROBLEM, before) == fingerprint(PROBLEM, after)
    changed = after.parent / "changed"
    shutil.copytree(after, changed)
    with (changed / name).open("a") as file:
        file.write("y = 2\n")
    led_to = before / name in files_behind(PROBLEM, before)
    assert (fingerprint(PROBLEM, changed) != fingerprint(PROBLEM, before)) == led_to


def test_comments_and_docstrings_are_no_part_of_the_mark(tree):
    before, after = tree
    path = after / "src/simplexcoding/rows.py"
    path.write_text('"""Of other\n\nthings."""\n\nx = 1  # uno\n')
    assert fingerprint(PROBLEM, before) == fingerprint(PROBLEM, after)
    path.write_text('"""Of other things."""\nx = "# one"\n')
    shutil.copytree(after, after.parent / "third")
    assert fingerprint(PROBLEM, after.parent / "third") != fingerprint(PROBLEM, before)


@pytest.mark.parametrize("text", ['def f(): "What."; return 1', 'class A: "What."'])
def test_a_docstring_beside_code_stays_with_it(text):
    assert spoken(text) == text


# Small problems of each kind, and what prints the files of ours that one has loaded when it ends.
RUN = """
import importlib.util, sys, warnings
from benchmarks import data, harness
warnings.simplefilter("ignore")
data.allow_stand_ins(True)
spec = importlib.util.spec_from_file_location(MODULE, PATH)  # Without the others of its folder.
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
outcome = harness.measure(harness.PROBLEMS[NAME], quick=True)
assert not outcome.skipped, outcome.skipped
for name, module in sorted(sys.modules.items()):
    if name.startswith("simplexcoding"): print(module.__file__)
"""


@pytest.mark.parametrize(
    "name", ["prox", "boosting_classes", "ridge_classes", "online_gemm_share", "svc_path"]
)
def test_every_file_that_a_run_has_loaded_is_behind_the_mark(name, monkeypatch, tmp_path):
    module = PROBLEMS[name].module
    path = ROOT / f"{module.replace('.', '/')}.py"
    code = f"MODULE, PATH, NAME = {module!r}, {str(path)!r}, {name!r}\n{RUN}"
    monkeypatch.setenv("SIMPLEXCODING_DATA", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = {Path(line) for line in done.stdout.splitlines()}
    assert len(loaded) > 10 and loaded <= {*files_behind(module)}
