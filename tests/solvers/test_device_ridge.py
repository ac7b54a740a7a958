import numpy as np
import pytest
from sklearn import config_context

from simplexcoding.devices import Home
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.solvers.device_ridge import DeviceProblem
from simplexcoding.solvers.ridge import RidgeProblem

rng = np.random.default_rng(0)
y = rng.integers(0, 3, 60)
X = rng.standard_normal((60, 5)) + np.eye(5)[y]


SCALE = np.array([1.0, 2.0, 0.5, 1.0, 3.0])


@pytest.mark.parametrize(
    "kernel",
    [
        Kernel("linear"),
        Kernel("linear", scale=SCALE),
        Kernel("rbf", 0.2),
        Kernel("exponential", scale=SCALE),
    ],
)
@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("library", ["array_api_strict", "torch"])
def test_the_function_is_that_of_the_host(kernel, repeated, library, dispatch_allowed, monkeypatch):
    """Also where torch's tensors are not seen from the host, as on a device of their own."""
    monkeypatch.setattr(Home, "on_host", False)
    xp = pytest.importorskip(library)
    landmarks = None if kernel.name == "linear" else np.arange(0, 40, 2)
    rows = X.copy()
    if repeated:
        rows[2] = rows[0]  # Landmarks that the others span.
    targets = Rows.labelled(y, 3)
    host = RidgeProblem(rows, kernel, targets, True, landmarks).factorise().solve(0.5).function
    with config_context(array_api_dispatch=True):
        there = xp.asarray(rows)
        home = Home.of(there)
        problem = DeviceProblem(there, kernel, targets, True, landmarks, None, home)
        function = problem.factorise().solve(0.5).function
        assert type(function.weights) is type(there)
        assert np.allclose(function.scores(there), host.scores(rows), atol=1e-10)


@pytest.mark.parametrize("shape", [(60, 5), (20, 5), (4, 5)])
def test_tensors_on_the_processor_are_factorised_by_the_host(shape, dispatch_allowed):
    torch = pytest.importorskip("torch")
    rows, targets = X[: shape[0]], Rows.labelled(np.arange(shape[0]) % 3, 3)
    host = RidgeProblem(rows, Kernel("linear"), targets, True).factorise()
    with config_context(array_api_dispatch=True):
        there = torch.asarray(rows)
        home = Home.of(there)
        assert home.on_host
        problem = DeviceProblem(there, Kernel("linear"), targets, True, None, None, home)
        factor = problem.factorise()
        function = factor.solve(0.5).function
    assert type(factor.spectrum) is type(host.spectrum)
    assert isinstance(function.weights, torch.Tensor)
    assert np.array_equal(home.to_host(function.weights), host.solve(0.5).function.weights)
