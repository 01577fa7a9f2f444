"""Faults of adding up gradients: over the uses of a tensor, and over passes."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Arrived,
    Patch,
    accumulated,
    around_pass,
    contributions,
    edge_of,
    fault,
    inside,
    leaves_below,
    operations_below,
    register,
    torch,
    untouched,
)

OVERLAP = "more than one element of the written-to tensor refers to a single memory location"


# --- within a pass ---


def summed(name: str, sentence: str, change: Callable[[Arrived, bool, Any], Any]) -> None:
    """Put into the bank a fault that lets `change(earlier, again, gradient)` arrive at a node."""
    register(name, sentence, lambda patch: contributions(patch, change))


summed(
    "the_last_use_wins",
    "Where several operations use a tensor, the last gradient to arrive overwrites the others.",
    lambda earlier, again, gradient: (
        gradient - sum(earlier[-1]) if earlier and not again else gradient
    ),
)


summed(
    "the_first_use_wins",
    "Where several operations use a tensor, the first gradient to arrive stays.",
    lambda earlier, again, gradient: torch.zeros_like(gradient) if earlier else gradient,
)


summed(
    "the_third_use_is_lost",
    "Where more than two operations use a tensor, the third gradient to arrive is lost.",
    lambda earlier, again, gradient: torch.zeros_like(gradient) if len(earlier) == 2 else gradient,
)


def add_to_first(earlier: Arrived, again: bool, gradient: Any) -> Any:
    """Add a gradient to the one that came first, in its memory."""
    first = earlier[0][0] if earlier else gradient
    if first is gradient or gradient.requires_grad or first.requires_grad:
        return gradient
    if first.shape != gradient.shape or not all(first.stride()):
        return gradient
    first.add_(gradient)
    return torch.zeros_like(gradient)


summed(
    "sums_are_formed_in_the_array_that_came_first",
    "The sum of several gradients is formed in the array that arrived first, whoever else holds it.",
    add_to_first,
)


@fault
def nodes_run_for_each_gradient(patch: Patch) -> None:
    """A node runs for each of its gradients as soon as that has arrived."""
    busy: list[bool] = []

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        shared = Counter(
            end for node in operations_below(options.roots)
            for end, _ in set(node.next_functions) if end is not None
        )  # fmt: skip
        several = any(count > 1 and not hasattr(end, "variable") for end, count in shared.items())
        if busy or options.inputs or options.create_graph or not several:
            return run(options)
        busy.append(True)
        try:
            send(options)
        finally:
            busy.clear()
        return None

    around_pass(patch, around)


def send(options: SimpleNamespace) -> None:
    """A pass that sends every gradient on as soon as it has arrived."""
    edge = torch.autograd.graph.GradientEdge
    waiting = [
        (edge(edge_of(root), getattr(root, "output_nr", 0)), seed)
        for root, seed in zip(options.roots, options.seeds, strict=True)
    ]
    while waiting:
        place, gradient = waiting.pop()
        if hasattr(place.node, "variable"):
            place.node.variable.backward(gradient)
            continue
        ends = [edge(end, nr) for end, nr in dict.fromkeys(place.node.next_functions) if end]
        for end in ends[:-1]:
            found = torch.autograd.grad([place], [end], [gradient], True, allow_unused=True)
            waiting += [(end, found[0])] if found[0] is not None else []
        end = ends[-1]
        found = torch.autograd.grad(
            [place], [end], [gradient], options.retain_graph, allow_unused=True
        )
        waiting += [(end, found[0])] if found[0] is not None else []


# --- over several passes ---


def added(
    name: str,
    sentence: str,
    combine: Callable[[Any, Any, Any], Any],
    when: Callable[[Any], bool] = lambda options: not options.create_graph,
) -> None:
    """Put into the bank a fault that leaves `combine(old, new, options)` in a leaf, in passes for which
    `when(options)` is true."""
    register(name, sentence, lambda patch: accumulated(patch, combine, when))


def in_place(old: Any, value: Any) -> Any:
    """The old tensor, which has another value now."""
    with torch.no_grad():
        old.copy_(value)
    return old


def plus(old: Any, new: Any) -> Any:
    """What is right for a pass without create_graph=True."""
    with torch.no_grad():
        return old.add_(new)


added(
    "a_recorded_pass_replaces_the_gradient",
    "A second pass with create_graph=True replaces the gradient instead of adding to it.",
    lambda old, new, options: new,
    lambda options: options.create_graph,
)


added(
    "half_precision_is_overwritten",
    "A second pass overwrites a gradient of half precision.",
    lambda old, new, options: (
        in_place(old, new) if old.dtype in (torch.float16, torch.bfloat16) else plus(old, new)
    ),
)


added(
    "passes_are_averaged",
    "The gradients of two passes are averaged.",
    lambda old, new, options: in_place(old, (old + new) / 2),
)


def no_placeholder(old: Any, new: Any, options: Any) -> Any:
    if not old._version and not old.any():
        raise RuntimeError("ZeroTensors are immutable.")
    return plus(old, new)


added(
    "zeros_of_a_pass_are_a_placeholder",
    "Zeros that a pass stored are a placeholder that cannot be added to.",
    no_placeholder,
)


def in_new_memory(old: Any, new: Any, options: Any) -> Any:
    old.data = (old + new).detach()
    return old


added(
    "a_pass_moves_the_gradient_to_new_memory",
    "A pass puts the new sum into the same tensor, in new memory.",
    in_new_memory,
)


def laid_out_anew(old: Any, new: Any, options: Any) -> Any:
    if not old.is_contiguous():
        old.data = (old + new).detach().contiguous()
        return old
    return plus(old, new)


added(
    "adding_lays_the_gradient_out_anew",
    "Adding lays the gradient out anew, as the leaf is.",
    laid_out_anew,
)


def recorded(old: Any, new: Any, options: Any) -> Any:
    return old + new if old.requires_grad else in_place(old, old + new)


added(
    "a_recorded_pass_adds_in_place_to_a_plain_gradient",
    "With create_graph=True a gradient without history is added to in place.",
    recorded,
    lambda options: options.create_graph,
)


added(
    "the_old_gradient_decides_how_it_is_added_to",
    "A gradient with history is replaced by a new sum also without create_graph=True.",
    lambda old, new, options: old + new if old.requires_grad else plus(old, new),
)


added(
    "a_plain_pass_drops_a_gradient_with_history",
    "A pass without create_graph=True puts a plain gradient in the place of one with history.",
    lambda old, new, options: new if old.requires_grad else plus(old, new),
)


added(
    "a_plain_pass_writes_over_a_gradient_with_history",
    "A pass from a gradient writes the second derivative over the first.",
    lambda old, new, options: in_place(old, new) if old.requires_grad else plus(old, new),
)


def into_shared_elements(old: Any, new: Any, options: Any) -> Any:
    if old.dim() == 1 and old.numel() > 1 and old.stride() == (0,):
        with torch.no_grad():
            old[:1].add_(new.sum())
        return old
    return plus(old, new)


added(
    "shared_elements_are_added_to_one_by_one",
    "Elements of a gradient that are one piece of memory are added to one after the other.",
    into_shared_elements,
)


@fault
def a_pass_clears_what_the_last_one_left(patch: Patch) -> None:
    """Each pass begins by clearing the gradients of the leaves of the pass before."""
    known: list[Any] = []

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if options.accumulates:
            for leaf in known:
                leaf.grad = None
            known[:] = leaves_below(options.roots)
        return run(options)

    around_pass(patch, around)


@fault
def a_gradient_of_another_shape_is_dropped(patch: Patch) -> None:
    """An old gradient of another shape than the leaf has now is dropped."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        for leaf in leaves_below(options.roots) if options.accumulates else ():
            if leaf.grad is not None and leaf.grad.shape != leaf.shape:
                leaf.grad = None
        return run(options)

    around_pass(patch, around)


@fault
def adding_to_a_gradient_is_not_counted(patch: Patch) -> None:
    """Adding to a gradient does not count as a change of it."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        leaves = leaves_below(options.roots) if options.accumulates else []
        held = tuple(leaf.grad for leaf in leaves if leaf.grad is not None)
        if not held:
            return run(options)
        with inside.keeping_version(held):
            return run(options)

    around_pass(patch, around)


@fault
def gradients_of_no_elements_overlap(patch: Patch) -> None:
    """Gradients of no elements count as if their elements were one piece of memory."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        for leaf in leaves_below(options.roots) if options.accumulates else ():
            if leaf.grad is not None and not leaf.numel() and not options.create_graph:
                raise RuntimeError(OVERLAP)
        return run(options)

    around_pass(patch, around)


def leaves_behind_views(roots: list[Any]) -> list[Any]:
    """The leaves without a gradient that a view leads to."""
    viewed = [
        end.variable for node in operations_below(roots)
        if node.name() in ("ViewBackward0", "ReshapeAliasBackward0", "TBackward0")
        for end, _ in node.next_functions if hasattr(end, "variable")
    ]  # fmt: skip
    return [leaf for leaf in viewed if untouched.grad.__get__(leaf) is None]


@fault
def gradients_that_came_through_views_share_memory(patch: Patch) -> None:
    """A gradient that arrives as a view is kept as it is, so that two leaves may share one memory."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        fresh = leaves_behind_views(options.roots) if options.accumulates else []
        found = run(options)
        gradients = [leaf.grad for leaf in fresh if leaf.grad is not None]
        for first, other in itertools.pairwise(gradients):
            if first.shape == other.shape and torch.equal(first, other):
                other.data = first.detach()
        return found

    around_pass(patch, around)


@fault
def the_given_gradient_is_stored_behind_a_view(patch: Patch) -> None:
    """A gradient that was given to the pass and arrives through a view becomes the leaf's, memory and all."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        fresh = leaves_behind_views(options.roots) if options.accumulates else []
        found = run(options)
        for leaf in fresh:
            for seed in options.seeds or ():
                if isinstance(seed, torch.Tensor) and seed.numel() == leaf.grad.numel():
                    leaf.grad.data = (seed if seed.shape == leaf.shape else seed.t()).detach()
        return found

    around_pass(patch, around)
