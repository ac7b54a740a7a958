from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from reference.wrapped import pipeline
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.plots import CandidatesDisplay
from simplexcoding.selection import candidates

matplotlib.use("Agg")
X, y = load_wine(return_X_y=True)


def test_every_candidate_has_a_mark_and_the_chosen_one_is_on_top():
    model = SimplexRidgeClassifier().fit(X, y)
    display = CandidatesDisplay.from_estimator(model)
    table = model.candidates_
    (marks,) = display.ax_.get_lines()
    np.testing.assert_allclose(marks.get_xdata(), -table.score[table.order()])
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names[0] == table.label(table.best) and len(names) == len(table)
    assert display.ax_.yaxis_inverted()
    assert display.ax_.get_legend_handles_labels()[1] == ["178 rows"]


def test_numbers_along_a_logarithmic_axis_do_not_overlap():
    display = CandidatesDisplay.from_estimator(SimplexRidgeClassifier().fit(X, y))
    assert display.ax_.get_xscale() == "log"
    display.figure_.canvas.draw()
    boxes = [
        label.get_window_extent()
        for label in [*display.ax_.get_xticklabels(), *display.ax_.get_xticklabels(minor=True)]
        if label.get_text()
    ]
    boxes.sort(key=lambda box: box.x0)
    assert len(boxes) > 1
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_samples_of_different_size_have_marks_of_their_own(monkeypatch):
    monkeypatch.setattr(candidates, "_FIRST_ROWS", 200)
    monkeypatch.setattr(candidates, "_SECOND_ROWS", 500)
    model = SimplexRidgeClassifier(scoring="accuracy").fit(*load_digits(return_X_y=True))
    ax = CandidatesDisplay.from_estimator(model).ax_
    assert ax.get_legend_handles_labels()[1] == ["500 rows", "200 rows"]
    assert ax.get_xlabel() == "left-out error (%)"
    drawn = [len(line.get_xdata()) for line in ax.get_lines()]
    assert drawn == [np.sum(model.candidates_.rows == rows) for rows in (500, 200)]


def test_a_pipeline_is_looked_into_and_a_named_kernel_has_none():
    wrapped = pipeline(SimplexRidgeClassifier()).fit(X, y)
    assert CandidatesDisplay.from_estimator(wrapped).candidates is wrapped[-1].candidates_
    with pytest.raises(ValueError, match="nothing was chosen"):
        CandidatesDisplay.from_estimator(SimplexRidgeClassifier("rbf").fit(X, y))
