"""Write the tables of pages whose figures come from results of benchmarks.

python docs/figures/tables.py

A page holds marks `<!-- NAME: begin -->` and `<!-- NAME: end -->`; what stands between them is
made from benchmarks/results/*.json, docs/reproduction.json and docs/incremental.json, and a test
holds it to that.
"""

import json
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
RESULTS = DOCS.parent / "benchmarks" / "results"


def rows(name):
    """Lines of a benchmark's results, by label."""
    found = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["rows"]
    return {row["label"]: row for row in found}


def markdown(heading, body):
    lines = [heading, ["---", *["---:"] * (len(heading) - 1)], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def calibration_small():
    names = {
        "LogisticRegression": "its log-loss",
        "ours, default": "default",
        "ours, rbf": "rbf",
        "ours, linear": "linear",
        "ours, linear, temperature": "linear, temperature",
        "ours, linear, vector": "linear, vector",
    }
    columns = {
        names[label]: row["qualities"]
        for label, row in rows("calibration_small").items()
        if label in names
    }
    body = [[name, *(each[name] for each in columns.values())] for name in columns["its log-loss"]]
    return markdown(["rows", *columns], body)


def calibration():
    """Accuracy, log-loss and expected calibration error of linear models."""
    sets = {
        "isolet": "isolet",
        "letter": "letter",
        "banking77_minilm": "banking77",
        "caltech101_clip": "caltech101 (CLIP)",
        "sun397_clip": "sun397 (CLIP)",
    }
    names = {
        "ours, temperature": '`"temperature"`',
        "ours, vector": '`"vector"`',
        "ours, none": '`"none"`',
        "aeon PrevalidatedRidgeClassifier": "aeon's prevalidated ridge",
        "RidgeClassifier, 5-fold": "`RidgeClassifier`, 5-fold calibration",
        "LinearSVC, 5-fold": "`LinearSVC`, 5-fold calibration",
        "LogisticRegression": "`LogisticRegression`",
    }
    measured = [rows(f"calibration_{name}") for name in sets]

    def entry(row):
        found = row["qualities"]
        return f"{found['accuracy']}, {float(found['log-loss']):.3f}, {float(found['ECE']):.3f}"

    body = [[text, *(entry(each[label]) for each in measured)] for label, text in names.items()]
    return markdown(["", *sets.values()], body)


def calibration_time():
    """What a calibration adds to a fit, in per cent."""
    shares = rows("calibration_time")
    sets = dict.fromkeys(label.split(",")[0] for label in shares if "," in label)
    body = [
        [f'`"{kind}"`', *(f"{100 * shares[f'{name}, {kind}']['seconds']:.0f} %" for name in sets)]
        for kind in ("temperature", "vector")
    ]
    return markdown(["", *(name.split("_")[0] for name in sets)], body)


def svc_accuracy():
    """Test accuracy of margin machines: their benchmarks, and the hull from the reproduction."""
    sets = {
        "satimage": "landsat",
        "optdigits": "optdigit",
        "pendigits": "pendigit",
        "isolet": "isolet",
        "letter": "letter",
    }
    names = {
        "SimplexSVC, cone": "cone",
        "SimplexSVC, relative": "relative",
        "SVC, one-vs-one": "scikit-learn's `SVC`, one-vs-one",
        "SVC, one-vs-rest": "`SVC`, one-vs-rest",
    }
    measured = [rows(f"svc_accuracy_{name}") for name in sets]
    body = [
        [text, *(each[label]["qualities"]["test accuracy"] for each in measured)]
        for label, text in names.items()
    ]
    cells = json.loads((DOCS / "reproduction.json").read_text(encoding="utf-8"))["rows"]
    hull = {
        row["dataset"]: f"{row['accuracy']:.2f}"
        for row in cells
        if (row["method"], row["features"]) == ("sh_rbf", "standardised")
    }
    body.insert(2, ["half-space with hull", *(hull.get(name, "-") for name in sets.values())])
    return markdown(["", *sets], body)


def svc_calibration():
    """Log-loss on test rows and time, of ours and of the peer."""
    body = []
    for name in ("satimage", "optdigits"):
        for label, row in rows(f"svc_calibration_{name}").items():
            found = row["qualities"]
            seconds = f"{row['seconds']:.1f} s"
            body.append([name, label, found["log-loss"], found["accuracy"], seconds])
    return markdown(["data", "", "log-loss", "accuracy", "time"], body)


def prediction_sets():
    """Coverage and number of classes, of left-out scores and of the peer."""
    peer, ours = (
        [re.fullmatch(r"(\w+) (\d+ %): ([\d.]+ %) with ([\d.]+)", key) for key in row["qualities"]]
        for row in rows("prediction_sets").values()
    )
    body = [
        [_data(a[1]), a[2], f"{a[3]}, {a[4]}", f"{b[3]}, {b[4]}"]
        for a, b in zip(ours, peer, strict=True)
    ]
    return markdown(["data", "asked for", "left-out scores", "MAPIE"], body)


def label_audit():
    """Precision at the number of flips, average precision, seconds."""
    found = rows("label_audit")

    def entry(label):
        precision, average = list(found[label]["qualities"].values())[:2]
        return f"{precision}, {average}, {found[label]['seconds']:.1f} s"

    body = []
    for start in dict.fromkeys(label.split(": ")[0] for label in found):
        name, flipped = start.split(" ", 1)
        ways = ("audit_labels", "audit_labels, linear", "cleanlab")
        body.append([_data(name), flipped, *(entry(f"{start}: {way}") for way in ways)])
    return markdown(["data", "flipped", "default (rbf)", "linear", "cleanlab"], body)


def scale():
    """Seconds, memory and what they are held against, of rows that are read in blocks."""
    body = []
    works = {
        "scale_memmap": "memmap of 2,000,000 x 512, 100 classes",
        "scale_imagenet": "ImageNet head, 1,280,000 x 768, 1,000 classes",
    }
    for name, work in works.items():
        row = rows(name)["fit_blocks"]
        peak, beside = row["qualities"]["peak above import"], f"{row['ratio']:.2f} times one X'X"
        body.append([work, f"{row['seconds']:.1f} s", peak, beside])
    works = {
        "scale_brown": "Brown corpus, 1.04 million sparse rows of 1,024 words",
        "scale_texts": "texts, 16,962 sparse rows of 8,192 words",
    }
    for name, work in works.items():
        whole, found = (rows(name)[way] for way in ("SimplexRidgeClassifier.fit", "fit_blocks"))
        beside = f"`fit` {whole['seconds']:.1f} s, {whole['qualities']['peak above import']}"
        online = next(row for label, row in rows(name).items() if label.startswith("SGD"))
        ours, theirs = (each["qualities"]["test accuracy"] for each in (found, online))
        beside += f"; {ours} of test rows, SGDClassifier {theirs} in {online['seconds']:.1f} s"
        peak = found["qualities"]["peak above import"]
        body.append([work, f"{found['seconds']:.1f} s", peak, beside])
    row = rows("scale_kdd")["fit_blocks"]
    beside = f"{1 / row['ratio']:.0f} times faster than Nystroem and RidgeClassifierCV"
    memory = [each["seconds"] for each in rows("scale_kdd_memory").values()]
    peak = f"{memory[1] / 1024:.2f} GiB"
    body.append(["kdd99, 1,000 landmarks", f"{row['seconds']:.1f} s", peak, beside])
    body.append(["", "", f"{memory[0] / 1024:.2f} GiB", "a quarter of the rows"])
    dask = rows("scale_dask")
    for label, row in list(dask.items())[1:]:
        beside = f"{row['ratio']:.2f} times no Dask"
        work = f"Dask, 1,600,000 x 256, 50 classes, {label}"
        body.append([work, f"{row['seconds']:.1f} s", "", beside])
    return markdown(["work", "time", "peak above import", "beside"], body)


def incremental():
    """Accuracy as classes come, and processor seconds of all steps."""
    found = _incremental()
    body = [
        [name, *(f"{score:.1f}" for score in line), f"{found['seconds'][name]:.1f}"]
        for name, line in found["accuracy"].items()
    ]
    return markdown(["classes so far", *map(str, found["classes"]), "seconds"], body)


def incremental_forget():
    """Rows that leave, against a fit without them."""
    heading = ["forget", "largest difference to a new fit", "seconds", "seconds of the new fit"]
    body = [
        [
            what,
            f"{row['difference']:.0e}",
            f"{row['seconds']:.2f}",
            f"{row['seconds of a new fit']:.2f}",
        ]
        for what, row in _incremental()["forget"].items()
    ]
    return markdown(heading, body)


def _incremental():
    return json.loads((DOCS / "incremental.json").read_text(encoding="utf-8"))


def _data(name):
    return name.removesuffix("_clip")


TABLES = {
    "incremental.md": (incremental, incremental_forget),
    "leave_one_out.md": (calibration_small, prediction_sets, label_audit),
    "ridge.md": (calibration, calibration_time),
    "scale.md": (scale,),
    "svm.md": (svc_calibration, svc_accuracy),
}


def written(text, table):
    """A page's text with one table made anew."""
    name = table.__name__
    begin, end = f"<!-- {name}: begin -->\n", f"\n<!-- {name}: end -->"
    before, rest = text.split(begin)
    return before + begin + table() + end + rest.split(end)[1]


if __name__ == "__main__":
    for page, tables in TABLES.items():
        text = (DOCS / page).read_text(encoding="utf-8")
        for table in tables:
            text = written(text, table)
        (DOCS / page).write_text(text, encoding="utf-8")
