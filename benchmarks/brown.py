"""The Brown corpus as sparse rows: the tag of a token from hashed features of its words."""

import re
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix

from benchmarks.data import load

FEATURES = 1024
_FEWEST_ROWS = 50


def shape(word: str) -> str:
    """Capitals, digits and the rest, runs as one sign each."""
    signs = re.sub("[a-z]", "a", re.sub("[A-Z]", "A", re.sub("[0-9]", "0", word)))
    return re.sub(r"(.)\1+", r"\1", signs)


# What is hashed of a token's own word, of the word before it and of the one after it.
OWN = {
    "word": str,
    "lower": str.lower,
    "prefix": lambda word: word[:3],
    "one": lambda word: word[-1:],
    "two": lambda word: word[-2:],
    "three": lambda word: word[-3:],
    "shape": shape,
}
BEFORE = {"before": str.lower, "before two": lambda word: word[-2:]}
AFTER = {"after": str.lower}


def columns(words: list[str], kinds: dict) -> np.ndarray:
    """Hashed column of each word and kind of feature, (words, kinds)."""
    return np.array(
        [
            [crc32(f"{kind}:{of(word)}".encode()) % FEATURES for kind, of in kinds.items()]
            for word in words
        ]
    )


def brown(rows: int | None = None) -> tuple[csr_matrix, np.ndarray, csr_matrix, np.ndarray]:
    """Training and test rows: every tenth document is held out; tags of 50 rows or more."""
    z = load("brown")
    if "vocabulary" not in z:
        return _stand_in(z)
    words = [*z["vocabulary"].tolist(), ""]
    take = slice(0, rows)
    word, tag = z["word"][take].astype(np.int64), z["tag"][take].astype(np.int64)
    sentence, document = z["sentence"][take].astype(np.int64), z["document"][take]
    edge = len(words) - 1
    before, after = np.full(len(word), edge), np.full(len(word), edge)
    same = sentence[1:] == sentence[:-1]
    before[1:], after[:-1] = np.where(same, word[:-1], edge), np.where(same, word[1:], edge)
    places = np.column_stack(
        [columns(words, OWN)[word], columns(words, BEFORE)[before], columns(words, AFTER)[after]]
    )
    n_rows, n_kinds = places.shape
    X = csr_matrix(
        (np.ones(places.size), places.ravel(), np.arange(0, places.size + 1, n_kinds)),
        shape=(n_rows, FEATURES),
    )
    X.sum_duplicates()
    kept = np.bincount(tag, minlength=472)[tag] >= _FEWEST_ROWS
    held = document % 10 == 0
    return X[kept & ~held], tag[kept & ~held], X[kept & held], tag[kept & held]


def _stand_in(z: dict[str, np.ndarray]) -> tuple[csr_matrix, np.ndarray, csr_matrix, np.ndarray]:
    """Sparse rows of a stand-in for the corpus: features far from zero, on or off."""
    parts = [csr_matrix((z[f"X_{part}"] > 1).astype(np.float64)) for part in ("train", "test")]
    return parts[0], z["y_train"], parts[1], z["y_test"]
