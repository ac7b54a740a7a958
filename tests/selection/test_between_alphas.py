import numpy as np
import pytest
from sklearn.datasets import load_digits

from simplexcoding.design import (
    CholeskySpectrum,
    FeatureSpectrum,
    LeaveOneOut,
    Moments,
    WeightedKernel,
)
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection.between_alphas import hits_between, left_out_between


def kept(spectrum, nodes):
    return {node: spectrum.leave_one_out(node) for node in nodes}


class Cubic:
    """Left-out predictions that are cubic in log alpha, with slacks that are not one."""

    y = np.array([0, 1, 1, 2])
    coefficients = np.random.default_rng(0).normal(size=(4, 4, 3))

    def predictions(self, alpha):
        return np.tensordot(np.log(alpha) ** np.arange(4), self.coefficients, 1)

    def leave_one_out(self, alpha):
        slack = np.linspace(0.2, 0.9, 4)
        errors = (np.eye(3)[self.y] - self.predictions(alpha)) * slack[:, None]
        return LeaveOneOut(errors, slack, self.y)


def test_a_cubic_in_log_alpha_is_followed_exactly():
    spectrum, alphas = Cubic(), np.array([0.7, 3.0])
    for alpha, found in zip(
        alphas, left_out_between(kept(spectrum, [0.1, 1, 2, 10.0]), alphas), strict=True
    ):
        expected = np.eye(3)[spectrum.y] - spectrum.predictions(alpha)
        assert np.allclose(found.errors / found.slack[:, None], expected)


@pytest.mark.parametrize("nodes", [[0.1, 1.0], [0.1, 1.0, 10.0], [0.01, 0.1, 1.0, 10.0, 100.0]])
def test_nodes_keep_their_values_and_between_them_little_is_lost(nodes):
    X, y = load_digits(return_X_y=True)
    targets = Rows.labelled(y[:500], 10)
    kernel = WeightedKernel.of(Kernel("rbf", 1e-3).matrix(X[:500]), targets, True)
    spectrum = CholeskySpectrum(kernel)
    nodes = np.array(nodes)
    for alpha, found in zip(
        [nodes[1], 0.4], left_out_between(kept(spectrum, nodes), [nodes[1], 0.4]), strict=True
    ):
        exact = spectrum.leave_one_out(alpha)
        # A line, a parabola and a cubic through the nodes.
        worst = 1e-9 if alpha in nodes else {2: 0.1, 3: 0.04, 5: 0.03}[len(nodes)]
        assert np.abs(found.scores() - exact.scores()).max() < worst


@pytest.mark.parametrize("weighted", [False, True])
def test_hits_that_change_are_asked_and_the_others_stay(weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 12)) * np.logspace(0, -2, 12)
    y = (X @ rng.normal(size=(12, 8)) + 0.2 * rng.normal(size=(400, 8))).argmax(axis=1)
    targets = Rows.labelled(y, 8, rng.integers(1, 4, 400).astype(float) if weighted else None)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    asked = spectrum.scan(np.array([10.0, 0.1])).correct
    alphas = np.array([3.0, 1.0, 0.3])
    found, exact = hits_between(spectrum, asked, alphas), spectrum.scan(alphas).correct
    changing = asked[0] != asked[1]
    assert 0 < changing.sum() < 200
    assert np.array_equal(found[:, changing], exact[:, changing])
    assert np.array_equal(found[:, ~changing], np.tile(asked[0, ~changing], (3, 1)))
