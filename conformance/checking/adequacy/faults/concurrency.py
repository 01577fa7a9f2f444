"""Faults of passes that run in several threads at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Patch,
    accumulated,
    around_pass,
    fault,
    inside,
    leaves_below,
    nodes_below,
    replaces,
    torch,
    untouched,
)

Running = dict[int, SimpleNamespace]
"""The options of the passes that run now, by thread."""


def beside_others(patch: Patch, change: Callable[[Any, list[Any]], None]) -> None:
    """Let `change(options, others)` change each pass that begins while those of other threads run."""

    def around(run: Any, options: Any, others: list[Any]) -> Any:
        if others:
            change(options, others)
        return run(options)

    around_beside(patch, around)


def around_beside(patch: Patch, around: Callable[[Any, Any, list[Any]], Any]) -> None:
    """Put `around(run, options, others)` in the place of every pass that is not within another;
    `others` are the options of the passes that run in other threads when it begins."""
    running: Running = {}

    def entered(run: Any, options: Any) -> Any:
        this = threading.get_ident()
        if this in running:
            return run(options)
        others = list(running.values())
        running[this] = options
        try:
            return around(run, options, others)
        finally:
            del running[this]

    around_pass(patch, entered)


def in_first_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@fault
def passes_of_threads_take_turns(patch: Patch) -> None:
    """A backward pass waits until those of other threads have ended."""
    lock = threading.RLock()

    def around(run: Any, options: Any) -> Any:
        with lock:
            return run(options)

    around_pass(patch, around)


@fault
def a_pass_beside_another_starts_from_its_seeds(patch: Patch) -> None:
    """A pass that begins while that of another thread runs starts from that one's gradients."""

    def change(options: Any, others: list[Any]) -> None:
        for at, seed in enumerate(options.seeds):
            taken = others[0].seeds[at] if at < len(others[0].seeds) else None
            if taken is not None and seed is not None and taken.shape == seed.shape:
                options.seeds = [*options.seeds[:at], taken * 2, *options.seeds[at + 1 :]]

    beside_others(patch, change)


@fault
def a_pass_over_a_graph_in_use_adds_to_it(patch: Patch) -> None:
    """A pass over nodes that another thread's pass goes through adds that one's gradients to its own."""

    def change(options: Any, others: list[Any]) -> None:
        for other in others:
            known = {id(node) for node in nodes_below(other.roots)}
            shared = any(id(node) in known for node in nodes_below(options.roots))
            if shared and None not in (*other.seeds, *options.seeds):
                options.seeds = [seed + other.seeds[0] for seed in options.seeds]

    beside_others(patch, change)


@fault
def contexts_of_custom_functions_belong_to_the_class(patch: Patch) -> None:
    """What a custom function keeps on its context is that of its latest call in any thread."""
    latest: dict[Any, tuple[int, Any]] = {}

    def make(original: Any) -> Any:
        def save(self: Any, *tensors: Any) -> None:
            latest[type(self)] = threading.get_ident(), tensors
            original(self, *tensors)

        return save

    def read(self: Any) -> Any:
        thread, tensors = latest.get(type(self), (threading.get_ident(), None))
        own = inside.saved_tensors(self)
        return tensors if tensors is not None and thread != threading.get_ident() else own

    patch.wrap(inside.function_context, "save_for_backward", make)
    patch.set(inside.function_node, "saved_tensors", property(read))


@fault
def a_pass_beside_another_keeps_what_that_keeps(patch: Patch) -> None:
    """retain_graph of a pass is that of the pass of another thread, if one runs already."""

    def change(options: Any, others: list[Any]) -> None:
        options.retain_graph = others[0].retain_graph

    beside_others(patch, change)


@fault
def a_pass_beside_another_records_as_that_does(patch: Patch) -> None:
    """create_graph of a pass is that of the pass of another thread, if one runs already."""

    def change(options: Any, others: list[Any]) -> None:
        options.create_graph = others[0].create_graph
        options.retain_graph = options.retain_graph or options.create_graph

    beside_others(patch, change)


@fault
def a_pass_beside_another_reaches_its_inputs(patch: Patch) -> None:
    """A pass for some inputs accumulates into those of another thread's running pass as well."""

    def change(options: Any, others: list[Any]) -> None:
        if options.accumulates and options.inputs and others[0].accumulates:
            options.inputs = [*options.inputs, *others[0].inputs]

    beside_others(patch, change)


@fault
def gradients_asked_for_beside_a_backward_accumulate(patch: Patch) -> None:
    """autograd.grad also accumulates while backward() of another thread runs."""
    running: set[int] = set()
    begun = [0]

    def around(run: Any, options: Any) -> Any:
        this = threading.get_ident()
        if options.accumulates:
            begun[0] += 1
            running.add(this)
        before = 0 if running - {this} else begun[0]
        try:
            found = run(options)
        finally:
            if options.accumulates:
                running.discard(this)
        beside = not options.accumulates and begun[0] > before
        for leaf, gradient in zip(options.inputs, found or (), strict=False) if beside else ():
            if isinstance(leaf, torch.Tensor) and leaf.is_leaf and gradient is not None:
                leaf.grad = gradient.detach()
        return found

    around_pass(patch, around)


@fault
def a_pass_that_began_later_adds_nothing(patch: Patch) -> None:
    """What a pass accumulates into a leaf that an earlier pass of another thread will reach is lost."""

    def around(run: Any, options: Any, others: list[Any]) -> Any:
        ends = [id(leaf) for other in others for leaf in leaves_below(other.roots)]
        lost = [leaf for leaf in leaves_below(options.roots) if id(leaf) in ends]
        held = [(leaf, None if leaf.grad is None else leaf.grad.clone()) for leaf in lost]
        found = run(options)
        for leaf, gradient in held if options.accumulates else ():
            leaf.grad = gradient
        return found

    around_beside(patch, around)


@fault
def a_pass_adds_to_what_a_leaf_had_before_it(patch: Patch) -> None:
    """A pass adds its gradients to those that the leaves had when it began."""

    def add(old: Any, new: Any, options: Any) -> Any:
        return old.add_(new)

    accumulated(patch, add, lambda options: not options.create_graph)


@fault
def passes_in_other_threads_free_nothing(patch: Patch) -> None:
    """A pass in another thread than the first keeps the graph, whatever retain_graph is."""

    def around(run: Any, options: Any) -> Any:
        options.retain_graph = options.retain_graph or not in_first_thread()
        return run(options)

    around_pass(patch, around)


@fault
def a_pass_beside_another_frees_nothing(patch: Patch) -> None:
    """A pass that begins while that of another thread runs keeps the graph."""

    def change(options: Any, others: list[Any]) -> None:
        options.retain_graph = True

    beside_others(patch, change)


@fault
def changes_in_other_threads_are_not_counted(patch: Patch) -> None:
    """A change in place in another thread than the first leaves the version as it is."""
    changes_uncounted(patch, lambda: not in_first_thread())


@fault
def changes_during_a_pass_are_not_counted(patch: Patch) -> None:
    """A change in place while a pass of another thread runs leaves the version as it is."""
    running: set[int] = set()

    def around(run: Any, options: Any) -> Any:
        running.add(threading.get_ident())
        try:
            return run(options)
        finally:
            running.discard(threading.get_ident())

    around_pass(patch, around)
    changes_uncounted(patch, lambda: bool(running - {threading.get_ident()}))


def changes_uncounted(patch: Patch, when: Callable[[], bool]) -> None:
    """Do not count the changes that are made when `when()` is true."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not when():
                return original(self, *args, **kwargs)
            with inside.keeping_version(self):
                return original(self, *args, **kwargs)

        return change

    for name in ("mul_", "add_", "copy_"):
        patch.wrap(torch.Tensor, name, make)


@fault
def an_error_ends_the_passes_of_all_threads(patch: Patch) -> None:
    """An error in one backward pass is raised in those of other threads that run, too."""
    failed: set[int] = set()
    running: set[int] = set()

    def around(run: Any, options: Any) -> Any:
        this = threading.get_ident()
        running.add(this)
        try:
            found = run(options)
        except Exception:
            failed.update(running - {this})
            raise
        finally:
            running.discard(this)
            ended = this in failed
            failed.discard(this)
        if ended:
            raise RuntimeError("a backward pass has failed")
        return found

    around_pass(patch, around)


@fault
def an_error_in_another_thread_leaves_recording_off(patch: Patch) -> None:
    """After an error in a backward pass, a thread that is not the first records nothing."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except Exception:
            if not in_first_thread():
                inside.set_recording(False)
            raise

    around_pass(patch, around)


@fault
def results_of_other_threads_are_constants(patch: Patch) -> None:
    """A result that one thread recorded has no history in another one."""
    home: dict[int, tuple[Any, int]] = {}

    def known(value: Any) -> Any:
        tensor = isinstance(value, torch.Tensor) and not value.is_leaf
        if not tensor:
            return value
        this = threading.get_ident()
        _, thread = home.get(id(value), (None, this))
        return value if thread == this else untouched.detach(value)

    def make(original: Any) -> Any:
        def multiply(self: Any, other: Any) -> Any:
            result = original(known(self), known(other))
            if isinstance(result, torch.Tensor):
                home[id(result)] = result, threading.get_ident()
            return result

        return multiply

    for name in ("__mul__", "__add__"):
        patch.wrap(torch.Tensor, name, make)


@replaces("Tensor.__mul__")
def each_thread_has_a_node_of_its_own_for_a_leaf(original: Any, self: Any, other: Any) -> Any:
    """What a thread that is not the first does with a leaf, it does with a view of it."""
    alone = not in_first_thread() and self.is_leaf and self.requires_grad
    return original(untouched.view_as(self, self) if alone else self, other)


@fault
def a_pass_runs_in_a_thread_of_the_engine(patch: Patch) -> None:
    """A backward pass runs in a new thread, which has the modes of a new thread."""

    def around(run: Any, options: Any) -> Any:
        found: list[Any] = []
        raised: list[BaseException] = []

        def body() -> None:
            try:
                found.append(run(options))
            except BaseException as error:
                raised.append(error)

        thread = threading.Thread(target=body, daemon=True)
        thread.start()
        thread.join()
        if raised:
            raise raised[0]
        return found[0]

    around_pass(patch, around)


@replaces("Tensor.register_hook")
def hooks_of_other_threads_run_in_a_thread_of_the_engine(
    original: Any, self: Any, hook: Any
) -> Any:
    """A tensor hook runs in a thread of the engine if another thread than its own runs the pass."""
    home = threading.get_ident()

    def later(gradient: Any) -> Any:
        if threading.get_ident() == home:
            return hook(gradient)
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(hook(gradient)), daemon=True)
        thread.start()
        thread.join()
        return found[0] if found else None

    return original(self, later)
