"""Print the most suspicious labels of banking77: python docs/audit_banking77.py FOLDER.

FOLDER holds banking77_minilm.npz: the sentences of Casanueva et al. (2020), embedded.
"""

import sys
from pathlib import Path

import numpy as np

from simplexcoding import audit_labels

with np.load(Path(sys.argv[1]) / "banking77_minilm.npz") as arrays:
    X = arrays["X_train"].astype(np.float32)
    y = arrays["classes"][arrays["y_train"]]
    texts = arrays["text_train"]

audit = audit_labels(X, y)
print("| row | sentence | given | suggested |\n|---:|---|---|---|")
for k in range(20):
    text = " ".join(str(texts[audit.row[k]]).split()).replace("|", "/")
    given = f"{audit.given[k]} ({audit.given_probability[k]:.4f})"
    suggested = f"{audit.suggested[k]} ({audit.suggested_probability[k]:.2f})"
    print(f"| {audit.row[k]} | {text} | {given} | {suggested} |")
print(f"\n{audit.n_contradicted} labels contradicted, about {audit.n_errors:.0f} wrong")
for given, likely, count in audit.pairs()[:8]:
    print(f"{count:5.1f}  {given} -> {likely}")
