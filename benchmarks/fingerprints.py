"""Marks of the code that a problem measures: a hash of the files that it leads to.

A problem leads to the modules that its own file imports, at the top or inside a function, in code
or in text that a child process runs, and to all that these import in turn. Comments and docstrings
do not count. Neither does the harness, which is the clock and not what is measured.

>>> from benchmarks.fingerprints import files_behind
>>> [path.name for path in files_behind("benchmarks.data")]
['data.py']
"""

import ast
import hashlib
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import cast

ROOT = Path(__file__).resolve().parents[1]
_HOMES = {"benchmarks": Path(), "simplexcoding": Path("src")}
# The package, whose names are loaded on first use: who asks for one of them leads to its home only.
_LAZY = "simplexcoding"
# The clock, and what lists the problems: no part of what is measured.
_HARNESS = ("benchmarks", "benchmarks.problems", "benchmarks.harness")
_DOTTED = re.compile(rf"\b(?:{'|'.join(_HOMES)})(?:\.\w+)+")
_NAMES = re.compile(rf"from {_LAZY} import ([\w, ]+)")
# The package by its own name, or a name in it that is put in later.
_WHOLE = re.compile(rf"\bimport {_LAZY}\s*(?:$|[;,])|from {_LAZY} import {{", re.MULTILINE)


def fingerprint(module: str, root: Path = ROOT) -> str:
    """Hash of the code behind a module of the benchmarks."""
    code = hashlib.sha256()
    for path in files_behind(module, root):
        name = path.relative_to(root).as_posix()
        code.update(f"{name}\0{_spoken_in(path)}\0".encode())
    return code.hexdigest()[:16]


@cache
def files_behind(module: str, root: Path = ROOT) -> tuple[Path, ...]:
    """Files of the modules that a module leads to, its own among them, in order."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _file(name, root)
        if path is None or name in found or name in _HARNESS:
            continue
        found[name] = path
        parent = name.rpartition(".")[0]
        if parent:  # Python imports it first.
            waiting.append(parent)
        if name != _LAZY:
            waiting += _asked(path, root)
    return tuple(sorted(found.values()))


@cache
def _spoken_in(path: Path) -> str:
    return spoken(path.read_text("utf-8"))


@cache
def _asked(path: Path, root: Path) -> tuple[str, ...]:
    """Names of modules that a file asks for, and names of them that may be modules."""
    return tuple(_names_in(path, root))


def _names_in(path: Path, root: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {*_docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _whole(alias.name, root)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from _from(node.module, [alias.name for alias in node.names], root)
        elif isinstance(node, ast.Constant) and node not in docstrings:
            yield from _in_text(str(node.value), root)


def _in_text(text: str, root: Path) -> Iterator[str]:
    """What text that may be a program, or the name of a module, asks for."""
    yield from _DOTTED.findall(text)
    for names in _NAMES.findall(text):
        yield from _from(_LAZY, [name.split()[0] for name in names.split(",")], root)
    if _WHOLE.search(text):
        yield from _whole(_LAZY, root)


def _from(module: str, names: list[str], root: Path) -> Iterator[str]:
    if module != _LAZY:
        yield module
        yield from (f"{module}.{name}" for name in names)
        return
    homes = _lazy_names(root)
    for name in names:
        yield homes.get(name, f"{_LAZY}.{name}")


def _whole(module: str, root: Path) -> Iterator[str]:
    """The module; all of the package where that is imported by its own name."""
    yield module
    if module == _LAZY:
        home = root / _HOMES[_LAZY]
        for path in (home / _LAZY).rglob("*.py"):
            parts = path.relative_to(home).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _lazy_names(root: Path) -> dict[str, str]:
    """Names of the package and the modules where they live, as it tells type checkers."""
    path = _file(_LAZY, root)
    assert path is not None
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        if node.module == _LAZY
        else node.module
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(_LAZY)
        for alias in node.names
    }


def _file(name: str, root: Path) -> Path | None:
    """File of a module of ours; None of any other."""
    home = _HOMES.get(name.partition(".")[0])
    if home is None:
        return None
    path = root / home / name.replace(".", "/")
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.exists():
            return file
    return None


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            yield cast(ast.Constant, cast(ast.Expr, node.body[0]).value)


def spoken(text: str) -> str:
    """The source without comments, docstrings and empty lines.

    Examples
    --------
    >>> print(spoken('def f(x):  # why\\n    "What it is."\\n\\n    return x'))
    def f(x):
        return x
    """
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for docstring in _docstrings(ast.parse(text)):
        first, last = docstring.lineno - 1, (docstring.end_lineno or docstring.lineno) - 1
        beside = lines[first][: docstring.col_offset] + lines[last][docstring.end_col_offset :]
        if not beside.strip():  # Code on the same line stays, docstring and all.
            lines[first : last + 1] = [""] * (last + 1 - first)
    return "\n".join(line.rstrip() for line in lines if line.strip())
