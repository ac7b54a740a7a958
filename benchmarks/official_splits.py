"""Write what the package keeps of the official splits: row order, shapes, counts, checksums.

    python -m benchmarks.official_splits FOLDER

FOLDER holds the .npz files made from the UCI repository's own train and test files. The package
keeps no row of them: two bytes per row for its place, and fingerprints to check what is loaded.
"""

import json
import sys
from pathlib import Path

import numpy as np

import simplexcoding.datasets.checks as checks
from simplexcoding.datasets import bundled, official_order
from simplexcoding.datasets.catalogue import BUNDLED, CATALOGUE
from simplexcoding.datasets.split import Split

HOME = Path(checks.__file__).parent


def main(folder: Path) -> None:
    prints, places = {}, {}
    for name, info in CATALOGUE.items():
        with np.load(folder / f"{info.file}.npz") as arrays:
            parts = [arrays[key] for key in ("X_train", "y_train", "X_test", "y_test")]
        split = Split.of(name, tuple(parts), "the file")
        prints[name] = checks.fingerprint(split, info.decimals)._asdict()
        if info.openml or info.keel:
            X = np.concatenate([split.X_train, split.X_test])
            y = np.concatenate([split.y_train, split.y_test])
            places[name] = official_order.sorting(X, y, info.decimals).astype(np.uint16)
    bundled.checked = lambda split, decimals: prints.update(
        {split.name: checks.fingerprint(split, decimals)._asdict()}
    )
    for name in BUNDLED:
        bundled.load_bundled(name)
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(prints[name])}" for name in prints)
    (HOME / "fingerprints.json").write_text("{\n" + lines + "\n}\n")
    np.savez_compressed(HOME / "official_order.npz", **places)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
