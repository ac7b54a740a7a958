import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_digits

from simplexcoding import audit_labels
from simplexcoding.plots import AuditDisplay

matplotlib.use("Agg")
X, digits = load_digits(return_X_y=True)
X, y = X[:500], digits[:500].copy()
THREES = np.flatnonzero(y == 3)[:12]
y[THREES] = 8


@pytest.fixture(scope="module")
def audit():
    return audit_labels(X, y)


def test_the_heat_map_shows_the_errors_of_each_pair(audit):
    display = AuditDisplay.from_audit(audit)
    shown = display.ax_.get_images()[0].get_array()
    assert np.allclose(shown.filled(0), audit.errors)
    assert np.unravel_index(shown.filled(0).argmax(), shown.shape) == (8, 3)
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == list(map(str, range(10)))
    numbers = {text.get_position(): text.get_text() for text in display.ax_.texts}
    assert numbers[(3, 8)] == f"{audit.errors[8, 3]:.0f}"


def test_only_the_classes_with_most_errors_are_drawn(audit):
    display = AuditDisplay.from_audit(audit, n_classes=2)
    assert display.drawn.tolist() == [3, 8]
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == ["3", "8"]
    assert "2 classes with most" in display.ax_.get_title()


def test_the_histogram_counts_every_row_once(audit):
    ax = AuditDisplay.from_audit(audit).scores_ax_
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    k = audit.n_contradicted
    assert names == [f"agreed with ({500 - k})", f"contradicted ({k})"]
    assert f"about {audit.n_errors:.0f} of 500" in ax.get_title()


def test_long_names_are_turned():
    names = np.array(["nought", "one"])[(y > 4).astype(int)]
    display = AuditDisplay.from_audit(audit_labels(X, names))
    assert display.ax_.get_xticklabels()[0].get_rotation() == 45
