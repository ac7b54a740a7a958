import numpy as np
import pytest

from simplexcoding.coding import SimplexCode
from simplexcoding.design.operators import Gram, Spectral
from simplexcoding.losses import get_loss
from simplexcoding.selection import costs
from simplexcoding.selection.costs import (
    HeldOut,
    _ascend,
    _has_peaked,
    _refine,
    _sampled,
    choose_cost,
    search_costs,
)
from simplexcoding.selection.path import Path
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.solution import silent
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

STOP = Stop(1e-3, 5000)


def draw(n=150, T=3, spread=1.5, loss="cone"):
    rng = np.random.default_rng(0)
    y = np.arange(n) % T
    X = rng.normal(size=(n, 3)) + spread * rng.normal(size=(T, 3))[y]
    K = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    held = np.sort(rng.choice(n, n // 5, replace=False))
    return MarginProblem(get_loss(loss), y, np.ones(n), T), K, held


@pytest.mark.parametrize("loss", ["cone", "half_space", "relative"])
def test_up_to_the_first_cost_decisions_stay(loss):
    problem, K, held = draw(loss=loss)
    trial = HeldOut(Splitting(Spectral.of_kernel(K), 1e-8), problem, held, Stop(1e-8, 50_000))
    first = trial.first()
    trial.solve([first / 100, first])
    small, large = (trial.solutions[cost].scores for cost in (first / 100, first))
    assert np.allclose(100 * small, large, rtol=1e-4, atol=1e-6)
    if loss == "cone":
        used = np.setdiff1d(np.arange(150), held)
        wrong = np.arange(3) != problem.y[used][:, None]
        assert (large[used][wrong] >= -0.5 - 1e-6).all()  # Every margin is violated.


@pytest.mark.parametrize("kind", [Gram, Spectral.of_kernel])
def test_an_automatic_path_brackets_its_best_and_solves_it(kind):
    problem, K, held = draw()
    path, solution = search_costs(Splitting(kind(K), 1e-3), problem, held, STOP)
    assert path.exact[path.best]
    assert path.exact.all() == (kind is not Gram)
    places = np.log10(path.C)
    assert np.allclose(np.diff(places[path.exact]), 0.5)
    # What only says where to look goes by decades.
    assert np.allclose(places[~path.exact], np.round(places[~path.exact]))
    neighbours = path.exact[max(0, path.best - 1) : path.best + 2]
    assert neighbours.all()
    assert solution.gap <= 1e-2
    right = solution.scores[held].argmax(axis=1) == problem.y[held]
    assert right.mean() == path.score[path.best]


def test_given_costs_are_searched_as_given():
    problem, K, held = draw()
    given = [0.5, 3.0, 40.0]
    path, _ = search_costs(Splitting(Gram(K), 1e-3), problem, held, STOP, given)
    assert path.C.tolist() == given and path.exact.all()


def test_costs_at_which_nothing_changes_are_not_solved(monkeypatch):
    """Rows that separate: beyond some C the same function has no loss left."""
    monkeypatch.setattr(costs, "_has_peaked", lambda *scores: False)
    problem, K, held = draw(spread=30.0)
    machine = Splitting(Spectral.of_kernel(K), 1e-3)
    solved = []
    solve = machine.solve

    def counted(problems, *rest):
        solved.extend(float(p.box.max()) for p in problems)
        return solve(problems, *rest)

    machine.solve = counted
    path, _ = search_costs(machine, problem, held, STOP)
    assert len(solved) < len(path.C) < 30
    trial = HeldOut(Splitting(Spectral.of_kernel(K), 1e-3), problem, held, Stop(1e-3, 5000))
    trial.solve([path.C[-1]])
    assert trial.score(path.C[-1]) == path.score[-1]


def test_a_path_has_peaked_after_a_decade_of_lower_or_three_of_equal_scores():
    def peaked(*scores, per_decade=2):
        return _has_peaked(np.array(scores), 900, per_decade)  # A standard error of 0.01.

    assert not peaked(0.5, 0.9, 0.8)
    assert peaked(0.5, 0.9, 0.885, 0.8)
    assert not peaked(0.5, 0.9, 0.8, 0.885)  # Lower, but rising.
    assert not peaked(0.5, 0.9, 0.8, 0.895)  # A dip on the way up.
    assert not peaked(0.5, 0.9, 0.9, 0.8)
    assert not peaked(*[0.9] * 6)
    assert peaked(*[0.9] * 7)
    assert not peaked(0.5, 0.9, 0.8, per_decade=1)  # Two values at least.
    assert peaked(0.5, 0.9, 0.885, 0.8, per_decade=1)
    assert not peaked(*[0.9] * 3, per_decade=1) and peaked(*[0.9] * 4, per_decade=1)


def test_means_of_classes_that_decide_well_do_not_end_the_path():
    """Held-out accuracies of 416 rows of isolet: every margin is violated at the first C."""
    scores = np.array([0.800, 0.690, 0.716, 0.743])
    assert not _has_peaked(scores, 416, 1)


def test_a_pilot_ends_where_it_no_longer_reaches_the_optimum():
    problem, K, held = draw(n=300)
    trial = HeldOut(Splitting(Spectral.of_kernel(K), 1e-2), problem, held, Stop(1e-2, 20))
    _ascend(trial, 2, silent)
    gaps = [trial.solutions[cost].gap for cost in sorted(trial.solutions)]
    assert gaps[-1] > 0.1 >= max(gaps[:-4])
    assert len(gaps) < 20


def test_the_sample_says_where_to_look_and_is_a_share_of_each_class():
    problem, K, held = draw(n=300)
    weighted = MarginProblem(problem.loss, problem.y, np.linspace(1.0, 2.0, 300), 3)
    pilot = _sampled(Splitting(Gram(K), 1e-3), weighted, held, Stop(0.1, 300))
    box = pilot._part.box
    learn = np.setdiff1d(np.arange(300), held)
    drawn = np.flatnonzero(box)
    assert set(drawn) < set(learn)
    assert len(drawn) == pytest.approx(len(learn) / 2, abs=3)
    assert np.ptp(np.bincount(problem.y[drawn])) <= np.ptp(np.bincount(problem.y[learn])) + 1
    # C counts rows: each has its share of the weight of all.
    share = weighted.box[drawn].sum() / weighted.box[learn].sum()
    assert np.allclose(box[drawn], share * weighted.box[drawn])


def test_values_are_compared_roughly_and_the_best_is_solved_further():
    problem, K, held = draw(n=300)
    trial = HeldOut(Splitting(Gram(K), 1e-3), problem, held, Stop(0.1, 5000))
    trial.solve([0.1, 1.0, 10.0])
    assert trial.solutions[trial.best].gap > 1e-3
    while trial.finish(Stop(1e-3, 5000)):
        pass
    assert trial.solutions[trial.best].gap <= 1e-3
    assert not trial.finish(Stop(1e-3, 5000))


def test_another_value_that_is_best_once_the_first_is_solved_further_is_solved_too(monkeypatch):
    problem, K, held = draw(n=300)
    trial = HeldOut(Splitting(Gram(K), 1e-3), problem, held, Stop(0.1, 5000))
    trial.solve([0.1, 1.0])
    rough = dict(trial.solutions)
    # The rough solution at 0.1 is told a score that the better one does not keep.
    told = {0.1: (0.9, 0.5), 1.0: (0.8, 0.8)}
    monkeypatch.setattr(
        trial, "score", lambda cost: told[cost][trial.solutions[cost] is not rough[cost]]
    )
    fine = Stop(1e-5, 50_000)
    assert trial.finish(fine) and trial.best == 1.0
    assert trial.solutions[1.0] is rough[1.0]
    assert not trial.finish(fine)
    assert trial.solutions[1.0].gap <= 1e-5


def test_one_cost_needs_no_rows_and_several_do():
    problem, K, _ = draw(n=3)
    machine = Splitting(Spectral.of_kernel(K), 1e-3)
    X = np.arange(3.0)[:, None]
    assert choose_cost(machine, problem, X, STOP, 2.5, 0) == (2.5, None, None)
    assert choose_cost(machine, problem, X, STOP, None, 0) == (1.0, None, None)
    with pytest.raises(ValueError, match=r"C=\[1, 2\] needs rows to hold out and 3 are too few"):
        choose_cost(machine, problem, X, STOP, [1, 2], 0)


def test_of_equal_scores_the_lowest_squared_error_is_best():
    problem, K, held = draw(spread=30.0)  # Every value gets every row right.
    trial = HeldOut(Splitting(Spectral.of_kernel(K), 1e-3), problem, held, STOP)
    trial.solve([0.001, 10.0])
    code = SimplexCode(3)
    for cost, error in zip(trial.path.C, trial.path.squared_error, strict=True):
        scores = trial.solutions[cost].scores[held]
        away = code.encode(problem.y[held]) - code.pull_back(scores) * 2 / 3
        assert error == pytest.approx(np.square(away).sum(axis=1).mean())
    assert trial.score(0.001) == trial.score(10.0) == 1.0
    assert trial.best == 10.0


class Told:
    """A stand-in for `HeldOut` whose accuracy at each C is told beforehand."""

    n_judged = 1000.0

    def __init__(self, score, solved=()):
        self.told, self.solutions = score, dict.fromkeys(solved)
        self.batches = []

    def solve(self, costs, starts, report=silent):
        assert len(starts) == len(costs)
        self.batches.append([round(2 * np.log10(cost)) for cost in costs])
        self.solutions |= dict.fromkeys(costs)

    def settled(self, cost, near):
        return False

    @property
    def path(self):
        solved = sorted(self.solutions)
        return Path.along("C", solved, [self.told(cost) for cost in solved])

    @property
    def best(self):
        return float(self.path.C[self.path.best])


def test_landmarks_too_few_to_beat_class_means_do_not_keep_the_kernel_from_being_asked():
    pilot_scores = {0.001: 0.80, 0.01: 0.69, 0.1: 0.72, 1.0: 0.74, 10.0: 0.71}
    pilot = Told(pilot_scores.get, pilot_scores)
    exact = Told(lambda cost: 0.80 if cost < 0.005 else 0.9 - 0.1 * abs(np.log10(cost / 10)))
    _refine(exact, pilot, silent)
    assert exact.best == pytest.approx(10.0)
    assert 0.001 in exact.solutions  # It led, and is judged by the kernel itself.
    assert max(exact.solutions) == pytest.approx(10**1.5)


@pytest.mark.parametrize(
    ("slope", "batches"),
    [
        (0.1, [[0, 1], [2, 3], [4, 5]]),  # Climbs: pairs, and the best has both neighbours.
        (0.002, [[0, 1], [2], [3], [4], [5]]),
    ],
)
def test_beyond_the_end_of_a_pilot_values_are_asked_in_pairs_while_accuracies_climb(slope, batches):
    pilot = Told(lambda cost: 0.5 + 0.1 * np.log10(cost), (0.01, 0.1, 1.0))
    exact = Told(lambda cost: 0.9 - slope * abs(np.log10(cost / 100)))
    _refine(exact, pilot, silent)
    assert exact.batches == batches
    assert exact.best == pytest.approx(100.0)


def test_the_value_below_the_end_of_a_pilot_is_asked_if_it_may_be_best():
    pilot = Told(lambda cost: 0.5 + 0.1 * np.log10(cost), (0.01, 0.1, 1.0))
    exact = Told(lambda cost: 0.9 - 0.1 * abs(np.log10(cost / 0.3)))
    _refine(exact, pilot, silent)
    assert exact.batches == [[0, 1], [-1], [-2]]
    assert exact.best == pytest.approx(10**-0.5)
