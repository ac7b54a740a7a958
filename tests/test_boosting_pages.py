"""Tables of the boosting pages are those of their results."""

import json
import runpy
from pathlib import Path

from benchmarks import boosting_defaults as defaults
from simplexcoding import SimplexBoostingClassifier
from simplexcoding.estimators import boosting

ROOT = Path(__file__).resolve().parents[1]
PAGE = runpy.run_path(str(ROOT / "docs" / "figures" / "boosting_benchmarks.py"))


def row(label, seconds, accuracy, loss):
    said = {"test accuracy": f"{accuracy} %", "log-loss": loss}
    return {"label": label, "seconds": seconds, "qualities": said, "skipped": None}


def test_the_decision_shows_what_was_cross_validated():
    page = defaults.PAGE.read_text()
    assert defaults.written(page) == page


def test_the_default_is_the_one_that_was_chosen():
    assert boosting._RATES["newton"] == defaults.STEPS[defaults.NOW][1] == 0.1
    # What gains beyond its standard error in errors and log-loss takes a fifth more time.
    of_step = defaults.read()[defaults.NOW]
    better = set()
    for variant in set(next(iter(of_step.values()))) - {defaults.NOW}:
        gains = [defaults.ratio(of_step, variant, defaults.NOW, q) for q in (0, 1)]
        if all(ratio + error < 1 for ratio, error in gains):
            better.add(variant)
            assert defaults.ratio(of_step, variant, defaults.NOW, 2)[0] > 1.19
    assert better == {"n_estimators=1000", "learning_rate=0.07"}


def test_every_variant_can_be_fitted():
    X, y = [[float(i % 7), float(i % 5)] for i in range(300)], [i % 3 for i in range(300)]
    for variants, rate in defaults.STEPS.values():
        for parameters in variants.values():
            given = {"learning_rate": rate, "n_estimators": 2} | parameters
            given["n_estimators"] = 2
            model = defaults.fitted(defaults.np.array(X), defaults.np.array(y), **given)
            assert isinstance(model, SimplexBoostingClassifier)


def test_ratios_are_geometric_means_over_sets():
    half = {"base": [[90.05, 1.0, 4.0, 1]], "v": [[95.05, 0.5, 1.0, 1]]}
    same = {"base": [[90.05, 1.0, 4.0, 1]], "v": [[90.05, 1.0, 4.0, 1]]}
    for quantity, expected in ((0, 0.5**0.5), (1, 0.5**0.5), (2, 0.5)):
        ratio, error = defaults.ratio({"a": half, "b": same}, "v", "base", quantity)
        assert abs(ratio - expected) < 1e-12 and error > 0


def test_the_guide_shows_the_benchmarks_there_are():
    text = PAGE["PAGE"].read_text()
    assert PAGE["written"](text, PAGE["read"]()) == text


def test_benchmarks_are_rendered_by_library_and_set(tmp_path):
    one = {"problem": "boosting_default_letter", "small_sizes": False}
    one["rows"] = [row("LightGBM", 3.0, 96.67, "0.120"), row(PAGE["OURS"], 2.0, 97.1, "0.088")]
    two = {"problem": "boosting_equal_time", "small_sizes": False, "rows": [row("old", 1, 1, "1")]}
    times = [{"label": f"{T} classes", "seconds": T / 10} for T in (10, 400)]
    three = {"problem": "boosting_classes", "small_sizes": False, "rows": times}
    slow = row("CatBoost", 1234.0, 0, "0") | {"qualities": {"rounds": 1000}}
    four = {"problem": "boosting_slow_isolet", "small_sizes": False}
    four["rows"] = [row(PAGE["OURS"], 2.0, 97.1, "0.088"), slow]
    for found in (one, two, three, four):
        (tmp_path / f"{found['problem']}.json").write_text(json.dumps(found))
    found = PAGE["read"](tmp_path)
    assert set(found) == {"boosting_default_letter", "boosting_classes", "boosting_slow_isolet"}
    block = PAGE["block"](found)
    assert "| | Letter |\n|---|---:|\n| SimplexBoostingClassifier | 97.1 / 0.088 / 2 |\n" in block
    assert "| LightGBM | 96.67 / 0.120 / 3 |" in block
    assert "1 s for 10 classes, 40 s for 400 classes." in block
    assert "on Isolet CatBoost 1,234 s for 1000 rounds." in block
    assert PAGE["block"]({}) == "Not measured yet."
