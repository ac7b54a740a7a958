"""The rows of a source of blocks at once, as often as it is read."""

import pickle

import numpy as np
from scipy.sparse import issparse


def together(source):
    """All rows, labels and weights of a source, or of blocks; None without weights."""
    blocks = list(source)
    dense = [b.X.toarray() if issparse(b.X) else b.X for b in blocks]
    weights = None if blocks[0].weight is None else np.concatenate([b.weight for b in blocks])
    return np.concatenate(dense), np.concatenate([b.y for b in blocks]), weights


def readings(source):
    """What `together` says of a source read twice, and of its parts sent elsewhere."""
    sent = pickle.loads(pickle.dumps(source.parts))
    return [together(found) for found in (source, source, [b for part in sent for b in part])]
