import numpy as np
import pytest
from onnx import TensorProto, helper
from onnxruntime import InferenceSession
from scipy.sparse import csr_matrix

from simplexcoding.export.graph import OPSETS, Graph
from simplexcoding.export.scores import scores
from simplexcoding.functions import KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel

rng = np.random.default_rng(0)
X = rng.standard_normal((40, 5)).astype(np.float32)


def run(append, X):
    """The value of the nodes that append(graph, rows) appends, at the rows of X."""
    graph = Graph()
    graph.call("out", append(graph, "X"))
    body = helper.make_graph(
        graph.nodes,
        "test",
        [helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, X.shape[1]])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        initializer=graph.constants,
    )
    opsets = [helper.make_opsetid(*pair) for pair in OPSETS.items()]
    model = helper.make_model(body, opset_imports=opsets, ir_version=8)
    return InferenceSession(model.SerializeToString()).run(None, {"X": X})[0]


def test_a_linear_function():
    function = LinearFunction(rng.standard_normal((5, 4)), rng.standard_normal(4))
    found = run(lambda graph, rows: scores(function, graph, rows), X)
    assert found.dtype == np.float32
    assert np.allclose(found, function.scores(X), atol=1e-5)


@pytest.mark.parametrize("name", ["linear", "rbf", "exponential", "laplacian", "poly"])
@pytest.mark.parametrize("offset", [0.0, 1000.0])
@pytest.mark.parametrize("scale", [None, np.array([0.5, 1.0, 2.0, 3.0, 4.0])])
def test_kernel_expansions_keep_their_digits(name, offset, scale):
    # Weights as large as weak regularisation makes them, and rows far from the origin.
    rows = (X + offset).astype(np.float32)
    weights = 1e4 * rng.standard_normal((12, 3))
    if name in ("linear", "poly"):
        weights /= max(1.0, offset) ** 3
    function = KernelExpansion(Kernel(name, 0.3, 3, 1.0, scale), rows[:12], weights, np.ones(3))
    found = run(lambda graph, rows: scores(function, graph, rows), rows)
    exact = function.kernel.matrix(rows.astype(float), rows[:12].astype(float)) @ weights + 1
    assert np.allclose(found, exact, rtol=1e-6, atol=1e-3)


def test_sparse_basis_and_precomputed_kernel():
    weights = rng.standard_normal((12, 3))
    function = KernelExpansion(Kernel("rbf", 0.3), csr_matrix(X[:12]), weights, np.zeros(3))
    found = run(lambda graph, rows: scores(function, graph, rows), X)
    assert np.allclose(found, function.scores(csr_matrix(X)), atol=1e-4)
    picked = KernelExpansion(Kernel("precomputed"), np.array([4, 0]), weights[:2], np.zeros(3))
    found = run(lambda graph, rows: scores(picked, graph, rows), X)
    assert np.allclose(found, X[:, [4, 0]] @ weights[:2], atol=1e-6)


def test_what_cannot_be_exported_says_so():
    function = KernelExpansion(Kernel(lambda A, B: A @ B.T), X, np.ones((40, 3)), np.zeros(3))
    with pytest.raises(TypeError, match="kernel is a Python function"):
        scores(function, Graph(), "X")
    with pytest.raises(TypeError, match="type object"):
        scores(object(), Graph(), "X")
