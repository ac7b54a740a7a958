"""Write the README's table of times from the benchmarks' results.

python docs/figures/timings.py

reads benchmarks/results/*.json, which `make bench` measures; a line for every problem below
that has results.
"""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README, RESULTS = ROOT / "README.md", ROOT / "benchmarks" / "results"
BEGIN, END = "<!-- timings: begin -->", "<!-- timings: end -->"
# Problem, what is done, our row, rows of peers with the names they are shown by, a quality to show.
LINES = [
    (
        "ridge_isolet",
        "isolet, linear, 100 alphas with exact leave-one-out",
        "SimplexRidgeClassifier",
        {"RidgeClassifierCV": "`RidgeClassifierCV`", "aeon PrevalidatedRidgeClassifier": "aeon"},
        None,
    ),
    (
        "ridge_banking77",
        "banking77 embeddings, the same",
        "SimplexRidgeClassifier",
        {"RidgeClassifierCV": "`RidgeClassifierCV`", "aeon PrevalidatedRidgeClassifier": "aeon"},
        None,
    ),
    (
        "ridge_classes_peers",
        "1,000 classes (8,000 x 512), 100 alphas, the choice exact",
        "SimplexRidgeClassifier, 100 alphas",
        {
            "aeon PrevalidatedRidgeClassifier": "aeon",
            "RidgeClassifierCV, 10 alphas": "`RidgeClassifierCV`, 10 alphas",
        },
        None,
    ),
    (
        "ridge_classes",
        "1,000 classes (20,000 x 512) beside 10",
        "1,000 classes",
        {"10 classes": "10 classes"},
        None,
    ),
    (
        "svc_satimage",
        "satimage, simplex cone machine, certified gap 1e-3",
        "cone",
        {"scipy.linalg.cholesky": "one Cholesky factorisation"},
        None,
    ),
    (
        "online_many_classes",
        "one pass over 100,000 x 256, 100 classes, logistic loss",
        "logistic",
        {"SGDClassifier": "`SGDClassifier`", "cone": "here, with the cone loss (bar missed):"},
        "test accuracy",
    ),
    (
        "boosting_default_letter",
        "letter, boosting at the defaults",
        "SimplexBoostingClassifier",
        {"LightGBM": "LightGBM", "XGBoost": "XGBoost"},
        "test accuracy",
    ),
    (
        "calibration_banking77_minilm",
        "calibrated probabilities, banking77, linear",
        "ours, vector",
        {
            "RidgeClassifier, 5-fold": "5-fold around `RidgeClassifier`",
            "aeon PrevalidatedRidgeClassifier": "aeon",
        },
        "log-loss",
    ),
    (
        "label_audit",
        "wrong labels of banking77, 10 % flipped",
        "banking77 10 %: audit_labels",
        {"banking77 10 %: cleanlab": "cleanlab"},
        "precision at the number of flips",
    ),
]


def shown(row, quality):
    """Seconds, and the quality by its first word."""
    text = f"{row['seconds']:.2g} s" if row["seconds"] < 100 else f"{row['seconds']:.0f} s"
    if quality is None or quality not in row["qualities"]:
        return text
    return f"{text}, {quality.split()[0].replace('test', 'accuracy')} {row['qualities'][quality]}"


def table():
    lines = ["| work | here | peers | measured | command |", "|---|---:|---:|---|---|"]
    for problem, work, ours, peers, quality in LINES:
        path = RESULTS / f"{problem}.json"
        if not path.exists():
            continue
        found = json.loads(path.read_text())
        rows = {row["label"]: row for row in found["rows"] if not row["skipped"]}
        if ours not in rows:
            continue
        beside = [f"{name} {shown(rows[k], quality)}" for k, name in peers.items() if k in rows]
        threads = "one thread" if found["threads"] == 1 else f"{found['threads']} threads"
        cells = (
            work,
            shown(rows[ours], quality),
            "; ".join(beside),
            f"{found['measured']['date']}, {threads}",
            f"`make bench ONLY={problem}`",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def rendered():
    """The README with its table anew."""
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    README.write_text(rendered(), encoding="utf-8")
