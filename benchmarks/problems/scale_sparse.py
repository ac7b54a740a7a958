"""Sparse rows, which stay sparse: hashed words of a corpus, and weighted words of texts."""

from functools import partial
from math import inf
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, save_npz
from sklearn.linear_model import SGDClassifier

from benchmarks.brown import brown
from benchmarks.harness import Contender, Timed, problem
from benchmarks.models import accuracy
from benchmarks.streams import folder, in_child, told

_STREAM = "model = SimplexRidgeClassifier('linear').fit_blocks(from_arrays(X, y))"
_WHOLE = "model = SimplexRidgeClassifier('linear').fit(X, y)"
_DENSE_SHARE = 10
_DENSE = (
    f"model = SimplexRidgeClassifier('linear').fit(X[::{_DENSE_SHARE}].toarray(), "
    f"y[::{_DENSE_SHARE}])"
)
_LIMIT = 1.5e9 / 2**30
# Rows between two looks at the clock.
_CHUNK = 10_000


def _setup(name: str, parts: tuple[Any, ...]) -> str:
    """Write rows to files; the code that reads them."""
    X, y, Xt, yt = parts
    stem = str(folder() / name)
    save_npz(stem + "-X.npz", X, compressed=False)
    save_npz(stem + "-Xt.npz", Xt, compressed=False)
    np.save(stem + "-y.npy", y)
    np.save(stem + "-yt.npy", yt)
    return (
        "from scipy.sparse import load_npz\n"
        f"stem = {stem!r}\n"
        "X, y = load_npz(stem + '-X.npz'), np.load(stem + '-y.npy')\n"
        "Xt, yt = load_npz(stem + '-Xt.npz'), np.load(stem + '-yt.npy')"
    )


@problem(
    title="Brown corpus, 1.04 million sparse rows of 1,024 hashed features, 145 classes, linear",
    bar="in memory and in blocks at most a fifth of the time per row of dense rows, peak at most "
    "1.5 GB above the data; blocks: left-out score within 0.05 points of fit's, accuracy no lower",
    limit=inf,
    baseline="SimplexRidgeClassifier.fit",
    repeat=0,
    threads=2,
)
def scale_brown(quick: bool) -> list[Contender]:
    parts = brown(30_000 if quick else None)
    setup = _setup("brown", parts)
    X, y, Xt, yt = parts
    seen: list[dict[str, Any]] = []
    # All rows would be 8.5 GB, and take minutes.
    few = -(-len(y) // _DENSE_SHARE)

    def run(work: str) -> Timed:
        found = in_child(setup, work, "float(model.score(Xt, yt))")
        seen.append(found.result)
        return found

    def dense(found: dict[str, Any]) -> dict[str, object]:
        each = f"{1e6 * found['seconds'] / few:.1f}"
        return {"rows": few, "microseconds per row": each} | _without_verdict(found)

    def notes(found: dict[str, Any]) -> dict[str, object]:
        notes = told(_LIMIT, found)
        whole, share = seen[1], (found["seconds"] / len(y)) / (seen[0]["seconds"] / few)
        notes["time per row of dense rows"] = f"{share:.3f} times"
        notes["held"] = bool(
            notes["held"]
            and share <= 1 / 5
            and found["score"] >= whole["score"] - 0.0005
            and found["test"] >= whole["test"] - 0.0005
        )
        return notes

    def sgd() -> Any:
        model, classes, end = SGDClassifier(random_state=0), np.unique(y), seen[2]["seconds"]
        order = np.random.default_rng(0).permutation(len(y))
        start, place = perf_counter(), 0
        while perf_counter() - start < end:
            rows = order[place : place + _CHUNK]
            model.partial_fit(X[rows], y[rows], classes=classes)
            place = place + _CHUNK if place + _CHUNK < len(order) else 0
        return model

    return [
        Contender(f"fit, one of {_DENSE_SHARE} rows, dense", lambda: run(_DENSE), dense),
        Contender("SimplexRidgeClassifier.fit", lambda: run(_WHOLE), notes),
        Contender("fit_blocks", lambda: run(_STREAM), notes, ours=True),
        Contender("SGDClassifier, in the time of fit_blocks", sgd, partial(accuracy, Xt, yt)),
    ]


def _without_verdict(found: dict[str, Any]) -> dict[str, object]:
    notes = told(inf, found)
    return {name: notes[name] for name in notes if name != "held"}


def texts(n_rows: int, n_words: int, n_classes: int, seed: int = 0) -> tuple[Any, ...]:
    """Weighted words of generated texts, as many and as sparse as those of 20 newsgroups.

    Words are drawn by Zipf's law, a tenth of them by that of the class, which has the same law in
    an order of its own; weights are those of TfidfTransformer. Training and test rows.
    """
    from sklearn.feature_extraction.text import TfidfTransformer

    rng = np.random.default_rng(seed)
    frequencies = 1 / np.arange(1, n_words + 1)
    ends = np.cumsum(frequencies / frequencies.sum())
    y = rng.integers(n_classes, size=n_rows)
    lengths = np.maximum(rng.lognormal(4.8, 0.9, n_rows).astype(int), 5)
    rows = np.repeat(np.arange(n_rows), lengths)
    words = np.minimum(np.searchsorted(ends, rng.random(len(rows))), n_words - 1)
    orders = np.stack([rng.permutation(n_words) for _ in range(n_classes)])
    own = rng.random(len(rows)) < 0.1
    words[own] = orders[y[rows[own]], words[own]]
    counts = csr_matrix((np.ones(len(rows)), (rows, words)), shape=(n_rows, n_words))
    X, held = TfidfTransformer().fit_transform(counts), n_rows // 10
    return X[held:], y[held:], X[:held], y[:held]


@problem(
    title="texts like 20 newsgroups: 18,846 sparse rows of 8,192 weighted words, 20 classes",
    bar="peak at most 1.5 GB above the data, blocks: left-out score within 0.05 points of fit's",
    limit=inf,
    baseline="SimplexRidgeClassifier.fit",
    repeat=0,
    threads=2,
)
def scale_texts(quick: bool) -> list[Contender]:
    parts = texts(*((400, 200, 4) if quick else (18_846, 8192, 20)))
    setup = _setup("texts", parts)
    seen: list[float] = []

    def notes(found: dict[str, Any]) -> dict[str, object]:
        seen.append(found["score"])
        notes = told(_LIMIT, found)
        notes["held"] = bool(notes["held"] and found["score"] >= seen[0] - 0.0005)
        return notes

    def run(work: str) -> Timed:
        return in_child(setup, work, "float(model.score(Xt, yt))")

    def sgd() -> Any:
        return SGDClassifier(random_state=0).fit(*parts[:2])

    return [
        Contender("SimplexRidgeClassifier.fit", lambda: run(_WHOLE), notes),
        Contender("fit_blocks", lambda: run(_STREAM), notes, ours=True),
        Contender("SGDClassifier", sgd, partial(accuracy, *parts[2:])),
    ]
