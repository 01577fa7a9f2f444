"""Faults of hooks of several tensors, above all where one pass runs within another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..breaking import Patch, around_pass, edge_of, fault, inside, nodes_below, torch
from .hooks import silent

Change = Callable[[Any, list[Any]], Any]


def changed_function(patch: Patch, change: Change) -> None:
    """Register `change(function, tensors)` in the place of every function of mode "all"."""

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, *, mode: Any = "all") -> Any:
            tensors = list(tensors)
            chosen = change(function, tensors) if mode == "all" else function
            return original(tensors, chosen, mode=mode)

        return register

    patch.wrap(torch.autograd.graph, "register_multi_grad_hook", make)


@fault
def multi_grad_hooks_get_gradients_as_they_come(patch: Patch) -> None:
    """A hook of several tensors is given their gradients in the order of arrival."""

    def change(function: Any, tensors: list[Any]) -> Any:
        come: list[int] = []
        for index, tensor in enumerate(tensors):
            tensor.register_hook(silent(lambda gradient, at=index: come.append(at)))

        def in_order(gradients: Any) -> None:
            there = [gradients[at] for at in come if gradients[at] is not None]
            come.clear()
            function(there + [None] * (len(gradients) - len(there)))

        return in_order

    changed_function(patch, change)


@fault
def multi_grad_hooks_wait_for_all(patch: Patch) -> None:
    """A hook of several tensors waits for those that have no part in the pass."""

    def change(function: Any, tensors: list[Any]) -> Any:
        def if_complete(gradients: Any) -> None:
            if all(each is not None for each in gradients):
                function(gradients)

        return if_complete

    changed_function(patch, change)


@fault
def multi_grad_hooks_keep_their_gradients(patch: Patch) -> None:
    """A hook of several tensors keeps the gradients of its latest call."""

    def change(function: Any, tensors: list[Any]) -> Any:
        latest: list[Any] = []

        def keeping(gradients: Any) -> None:
            latest[:] = [gradients]
            function(gradients)

        return keeping

    changed_function(patch, change)


# --- passes within passes ---


@dataclass
class Running:
    """A pass: what it goes through, and what the hooks of several tensors were given in it."""

    nodes: list[Any] = field(default_factory=list)
    gathered: dict[int, dict[int, Any]] = field(default_factory=dict)


def gathered_by_pass(patch: Patch, begin: Any, end: Any) -> None:
    """Let hooks of several tensors keep what they were given with the latest of a list of passes,
    which `begin(passes)` and `end(passes, depth, failed)` change beside what is right."""
    passes: list[Running] = []

    def around(run: Any, options: Any) -> Any:
        begin(passes)
        depth = len(passes)
        passes.append(Running(nodes_below(options.roots)))
        failed = True
        try:
            found = run(options)
            failed = False
            return found
        finally:
            end(passes, depth, failed)

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, *, mode: Any = "all") -> Any:
            tensors = list(tensors)
            edges = [edge_of(each) for each in tensors]

            def deliver(index: int, gradient: Any) -> None:
                running = passes[-1]
                state = running.gathered.setdefault(id(deliver), {})
                state[index] = gradient
                wanted = sum(any(edge is node for node in running.nodes) for edge in edges)
                if mode == "any":
                    if len(state) == 1:
                        function(gradient)
                elif len(state) == wanted:
                    function([state.get(at) for at in range(len(tensors))])

            handles = [
                tensor.register_hook(silent(lambda gradient, at=index: deliver(at, gradient)))
                for index, tensor in enumerate(tensors)
            ]
            return inside.multi_handle(tuple(handles))

        return register

    patch.wrap(torch.autograd.graph, "register_multi_grad_hook", make)
    around_pass(patch, around)


def forget(passes: list[Running], depth: int, failed: bool = False) -> None:
    """What is right at the end of a pass."""
    del passes[depth:]


@fault
def an_inner_pass_stays_the_one_that_runs(patch: Patch) -> None:
    """After a pass that a hook started, what comes is taken for a part of that pass."""

    def end(passes: list[Running], depth: int, failed: bool) -> None:
        if depth == 0:
            passes.clear()

    gathered_by_pass(patch, lambda passes: None, end)


@fault
def an_inner_pass_empties_multi_grad_hooks(patch: Patch) -> None:
    """A pass within a pass drops what hooks of several tensors were given before it."""

    def begin(passes: list[Running]) -> None:
        for outer in passes:
            outer.gathered.clear()

    gathered_by_pass(patch, begin, forget)


@fault
def a_pass_that_fails_stays_the_one_that_runs(patch: Patch) -> None:
    """A pass that fails stays the one that is running."""

    def end(passes: list[Running], depth: int, failed: bool) -> None:
        if not failed:
            del passes[depth]

    gathered_by_pass(patch, lambda passes: None, end)
