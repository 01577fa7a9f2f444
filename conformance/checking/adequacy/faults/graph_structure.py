"""Faults of what the recorded graph shows: nodes, their names, edges, saved values, lifetimes."""

from __future__ import annotations

import re
import sys
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    around_pass,
    fault,
    inside,
    leaves_below,
    node_of,
    nodes_below,
    register,
    torch,
    untouched,
)
from .altered_nodes import Shown, bare, edge, shown
from .gradient_attribute import held

# --- which nodes there are ---


@fault
def each_result_has_a_node_of_its_own(patch: Patch) -> None:
    """Each of several results of an operation has a node of its own."""
    made = Notes()

    def seen(node: Any, number: int = 0) -> Any:
        table = made.setdefault(node, {})
        if number not in table:
            changes = {"next_functions": lambda node: tuple(map(pair, node.next_functions))}
            table[number] = Shown(node, changes, seen)
        return table[number]

    def pair(following: tuple[Any, int]) -> tuple[Any, int]:
        node, number = following
        return None if node is None else seen(node, number), number

    def get(self: Any) -> Any:
        node = untouched.grad_fn.__get__(self)
        own = node is None or inside.is_reading(sys._getframe(1))
        return node if own else seen(node, self.output_nr)

    patch.set(torch.Tensor, "grad_fn", property(get))
    inside.change_edges(patch, lambda value: edge(bare(value), bare))


@fault
def additions_are_recorded_without_need(patch: Patch) -> None:
    """An addition of tensors that do not require grad is recorded too."""

    def added(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(self, *args, **kwargs)
        able = isinstance(self, torch.Tensor) and isinstance(found, torch.Tensor)
        if not able or found.requires_grad or not found.is_floating_point():
            return found
        if not torch.is_grad_enabled() or found.is_inference() or self.is_inference():
            return found
        return original(untouched.detach(self).requires_grad_(), *args, **kwargs)

    around(patch, "add", added)


@fault
def results_of_cat_do_not_require_grad(patch: Patch) -> None:
    """The result of cat has a node, but its requires_grad is False."""

    def get(self: Any) -> Any:
        node = untouched.grad_fn.__get__(self)
        joined = node is not None and node.name() == "CatBackward0"
        return untouched.requires_grad.__get__(self) and not joined

    patch.set(torch.Tensor, "requires_grad", property(get, untouched.requires_grad.__set__))


@fault
def the_node_can_be_assigned(patch: Patch) -> None:
    """grad_fn can be assigned."""
    given = Notes()

    def get(self: Any) -> Any:
        return given[self] if self in given else untouched.grad_fn.__get__(self)

    patch.set(torch.Tensor, "grad_fn", property(get, given.__setitem__))


# --- names and edges ---


def renamed(name: str, sentence: str, pattern: str, by: str) -> None:
    """Put into the bank a fault that changes the names of nodes."""

    def name_of(node: Any) -> Any:
        return lambda: re.sub(pattern, by, node.name())

    register(name, sentence, lambda patch: shown(patch, name=name_of))


renamed("nodes_are_named_by_their_operation_alone",
        "A node is called Mul instead of MulBackward0.", r"Backward\d+$", "")  # fmt: skip
renamed("node_names_always_end_in_zero",
        "The names of nodes end in 0 for every overload.", r"Backward\d+$", "Backward0")  # fmt: skip


@fault
def nodes_list_their_inputs_by_age(patch: Patch) -> None:
    """next_functions has the nodes of results in the order in which they were recorded."""

    def by_age(node: Any) -> Any:
        edges = list(node.next_functions)
        places = [at for at, (n, _) in enumerate(edges) if n and not hasattr(n, "variable")]
        ordered = sorted((edges[at] for at in places), key=lambda pair: pair[0]._sequence_nr())
        for at, pair in zip(places, ordered, strict=True):
            edges[at] = pair
        return tuple(edges)

    shown(patch, next_functions=by_age)


@fault
def nodes_list_each_input_once(patch: Patch) -> None:
    """An operand that stands twice in an operation has one place in next_functions."""
    shown(patch, next_functions=lambda node: tuple(dict.fromkeys(node.next_functions)))


@fault
def changes_in_place_skip_the_node_before(patch: Patch) -> None:
    """The node of an in-place operation takes the place of the tensor's node from before."""
    skipped = Notes()

    def changed(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        before = node_of(self)
        found = original(self, *args, **kwargs)
        if before is not None and node_of(self) is not before:
            skipped[bare(node_of(self))] = bare(before)
        return found

    def following(node: Any) -> Any:
        before = skipped.get(node)
        edges = node.next_functions
        if before is None:
            return edges
        return tuple(
            each for following in edges
            for each in (before.next_functions if following[0] is before else [following])
        )  # fmt: skip

    around(patch, "add_ mul_", changed)
    shown(patch, next_functions=following)


@fault
def passes_cut_the_links_of_their_roots(patch: Patch) -> None:
    """After a pass the nodes of its roots lead nowhere."""
    done = Marked()

    def around_it(run: Any, options: Any) -> Any:
        found = run(options)
        roots = [node_of(root) for root in options.roots if isinstance(root, torch.Tensor)]
        if not options.retain_graph and not options.create_graph:
            done.update(bare(node) for node in roots if node is not None)
        return found

    def following(node: Any) -> Any:
        return tuple((None, 0) if node in done else pair for pair in node.next_functions)

    shown(patch, next_functions=following)
    around_pass(patch, around_it)


@fault
def gradient_edges_are_refused(patch: Patch) -> None:
    """Gradient edges are not taken in the place of tensors."""

    def around_it(run: Any, options: Any) -> Any:
        for each in (*options.roots, *options.inputs):
            if isinstance(each, torch.autograd.graph.GradientEdge):
                raise TypeError("expected a tensor, but got a GradientEdge")
        return run(options)

    around_pass(patch, around_it)


@fault
def edges_among_inputs_forget_which_result(patch: Patch) -> None:
    """A gradient edge among the inputs of a pass stands for the first result of its node."""

    def around_it(run: Any, options: Any) -> Any:
        options.inputs = [
            each._replace(output_nr=0)
            if isinstance(each, torch.autograd.graph.GradientEdge) else each
            for each in options.inputs
        ]  # fmt: skip
        return run(options)

    around_pass(patch, around_it)


# --- saved values ---


def missing(node: Any) -> Any:
    raise AttributeError("a node does not show what it saved")


@fault
def saved_values_cannot_be_read(patch: Patch) -> None:
    """What a node saved cannot be read."""
    shown(patch, _saved_self=missing, _saved_other=missing, _saved_result=missing)


@fault
def saved_results_have_no_history(patch: Patch) -> None:
    """A saved result comes out without its history."""
    shown(patch, _saved_result=lambda node: untouched.detach(node._saved_result))


@fault
def saved_results_are_copies(patch: Patch) -> None:
    """A saved result comes out with memory of its own."""
    shown(patch, _saved_result=lambda node: untouched.clone(node._saved_result))


# --- the pass ---


@fault
def leaves_accumulate_at_the_end(patch: Patch) -> None:
    """The leaves get their gradients when all nodes of a pass have run."""
    before: dict[int, Any] = {}

    def get(self: Any) -> Any:
        return before[id(self)] if id(self) in before else untouched.grad.__get__(self)

    def around_it(run: Any, options: Any) -> Any:
        outer = dict(before)
        for leaf in leaves_below(options.roots) if options.accumulates else []:
            before[id(leaf)] = held(leaf)
        try:
            return run(options)
        finally:
            before.clear()
            before.update(outer)

    def make(original: Any) -> Any:
        def at_last(hook: Any) -> Any:
            def run(leaf: Any) -> Any:
                before.pop(id(leaf), None)
                return hook(leaf)

            return run

        return lambda self, hook: original(self, at_last(hook))

    put, delete = untouched.grad.__set__, getattr(untouched.grad, "__delete__", None)
    patch.set(torch.Tensor, "grad", property(get, put, delete))
    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)
    around_pass(patch, around_it)


@fault
def the_nodes_of_the_latest_pass_stay_alive(patch: Patch) -> None:
    """The engine holds on to the nodes of its latest pass."""
    latest: list[Any] = []

    def around_it(run: Any, options: Any) -> Any:
        latest[:] = nodes_below(options.roots)
        return run(options)

    around_pass(patch, around_it)
