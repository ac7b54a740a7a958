"""Draw the comparison with other classifiers and write its tables from the benchmarks' results.

python docs/figures/comparison.py

reads benchmarks/results/heads_*.json, which `make bench ONLY=heads` measures, draws
docs/_static/comparison.png (all sets) and docs/_static/gain.png (two of them, for the README), and
writes the tables of docs/comparison.md and of the README between their markers.
"""

import json
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from simplexcoding.experiments.figures import drawn_from

DOCS = Path(__file__).resolve().parents[1]
RESULTS = DOCS.parent / "benchmarks" / "results"
README, PAGE = DOCS.parent / "README.md", DOCS / "comparison.md"
BEGIN, END = "<!-- {}: begin -->", "<!-- {}: end -->"
OURS = "SimplexRidgeClassifier"
TITLES = {
    "caltech101_clip": "Caltech-101 pictures, CLIP\n1,600 rows, 100 classes",
    "sun397_clip": "SUN397 pictures, CLIP\n3,176 rows, 397 classes",
    "banking77_minilm": "Banking77 sentences, MiniLM\n10,003 rows, 77 classes",
    "satimage": "Satimage\n4,435 rows, 6 classes",
    "optdigits": "Optdigits\n3,823 rows, 10 classes",
    "pendigits": "Pendigits\n7,494 rows, 10 classes",
    "letter": "Letter\n16,000 rows, 26 classes",
    "isolet": "Isolet\n6,238 rows, 26 classes",
    "aloi438": "ALOI\n24,246 rows, 438 classes",
    "fashion_mnist": "Fashion-MNIST pixels\n60,000 rows, 10 classes",
}
IN_README = ("caltech101_clip", "banking77_minilm")
# Colour and marker of each method, in the order of the legend.
LOOKS = {
    OURS: ("#d55e00", "*"),
    "LogisticRegression": ("#0072b2", "o"),
    "LinearSVC": ("#009e73", "s"),
    "SVC": ("#cc79a7", "D"),
    "KNeighborsClassifier": ("#888888", "v"),
    "RidgeClassifierCV": ("#56b4e9", "^"),
    "HistGradientBoostingClassifier": ("#e69f00", "P"),
    "LGBMClassifier": ("#b8a800", "X"),
    "MLPClassifier": ("#000000", "p"),
}


def results():
    """For each set measured: (method, how) -> seconds, accuracy, log-loss, or a reason."""
    found = {}
    for name in TITLES:
        path = RESULTS / f"heads_{name}.json"
        if path.exists():
            rows = json.loads(path.read_text())["rows"]
            found[name] = {tuple(row["label"].split(", ")): _values(row) for row in rows}
    return found


def _values(row):
    if row["skipped"]:
        return {"skipped": row["skipped"]}
    qualities = row["qualities"]
    accuracy = float(qualities["test accuracy"].split()[0])
    values = {"seconds": row["seconds"], "accuracy": accuracy}
    return values | ({"log_loss": qualities["log-loss"]} if "log-loss" in qualities else {})


def measured(found):
    """The cells of a set that came to an end."""
    return {cell: values for cell, values in found.items() if "skipped" not in values}


def scatter(axes, found, value):
    """One quality against time; hollow at the default, filled where tuned, ours filled.

    A line through ours: what lies below it is better.
    """
    axes.axhline(value(found[OURS, "default"]), color=LOOKS[OURS][0], lw=1.0, ls=":", zorder=2)
    for (method, how), values in measured(found).items():
        if value(values) is None:
            continue
        colour, marker = LOOKS[method]
        ours = method == OURS
        axes.scatter(
            max(values["seconds"], 1e-2),
            value(values),
            s=210 if ours else 46,
            marker=marker,
            edgecolors=colour,
            facecolors=colour if ours or how == "tuned" else "none",
            linewidths=1.3,
            zorder=4 if ours else 3,
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(LogLocator(numticks=5))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.margins(0.1)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(which="both", labelsize=9, color="0.6")
    axes.tick_params(which="minor", length=0)


def error(values):
    """Test error in per cent, at least half of what one row of a thousand is worth."""
    return max(100 - values["accuracy"], 0.05)


def loss(values):
    return values.get("log_loss")


def legend(figure, columns):
    handles = []
    for method, (colour, marker) in LOOKS.items():
        size = 13 if method == OURS else 7
        handles.append(Line2D([], [], color=colour, marker=marker, ls="", ms=size, label=method))
    dark = "#444444"
    handles.append(Line2D([], [], color=dark, marker="o", ls="", ms=7, label="filled: tuned"))
    handles.append(
        Line2D([], [], color=dark, marker="o", ls="", ms=7, mfc="none", label="hollow: default")
    )
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False)


def draw_all(found):
    """Two panels a set, error and log-loss, narrow enough to be read on a telephone."""
    figure = Figure(figsize=(8.5, 2.4 * len(found) + 1.4), layout="constrained")
    panels = figure.subplots(len(found), 2, squeeze=False)
    for (left, right), (name, cells) in zip(panels, found.items(), strict=True):
        scatter(left, cells, error)
        scatter(right, cells, loss)
        left.set_title(TITLES[name].replace("\n", ": "), fontsize=10, loc="left", weight="bold")
        left.set_ylabel("test error, %", fontsize=9)
        right.set_ylabel("log-loss", fontsize=9)
    for axes in panels[-1]:
        axes.set_xlabel("seconds of one processor", fontsize=9)
    legend(figure, 3)
    figure.savefig(DOCS / "_static" / "comparison.png", dpi=150, metadata=drawn_from(found))


def draw_few(found):
    """The picture of the README: error on embeddings."""
    figure = Figure(figsize=(9.6, 4.6), layout="constrained")
    panels = figure.subplots(1, len(found), squeeze=False)[0]
    for axes, (name, cells) in zip(panels, found.items(), strict=True):
        scatter(axes, cells, error)
        title, size = TITLES[name].split("\n")
        axes.set_title(title, fontsize=12, loc="left", weight="bold", pad=22)
        axes.text(0, 1.02, size, transform=axes.transAxes, color="0.35", va="bottom")
        ours = found[name][OURS, "default"]
        axes.annotate(
            "simplexcoding",
            (ours["seconds"], error(ours)),
            (0, -12),
            textcoords="offset points",
            color=LOOKS[OURS][0],
            weight="bold",
            ha="center",
            va="top",
        )
        axes.margins(0.1, 0.14)
        axes.set_xlabel("seconds of one processor, search included")
        axes.set_ylabel("test error, %")
    legend(figure, 4)
    figure.savefig(DOCS / "_static" / "gain.png", dpi=170, metadata=drawn_from(found))


def few(found):
    """The sets of the README."""
    return {name: found[name] for name in IN_README if name in found}


def cell(values):
    """Accuracy, log-loss where there is one, seconds; or why there is nothing."""
    if values is None:
        return ""
    if "skipped" in values:
        return "too long"
    parts = [f"{values['accuracy']:.1f}"]
    if "log_loss" in values:
        parts.append(f"{values['log_loss']:.3f}")
    return " / ".join([*parts, f"{values['seconds']:.3g} s"])


def best(cells):
    """The most accurate of the peers."""
    peers = {key: values for key, values in measured(cells).items() if key[0] != OURS}
    return max(peers, key=lambda key: peers[key]["accuracy"])


def mean_accuracy(found, names, method):
    """Of a tuned method over some sets; none where it took too long."""
    cells = [found[name].get((method, "tuned"), {}) for name in names]
    return sum(values.get("accuracy", 0.0) for values in cells) / len(names)


def short_table(found):
    """Of the README: ours, and the four tuned peers that are most accurate on its sets."""
    names = [name for name in IN_README if name in found]
    ranked = sorted(LOOKS, key=lambda method: -mean_accuracy(found, names, method))
    peers = [method for method in ranked if method != OURS][:4]
    lines = ["| | " + " | ".join(TITLES[name].replace("\n", ": ") for name in names) + " |"]
    lines.append("|---|" + "---:|" * len(names))
    for method in [OURS, *peers]:
        how = "default" if method == OURS else "tuned"
        label = f"**`{method}()`**" if method == OURS else f"`{method}`, tuned"
        cells = [cell(found[name].get((method, how))) for name in names]
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def verdict_table(found):
    """Ours beside the most accurate peer of each set, and who is ahead in what."""
    lines = [
        "| data | ours | most accurate peer | accuracy | log-loss | time |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, cells in found.items():
        ours, key = cells[OURS, "default"], best(cells)
        peer = cells[key]
        gain = f"{ours['accuracy'] - peer['accuracy']:+.1f} points"
        losses = [v["log_loss"] for k, v in measured(cells).items() if k[0] != OURS and loss(v)]
        least = f"{ours['log_loss']:.3f} against {min(losses):.3f}"
        times = ours["seconds"] / peer["seconds"]
        ratio = f"{times:.2g} times" if times < 10 else f"{times:.0f} times"
        title = TITLES[name].replace("\n", ", ")
        row = (title, cell(ours), f"`{key[0]}` {key[1]}: {cell(peer)}", gain, least, ratio)
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def full_tables(found):
    """Every cell: one table a set."""
    parts = []
    for name, cells in found.items():
        parts += [f"### {TITLES[name].replace(chr(10), ', ')}", ""]
        parts += ["| | default | tuned |", "|---|---:|---:|"]
        for method in LOOKS:
            pair = [cell(cells.get((method, how))) for how in ("default", "tuned")]
            name_ = f"**`{method}`**" if method == OURS else f"`{method}`"
            parts.append(f"| {name_} | {pair[0]} | {pair[1]} |")
        parts.append("")
    return "\n".join(parts).rstrip()


TABLES = {
    README: {"comparison": short_table},
    PAGE: {"verdicts": verdict_table, "tables": full_tables},
}


def rendered(path, found):
    """The text of a page with its tables anew."""
    text = path.read_text(encoding="utf-8")
    for name, table in TABLES[path].items():
        before, rest = text.split(BEGIN.format(name))
        after = rest.split(END.format(name))[1]
        text = f"{before}{BEGIN.format(name)}\n{table(found)}\n{END.format(name)}{after}"
    return text


if __name__ == "__main__":
    everything = results()
    draw_all(everything)
    draw_few(few(everything))
    for path in TABLES:
        path.write_text(rendered(path, everything), encoding="utf-8")
