"""Faults of the order in which the hooks of a tensor, of its node and after accumulation run."""

from __future__ import annotations

from typing import Any

from ..breaking import Notes, Patch, around_pass, edge_of, fault, register, torch, untouched
from .altered_nodes import bare, shown
from .hooks import changed_hook


class Numbered:
    """The number of the pass that is running, or of the latest."""

    def __init__(self, patch: Patch) -> None:
        self.number = 0
        around_pass(patch, self.around)

    def around(self, run: Any, options: Any) -> Any:
        self.number += 1
        return run(options)


def prehooks_come_first(patch: Patch, of_leaves: bool) -> None:
    """Let the prehooks of a node run before the hooks of its tensor."""
    passes = Numbered(patch)
    prehooks = Notes()
    begun = Notes()

    def prehook(node: Any, hook: Any) -> Any:
        prehooks.setdefault(node, []).append(hook)
        return node.register_prehook(
            lambda results: None if begun.get(node) == passes.number else hook(results)
        )

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.is_leaf != of_leaves or not tensor.requires_grad:
            return hook
        node = bare(edge_of(tensor))
        begun[node] = None

        def after_the_prehooks(gradient: Any) -> Any:
            waiting = [] if begun.get(node) == passes.number else prehooks.get(node, [])
            begun[node] = passes.number
            for each in waiting:
                found = each((gradient,))
                gradient = gradient if found is None else found[0]
            found = hook(gradient)
            return gradient if found is None and waiting else found

        return after_the_prehooks

    shown(patch, register_prehook=lambda node: lambda hook: prehook(node, hook))
    changed_hook(patch, change)


register(
    "prehooks_of_nodes_come_first",
    "Prehooks of a node run before the hooks of its result.",
    lambda patch: prehooks_come_first(patch, False),
)
register(
    "prehooks_of_accumulating_nodes_come_first",
    "Prehooks of the node that accumulates run before the hooks of the leaf.",
    lambda patch: prehooks_come_first(patch, True),
)


@fault
def hooks_of_accumulating_nodes_precede_post_accumulate_hooks(patch: Patch) -> None:
    """Hooks of the node that accumulates run before the post-accumulate hooks."""
    passes = Numbered(patch)
    node_hooks = Notes()
    begun = Notes()

    def register_hook(node: Any, hook: Any) -> Any:
        if not hasattr(node, "variable"):
            return node.register_hook(hook)
        node_hooks.setdefault(node, []).append(hook)
        return node.register_hook(
            lambda *given: None if begun.get(node) == passes.number else hook(*given)
        )

    def make(original: Any) -> Any:
        def after_the_nodes(hook: Any) -> Any:
            def run(leaf: Any) -> Any:
                node = bare(edge_of(leaf))
                waiting = [] if begun.get(node) == passes.number else node_hooks.get(node, [])
                begun[node] = passes.number
                for each in waiting:
                    each((), (untouched.grad.__get__(leaf),))
                return hook(leaf)

            return run

        return lambda self, hook: original(self, after_the_nodes(hook))

    shown(patch, register_hook=lambda node: lambda hook: register_hook(node, hook))
    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def prehooks_of_requested_nodes_run(patch: Patch) -> None:
    """Under autograd.grad the prehooks of the node of a requested result run."""
    prehooks = Notes()

    def prehook(node: Any, hook: Any) -> Any:
        prehooks.setdefault(node, []).append(hook)
        return node.register_prehook(hook)

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for each, gradient in zip(options.inputs, found or (), strict=False):
            node = bare(edge_of(each))
            if not options.accumulates and gradient is not None and node in prehooks:
                for hook in prehooks[node]:
                    hook((gradient,))
        return found

    shown(patch, register_prehook=lambda node: lambda hook: prehook(node, hook))
    around_pass(patch, around)


@fault
def post_accumulate_hooks_are_undone(patch: Patch) -> None:
    """The gradient is written once more after the post-accumulate hooks."""

    def make(original: Any) -> Any:
        def rewriting(hook: Any) -> Any:
            def run(leaf: Any) -> Any:
                held = untouched.grad.__get__(leaf)
                found = hook(leaf)
                untouched.grad.__set__(leaf, held)
                return found

            return run

        return lambda self, hook: original(self, rewriting(hook))

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)
