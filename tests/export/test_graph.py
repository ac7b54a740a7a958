import numpy as np
from onnx import numpy_helper

from simplexcoding.export.graph import Graph


def test_values_have_names_of_their_own_and_arrays_become_constants():
    graph = Graph("inner_")
    first = graph.add("Add", "X", np.float32(1))
    second = graph.add("Add", first, np.float32(2))
    graph.call("answer", second)
    assert [list(node.input) for node in graph.nodes] == [
        ["X", "inner_constant_0"],
        [first, "inner_constant_1"],
        [second],
    ]
    assert first != second and first.startswith("inner_")
    assert list(graph.nodes[-1].output) == ["answer"]
    assert [float(numpy_helper.to_array(value)) for value in graph.constants] == [1.0, 2.0]


def test_strings_are_kept_as_strings():
    graph = Graph()
    graph.constant(np.array(["é", "long name"]))
    assert numpy_helper.to_array(graph.constants[0]).tolist() == ["é", "long name"]
