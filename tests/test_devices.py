import pickle

import array_api_strict as strict
import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import config_context

from simplexcoding.devices import ExpansionOnDevice, Home, LinearOnDevice, kernel_values, on_host
from simplexcoding.functions import KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel

rng = np.random.default_rng(0)
X = rng.standard_normal((30, 4))


@pytest.fixture
def home(dispatch_allowed):
    with config_context(array_api_dispatch=True):
        yield Home.of(strict.asarray(X))


def test_a_home_is_found_for_arrays_of_other_libraries_only(home):
    assert home.xp.__name__ == "array_api_strict"
    assert Home.of(X) is None and Home.of(csr_matrix(X)) is None and Home.of([[1.0]]) is None
    with config_context(array_api_dispatch=False):
        assert Home.of(strict.asarray(X)) is None


def test_values_travel_there_and_back(home):
    there = home.bring(X)
    assert type(there) is type(strict.asarray(X))
    assert np.array_equal(home.to_host(there), X)
    assert home.bring(np.array(["a"])).tolist() == ["a"]
    assert home.floats(strict.asarray(np.arange(3))).dtype == strict.float64
    assert home.floats(strict.asarray(X, dtype=strict.float32)).dtype == strict.float32


@pytest.mark.parametrize("name", ["linear", "rbf", "exponential", "poly"])
@pytest.mark.parametrize("scale", [None, np.array([1.0, 2.0, 3.0, 4.0])])
def test_kernels_and_their_expansions_are_those_of_the_host(home, name, scale):
    kernel = Kernel(name, 0.3, 3, 1.0, scale)
    rows, basis = home.bring(X), home.bring(X[:7])
    found = home.to_host(kernel_values(kernel, home, rows, basis))
    assert np.allclose(found, kernel.matrix(X, X[:7]), atol=1e-12)
    weights, intercept = rng.standard_normal((7, 3)), rng.standard_normal(3)
    host = KernelExpansion(kernel, X[:7], weights, intercept)
    there = ExpansionOnDevice(kernel, basis, home.bring(weights), home.bring(intercept), home)
    for given in (rows, X):
        assert np.allclose(there.scores(given), host.scores(X), atol=1e-12)


def test_a_linear_function_is_that_of_the_host(home):
    weights, intercept = rng.standard_normal((4, 3)), rng.standard_normal(3)
    there = LinearOnDevice(home.bring(weights), home.bring(intercept), home)
    for given in (home.bring(X), X):
        assert np.allclose(there.scores(given), LinearFunction(weights, intercept).scores(X))


@pytest.mark.parametrize("device", ["CPU_DEVICE", "device1"])
def test_functions_come_to_the_host_and_homes_are_pickled(home, device):
    home = Home(strict, strict.Device(device))
    weights, intercept = rng.standard_normal((4, 3)), rng.standard_normal(3)
    expected = (
        LinearFunction(weights, intercept),
        KernelExpansion(Kernel("rbf", 0.3), X[:4], weights, intercept),
    )
    there = [home.bring(values) for values in (weights, intercept)]
    made = (
        LinearOnDevice(*there, home),
        ExpansionOnDevice(Kernel("rbf", 0.3), home.bring(X[:4]), *there, home),
    )
    for function, host in zip(made, expected, strict=True):
        brought = on_host(function)
        assert type(brought) is type(host) and on_host(brought) is brought
        assert np.array_equal(brought.scores(X), host.scores(X))
        copied = pickle.loads(pickle.dumps(function))
        assert copied.home == home and copied.weights.device == home.device
        assert np.array_equal(copied.scores(X), function.scores(X))
