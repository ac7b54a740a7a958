import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, HalfSpaceHinge
from simplexcoding.relaxation import conditional_loss, format_table, theory_table

# The paper's table: p, where f lives and the minimiser of its three losses.
PAPER = {
    "least_squares": (2.0, "R^(T-1)", "sum_k P_k c_k"),
    "cone": (1.0, "R^(T-1)", "c_b, b = argmax P"),
    "half_space": (1.0, "conv(C)", "c_b, b = argmax P"),
}


def test_has_every_loss_and_the_half_space_without_hull():
    losses = [row.loss for row in theory_table([3])]
    assert losses == [*(make() for make in CATALOGUE.values()), HalfSpaceHinge(hull=False)]


@pytest.mark.parametrize("name", PAPER)
def test_says_what_the_paper_says(name):
    row = next(row for row in theory_table([2, 3, 7]) if row.loss.name == name)
    assert (row.p, row.domain, row.minimizer) == PAPER[name]
    constants = [row.comparison[count].constant for count in (2, 3, 7)]
    expected = [1, np.sqrt(4 / 3), np.sqrt(12 / 7)] if row.p == 2 else [1, 2, 6]
    assert constants == pytest.approx(expected)


def test_the_half_space_without_hull_is_another_matter():
    row = theory_table([2, 3])[-1]
    assert row.domain == "R^(T-1)"
    assert row.minimizer == "-(T-1) c_j, j = argmin P"
    assert row.consistent == {2: True, 3: False}
    assert row.comparison[2] is not None and row.comparison[3] is None
    assert row.exponent is None and row.p is None


def test_examples_minimise():
    P = np.tile([0.5, 0.3, 0.2], (300, 1))
    away = np.random.default_rng(0).normal(size=(300, 3)) * 0.1
    for row in theory_table([3]):
        others = row.example + away - away.mean(axis=1, keepdims=True)
        least = conditional_loss(row.loss, row.example[None], P[:1])[0]
        assert conditional_loss(row.loss, others, P).min() >= least - 1e-9


def test_text_has_one_aligned_line_a_loss():
    rows = theory_table([2, 3])
    head, rule, *body = format_table(rows).splitlines()
    assert len(body) == len(rows)
    start = head.index("C_3")
    assert [line[start:].split()[0] for line in body[:3]] == ["1.155", "2", "2"]
    assert rule.startswith("---") and all(line == line.rstrip() for line in body)
    assert "T = 2" in body[-1]
