from itertools import combinations

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_digits

from simplexcoding import SimplexRidgeClassifier, audit_labels
from simplexcoding.plots import AuditDisplay
from simplexcoding.plots.audit import short_names, shortened

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


def test_a_map_without_errors_has_a_scale_from_zero(audit):
    clean = audit_labels(X[y < 2], y[y < 2])
    assert clean.n_errors == 0
    (image,) = AuditDisplay.from_audit(clean).ax_.get_images()
    assert image.get_clim() == (0, 1)


def test_of_many_classes_the_most_confused_pairs_are_listed(audit):
    display = AuditDisplay.from_audit(audit, n_classes=9, n_pairs=3)
    pairs = audit.pairs()
    names = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    assert names[0] == "8 \u2192 3"
    assert names == [f"{a} \u2192 {b}" for a, b, _ in pairs[:3]]
    lengths = [bar.get_width() for bar in display.ax_.patches]
    assert lengths == [count for _, _, count in pairs[:3]]
    assert f"{len(names)} of {len(pairs)} pairs" in display.ax_.get_title("right")
    # The first pair stands on top.
    assert display.ax_.yaxis_inverted()


def test_seventy_seven_long_names_do_not_overlap():
    rng = np.random.default_rng(0)
    true = np.arange(77 * 12) % 77
    rows = rng.normal(size=(77, 20))[true] + 0.5 * rng.normal(size=(len(true), 20))
    wrong = rng.choice(len(true), 120, replace=False)
    given = true.copy()
    given[wrong] = (true[wrong] + rng.integers(1, 4, 120)) % 77
    words = "card_payment_{0:02}_was_charged_at_a_wrong_exchange_rate_{0:02}"
    names = np.array([words.format(k) for k in range(77)])[given]
    audit = audit_labels(SimplexRidgeClassifier("linear").fit(rows, names), names)
    display = AuditDisplay.from_audit(audit)
    display.figure_.canvas.draw()
    ax, scores_ax = display.ax_, display.scores_ax_
    labels = [*ax.get_yticklabels(), ax._right_title, scores_ax.title, scores_ax.yaxis.label]
    boxes = [text.get_window_extent() for text in labels]
    assert len(boxes) == 15 + 3 and len({text.get_text() for text in labels}) == 18
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    whole = display.figure_.bbox
    assert all(whole.x0 <= box.x0 and box.x1 <= whole.x1 for box in boxes)
    assert all(whole.y0 <= box.y0 and box.y1 <= whole.y1 for box in boxes)


def test_anything_but_an_audit_is_named():
    with pytest.raises(TypeError, match="must be what audit_labels returns, got a ndarray"):
        AuditDisplay.from_audit(X)


def test_names_are_shortened_in_the_middle():
    assert shortened("card arrival", 12) == "card arrival"
    assert shortened("wrong_amount_of_cash_received", 12) == "wrong_\u2026eived"
    assert len(shortened("x" * 99, 24)) == 24


def test_names_that_differ_in_the_middle_stay_apart():
    names = [f"card_payment_intent_{k:02d}_not_recognised" for k in range(77)]
    short = short_names([*names, "top_up", "x" * 40], 24)
    assert len(set(short)) == 79 and short[-2] == "top_up"
    assert "_07_" in short[7] and max(map(len, short)) == 24
    # Two differ beyond what is shown after the first difference of all three: they stay whole.
    far = ["a" * 30 + "b" * 60 + end + "c" * 30 for end in "xy"] + ["a" * 30 + "z" + "c" * 30]
    assert short_names(far, 24)[:2] == far[:2]


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
