"""
The losses over the plane
=========================

A loss is a function of the scores and the label alone. With three classes its level sets can be
drawn; the filled vertex is the true class, dashed lines part the decisions.
"""

# %%
# The losses of the paper: least squares is round, the cone hinge is flat inside the cone opposite
# to the wrong vertices, and the half-space hinge is a ramp that only the hull keeps in bounds.

from simplexcoding.losses import ConeHinge, HalfSpaceHinge, LeastSquares
from simplexcoding.plots import plot_level_sets
from simplexcoding.relaxation import check_consistency

plot_level_sets([LeastSquares(), ConeHinge(), HalfSpaceHinge()])

# %%
# Consistency, by search: a distribution on which the minimiser of the loss decides for a class that
# is not the most likely one.

for loss in (LeastSquares(), ConeHinge(), HalfSpaceHinge(), HalfSpaceHinge(hull=False)):
    print(check_consistency(loss, 3))
