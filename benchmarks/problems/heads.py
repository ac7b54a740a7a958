"""The classifiers that people would take instead, at their defaults and tuned, on every set."""

from functools import partial
from math import inf
from typing import Any

from benchmarks.data import load
from benchmarks.harness import Contender, Skip, Timed, problem
from benchmarks.heads import LIMIT, METHODS, OURS, in_child, run

SETS = (
    "satimage",
    "optdigits",
    "pendigits",
    "caltech101_clip",
    "letter",
    "sun397_clip",
    "isolet",
    "banking77_minilm",
    "aloi438",
    "fashion_mnist",
)
# Rows per class on small sizes.
FEW = 5
# Methods of a run on small sizes; the tests fit every one on their own.
QUICK = ("LogisticRegression",)


def _timed(name: str, method: str, tuned: bool, quick: bool, known: dict[str, Any]) -> Timed:
    """One cell; a search that the time of one fit says to be hopeless is not begun."""
    one = known.get(method)
    if tuned and one is not None and one * METHODS[method].fits > LIMIT:
        raise Skip(f"{METHODS[method].fits} fits of {one:.0f} s are more than {LIMIT} s")
    if tuned and method not in known and not quick:
        raise Skip(f"one fit takes more than {LIMIT} s")
    found = run(name, method, tuned, FEW) if quick else in_child(name, method, tuned)
    if not tuned:
        known[method] = found["seconds"]
    return Timed(found["seconds"], found)


def _notes(
    rivals: list[dict[str, Any]], quick: bool, method: str, tuned: bool, found: dict[str, Any]
) -> dict[str, object]:
    notes: dict[str, object] = {"test accuracy": f"{found['accuracy']:.2f} %"}
    if "log_loss" in found:
        notes["log-loss"] = round(found["log_loss"], 4)
    notes |= {"chosen": ", ".join(f"{k} {v}" for k, v in found.get("chosen", {}).items())}
    if not notes["chosen"]:
        del notes["chosen"]
    if "measured" in found:  # A peer's, which may be kept from another day.
        notes["measured"] = f"{found['measured']} by {_library(method, found)}"
    if tuned:
        rivals.append(found)
    elif method == OURS and rivals and not quick:
        best = max(rivals, key=lambda rival: rival["accuracy"])
        notes["held"] = (
            found["accuracy"] >= best["accuracy"] and found["seconds"] <= best["seconds"]
        )
    return notes


def _library(method: str, found: dict[str, Any]) -> str:
    library = METHODS[method].library
    return f"{library} {found['versions'][library]}"


def _contenders(name: str, quick: bool) -> list[Contender]:
    load(name)  # A skip where it is not there.
    known: dict[str, Any] = {}
    rivals: list[dict[str, Any]] = []
    peers = [method for method in METHODS if method != OURS and (not quick or method in QUICK)]
    cells = [(method, tuned) for method in peers for tuned in (False, True)]
    return [
        Contender(
            f"{method}, {'tuned' if tuned else 'default'}",
            partial(_timed, name, method, tuned, quick, known),
            partial(_notes, rivals, quick, method, tuned),
        )
        for method, tuned in [*cells, (OURS, False)]  # Ours last, it is judged by the others.
    ]


def _register(name: str) -> None:
    def contenders(quick: bool) -> list[Contender]:
        return _contenders(name, quick)

    contenders.__name__ = f"heads_{name}"
    problem(
        title=f"{name}: classifiers at their defaults and tuned by three folds, processor seconds",
        bar="at or above the most accurate tuned peer, in no more time than its search",
        limit=inf,
        baseline=f"{OURS}, default",
        repeat=0,
    )(contenders)


for _name in SETS:
    _register(_name)
