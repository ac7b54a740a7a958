"""Draw docs/figures/scale_rows.png, time against rows, from benchmarks/results/scale_rows.json.

python docs/figures/scale_rows.py

`make bench ONLY=scale_rows` measures what is drawn.
"""

import json
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from simplexcoding.experiments.figures import drawn_from

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "benchmarks" / "results" / "scale_rows.json"
TARGET = HERE / "scale_rows.png"


def points(results: dict[str, Any]) -> list[tuple[int, float]]:
    """Rows and seconds of every size, in order."""
    rows = [row for row in results["rows"] if not row["skipped"]]
    return sorted((int(row["qualities"]["rows"]), float(row["seconds"])) for row in rows)


def draw(found: list[tuple[int, float]]) -> Figure:
    """Seconds against rows, with the line of slope one through a million rows."""
    sizes, seconds = zip(*found, strict=True)
    middle = min(found, key=lambda point: abs(point[0] - 1_000_000))
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    ax = figure.subplots()
    line = [middle[1] * size / middle[0] for size in sizes]
    ax.loglog(sizes, line, color="0.5", lw=1.0, ls="--", label="slope one")
    ax.loglog(sizes, seconds, "o-", color="#0072b2", label="fit_blocks, two passes")
    ax.set(xlabel="rows", ylabel="seconds")
    ax.grid(color="0.92", lw=0.8)
    ax.legend(frameon=False)
    return figure


if __name__ == "__main__":
    found = points(json.loads(RESULTS.read_text()))
    for size, seconds in found:
        print(
            f"{size:>12,} rows {seconds:10.3f} s {1e6 * seconds / size:8.2f} microseconds per row"
        )
    draw(found).savefig(TARGET, dpi=110, metadata=drawn_from(found))
