"""Every parameter of everything public stands in its docstring, with words that describe it."""

import inspect
import re
from enum import Enum

import pytest
from sklearn.base import BaseEstimator

import simplexcoding

# What scikit-learn adds to its estimators is described there.
_INHERITED = re.compile(r"^(set_.*_request|get_params|set_params|get_metadata_routing|score)$")
# Public modules without a list of names: what they are there for.
_NAMES = {"kernels": ["Kernel"]}


def public():
    """The public constructors and functions, class methods, and the estimators' methods."""
    found = {}
    for name in simplexcoding.__all__:
        thing = getattr(simplexcoding, name)
        if inspect.ismodule(thing):
            names = getattr(thing, "__all__", None) or _NAMES[name]
            found |= {f"{name}.{inner}": getattr(thing, inner) for inner in names}
        elif name != "__version__":
            found[name] = thing
    for name, thing in dict(found).items():
        for inner, member in inspect.getmembers(thing, callable) if inspect.isclass(thing) else ():
            whole = inspect.ismethod(member) or issubclass(thing, BaseEstimator)
            if whole and not inner.startswith("_") and not _INHERITED.match(inner):
                found[f"{name}.{inner}"] = member
    return {name: thing for name, thing in found.items() if _takes_parameters(thing)}


def _abstract(kind):
    return getattr(kind, "_is_protocol", False)


def _takes_parameters(thing):
    if inspect.isclass(thing) and (issubclass(thing, Exception | Enum) or _abstract(thing)):
        return False
    ours = getattr(thing, "__module__", "").startswith("simplexcoding")
    return ours and callable(thing) and bool(parameters(thing))


def docstring(name, thing):
    """The docstring, a method's where it was first defined."""
    owner, _, method = name.rpartition(".")
    kinds = getattr(simplexcoding, owner, None)
    if inspect.isclass(kinds):
        every = [vars(kind)[method].__doc__ for kind in kinds.__mro__ if method in vars(kind)]
        return inspect.cleandoc(next(filter(None, every), ""))
    return inspect.getdoc(thing) or ""


def described(docstring):
    """Parameters of the section of that name, with the words that stand with each."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n---|\Z)", docstring, re.S | re.M)
    found, names = {}, []
    for line in section[1].splitlines() if section else []:
        if line[:1].strip():
            head, _, kind = line.partition(" : ")
            names = [name.strip().lstrip("*") for name in head.split(",")]
            found.update(dict.fromkeys(names, kind))
        else:
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
    return found


def parameters(thing):
    return [
        name
        for name, parameter in inspect.signature(thing).parameters.items()
        if name not in ("self", "cls") and not name.startswith("_")
    ]


@pytest.mark.parametrize("name", sorted(public()))
def test_every_parameter_is_described(name):
    thing = public()[name]
    wanted = parameters(thing)
    text = docstring(name, thing)
    found = described(text)
    # "the rows X" in a sentence is enough for a method that takes nothing else.
    assert not [each for each in wanted if each not in found and f"the rows {each}" not in text]
    assert not [each for each in found if each not in wanted]
    # A type alone, such as "bool, default=True", says nothing of what the parameter is for.
    word = r"int|float|bool|str|callable|array|list|dict|RandomState|None|or|of|default=\S+|\(.*?\)"
    bare = rf'({word}|"[^"]*"|\{{[^}}]*\}}|[,\s])*'
    assert not [each for each in found if re.fullmatch(bare, found[each])]


@pytest.mark.parametrize("name", sorted(public()))
def test_defaults_are_short_where_a_page_shows_them(name):
    for parameter in inspect.signature(public()[name]).parameters.values():
        assert len(repr(parameter.default)) < 80, parameter.name


@pytest.mark.parametrize("name", sorted(public()))
def test_a_default_is_told_where_the_parameter_is(name):
    signature = inspect.signature(public()[name]).parameters
    found = described(docstring(name, public()[name]))
    optional = [each for each in found if signature[each].default is not inspect.Parameter.empty]
    assert not [each for each in optional if "default=" not in found[each]]


ESTIMATORS = [name for name in simplexcoding.__all__ if name.endswith(("Classifier", "SVC"))]


@pytest.mark.parametrize("name", ESTIMATORS)
def test_random_state_reads_alike(name):
    words = described(docstring(name, getattr(simplexcoding, name)))["random_state"]
    kind = r"int, RandomState or None, default=(0|None)"
    assert re.fullmatch(kind + r" Seed of .*; None draws a new one for every fit\.", words)


def test_the_reader_of_docstrings():
    text = "Parameters\n----------\na, b : int\n    Counts.\nc : str\n\nReturns\n-------\nx\n"
    assert described(text) == {"a": "int Counts.", "b": "int Counts.", "c": "str "}
