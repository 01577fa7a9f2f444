"""Faults of what happens within a backward pass: what is summed where, and what is freed."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from .engine import inside, torch
from .notes import Marked
from .passes import around_pass, edge_of, leaves_below, nodes_below
from .patch import Patch

__all__ = ["Arrived", "accumulated", "contributions", "freeing", "operations_below", "watching"]


MANY = 1000
"""Passes through more nodes than this are right: what it takes to break them would take too long."""


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


Arrived = list[list[Any]]
"""The gradients that arrived at one place, by the operation that sent them."""


def contributions(patch: Patch, change: Callable[[Arrived, bool, Any], Any]) -> None:
    """Let `change(earlier, again, gradient)` arrive at a node in the place of each gradient that an
    operation sends there.

    `earlier` is what other operations sent to the same place before, in this pass; `again` is whether
    this one, with two equal operands, sent something there already.
    """

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        arrived: dict[tuple[int, int], Arrived] = {}

        def watch(node: Any) -> Any:
            ends = node.next_functions

            def hook(gradients: tuple[Any, ...], _: Any) -> Any:
                if len(gradients) != len(ends):
                    return None
                own: dict[tuple[int, int], list[Any]] = {}
                sent = []
                for gradient, (end, nr) in zip(gradients, ends, strict=True):
                    if gradient is None or end is None:
                        sent.append(gradient)
                        continue
                    place = id(end), nr
                    sent.append(change(arrived.get(place, []), place in own, gradient))
                    own.setdefault(place, []).append(gradient)
                for place, gradients_sent in own.items():
                    arrived.setdefault(place, []).append(gradients_sent)
                return tuple(sent)

            return node.register_hook(hook)

        nodes = operations_below(options.roots)
        handles = [watch(node) for node in nodes if len(nodes) <= MANY]
        try:
            return run(options)
        finally:
            for handle in handles:
                handle.remove()

    around_pass(patch, around)


def freeing(patch: Patch, frees: Callable[[Any, SimpleNamespace], bool]) -> None:
    """Let a pass that does not retain the graph free only what the nodes saved for which
    `frees(node, options)` is true. Passes in which those have hooks, or lead to hooks, or are of custom
    functions, are right: freeing takes another pass through the node, which would be noticed."""
    watched = watching(patch)
    busy: list[bool] = []

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        nodes = [] if options.retain_graph or busy else operations_below(options.roots)
        freed = [node for node in nodes if frees(node, options)]
        if options.accumulates:
            ends = map(edge_of, options.inputs)
            watched.update(end for end in ends if end and not hasattr(end, "variable"))
        seen = any(
            isinstance(node, inside.function_node)
            or any(each in watched for each in around_it(node))
            for node in freed
        )
        if len(freed) == len(nodes) or len(nodes) > MANY or seen:
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


def around_it(node: Any) -> list[Any]:
    """A node and those to which its gradients go, and their leaves."""
    ends = [end for end, _ in node.next_functions]
    return [node, *ends, *(getattr(end, "variable", None) for end in ends)]


def watching(patch: Patch) -> Marked:
    """Leaves, and the nodes of other tensors, that have hooks or retain their gradient: filled while an
    engine is broken."""
    watched = Marked()

    def make(original: Any) -> Any:
        def register(self: Any, *args: Any) -> Any:
            watched.add(self if self.is_leaf else self.grad_fn)
            return original(self, *args)

        return register

    for name in ("register_hook", "retain_grad"):
        patch.wrap(torch.Tensor, name, make)
    return watched


def free(node: Any, gradients: tuple[Any, ...]) -> None:
    """Free what a node saved: a pass through it alone, with the gradients that it was given before."""
    edge = torch.autograd.graph.GradientEdge
    given = [(edge(node, nr), g.detach()) for nr, g in enumerate(gradients) if g is not None]
    ends = [edge(end, nr) for end, nr in dict.fromkeys(node.next_functions) if end is not None]
    # An end to which another one leads would be reached through that one, which is then freed too.
    several = ends if len(ends) > 1 else []
    below = {id(follower) for end in several for follower in nodes_below([end])[1:]}
    first = next(end for end in ends if id(end.node) not in below)
    roots, seeds = [root for root, _ in given], [seed for _, seed in given]
    torch.autograd.grad(roots, first, seeds, retain_graph=False, allow_unused=True)
