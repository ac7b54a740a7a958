"""
Support vector machines with a certificate
==========================================

One convex problem for all ten digits. A fifth of the rows chooses C along a path that shares one
factorisation, and the duality gap tells how far from its optimum the model can be at most.
"""

# %%
# The hold-out path
# -----------------
import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from simplexcoding import SimplexSVC
from simplexcoding.plots import PathDisplay

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X / 16.0, y, train_size=600, random_state=0)

model = SimplexSVC().fit(X, y)
display = PathDisplay.from_estimator(model)
display.figure_.suptitle("Error of rows held out along C")
print(f"C = {model.C_:g}, accuracy {model.score(X_test, y_test):.3f}")
print(f"objective {model.objective_:.4g}, at most {model.duality_gap_:.1e} of it above the least")

# %%
# The losses
# ----------
# Held in the hull, the half-space machine keeps every training score above -1/9.
for loss in ("cone", "half_space", "relative", "logistic"):
    other = SimplexSVC(loss, C=model.C_).fit(X, y)
    lowest = other.decision_function(X).min()
    print(
        f"{loss:10}  accuracy {other.score(X_test, y_test):.3f}  iterations {other.n_iter_:4}"
        f"  support {len(other.support_)}  lowest score {lowest:.3f}"
    )
plt.show()
