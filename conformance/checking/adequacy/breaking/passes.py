"""Faults of the backward pass itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from .engine import inside, torch
from .patch import Patch

__all__ = ["around_pass", "edge_of", "leaves_below", "nodes_below", "retaining"]


def retaining(patch: Patch) -> list[torch.Tensor]:
    """The non-leaves that retain their gradient: filled while PyTorch is broken."""
    retained: list[torch.Tensor] = []

    def make(original: Any) -> Any:
        def retain_grad(self: torch.Tensor) -> None:
            original(self)
            if not self.is_leaf:
                retained.append(self)

        return retain_grad

    patch.wrap(torch.Tensor, "retain_grad", make)
    return retained


def around_pass(patch: Patch, around: Callable[[Callable[..., Any], SimpleNamespace], Any]) -> None:
    """Put `around(run, options)` in the place of every backward pass, of backward() and grad().

    `options` has `roots`, `seeds`, `retain_graph`, `create_graph`, `inputs` and `accumulates`;
    `run(options)` is the right pass.
    """
    inside.around_pass(patch, around)


def nodes_below(roots: Sequence[Any], most: int = sys.maxsize) -> list[Any]:
    """Every node of the graph of some tensors, the roots' first; a leaf stands for itself. No more than `most`:
    PyTorch overflows the stack when it frees a long chain whose nodes have all been looked at."""
    waiting = [edge_of(root) for root in roots]
    found: dict[int, Any] = {}
    kept: list[Any] = []
    while waiting and len(kept) < most:
        node = waiting.pop()
        if node is None or id(node) in found:
            continue
        found[id(node)] = node
        kept.append(node)
        waiting += [following for following, _ in node.next_functions]
    return kept


def edge_of(tensor: Any) -> Any:
    """The node at which a tensor's gradient is computed, or None."""
    node = getattr(tensor, "node", None)  # a gradient edge
    if node is not None:
        return node
    if not isinstance(tensor, torch.Tensor):
        return None
    if tensor.grad_fn is None and not tensor.requires_grad:
        return None
    return torch.autograd.graph.get_gradient_edge(tensor).node


def leaves_below(roots: Sequence[Any]) -> list[Any]:
    """The leaves of the graph of some tensors."""
    return [node.variable for node in nodes_below(roots) if hasattr(node, "variable")]
