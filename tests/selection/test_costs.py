from dataclasses import replace

import numpy as np
import pytest

from reference.margin_problems import draw
from simplexcoding.design.operators import Gram, Spectral
from simplexcoding.selection import costs
from simplexcoding.selection.costs import (
    _ascend,
    _refine,
    _sampled,
    choose_cost,
    search_costs,
)
from simplexcoding.selection.held_out import HeldOut, peaked
from simplexcoding.selection.path import Path
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.solution import silent
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

STOP = Stop(1e-3, 5000)


@pytest.mark.parametrize("kind", [Gram, Spectral.of_kernel])
def test_an_automatic_path_brackets_its_best_and_solves_it(kind, monkeypatch):
    monkeypatch.setattr(costs, "_FEWEST_TO_SAMPLE", 0)
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
    monkeypatch.setattr(HeldOut, "has_peaked", lambda self, per_decade: False)
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


class Dipping(HeldOut):
    """Accuracies as a set of picture embeddings has them: behind the class means both dip."""

    n_judged, n_learnt = 300.0, 1300.0
    held = (0.850, 0.830, 0.757, 0.637, 0.800, 0.933, 0.890, 0.880)
    learnt = (0.902, 0.887, 0.797, 0.627, 0.900, 0.995, 1.0, 1.0)

    def score(self, cost):
        return self.held[min(round(np.log10(cost)) + 3, len(self.held) - 1)]

    def fit(self, cost):
        return self.learnt[min(round(np.log10(cost)) + 3, len(self.learnt) - 1)]


def test_a_path_goes_on_where_the_rows_that_are_learnt_from_are_got_right_less_often(monkeypatch):
    problem, K, held = draw()
    trial = Dipping(Splitting(Spectral.of_kernel(K), 1e-2), problem, held, Stop(1e-2, 5000))
    monkeypatch.setattr(trial, "first", lambda: 1e-3)
    _ascend(trial, 1, silent)
    assert trial.best == 100.0 and max(trial.solutions) == 10_000.0
    # The scores alone would have ended it in the dip.
    assert peaked(trial.path.score[:4], trial.n_judged, 1)


def test_few_rows_or_few_of_each_class_are_all_asked():
    problem, K, _ = draw(n=2000)
    machine = Splitting(Gram(K), 1e-3)
    assert costs._worth_sampling(machine, problem)
    assert not costs._worth_sampling(machine, replace(problem, n_classes=201))
    few, K, _ = draw(n=1999)
    assert not costs._worth_sampling(Splitting(Gram(K), 1e-3), few)
