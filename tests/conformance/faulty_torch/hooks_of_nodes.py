"""Faults of hooks that wait for several gradients, and of hooks of nodes."""

from __future__ import annotations

from typing import Any

import torch
import torch.autograd.graph as graph

from .framework import Patch, fault
from .hooks import silent
from .nodes import shown

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


@fault
def node_hook_results_are_ignored(patch: Patch) -> None:
    """What a hook of a node returns is ignored."""

    def register(node: Any, hook: Any) -> Any:
        return node.register_hook(silent(hook))

    shown(patch, register_hook=lambda node: lambda hook: register(node, hook))


@fault
def node_prehook_results_are_ignored(patch: Patch) -> None:
    """What a prehook of a node returns is ignored."""

    def prehook(node: Any, hook: Any) -> Any:
        return node.register_prehook(silent(hook))

    shown(patch, register_prehook=lambda node: lambda hook: prehook(node, hook))


@fault
def node_hooks_get_their_arguments_swapped(patch: Patch) -> None:
    """A hook of a node is given grad_outputs first, then grad_inputs."""

    def register(node: Any, hook: Any) -> Any:
        return node.register_hook(lambda inputs, outputs: hook(outputs, inputs))

    shown(patch, register_hook=lambda node: lambda hook: register(node, hook))
