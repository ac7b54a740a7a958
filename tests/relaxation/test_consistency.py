import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, HalfSpaceHinge, LeastSquares, RelativeHinge
from simplexcoding.relaxation import check_consistency, conditional_loss
from simplexcoding.relaxation.consistency import draw_distributions

CONSISTENT = [name for name in CATALOGUE if name != "relative"]


@pytest.mark.parametrize("n_classes", [3, 4, 6])
@pytest.mark.parametrize("loss", [HalfSpaceHinge(hull=False), RelativeHinge()], ids=repr)
def test_finds_a_failure_and_the_failure_is_one(loss, n_classes):
    check = check_consistency(loss, n_classes)
    assert check.found and not loss.is_consistent(n_classes)
    p, u = check.distribution, check.minimizer
    best = p.argmax()
    wrong = np.delete(np.arange(n_classes), best)
    assert u[wrong].max() >= u[best]
    assert p[best] - p[wrong].max() > 1e-6
    # No other scores do better, the most likely class raised above the rest included.
    rng = np.random.default_rng(0)
    other = u + rng.normal(size=(4000, n_classes)) * rng.choice([1, 0.1, 0.01], (4000, 1))
    other[:2000, best] = other[:2000].max(axis=1) + 0.01
    other -= other.mean(axis=1, keepdims=True)
    others = conditional_loss(loss, other, np.tile(p, (4000, 1)))
    assert others.min() >= conditional_loss(loss, u[None], p[None])[0] - 1e-9


@pytest.mark.parametrize("n_classes", [3, 4, 6])
@pytest.mark.parametrize("name", CONSISTENT)
def test_finds_none_for_a_consistent_loss(name, n_classes):
    loss = CATALOGUE[name]()
    check = check_consistency(loss, n_classes)
    assert not check.found and loss.is_consistent(n_classes)
    assert check.n_tried == 2000


@pytest.mark.parametrize("loss", [HalfSpaceHinge(hull=False), RelativeHinge()], ids=repr)
def test_two_classes_are_always_told_apart(loss):
    assert not check_consistency(loss, 2, n_distributions=200).found


def test_a_poor_minimiser_does_not_fake_a_failure():
    class Careless(LeastSquares):
        def conditional_minimizer(self, P):
            return -super().conditional_minimizer(P)

    assert not check_consistency(Careless(), 3, n_distributions=20).found


def test_the_draw_is_of_many_shapes_and_clear_of_ties():
    P = draw_distributions(np.random.default_rng(0), 4, 2100)
    assert P.sum(axis=1) == pytest.approx(1)
    ordered = np.sort(P, axis=1)
    lead = ordered[:, -1] - ordered[:, -2]
    assert 0.009 < lead.min() < 0.01
    assert lead.max() > 0.8
    assert np.bincount(P.argmax(axis=1)).min() > 300
    # Two sevenths are near a face or a corner, the others clear of both.
    rare = (P < 0.0095).sum(axis=1)
    assert np.all(rare.reshape(-1, 7)[:, :5] == 0)
    assert P.min() == pytest.approx(1e-4, rel=0.05)
    assert set(rare[5::7]) == {0, 1, 2} and np.mean(rare[6::7] == 3) > 0.9


@pytest.mark.parametrize("n_classes", [2, 3, 4, 6])
@pytest.mark.parametrize("name", CONSISTENT)
def test_consistent_minimisers_decode_rightly_near_faces_and_corners_too(name, n_classes):
    P = draw_distributions(np.random.default_rng(1), n_classes, 2100)
    S = CATALOGUE[name]().conditional_minimizer(P)
    assert np.array_equal(S.argmax(axis=1), P.argmax(axis=1))


def test_the_same_seed_gives_the_same_answer_and_reads_well():
    first, second = (check_consistency(HalfSpaceHinge(hull=False), 3) for _ in range(2))
    assert str(first) == str(second)
    assert "is the most likely, but scores" in str(first)
    assert str(check_consistency(LeastSquares(), 3, 50)).endswith("no failure in 50 distributions")
