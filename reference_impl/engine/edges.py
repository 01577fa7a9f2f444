"""Places in the recorded graph."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..graph.node import Node
from ..tensor.tensor import Tensor, gradient_edge

__all__ = ["GradientEdge", "get_gradient_edge"]


class Edge(NamedTuple):
    """The fields of a place in the graph."""

    node: Node
    output_nr: int
    ownership_token: Any = None


class GradientEdge(Edge):
    """A place in the graph: a node and one of its outputs."""

    meta: Any = None
    """Shape and array dtype of the tensor it was taken from."""


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The place in the graph that a tensor's gradient goes to now, whatever is written to it later.

    Raises:
        RuntimeError: the tensor does not require grad.
    """
    edge = GradientEdge(*gradient_edge(tensor))
    edge.meta = (tensor._data.shape, tensor._data.dtype, tensor.device)
    return edge
