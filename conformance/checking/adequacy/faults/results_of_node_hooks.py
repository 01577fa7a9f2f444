"""Faults of hooks of nodes: how many a node has, and what becomes of their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Notes, Patch, fault, register, retaining, torch, untouched
from .altered_nodes import bare, shown
from .hooks import silent


def result_of(change: Callable[[Any, Any], Any], patch: Patch) -> None:
    """Let `change(found, given)` stand for what a hook or prehook of a node returned, `given` being
    the gradients that it was to replace."""

    def changed(hook: Any) -> Any:
        return lambda given, *rest: change(hook(given, *rest), given)

    shown(
        patch,
        register_hook=lambda node: lambda hook: node.register_hook(changed(hook)),
        register_prehook=lambda node: lambda hook: node.register_prehook(changed(hook)),
    )


def each_gradient(change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Let `change(new, old)` stand for each gradient that a tuple has in the place of another."""

    def changed(found: Any, given: Any) -> Any:
        if not isinstance(found, tuple) or len(found) != len(given):
            return found
        pairs = zip(found, given, strict=True)
        return tuple(
            change(new, old) if isinstance(new, torch.Tensor) else new for new, old in pairs
        )

    return changed


def fitted(new: Any, old: Any) -> Any:
    """A gradient made to fit the one that it replaces, or nothing where there was none."""
    if old is None:
        return None
    new = new.to(old.dtype)
    if new.numel() == old.numel():
        return new.reshape(old.shape)
    return new.expand(old.shape).clone()


for name, sentence, change in (
    (
        "gradients_of_node_hooks_are_made_to_fit",
        "A gradient that a node's hook returns is made to fit the one that it replaces.",
        each_gradient(fitted),
    ),
    (
        "node_hooks_may_return_gradients_in_vain",
        "A gradient that a node's hook returns where there was none is dropped.",
        each_gradient(lambda new, old: None if old is None else new),
    ),
    (
        "gradients_of_node_hooks_are_cast",
        "A gradient that a node's hook returns in another dtype is converted.",
        each_gradient(lambda new, old: new if old is None else new.to(old.dtype)),
    ),
    (
        "node_hooks_may_return_lists",
        "A list that a node's hook returns is taken for a tuple.",
        lambda found, given: tuple(found) if isinstance(found, list) else found,
    ),
):

    def install(patch: Patch, change: Any = change) -> None:
        result_of(change, patch)

    register(name, sentence, install)


@fault
def hooks_of_accumulating_nodes_may_return_anything(patch: Patch) -> None:
    """What a hook of the node that accumulates returns is not looked at."""

    def register_hook(node: Any, hook: Any) -> Any:
        return node.register_hook(silent(hook) if hasattr(node, "variable") else hook)

    shown(patch, register_hook=lambda node: lambda hook: register_hook(node, hook))


@fault
def hooks_of_accumulating_nodes_are_given_nothing(patch: Patch) -> None:
    """A hook of the node that accumulates is given None for the gradient."""

    def register_hook(node: Any, hook: Any) -> Any:
        nothing = hasattr(node, "variable")
        return node.register_hook(
            lambda operands, results: hook(operands, (None,) if nothing else results)
        )

    shown(patch, register_hook=lambda node: lambda hook: register_hook(node, hook))


def one_at_a_time(patch: Patch, kind: str) -> None:
    """Let a hook of a node take the place of the one before it."""
    handles = Notes()

    def replace(node: Any, hook: Any) -> Any:
        if node in handles:
            handles[node].remove()
        handles[node] = getattr(node, kind)(hook)
        return handles[node]

    shown(patch, **{kind: lambda node: lambda hook: replace(node, hook)})


register(
    "a_node_has_one_hook",
    "A hook of a node takes the place of the one before it.",
    lambda patch: one_at_a_time(patch, "register_hook"),
)
register(
    "a_node_has_one_prehook",
    "A prehook of a node takes the place of the one before it.",
    lambda patch: one_at_a_time(patch, "register_prehook"),
)


@fault
def prehook_results_are_lost_where_the_gradient_is_retained(patch: Patch) -> None:
    """What a node's prehook returns is ignored if the result retains its gradient."""
    retained = retaining(patch)

    def prehook(node: Any, hook: Any) -> Any:
        def run(results: Any) -> Any:
            found = hook(results)
            kept = any(bare(untouched.grad_fn.__get__(each)) is node for each in retained)
            return None if kept else found

        return node.register_prehook(run)

    shown(patch, register_prehook=lambda node: lambda hook: prehook(node, hook))
