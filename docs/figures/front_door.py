"""Draw docs/_static/front_door.png: the code, and where a fitted model puts left-out rows.

python docs/figures/front_door.py
"""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.plots import plot_code
from simplexcoding.plots.plane import (
    CLASS_COLOURS,
    draw_boundaries,
    draw_hull,
    draw_vertices,
    frame,
    vertices,
)

TARGET = Path(__file__).resolve().parents[1] / "_static" / "front_door.png"
EXTENT = 1.45

X, y = load_wine(return_X_y=True)
model = SimplexRidgeClassifier(kernel="rbf").fit(StandardScaler().fit_transform(X), y)

figure = Figure(figsize=(8.4, 4.2), layout="constrained")
left, right = figure.subplots(1, 2)
plot_code(left)
left.set_title("Labels are vertices; the nearest one is the answer", fontsize=11)
# f = (T-1)/T C'u, in the coordinates of the drawn code.
F = model.loo_scores_ @ vertices() * 2 / 3
for k, colour in enumerate(CLASS_COLOURS):
    right.scatter(*F[y == k].T, s=16, color=colour, alpha=0.65, edgecolors="none", zorder=4)
draw_hull(right)
draw_boundaries(right, EXTENT)
draw_vertices(right, size=70)
frame(right, EXTENT)
wrong = int(np.sum(model.loo_scores_.argmax(axis=1) != y))
right.set_title(f"178 wines, each seen by a model without it: {wrong} wrong", fontsize=11)
figure.savefig(TARGET, dpi=110)
