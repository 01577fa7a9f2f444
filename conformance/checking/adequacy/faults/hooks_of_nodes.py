"""Faults of hooks that wait for several gradients, of hooks of nodes, and of nodes and edges as objects."""

from __future__ import annotations

from typing import Any

from ..breaking import Notes, Patch, fault, inside, replaces, torch
from .altered_nodes import bare, shown
from .hooks import changed_hook, silent

# --- of several gradients ---


@replaces("autograd.graph.register_multi_grad_hook")
def multi_grad_hook_runs_for_each(
    original: Any, tensors: Any, function: Any, *, mode: Any = "all"
) -> Any:
    """A multi-grad hook of mode "all" runs each time one of the gradients is there."""
    if mode != "all":
        return original(tensors, function, mode=mode)
    handles = [
        tensor.register_hook(
            lambda g, at=index: function([g if at == i else None for i in range(len(tensors))])
        )
        for index, tensor in enumerate(tensors)
    ]
    return inside.multi_handle(tuple(handles))


@replaces("autograd.graph.register_multi_grad_hook")
def multi_grad_hook_any_runs_for_each(
    original: Any, tensors: Any, function: Any, *, mode: Any = "all"
) -> Any:
    """A multi-grad hook of mode "any" runs for every gradient instead of the first."""
    if mode != "any":
        return original(tensors, function, mode=mode)
    handles = [tensor.register_hook(silent(function)) for tensor in tensors]
    return inside.multi_handle(tuple(handles))


@replaces("autograd.graph.register_multi_grad_hook")
def multi_grad_hook_runs_once_ever(
    original: Any, tensors: Any, function: Any, **kwargs: Any
) -> Any:
    """A multi-grad hook runs in the first pass only."""
    calls: list[int] = []

    def once(gradients: Any) -> None:
        calls.append(1)
        if len(calls) == 1:
            function(gradients)

    return original(tensors, once, **kwargs)


@replaces("autograd.graph.register_multi_grad_hook")
def multi_grad_hook_forgets_what_is_unused(
    original: Any, tensors: Any, function: Any, *, mode: Any = "all"
) -> Any:
    """A multi-grad hook gets zeros instead of None for a tensor without gradient in the pass."""
    if mode != "all":
        return original(tensors, function, mode=mode)

    def filled(gradients: Any) -> None:
        pairs = zip(gradients, tensors, strict=True)
        function([torch.zeros_like(t) if g is None else g for g, t in pairs])

    return original(tensors, filled, mode=mode)


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


@fault
def hooks_of_nodes_cannot_be_removed(patch: Patch) -> None:
    """The handle of a node's hook does nothing."""

    def register(node: Any, hook: Any) -> Any:
        node.register_hook(hook)
        return inside.multi_handle(())

    shown(patch, register_hook=lambda node: lambda hook: register(node, hook))


@fault
def hooks_of_accumulating_nodes_do_not_run(patch: Patch) -> None:
    """A hook of the node that accumulates a leaf's gradient never runs."""

    def register(node: Any, hook: Any) -> Any:
        return node.register_hook(silent(lambda *_: None) if hasattr(node, "variable") else hook)

    shown(patch, register_hook=lambda node: lambda hook: register(node, hook))


@fault
def node_hooks_get_zeros_for_nothing(patch: Patch) -> None:
    """A hook of a node is given zeros for an operand that needs no gradient."""

    def register(node: Any, hook: Any) -> Any:
        def filled(inputs: Any, outputs: Any) -> Any:
            like = next(g for g in (*inputs, *outputs) if g is not None)
            found = hook(tuple(like * 0 if g is None else g for g in inputs), outputs)
            if found is None:
                return None
            return tuple(None if g is None else f for g, f in zip(inputs, found, strict=True))

        return node.register_hook(filled)

    shown(patch, register_hook=lambda node: lambda hook: register(node, hook))


def without_none(hook: Any, gradients: tuple[Any, ...], *rest: Any) -> Any:
    """What a hook gives back that is given only the gradients that are there."""
    found = hook(tuple(g for g in gradients if g is not None), *rest)
    if found is None:
        return None
    left = iter(found)
    return tuple(None if g is None else next(left) for g in gradients)


@fault
def node_hooks_get_only_what_is_there(patch: Patch) -> None:
    """A hook of a node is given only those operands' gradients that are there."""

    def register(node: Any, hook: Any) -> Any:
        return node.register_hook(lambda inputs, outputs: without_none(hook, inputs, outputs))

    shown(patch, register_hook=lambda node: lambda hook: register(node, hook))


@fault
def node_prehooks_get_only_what_is_there(patch: Patch) -> None:
    """A prehook of a node is given only those results' gradients that are there."""

    def prehook(node: Any, hook: Any) -> Any:
        return node.register_prehook(lambda outputs: without_none(hook, outputs))

    shown(patch, register_prehook=lambda node: lambda hook: prehook(node, hook))


@fault
def node_prehooks_run_before_tensor_hooks(patch: Patch) -> None:
    """A prehook of a node does not see what the hooks of its tensor made of the gradient."""
    given = Notes()

    def prehook(node: Any, hook: Any) -> Any:
        return node.register_prehook(lambda outputs: hook(given.get(node, outputs)))

    def change(hook: Any, tensor: Any) -> Any:
        node = bare(tensor.grad_fn)

        def noted(gradient: Any) -> Any:
            if node is not None:
                given[node] = (gradient,)
            return hook(gradient)

        return noted

    shown(patch, register_prehook=lambda node: lambda hook: prehook(node, hook))
    changed_hook(patch, change)


# --- what else a node and an edge tell ---


@fault
def metadata_of_nodes_is_shared(patch: Patch) -> None:
    """All nodes share one dictionary of metadata."""
    notes: dict[str, Any] = {}
    shown(patch, metadata=lambda node: notes)


@fault
def metadata_is_a_copy(patch: Patch) -> None:
    """What is noted in a node's metadata is lost."""
    shown(patch, metadata=lambda node: {})


@fault
def gradient_edges_are_of_the_first_result(patch: Patch) -> None:
    """The gradient edge of an operation's second result is that of the first."""
    patch.wrap(
        torch.autograd.graph,
        "get_gradient_edge",
        lambda edge: lambda x: edge(x)._replace(output_nr=0),
    )


@fault
def a_multi_grad_handle_removes_the_first_only(patch: Patch) -> None:
    """Removing a multi-grad hook removes it from the first of its tensors only."""
    patch.set(inside.multi_handle, "remove", lambda self: self.handles[0].remove())


@replaces("autograd.graph.register_multi_grad_hook")
def multi_grad_hook_any_gets_a_list(
    original: Any, tensors: Any, function: Any, *, mode: Any = "all"
) -> Any:
    """A multi-grad hook of mode "any" is given a list with the gradient."""
    if mode != "any":
        return original(tensors, function, mode=mode)
    return original(tensors, lambda gradient: function([gradient]), mode=mode)
