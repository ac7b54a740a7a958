"""Write the table of log-losses on docs/leave_one_out.md from the results of its benchmark.

python docs/figures/calibration_small.py
"""

import json
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
PAGE = DOCS / "leave_one_out.md"
RESULTS = DOCS.parent / "benchmarks" / "results" / "calibration_small.json"
BEGIN, END = "<!-- calibration_small: begin -->\n", "\n<!-- calibration_small: end -->"
HEADING = ("rows", "its log-loss", "default", "rbf", "linear, temperature", "linear, vector")


def table(results):
    columns = [row["qualities"] for row in results["rows"]]
    body = [[name, *(column[name] for column in columns)] for name in columns[0]]
    lines = [HEADING, ["---", *["---:"] * len(columns)], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    text = table(json.loads(RESULTS.read_text(encoding="utf-8")))
    PAGE.write_text(before + BEGIN + text + END + rest.split(END)[1], encoding="utf-8")
