"""Imports point one way, heavy libraries load late, and every module has its test file."""

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "simplexcoding"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A module imports only from its own layer or from layers before it. The top package gathers the
# public face from all layers; those after it are its users.
LAYERS = [
    "atomic",
    "compiled",
    "threads",
    "arrays",
    "fitted",
    "projection",
    "coding",
    "losses",
    "relaxation",
    "rows",
    "blocks",
    "kernels",
    "functions",
    "devices",
    "design",
    "solvers",
    "inference",
    "selection",
    "passes",
    "dask",
    "estimators",
    "audit",
    "plots",
    "datasets",
    "simplexcoding",
    "export",
    "persistence",
    "experiments",
    "demo",
    "cli",
    "__main__",
]


def dotted(path):
    """Parts of a module's name: src/simplexcoding/a/b.py is (simplexcoding, a, b)."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def layer(parts):
    return parts[1] if len(parts) > 1 else parts[0]


def statements(body, module_level):
    """Import statements of a body; at module level, only those run by importing the module."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif module_level and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        elif module_level and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            yield from statements(node.orelse, module_level)
        else:
            yield from statements(ast.iter_child_nodes(node), module_level)


def imports(source, path, module_level=False):
    """Dotted names, as tuples, that a source imports; `from a import b` is (a, b)."""
    package = dotted(path) if path.name == "__init__.py" else dotted(path)[:-1]
    for node in statements(ast.parse(source).body, module_level):
        if isinstance(node, ast.Import):
            yield from (tuple(name.name.split(".")) for name in node.names)
        else:
            base = package[: len(package) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            yield from ((*base, name.name) for name in node.names)


def crossings(source, path):
    """Layers that a source imports and may not."""
    own = layer(dotted(path))
    if own == "simplexcoding":
        return []
    inside = [parts for parts in imports(source, path) if parts[0] == "simplexcoding"]
    # A name of the top package that is no layer comes from the top package itself.
    used = {layer(parts) if layer(parts) in LAYERS else "simplexcoding" for parts in inside}
    return sorted(name for name in used if LAYERS.index(name) > LAYERS.index(own))


def each_module(paths=MODULES):
    return pytest.mark.parametrize("path", paths, ids=lambda path: ".".join(dotted(path)))


@each_module()
def test_module_belongs_to_a_layer(path):
    assert layer(dotted(path)) in LAYERS


@each_module()
def test_imports_point_one_way(path):
    assert crossings(path.read_text(), path) == []


@each_module()
def test_estimator_api_stays_in_the_estimators(path):
    own = layer(dotted(path))
    if own == "simplexcoding" or LAYERS.index(own) < LAYERS.index("estimators"):
        found = [parts for parts in imports(path.read_text(), path) if parts[0] == "sklearn"]
        assert not [parts for parts in found if parts[1:2] == ("base",)]


@each_module()
def test_matplotlib_is_never_imported_at_module_level(path):
    found = {parts[0] for parts in imports(path.read_text(), path, module_level=True)}
    assert "matplotlib" not in found


@each_module([path for path in MODULES if path.name != "__init__.py"])
def test_module_has_its_mirror(path):
    mirror = path.relative_to(PACKAGE).with_name(f"test_{path.stem.strip('_')}.py")
    assert (ROOT / "tests" / mirror).exists(), f"tests/{mirror} is missing"


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_no_file_is_longer_than_350_lines(folder):
    lengths = {path: len(path.read_text().splitlines()) for path in (ROOT / folder).rglob("*.py")}
    assert not {str(path): length for path, length in lengths.items() if length > 350}


def test_contributing_lists_the_layers():
    page = (ROOT / "CONTRIBUTING.md").read_text().split("layers before it:")[1].split("`tests/")[0]
    assert page.split() == [name for name in LAYERS if name not in ("simplexcoding", "__main__")]


# Read by each other: a spectrum hands itself to the scan of its rows.
TURNS_BACK = {frozenset({"design.spectra.features", "design.spectra.feature_scan"})}


def modules_behind():
    """For each module those that it imports, but for the top package, which names all others."""
    names = {dotted(path)[1:]: path for path in MODULES if len(dotted(path)) > 1}
    for name, path in names.items():
        every = imports(path.read_text(), path)
        found = {parts[1:] for parts in every if parts[0] == "simplexcoding"}
        # `from package.module import thing` leads to the module.
        found = {part if part in names else part[:-1] for part in found}
        yield ".".join(name), {".".join(part) for part in found & set(names) - {name}}


def without_ends(behind):
    """What is left when modules that lead nowhere are taken away again and again."""
    left = dict(behind)
    while ends := [name for name, found in left.items() if not found & set(left)]:
        left = {name: found for name, found in left.items() if name not in ends}
    return left


def test_no_module_leads_back_to_itself():
    behind = dict(modules_behind())
    rounds = {frozenset((a, b)) for a in behind for b in behind[a] if a in behind[b]}
    assert rounds == TURNS_BACK
    assert (
        without_ends({name: found - set().union(*rounds) for name, found in behind.items()}) == {}
    )
    assert without_ends({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()}).keys() == set("abc")


ESTIMATORS = {"ridge", "svc", "sgd", "boosting"}
SHARED = {"__init__", "classifier", "parameters", "progress"}


def test_the_estimators_folder_holds_the_four_and_what_they_share():
    assert {path.stem for path in (PACKAGE / "estimators").glob("*.py")} == ESTIMATORS | SHARED


def test_the_page_on_abilities_names_every_one():
    page = (ROOT / "docs" / "decisions" / "18-parts-of-an-estimator.md").read_text()
    named = re.findall(r"^\| `(\w+\.py)` \|", page, flags=re.M)
    found = {path.name for path in (PACKAGE / "estimators" / "abilities").glob("*.py")}
    assert set(named) == found - {"__init__.py"}


@each_module(sorted((PACKAGE / "estimators" / "abilities").glob("*.py")))
def test_an_ability_knows_no_estimator(path):
    found = [parts[2] for parts in imports(path.read_text(), path) if parts[1:2] == ("estimators",)]
    assert set(found) <= SHARED | {"abilities"}


def test_namespaces_of_arrays_are_known_in_the_files_that_the_page_names():
    page = (ROOT / "docs" / "architecture.md").read_text()
    passage = re.search(r"Four files know that rows.*?\n\n", page, flags=re.S)[0]
    named = set(re.findall(r"`([\w/]+\.py)`", passage)) - {"tests/test_architecture.py"}
    found = {
        str(path.relative_to(PACKAGE))
        for path in MODULES
        if re.search(r"\bxp\b|get_namespace", path.read_text())
    }
    assert found == named and len(named) == 4


def asked_of_self(kind):
    """Names of the methods that a class body calls on itself or on its bases."""
    for call in (node for node in ast.walk(kind) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute):
            owner = ast.unparse(call.func.value)
            if owner in ("self", "super()"):
                yield call.func.attr


@each_module(sorted((PACKAGE / "estimators" / "abilities").glob("*.py")))
def test_an_ability_declares_what_it_asks_of_an_estimator(path):
    module = import_module(".".join(dotted(path)))
    for kind in (
        node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)
    ):
        unknown = [
            name for name in asked_of_self(kind) if not hasattr(getattr(module, kind.name), name)
        ]
        assert not unknown, f"{kind.name} calls {unknown}, which nothing in its bases declares"


def test_the_rule_of_declarations_sees_calls():
    source = "class A:\n    def f(self):\n        self.g(super().h())\n        other.i()"
    assert set(asked_of_self(ast.parse(source))) == {"g", "h"}


def test_importing_the_package_is_light():
    code = (
        "import simplexcoding, simplexcoding.losses, sys;"
        "print(sorted({'numba', 'matplotlib', 'dask'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from simplexcoding.coding import SimplexCode", []),
        ("from simplexcoding.losses.cone import ConeHinge", []),
        ("from .cone import ConeHinge", []),
        ("from ..relaxation import risk", ["relaxation"]),
        ("from simplexcoding import relaxation", ["relaxation"]),
        ("from simplexcoding import SimplexCode", ["simplexcoding"]),
        ("def f():\n    import simplexcoding.solvers.ridge", ["solvers"]),
    ],
)
def test_the_layer_rule_sees_every_form_of_import(source, expected):
    assert crossings(source, PACKAGE / "losses" / "square.py") == expected


def test_the_module_level_rule_knows_what_runs_on_import():
    source = (
        "import a\n"
        "if TYPE_CHECKING:\n    import b\n"
        "try:\n    import c\nexcept ImportError:\n    import d\n"
        "class K:\n    import e\n    def f(self):\n        import g\n"
    )
    found = imports(source, PACKAGE / "plots" / "curves.py", module_level=True)
    assert [parts[0] for parts in found] == ["a", "c", "d", "e"]


def documented(what, name):
    """Part of docs/architecture.md between the marks of a walk, or of the help that it has."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    return page.split(f"<!-- {what}: {name} -->")[1].split("<!-- end -->")[0]


def documented_walk(name):
    """Files of a walk, in order."""
    part = documented("walk", name)
    return [line.split("`")[1] for line in part.splitlines() if "`" in line]


def documented_help(name):
    """Files that the files of a walk ask for help."""
    return re.findall(r"`([^`]+\.py)`", documented("help", name))


# Compiled functions leave no trace, or only that of their first call; they stand last.
COMPILED = {f"solvers/stochastic/{name}.py" for name in ("dense_pass", "sparse_pass", "row_step")}
COMPILED |= {"losses/row_roots.py"}

WALK = """
import json, sys
from sklearn.datasets import load_iris
import simplexcoding as s
X, y = load_iris(return_X_y=True)
model = s.{model}.fit(X, y)
seen = []
def enter(frame, event, arg):
    name = frame.f_code.co_filename.rpartition("/simplexcoding/")
    if event == "call" and name[1] and name[2] not in seen:
        seen.append(name[2])
sys.setprofile(enter)
model.fit(X, y)
sys.setprofile(None)
print(json.dumps(seen))
"""


@pytest.mark.parametrize(
    ("name", "model", "most"),
    [
        ("ridge", 'SimplexRidgeClassifier("linear")', 12),
        ("margin", "SimplexSVC()", 10),
        ("online", "SimplexSGDClassifier()", 9),
    ],
)
def test_a_walk_is_the_documented_one(name, model, most):
    code = WALK.replace("{model}", model)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    visited = json.loads(done.stdout)
    listed = documented_walk(name)
    assert len(listed) <= most
    listed = [path for path in listed if path not in COMPILED]
    assert [path for path in visited if path in listed] == listed
    # No file is passed over in silence, and none is named that the fit does not enter.
    assert set(visited) - set(listed) - COMPILED == set(documented_help(name)) - COMPILED
