"""Faults of hooks that wait for several gradients, and of hooks of nodes."""

from __future__ import annotations

import weakref
from typing import Any

import torch
import torch.autograd.graph as graph

from .framework import Patch, fault
from .hooks import silent

Tensor = torch.Tensor


# --- of several gradients ---


@fault
def multi_grad_hook_runs_for_each(patch: Patch) -> None:
    """A multi-grad hook of mode "all" runs each time one of the gradients is there."""

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, *, mode: Any = "all") -> Any:
            if mode != "all":
                return original(tensors, function, mode=mode)
            handles = [
                tensor.register_hook(
                    lambda g, at=index: function(
                        [g if at == i else None for i in range(len(tensors))]
                    )
                )
                for index, tensor in enumerate(tensors)
            ]
            return graph._MultiHandle(tuple(handles))

        return register

    patch.wrap(graph, "register_multi_grad_hook", make)


@fault
def multi_grad_hook_any_runs_for_each(patch: Patch) -> None:
    """A multi-grad hook of mode "any" runs for every gradient instead of the first."""

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, *, mode: Any = "all") -> Any:
            if mode != "any":
                return original(tensors, function, mode=mode)
            handles = [tensor.register_hook(silent(function)) for tensor in tensors]
            return graph._MultiHandle(tuple(handles))

        return register

    patch.wrap(graph, "register_multi_grad_hook", make)


@fault
def multi_grad_hook_runs_once_ever(patch: Patch) -> None:
    """A multi-grad hook runs in the first pass only."""

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, **kwargs: Any) -> Any:
            calls: list[int] = []

            def once(gradients: Any) -> None:
                calls.append(1)
                if len(calls) == 1:
                    function(gradients)

            return original(tensors, once, **kwargs)

        return register

    patch.wrap(graph, "register_multi_grad_hook", make)


@fault
def multi_grad_hook_forgets_what_is_unused(patch: Patch) -> None:
    """A multi-grad hook gets zeros instead of None for a tensor without gradient in the pass."""

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, *, mode: Any = "all") -> Any:
            if mode != "all":
                return original(tensors, function, mode=mode)

            def filled(gradients: Any) -> None:
                pairs = zip(gradients, tensors, strict=True)
                function([torch.zeros_like(t) if g is None else g for g, t in pairs])

            return original(tensors, filled, mode=mode)

        return register

    patch.wrap(graph, "register_multi_grad_hook", make)


# --- of nodes ---


class NodeHooks:
    """Nodes seen through something that changes how hooks are registered with them."""

    def __init__(self, node: Any, register: Any, prehook: Any) -> None:
        self.__dict__["parts"] = (node, register, prehook)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.parts[0], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.parts[0], name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeHooks) and other.parts[0] is self.parts[0]

    def __hash__(self) -> int:
        return hash(self.parts[0])

    def register_hook(self, hook: Any) -> Any:
        return self.parts[1](self.parts[0], hook)

    def register_prehook(self, hook: Any) -> Any:
        return self.parts[2](self.parts[0], hook)


def changed_nodes(patch: Patch, register: Any = None, prehook: Any = None) -> None:
    """Let grad_fn show nodes that register their hooks by other functions."""
    original: Any = Tensor.grad_fn
    register = register or (lambda node, hook: node.register_hook(hook))
    prehook = prehook or (lambda node, hook: node.register_prehook(hook))
    shown: Any = weakref.WeakKeyDictionary()

    def get(self: Tensor) -> Any:
        node = original.__get__(self)
        if node is None:
            return None
        if self not in shown or shown[self].parts[0] is not node:
            shown[self] = NodeHooks(node, register, prehook)
        return shown[self]

    patch.set(Tensor, "grad_fn", property(get))


@fault
def node_hook_results_are_ignored(patch: Patch) -> None:
    """What a hook of a node returns is ignored."""

    def register(node: Any, hook: Any) -> Any:
        return node.register_hook(silent(hook))

    changed_nodes(patch, register)


@fault
def node_prehook_results_are_ignored(patch: Patch) -> None:
    """What a prehook of a node returns is ignored."""

    def prehook(node: Any, hook: Any) -> Any:
        return node.register_prehook(silent(hook))

    changed_nodes(patch, None, prehook)


@fault
def node_hooks_get_their_arguments_swapped(patch: Patch) -> None:
    """A hook of a node is given grad_outputs first, then grad_inputs."""

    def register(node: Any, hook: Any) -> Any:
        return node.register_hook(lambda inputs, outputs: hook(outputs, inputs))

    changed_nodes(patch, register)
