"""Faults of what happens within a backward pass: what is summed where, and what is freed."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from .engine import torch
from .passes import around_pass, leaves_below, nodes_below
from .patch import Patch

__all__ = ["accumulated", "contributions", "freeing", "operations_below"]


def operations_below(roots: Any) -> list[Any]:
    """The nodes of the graph of some tensors, without those of its leaves."""
    return [node for node in nodes_below(roots) if not hasattr(node, "variable")]


def accumulated(
    patch: Patch,
    combine: Callable[[Any, Any, Any], Any],
    when: Callable[[SimpleNamespace], bool] = lambda options: True,
) -> None:
    """Let a pass leave `combine(old, new, options)` in a leaf that had the gradient `old`; `new` is
    what this pass alone gives. Passes for which `when(options)` is false are right."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if not options.accumulates or not when(options):
            return run(options)
        held = [
            (leaf, leaf.grad) for leaf in leaves_below(options.roots)
            if leaf.grad is not None and leaf.grad.shape == leaf.shape
        ]  # fmt: skip
        gained = [None] * len(held)
        for leaf, _ in held:
            leaf.grad = None
        try:
            run(options)
            gained = [leaf.grad for leaf, _ in held]
        finally:
            for leaf, old in held:
                leaf.grad = old
        for (leaf, old), new in zip(held, gained, strict=True):
            if new is not None:
                leaf.grad = combine(old, new, options)
        return None

    around_pass(patch, around)


def contributions(patch: Patch, change: Callable[[list[Any], Any], Any]) -> None:
    """Let `change(earlier, gradient)` arrive at a node in the place of each gradient that an operation
    sends there; `earlier` are those that operations sent to the same place before, in this pass."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        arrived: dict[tuple[int, int], list[Any]] = {}

        def watch(node: Any) -> Any:
            ends = node.next_functions

            def hook(gradients: tuple[Any, ...], _: Any) -> Any:
                if len(gradients) != len(ends):
                    return None
                sent = []
                for gradient, (end, nr) in zip(gradients, ends, strict=True):
                    if gradient is None or end is None:
                        sent.append(gradient)
                        continue
                    earlier = arrived.setdefault((id(end), nr), [])
                    sent.append(change(earlier, gradient))
                    earlier.append(gradient)
                return tuple(sent)

            return node.register_hook(hook)

        handles = [watch(node) for node in operations_below(options.roots)]
        try:
            return run(options)
        finally:
            for handle in handles:
                handle.remove()

    around_pass(patch, around)


def freeing(patch: Patch, frees: Callable[[Any, SimpleNamespace], bool]) -> None:
    """Let a pass that does not retain the graph free only what the nodes saved for which
    `frees(node, options)` is true."""
    busy: list[bool] = []

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        nodes = [] if options.retain_graph or busy else operations_below(options.roots)
        freed = [node for node in nodes if frees(node, options)]
        if len(freed) == len(nodes):
            return run(options)
        arrived: list[tuple[Any, Any]] = []
        handles = [
            node.register_prehook(lambda gradients, node=node: arrived.append((node, gradients)))
            for node in freed
        ]
        options.retain_graph = True
        try:
            found = run(options)
        finally:
            for handle in handles:
                handle.remove()
        busy.append(True)
        try:
            for node, gradients in arrived:
                free(node, gradients)
        finally:
            busy.clear()
        return found

    around_pass(patch, around)


def free(node: Any, gradients: tuple[Any, ...]) -> None:
    """Free what a node saved: a pass through it alone, with the gradients that it was given before."""
    edge = torch.autograd.graph.GradientEdge
    given = [(edge(node, nr), g.detach()) for nr, g in enumerate(gradients) if g is not None]
    ends = [edge(end, nr) for end, nr in dict.fromkeys(node.next_functions) if end is not None]
    # An end to which another one leads would be reached through that one, which is then freed too.
    below = [follower for end in ends for follower in nodes_below([end])[1:]]
    first = next(end for end in ends if not any(end.node is follower for follower in below))
    roots, seeds = [root for root, _ in given], [seed for _, seed in given]
    torch.autograd.grad(roots, first, seeds, retain_graph=False, allow_unused=True)
