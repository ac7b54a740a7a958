"""
Which labels are wrong?
=======================

The model fitted without a row has not seen its label. Where it contradicts that label with
confidence, look again.
"""

import numpy as np
from sklearn.datasets import load_digits

from simplexcoding import audit_labels
from simplexcoding.plots import AuditDisplay

# %%
# Flip 90 of the 1,797 labels of the digits, in secret.
X, y = load_digits(return_X_y=True)
rng = np.random.default_rng(0)
flipped = rng.choice(len(y), 90, replace=False)
given = y.copy()
given[flipped] = (y[flipped] + rng.integers(1, 10, 90)) % 10

# %%
# One fit ranks them all.
audit = audit_labels(X, given)
print(audit)

# %%
# How many of the first 90 suspects had been flipped, and what is suggested in their place?
first = audit.row[:90]
caught = np.isin(first, flipped)
print(
    f"{caught.sum()} of 90; right suggestions: {(audit.suggested[:90] == y[first])[caught].sum()}"
)

# %%
# Which classes are mistaken for which, and how the suspects stand apart.
AuditDisplay.from_audit(audit)
