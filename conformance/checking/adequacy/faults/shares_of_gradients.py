"""Faults of gradients that come in several shares, one from each use of a tensor."""

from __future__ import annotations

import weakref
from functools import reduce
from operator import add
from typing import Any

from ..breaking import Patch, around_pass, edge_of, fault, nodes_below, torch, untouched
from .altered_nodes import Shown, bare, shown
from .gradient_attribute import held, store
from .hooks import changed_hook
from .retained_gradients import retained_by

DEEP = 20_000


def node_at(tensor: Any) -> Any:
    """The node at which a tensor's gradient is computed, as the engine knows it."""
    return bare(edge_of(tensor))


def all_nodes(roots: Any) -> list[Any]:
    """Every node of a graph as the engine knows it; none of a graph too deep to be watched."""
    nodes = list({id(node): node for node in map(bare, nodes_below(roots))}.values())
    return nodes if len(nodes) <= DEEP else []


def sum_of(shares: list[Any]) -> Any:
    """The gradient that some shares make."""
    return reduce(add, shares)


class Shares:
    """What each edge of the graph has delivered so far in the pass that is running."""

    def __init__(self, patch: Patch) -> None:
        self.given: dict[tuple[int, int], list[Any]] = {}
        self.missing: dict[int, int] = {}
        around_pass(patch, self.around)

    def around(self, run: Any, options: Any) -> Any:
        nodes = all_nodes(options.roots)
        outer = self.given, self.missing
        self.given, self.missing = {}, {}
        for node in nodes:
            for following, _ in node.next_functions:
                self.missing[id(following)] = self.missing.get(id(following), 0) + 1
        for root, seed in zip(options.roots, options.seeds, strict=False):
            if isinstance(root, torch.Tensor) and seed is not None:
                self.given[id(node_at(root)), root.output_nr] = [seed]
        handles = [self.watch(node) for node in nodes if node.next_functions]
        try:
            return run(options)
        finally:
            for handle in handles:
                handle.remove()
            self.given, self.missing = outer

    def watch(self, node: Any) -> Any:
        edges = node.next_functions

        def note(operands: Any, results: Any) -> None:
            for (following, number), gradient in zip(edges, operands, strict=False):
                if following is not None:
                    self.missing[id(following)] -= 1
                    if gradient is not None:
                        self.given.setdefault((id(following), number), []).append(gradient)

        return node.register_hook(note)

    def of(self, tensor: Any) -> list[Any]:
        """What has come for a tensor, in its order."""
        node = untouched.grad_fn.__get__(tensor)
        return self.given.get((id(node_at(tensor)), 0 if node is None else tensor.output_nr), [])

    def complete(self, tensor: Any) -> bool:
        """Whether all that a tensor is used for has been gone through."""
        return bool(self.of(tensor)) and not self.missing.get(id(node_at(tensor)))


def hooks_see_each(patch: Patch) -> None:
    """Let the hooks of a tensor be called with each share of its gradient."""
    shares = Shares(patch)

    def change(hook: Any, tensor: Any) -> Any:
        own: Any = weakref.ref(tensor)

        def for_each(gradient: Any) -> Any:
            parts = shares.of(own()) if own() is not None else []
            if len(parts) < 2:
                return hook(gradient)
            found = [(part, hook(part)) for part in parts]
            return sum_of([part if new is None else new for part, new in found])

        return for_each

    changed_hook(patch, change)


@fault
def a_node_runs_for_each_of_its_uses(patch: Patch) -> None:
    """A node runs once for each use of its result, and so do the hooks there."""
    hooks_see_each(patch)


@fault
def each_use_of_a_leaf_has_a_node(patch: Patch) -> None:
    """Each use of a leaf leads to an accumulating node of its own, at which the hooks run."""

    def copies(node: Any) -> Any:
        return tuple(
            (Shown(n, {}, lambda other: other) if hasattr(n, "variable") else n, number)
            for n, number in node.next_functions
        )

    hooks_see_each(patch)
    shown(patch, next_functions=copies)


def delivering(patch: Patch, change: Any) -> None:
    """Let `change(shares)` stand for the sum of several shares of a gradient."""
    shares = Shares(patch)

    def around(run: Any, options: Any) -> Any:
        handles = [each.register_prehook(before(each)) for each in all_nodes(options.roots)]
        try:
            return run(options)
        finally:
            for handle in handles:
                handle.remove()

    def before(node: Any) -> Any:
        def replace(results: Any) -> Any:
            parts = [shares.given.get((id(node), number), []) for number in range(len(results))]
            pairs = zip(results, parts, strict=True)
            return tuple(change(each) if len(each) > 1 else old for old, each in pairs)

        return replace

    around_pass(patch, around)


@fault
def the_last_path_overwrites_the_others(patch: Patch) -> None:
    """Of the shares of a gradient the last one overwrites the others."""
    delivering(patch, lambda shares: shares[-1])


@fault
def the_first_share_is_retained(patch: Patch) -> None:
    """A result retains the share of its gradient that comes first."""
    shares = Shares(patch)
    first: list[tuple[Any, Any, Any]] = []

    def keep_first(original: Any, tensor: Any) -> None:
        original(tensor)
        own: Any = weakref.ref(tensor)

        def note(gradient: Any) -> None:
            if own() is not None and shares.of(own()):
                first.append((own(), held(own()), shares.of(own())[0]))

        tensor.register_hook(note)

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for tensor, before, gradient in first:
            store(tensor, gradient if before is None else before + gradient)
        first.clear()
        return found

    retained_by(patch, keep_first)
    around_pass(patch, around)


@fault
def nodes_run_first_recorded_first(patch: Patch) -> None:
    """Of the nodes that are ready, the one recorded first runs first."""
    shares = Shares(patch)
    turns: dict[int, Turn] = {}

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            if self.is_leaf:
                return original(self, hook)
            turn = Turn(self, hook, shares, turns)
            handle = original(self, turn.come)
            plain = handle.remove

            def remove() -> None:
                turns.pop(id(turn), None)
                plain()

            handle.remove = remove
            return handle

        return register_hook

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        finally:
            for turn in turns.values():
                turn.done = False

    patch.wrap(torch.Tensor, "register_hook", make)
    around_pass(patch, around)


class Turn:
    """A hook of a result, which runs as soon as the gradient is complete, if something that was
    recorded later would run before it."""

    def __init__(self, tensor: Any, hook: Any, shares: Shares, turns: dict[int, Turn]) -> None:
        self.tensor, self.hook, self.shares, self.turns = weakref.ref(tensor), hook, shares, turns
        self.number = tensor.grad_fn._sequence_nr()
        self.done, self.result = False, None
        turns[id(self)] = self

    def come(self, gradient: Any) -> Any:
        """The engine has come to the hook."""
        if not self.done:
            waiting = [each for each in self.turns.values() if each.number < self.number]
            for each in sorted(waiting, key=lambda turn: turn.number):
                each.run_early()
            return self.hook(gradient)
        self.done = False
        return self.result

    def run_early(self) -> None:
        tensor = self.tensor()
        if tensor is not None and not self.done and self.shares.complete(tensor):
            self.result = self.hook(sum_of(self.shares.of(tensor)))
            self.done = True
