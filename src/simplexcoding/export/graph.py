"""A computation written down as nodes of ONNX, one after the other."""

from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

# Operators as old as possible, so that as many runtimes as possible know them.
OPSETS = {"": 15, "ai.onnx.ml": 3}


class Graph:
    """Nodes and constants in the order of the computation, every value with its own name.

    Parameters
    ----------
    prefix : str, default=""
        Put before every name, so that the nodes can stand in a larger graph.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []

    def add(self, operator: str, *inputs: Any, n_outputs: int = 1, **attributes: Any) -> str:
        """Append a node and return the name of its first value; inputs are names or arrays."""
        names = [value if isinstance(value, str) else self.constant(value) for value in inputs]
        output = f"{self.prefix}{operator.lower()}_{len(self.nodes)}"
        outputs = [output, *(f"{output}_{k}" for k in range(1, n_outputs))]
        node = helper.make_node(operator, names, outputs, name=f"{output}_node", **attributes)
        self.nodes.append(node)
        return output

    def constant(self, values: Any) -> str:
        """Keep an array in the graph and return its name."""
        array = np.asarray(values)
        if array.dtype.kind == "U":
            array = array.astype(object)
        name = f"{self.prefix}constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def single(self, value: str) -> str:
        """Append a cast to single precision."""
        return self.add("Cast", value, to=TensorProto.FLOAT)

    def call(self, name: str, value: str) -> None:
        """Give a value another name: an output of the graph."""
        self.nodes.append(
            helper.make_node("Identity", [value], [name], name=f"{self.prefix}{name}_node")
        )
