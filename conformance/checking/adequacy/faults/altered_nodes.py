"""Nodes of the graph seen through something that shows a part of them otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ..breaking import Notes, Patch, inside, torch

Changes = dict[str, Callable[[Any], Any]]

MISSING: Any = object()


class Shown:
    """A node of which some attributes are `changes[name](node)`. `seen` gives what other nodes are
    seen as. Its class has the name of the node's, which printing shows."""

    def __new__(cls, node: Any, changes: Changes, seen: Callable[[Any], Any]) -> Any:
        return object.__new__(type(type(node).__name__, (Shown,), {}))

    def __init__(self, node: Any, changes: Changes, seen: Callable[[Any], Any]) -> None:
        self.__dict__.update(node=node, changes=changes, seen=seen)

    def __getattr__(self, name: str) -> Any:
        node, changes, seen = (self.__dict__[part] for part in ("node", "changes", "seen"))
        found: Any = changes[name](node) if name in changes else getattr(node, name, MISSING)
        if found is MISSING:
            raise AttributeError(f"{type(node).__name__!r} object has no attribute {name!r}")
        if name == "metadata" and name not in changes:
            return found.setdefault("of the program", {})  # without our own notes
        if name == "next_functions":
            return tuple(
                (n if n is None or isinstance(n, Shown) else seen(n), index) for n, index in found
            )
        return found

    def __call__(self, *gradients: Any) -> Any:
        node, changes = self.__dict__["node"], self.__dict__["changes"]
        return changes["__call__"](node)(*gradients) if "__call__" in changes else node(*gradients)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shown) and other.__dict__["node"] is self.__dict__["node"]

    def __hash__(self) -> int:
        return hash(self.__dict__["node"])


def bare(node: Any) -> Any:
    """The node itself, which the engine's own functions need."""
    return node.__dict__["node"] if isinstance(node, Shown) else node


def edge(value: Any, change: Callable[[Any], Any]) -> Any:
    """A gradient edge with another node; anything else as it is."""
    if not isinstance(value, torch.autograd.graph.GradientEdge):
        return value
    changed = value._replace(node=change(value.node))
    vars(changed).update(vars(value)) if hasattr(value, "__dict__") else None
    return changed


def shown(patch: Patch, **changes: Callable[[Any], Any]) -> None:
    """Let grad_fn show nodes whose attributes are `changes[name](node)`."""
    original: Any = torch.Tensor.grad_fn
    held = Notes()

    def seen(node: Any) -> Any:
        if node not in held:
            held[node] = Shown(node, changes, seen)
        return held[node]

    def get(self: Any) -> Any:
        node = original.__get__(self)
        return node if node is None or inside.is_reading(sys._getframe(1)) else seen(node)

    patch.set(torch.Tensor, "grad_fn", property(get))
    patch.wrap(
        torch.autograd.graph, "get_gradient_edge", lambda found: lambda x: edge(found(x), seen)
    )
    inside.change_edges(patch, lambda value: edge(bare(value), bare))
