"""
Labels as the vertices of a triangle
====================================

With three classes the code lives in the plane, so everything the library does can be seen: labels
are vertices, a function into the plane is learnt, and the nearest vertex is the answer.
"""

# %%
# The code
# --------
# Any two vertices are equally far apart: no class is nearer to another by the way it was numbered.

from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.plots import plot_code
from simplexcoding.plots.plane import CLASS_COLOURS, draw_boundaries, draw_hull, frame, vertices

plot_code()

# %%
# What is learnt
# --------------
# ``loo_scores_`` holds, for every row, the scores of the model fitted without it. As points of the
# plane they are where each wine falls when it is new.

X, y = load_wine(return_X_y=True)
model = SimplexRidgeClassifier(kernel="rbf").fit(StandardScaler().fit_transform(X), y)
F = model.loo_scores_ @ vertices() * 2 / 3

ax = plot_code(point=None)
for k, colour in enumerate(CLASS_COLOURS):
    ax.scatter(*F[y == k].T, s=18, color=colour, zorder=4)
draw_hull(ax)
draw_boundaries(ax, 1.45)
frame(ax, 1.45)
ax.set_title("178 wines, each left out")
