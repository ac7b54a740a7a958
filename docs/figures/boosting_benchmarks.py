"""Write the benchmarks into docs/boosting.md, and draw docs/figures/boosting_classes.png.

Run from the root of the repository, after `make bench`: python docs/figures/boosting_benchmarks.py
Both are made from benchmarks/results/boosting_*.json; what was not measured is left out.
"""

import json
from pathlib import Path

from simplexcoding.experiments.figures import drawn_from

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "boosting.md"
RESULTS = ROOT / "benchmarks" / "results"
FIGURE = Path(__file__).with_name("boosting_classes.png")
BEGIN, END = "<!-- benchmarks: begin -->", "<!-- benchmarks: end -->"
OURS = "SimplexBoostingClassifier"
CLASSES = "boosting_classes"
EQUAL_TIME = {
    "boosting_equal_time": "Letter",
    "boosting_equal_time_satimage": "Landsat",
    "boosting_equal_time_pendigits": "Pendigits",
}
SLOW = {"boosting_slow_isolet": "Isolet", "boosting_slow_many_rows": "KDD Cup 1999"}
DEFAULTS = {
    "boosting_default_letter": "Letter",
    "boosting_default_satimage": "Landsat",
    "boosting_default_pendigits": "Pendigits",
    "boosting_default_isolet": "Isolet",
    "boosting_many_classes": "ALOI, 438 classes",
    "boosting_many_rows": "KDD Cup 1999, 400,000 rows",
}


def read(folder=RESULTS):
    """Results by problem: those of full size with a row of ours as it is by default."""
    found = {}
    for path in sorted(folder.glob("boosting_*.json")):
        one = json.loads(path.read_text())
        labels = {row["label"] for row in one["rows"]}
        if not one["small_sizes"] and (OURS in labels or one["problem"] == CLASSES):
            found[one["problem"]] = one
    return found


def block(found):
    """What stands between the marks on the page."""
    parts = []
    defaults = {name: found[name] for name in DEFAULTS if name in found}
    if defaults:
        parts += [
            "Test accuracy in per cent / log-loss / seconds on two threads, everybody's defaults "
            "(on ALOI the others have 20 rounds):",
            wide_table({DEFAULTS[name]: one for name, one in defaults.items()}),
        ]
    slow = {name: found[name] for name in SLOW if name in found}
    if slow:
        said = [f"on {SLOW[name]} {long_times(one)}" for name, one in slow.items()]
        parts.append(
            "Where a cell is empty the default takes long. On the line through the times of 4 and "
            "12 rounds it would take, " + "; ".join(said) + "."
        )
    equal = {label: found[name] for name, label in EQUAL_TIME.items() if name in found}
    if equal:
        parts += [
            f"With as many rounds as fit in the time that `{OURS}` takes:",
            wide_table(equal),
        ]
    if CLASSES in found:
        seconds = times(found[CLASSES])
        parts += [
            "![Time of 50 rounds against the number of classes](figures/boosting_classes.png)",
            "50 rounds on 20,000 drawn rows of 27 features: "
            + ", ".join(f"{s:.2g} s for {T} classes" for T, s in seconds.items())
            + ".",
        ]
    if not parts:
        return "Not measured yet."
    return "\n\n".join(parts)


def wide_table(found):
    """A line per library and a column per problem."""
    labels = list(dict.fromkeys(row["label"] for one in found.values() for row in one["rows"]))
    labels.sort(key=lambda label: not label.startswith(OURS))
    lines = ["| | " + " | ".join(found) + " |", "|---" + "|---:" * len(found) + "|"]
    for label in labels:
        lines.append(
            "| " + " | ".join([label, *(cell(one, label) for one in found.values())]) + " |"
        )
    return "\n".join(lines)


def cell(one, label):
    """Accuracy / log-loss / seconds, or nothing."""
    for row in one["rows"]:
        if row["label"] == label and not row["skipped"]:
            said = row["qualities"]
            return f"{said['test accuracy'].split()[0]} / {said['log-loss']} / {row['seconds']:.3g}"
    return ""


def long_times(one):
    """What the rows of slow libraries say."""
    return ", ".join(
        f"{row['label']} {row['seconds']:,.0f} s for {row['qualities']['rounds']} rounds"
        for row in one["rows"]
        if row["label"] != OURS and not row["skipped"]
    )


def times(one):
    """Seconds by number of classes."""
    return {int(row["label"].split()[0]): row["seconds"] for row in one["rows"]}


def written(page, found):
    """The page with the block of these results."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{block(found)}\n\n{END}{rest.split(END)[1]}"


def draw(seconds):
    """Time against T, both on logarithmic axes, beside growth in proportion."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.0, 3.2), constrained_layout=True)
    classes = list(seconds)
    axis.plot(classes, list(seconds.values()), "o-", label=OURS)
    proportional = [seconds[classes[0]] * T / classes[0] for T in classes]
    axis.plot(classes, proportional, "k:", linewidth=1, label="in proportion to T")
    axis.set(xscale="log", yscale="log", xlabel="classes T", ylabel="seconds for 50 rounds")
    axis.set_xticks(classes, [str(T) for T in classes])
    axis.legend(frameon=False)
    figure.savefig(FIGURE, dpi=150, metadata=drawn_from(seconds))


if __name__ == "__main__":
    results = read()
    if CLASSES in results:
        draw(times(results[CLASSES]))
    PAGE.write_text(written(PAGE.read_text(), results))
    print(block(results))
