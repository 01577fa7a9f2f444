"""Places in the recorded graph."""

from __future__ import annotations

from typing import Any

from ..node import Node
from ..tensor import Tensor, gradient_edge

__all__ = ["GradientEdge", "get_gradient_edge"]


class GradientEdge(tuple[Any, ...]):
    """A place in the graph: a node and one of its outputs."""

    meta: Any = None
    """Shape and array dtype of the tensor it was taken from."""

    def __new__(cls, node: Node, output_nr: int, ownership_token: Any = None) -> GradientEdge:
        return tuple.__new__(cls, (node, output_nr))

    @property
    def node(self) -> Node:
        """The node."""
        return self[0]  # type: ignore[no-any-return]

    @property
    def output_nr(self) -> int:
        """Which of its outputs."""
        return self[1]  # type: ignore[no-any-return]


def get_gradient_edge(x: Tensor) -> GradientEdge:
    """The place in the graph that a tensor's gradient goes to now, whatever is written to it later.

    Raises:
        RuntimeError: the tensor does not require grad.
    """
    edge = GradientEdge(*gradient_edge(x))
    edge.meta = (x._data.shape, x._data.dtype, x.device)
    return edge
