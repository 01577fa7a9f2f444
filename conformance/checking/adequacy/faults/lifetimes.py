"""Faults that keep alive what should be let go."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around_pass,
    asked,
    fault,
    instead,
    leaves_below,
    nodes_below,
    torch,
    untouched,
)
from .custom_functions import around_apply
from .hooks import changed_hook
from .leaves import attribute
from .saved_hooks import pairs


@fault
def the_last_root_stays_alive(patch: Patch) -> None:
    """The engine holds on to the roots of its latest pass."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        held[:] = options.roots
        return found

    around_pass(patch, around)


@fault
def leaves_of_a_pass_stay_alive(patch: Patch) -> None:
    """A leaf that took part in a pass is never freed."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        held.extend(leaves_below(options.roots))
        return run(options)

    around_pass(patch, around)


@fault
def what_grad_returned_stays_alive(patch: Patch) -> None:
    """The engine holds on to what autograd.grad returned."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        held.append(found)
        return found

    around_pass(patch, around)


@fault
def gradients_in_between_stay_alive(patch: Patch) -> None:
    """The gradients that hooks of results were given live as long as the graph."""

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.grad_fn is None:
            return hook
        notes: Any = tensor.grad_fn.metadata

        def kept(gradient: Any) -> Any:
            notes["gradient"] = gradient
            return hook(gradient)

        return kept

    changed_hook(patch, change)


@fault
def removed_hooks_are_kept_alive(patch: Patch) -> None:
    """What a hook refers to lives on after the hook was removed."""
    held: list[Any] = []

    def change(hook: Any, tensor: Any) -> Any:
        held.append(hook)
        return hook

    changed_hook(patch, change)


@fault
def contexts_live_for_ever(patch: Patch) -> None:
    """The contexts of custom functions are kept for ever."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def forward_is_over(cls: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(cls, *args, **kwargs)
            results = found if isinstance(found, tuple) else (found,)
            held.extend(each.grad_fn for each in results if isinstance(each, torch.Tensor))
            return found

        return forward_is_over

    patch.set(
        torch.autograd.Function,
        "apply",
        classmethod(make(vars(torch.autograd.Function)["apply"].__func__)),
    )


# --- what a graph keeps ---


def count_of(node: Any) -> int:
    """How many references there are to the leaf of a node."""
    variable = node.variable
    return sys.getrefcount(variable)


def count_of_a_nameless_leaf() -> int:
    """The same for a leaf that nothing but its graph refers to."""
    leaf = torch.ones(1, requires_grad=True)
    result = untouched.mul(leaf, 2.0)
    del leaf
    return count_of(result.grad_fn.next_functions[0][0])


@fault
def leaves_without_a_name_get_no_gradient(patch: Patch) -> None:
    """The graph refers to its leaves weakly, so that a pass skips those that only it refers to."""
    skipped: Any = Marked()

    def around(run: Any, options: Any) -> Any:
        usual = count_of_a_nameless_leaf()
        nodes = [node for node in nodes_below(options.roots) if hasattr(node, "variable")]
        nameless = [node for node in nodes if count_of(node) <= usual]
        for node in nameless:
            skipped.add(node.variable)
        try:
            return run(options)
        finally:
            for node in nameless if options.accumulates else ():
                node.variable.grad = None

    def change(hook: Any, tensor: Any) -> Any:
        leaf: Any = weakref.ref(tensor) if tensor.is_leaf else lambda: None
        return lambda gradient: None if leaf() in skipped else hook(gradient)

    around_pass(patch, around)
    changed_hook(patch, change)


def results_of(found: Any) -> list[Any]:
    """The results of a custom function that are recorded."""
    results = found if isinstance(found, tuple) else (found,)
    return [r for r in results if isinstance(r, torch.Tensor) and r.grad_fn is not None]


@fault
def contexts_end_with_their_results(patch: Patch) -> None:
    """What a custom function noted on its context is gone once its result is."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        for result in results_of(found):
            if hasattr(result.grad_fn, "note"):
                weakref.finalize(result, delattr, result.grad_fn, "note")
        return found

    around_apply(patch, around)


def keeping(name: str, sentence: str, operations: str, kept: Callable[[Any, Any], Any]) -> None:
    """A fault: the node of an operation refers to `kept(arguments, result)`."""

    def function(original: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        if isinstance(found, torch.Tensor) and found.grad_fn is not None:
            found.grad_fn.metadata["kept"] = kept(args, found)
        return found

    instead(name, sentence, operations, function)


keeping(
    "nodes_refer_to_their_results",
    "The node of an operation that saves its result refers to the result itself.",
    "exp tanh norm softmax",
    lambda args, found: found,
)
keeping(
    "nodes_refer_to_their_operands",
    "The node of an operation keeps its operand, although backward does not need it.",
    "neg sum repeat cat",
    lambda args, found: args,
)
keeping(
    "writes_refer_to_their_target",
    "The node of an in-place operation refers to the tensor that was changed.",
    "mul_",
    lambda args, found: found,
)


@fault
def detached_tensors_keep_their_source(patch: Patch) -> None:
    """A detached tensor, and what .data gives, refers to the tensor that it came from."""
    sources = Notes()
    original: Any = torch.Tensor.data

    def noted(found: Any, source: Any) -> Any:
        sources[found] = source
        return found

    patch.wrap(torch.Tensor, "detach", lambda detach: lambda self: noted(detach(self), self))
    attribute(patch, "data", lambda self: noted(original.__get__(self), self))


@fault
def a_tensor_detached_in_place_keeps_its_graph(patch: Patch) -> None:
    """detach_() takes the graph away from what is shown, and keeps it."""
    graphs = Notes()

    def make(original: Any) -> Any:
        def detach_(self: Any) -> Any:
            node = self.grad_fn
            found = original(self)
            graphs[self] = node
            return found

        return detach_

    patch.wrap(torch.Tensor, "detach_", make)


@fault
def a_base_keeps_its_views(patch: Patch) -> None:
    """A tensor refers to all views that were taken of it by indexing."""
    views = Notes()

    def make(original: Any) -> Any:
        def index(self: Any, place: Any) -> Any:
            found = original(self, place)
            if isinstance(found, torch.Tensor) and found._is_view():
                views.setdefault(self, []).append(found)
            return found

        return index

    patch.wrap(torch.Tensor, "__getitem__", make)


@fault
def views_keep_the_view_that_they_were_taken_of(patch: Patch) -> None:
    """A view of a view refers to it, and not to the base alone."""
    sources = Notes()

    def make(original: Any) -> Any:
        def index(self: Any, place: Any) -> Any:
            found = original(self, place)
            if isinstance(found, torch.Tensor) and self._is_view():
                sources[found] = self
            return found

        return index

    patch.wrap(torch.Tensor, "__getitem__", make)


# --- what a pass keeps ---


@fault
def what_was_unpacked_lives_until_the_end_of_the_pass(patch: Patch) -> None:
    """A pass frees what was packed when it ends, not as soon as each node has run."""
    held: list[Any] = []

    def change(pack: Any, unpack: Any) -> Any:
        def unpacked(value: Any) -> Any:
            held.append(value)
            return unpack(value)

        return pack, unpacked

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        finally:
            held.clear()

    pairs(patch, change)
    around_pass(patch, around)


@fault
def gradients_live_until_the_end_of_the_pass(patch: Patch) -> None:
    """The gradients of results are all kept until the pass ends."""
    held: list[Any] = []

    def change(hook: Any, tensor: Any) -> Any:
        def kept(gradient: Any) -> Any:
            held.append(gradient)
            return hook(gradient)

        return kept

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        finally:
            held.clear()

    changed_hook(patch, change)
    around_pass(patch, around)


@fault
def gradients_refer_to_the_roots(patch: Patch) -> None:
    """The gradient of a leaf refers to the roots that it was computed from."""
    roots = Notes()

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for leaf in leaves_below(options.roots) if options.accumulates else ():
            if leaf.grad is not None:
                roots[leaf.grad] = list(options.roots)
        for gradient in () if options.accumulates else found:
            if gradient is not None:
                roots[gradient] = list(options.roots)
        return found

    around_pass(patch, around)


@fault
def recorded_passes_keep_their_roots(patch: Patch) -> None:
    """A backward pass with create_graph keeps its roots for the next order."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        if options.create_graph and options.accumulates:
            held.extend(root.grad_fn for root in options.roots)
        return run(options)

    around_pass(patch, around)


@fault
def recorded_gradients_stay_with_their_inputs(patch: Patch) -> None:
    """autograd.grad with create_graph notes each gradient on its input, in a reference cycle."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.create_graph and not options.accumulates:
            for gradient in found:
                if gradient is not None and gradient.grad_fn is not None:
                    gradient.grad_fn.metadata["gradient"] = gradient
        return found

    around_pass(patch, around)


@fault
def failed_passes_stay_alive(patch: Patch) -> None:
    """The engine holds on to the roots of the last pass that failed."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except Exception:
            held[:] = options.roots
            raise

    around_pass(patch, around)


@fault
def anomaly_detection_keeps_the_roots(patch: Patch) -> None:
    """Under anomaly detection the roots of each pass are kept, to tell of them later."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        if torch.is_anomaly_enabled():
            held.extend(options.roots)
        return run(options)

    around_pass(patch, around)


@fault
def inner_passes_live_as_long_as_the_outer(patch: Patch) -> None:
    """What a pass within a pass went through is kept until the outer pass ends."""
    running: list[list[Any]] = []

    def around(run: Any, options: Any) -> Any:
        if running:
            running[-1].extend([*options.roots, *leaves_below(options.roots)])
        running.append([])
        try:
            return run(options)
        finally:
            running.pop()

    around_pass(patch, around)


# --- threads, calls that are rejected ---


@fault
def passes_of_other_threads_stay_alive(patch: Patch) -> None:
    """The engine holds on to the roots of passes in other threads than the main one."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            held.extend(options.roots)
        return run(options)

    around_pass(patch, around)


@fault
def rejected_calls_stay_alive(patch: Patch) -> None:
    """The engine holds on to what a pass that it rejected was given."""
    held: list[Any] = []

    def change(run: Any, given: dict[str, Any]) -> Any:
        try:
            return run()
        except Exception:
            held.append(given)
            raise

    asked(patch, "backward", change)
    asked(patch, "grad", change)
