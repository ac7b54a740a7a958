"""Cross-validate what the defaults of SimplexBoostingClassifier might be, on training rows alone.

Run from the root of the repository:

    python -m benchmarks.boosting_defaults            print the table of the results
    python -m benchmarks.boosting_defaults --measure  measure what the results do not have yet
    python -m benchmarks.boosting_defaults --write    write the tables into the decision page

The training rows of each set are cut in three, a part is left out in turn, and the default
stands beside models that differ from it in one thing. Results go to `boosting_defaults.json`:
accuracy in per cent, log-loss, CPU seconds and rounds of every set, variant and part.
"""

import argparse
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import exp, isnan, log, nan, sqrt
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch
from zlib import crc32

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from benchmarks.problems.boosting import training_rows
from simplexcoding import SimplexBoostingClassifier
from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.boosting import NewtonMethod, settings
from simplexcoding.solvers.boosting.greedy_tree import grow
from simplexcoding.solvers.boosting.grown_tree import GrownTree

# By set and variant, accuracy, log-loss, seconds and rounds of each part left out.
OfStep = dict[str, dict[str, list[list[float]]]]
Results = dict[str, OfStep]

RESULTS = Path(__file__).with_suffix(".json")
PAGE = Path(__file__).parents[1] / "docs" / "decisions" / "16-boosting-defaults.md"
BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
PARTS = 3
# Where a fit takes long, only the first part is left out.
FIRST_PART_ONLY = ("isolet", "aloi438")
# Sets and their rows: what is compared are settings, so the larger sets are cut.
SETS = {"satimage": 4435, "pendigits": 7494, "letter": 8000, "isolet": 3000, "aloi438": 6000}
# The first comparison is around what the default was, the second around what it is.
BEFORE, NOW = "before: learning_rate=0.15", "now: learning_rate=0.1"
AROUND_BEFORE: dict[str, dict[str, Any]] = {
    BEFORE: {},
    "max_depth=5": {"max_depth": 5},
    "max_depth=7": {"max_depth": 7},
    "learning_rate=0.1": {"learning_rate": 0.1},
    "learning_rate=0.2": {"learning_rate": 0.2},
    "l2_regularization=0.1": {"l2_regularization": 0.1},
    "l2_regularization=1": {"l2_regularization": 1.0},
    "n_directions=3": {"n_directions": 3},
    "n_directions=12": {"n_directions": 12},
    "2 sqrt(p) features": {"root_features": 2},
    "all features": {"max_features": None},
    "half of the rows, drawn each round": {"share": 0.5},
    "no rows trimmed": {"trim": 0.0},
    "min_samples_leaf=5": {"min_samples_leaf": 5},
    "refit to all rows": {"refit": True},
    "held-out rows never join": {"warm_start": True},
}
AROUND_NOW: dict[str, dict[str, Any]] = {
    NOW: {},
    "max_depth=5": {"max_depth": 5},
    "max_depth=7": {"max_depth": 7},
    "l2_regularization=1": {"l2_regularization": 1.0},
    "n_directions=3": {"n_directions": 3},
    "2 sqrt(p) features": {"root_features": 2},
    "min_samples_leaf=5": {"min_samples_leaf": 5},
    "n_estimators=1000": {"n_estimators": 1000},
    "learning_rate=0.07": {"learning_rate": 0.07},
}
STEPS = {BEFORE: (AROUND_BEFORE, 0.15), NOW: (AROUND_NOW, 0.1)}
# What takes too long.
OMITTED = {
    ("isolet", "all features"),
    ("aloi438", "refit to all rows"),
    ("isolet", "held-out rows never join"),
    ("aloi438", "held-out rows never join"),
}


@dataclass(frozen=True)
class SampledRows(NewtonMethod):
    """Newton rounds that look for splits in a share of the rows, drawn anew for each."""

    share: float = 0.5

    def _grown(self, rows: Floats, dim: int, features: Indices) -> GrownTree:
        # The rows' own numbers change from round to round, so they seed the draw.
        rng = np.random.default_rng(crc32(rows[:8].tobytes()))
        some = np.sort(rng.choice(len(rows), round(self.share * len(rows)), replace=False))
        return grow(self.binned, rows, dim, self._shape, features, some=some, threads=True)


@contextmanager
def newton_rounds(trim: float | None, share: float | None) -> Iterator[None]:
    """Newton rounds with settings that the estimator does not have."""
    method: Any = NewtonMethod
    if share is not None:
        method = partial(SampledRows, share=share)
    if trim is not None:
        method = partial(NewtonMethod, trim=trim)
    with patch.object(settings, "NewtonMethod", method):
        yield


def fitted(
    X: np.ndarray,
    y: np.ndarray,
    refit: bool = False,
    root_features: int | None = None,
    trim: float | None = None,
    share: float | None = None,
    **parameters: Any,
) -> SimplexBoostingClassifier:
    """The model, or one grown anew on all rows, as long and as warm as the first."""
    if root_features is not None:
        parameters["max_features"] = min(round(root_features * sqrt(X.shape[1])), X.shape[1])
    with newton_rounds(trim, share):
        model = SimplexBoostingClassifier(random_state=0, **parameters).fit(X, y)
        if refit:
            rounds, calibration = len(model.validation_score_), model.calibration_
            model.set_params(early_stopping=False, n_estimators=rounds).fit(X, y)
            model.calibration_ = calibration
    return model


def measure(name: str, parameters: dict[str, Any]) -> list[list[float]]:
    """Accuracy, log-loss, CPU seconds and rounds with each part left out in turn."""
    X, y = training_rows(name)
    some = np.random.default_rng(0).permutation(len(y))[: SETS[name]]
    X, y = X[some], y[some]
    rows = []
    parts = list(StratifiedKFold(PARTS, shuffle=True, random_state=0).split(X, y))
    for learn, left_out in parts[: 1 if name in FIRST_PART_ONLY else PARTS]:
        start = process_time()
        model = fitted(X[learn], y[learn], **parameters)
        seconds = process_time() - start
        P = model.predict_proba(X[left_out])
        accuracy = 100 * float(np.mean(model.classes_[P.argmax(axis=1)] == y[left_out]))
        loss = float(log_loss(y[left_out], P, labels=model.classes_))
        rows.append(
            [round(accuracy, 3), round(loss, 5), round(seconds, 2), float(model.n_estimators_)]
        )
    return rows


def measure_missing() -> None:
    """Measure what the results do not have, writing them after every variant."""
    found = read()
    fitted(np.arange(2400.0).reshape(1200, 2), np.arange(1200) % 3, n_estimators=2)  # compiles
    for step, (variants, rate) in STEPS.items():
        for variant, parameters in variants.items():
            for name in SETS:
                of_set = found.setdefault(step, {}).setdefault(name, {})
                if (name, variant) in OMITTED or variant in of_set:
                    continue
                of_set[variant] = measure(name, {"learning_rate": rate} | parameters)
                RESULTS.write_text(packed(found))
                print(name, variant, np.mean(of_set[variant], axis=0), flush=True)


def read() -> Results:
    """Results so far."""
    return dict(json.loads(RESULTS.read_text())) if RESULTS.exists() else {}


def packed(found: Results) -> str:
    """JSON with a line for each set and variant."""
    text = json.dumps(found, indent=1)
    return re.sub(r"\[\s+([^\[\]]+?)\s+\]", _on_one_line, text).replace("],\n    [", "], [") + "\n"


def _on_one_line(match: re.Match[str]) -> str:
    return "[" + re.sub(r"\s+", " ", match[1]) + "]"


def ratio(found: OfStep, variant: str, base: str, quantity: int) -> tuple[float, float]:
    """Geometric mean of a variant's ratio to the base over sets, and its standard error.

    Errors are smoothed by half a per mille: a part may have next to none.
    """
    logs = []
    for of_set in found.values():
        if variant not in of_set:
            continue
        pairs = zip(of_set[variant], of_set[base], strict=True)
        values = [(a[quantity], b[quantity]) for a, b in pairs]
        if quantity == 0:
            values = [(100.05 - a, 100.05 - b) for a, b in values]
        logs.append(float(np.mean([log(a / b) for a, b in values])))
    mean = float(np.mean(logs))
    return exp(mean), exp(mean) * float(np.std(logs, ddof=1)) / sqrt(len(logs))


def table(found: OfStep, base: str) -> str:
    """Accuracy / log-loss by set, then ratios to the base over all sets."""
    head = ["", *found, "errors", "log-loss", "CPU"]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for variant in next(iter(found.values())):
        cells = [variant]
        for of_set in found.values():
            accuracy, loss, *_ = np.mean(of_set.get(variant, [[nan] * 4]), axis=0)
            cells.append("" if isnan(accuracy) else f"{accuracy:.2f} / {loss:.3f}")
        if variant == base:
            cells += ["1", "1", "1"]
        else:
            for quantity in (0, 1):
                cells.append("{:.3f} ± {:.3f}".format(*ratio(found, variant, base, quantity)))
            cells.append(f"{ratio(found, variant, base, 2)[0]:.2f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def tables() -> list[str]:
    """One table for each step."""
    return [table(of_step, step) for step, of_step in read().items()]


def written(page: str) -> str:
    """The page with the tables of the results, one between each pair of marks."""
    first, *parts = page.split(BEGIN)
    pairs = zip(tables(), parts, strict=True)
    return first + "".join(f"{BEGIN}\n\n{t}\n\n{END}{p.split(END)[1]}" for t, p in pairs)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--measure", action="store_true", help="measure what is not there yet")
    arguments.add_argument("--write", action="store_true", help="write the tables into the page")
    options = arguments.parse_args()
    if options.measure:
        measure_missing()
    if options.write:
        PAGE.write_text(written(PAGE.read_text()))
    print("\n\n".join(tables()))
