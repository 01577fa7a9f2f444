"""Faults that keep alive what should be let go."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around_pass,
    fault,
    inside,
    instead,
    leaves_below,
    nodes_below,
    register,
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


# --- custom functions ---


@fault
def custom_functions_keep_their_arguments(patch: Patch) -> None:
    """The context of a custom function refers to all arguments and results of the call."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        for result in results_of(found):
            others = [r for r in results_of(found) if r is not result]
            result.grad_fn.metadata["call"] = (args, others)
        return found

    around_apply(patch, around)


@fault
def saved_results_are_kept_as_they_are(patch: Patch) -> None:
    """save_for_backward keeps the tensors that it is given, the function's own results among them."""

    def make(original: Any) -> Any:
        def save_for_backward(self: Any, *tensors: Any) -> None:
            self.kept = tensors
            original(self, *tensors)

        return save_for_backward

    patch.wrap(inside.function_node, "save_for_backward", make)


@fault
def marked_results_stay_alive(patch: Patch) -> None:
    """mark_non_differentiable keeps the results that it is given."""

    def make(original: Any) -> Any:
        def mark_non_differentiable(self: Any, *tensors: Any) -> None:
            self.kept = tensors
            original(self, *tensors)

        return mark_non_differentiable

    patch.wrap(inside.function_node, "mark_non_differentiable", make)


@fault
def failed_calls_of_functions_stay_alive(patch: Patch) -> None:
    """The engine holds on to the arguments and to the error of a custom function that failed."""
    held: list[Any] = []

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return run(*args, **kwargs)
        except Exception:
            held.append(args)
            raise

    around_apply(patch, around)


# --- hooks ---


@fault
def hooks_refer_to_their_tensor(patch: Patch) -> None:
    """A hook of a result, and retain_grad(), refer to the tensor."""

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.grad_fn is None:
            return hook
        return lambda gradient, of=tensor: hook(gradient)

    changed_hook(patch, change)


@fault
def retained_results_stay_alive(patch: Patch) -> None:
    """A tensor that retains its gradient lives as long as its graph."""

    def make(original: Any) -> Any:
        def retain_grad(self: Any) -> None:
            original(self)
            if self.grad_fn is not None:
                self.grad_fn.metadata["retains"] = self

        return retain_grad

    patch.wrap(torch.Tensor, "retain_grad", make)


@fault
def multi_grad_hooks_refer_to_their_tensors(patch: Patch) -> None:
    """A hook of several tensors keeps the tensors alive."""

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, **kwargs: Any) -> Any:
            tensors = list(tensors)
            return original(
                tensors, lambda gradients, of=tuple(tensors): function(gradients), **kwargs
            )

        return register

    patch.wrap(torch.autograd.graph, "register_multi_grad_hook", make)


def kept_for_ever(name: str, sentence: str, owner: Callable[[], Any], method: str, at: int) -> None:
    """A fault: the function that a hook is registered with is kept for ever."""

    def install(patch: Patch) -> None:
        held: list[Any] = []

        def make(original: Any) -> Any:
            def register_one(*args: Any, **kwargs: Any) -> Any:
                held.append(args[at])
                return original(*args, **kwargs)

            return register_one

        patch.wrap(owner(), method, make)

    register(name, sentence, install)


kept_for_ever(
    "post_accumulate_hooks_are_kept_alive",
    "What a post-accumulate-grad hook refers to lives on after the hook was removed.",
    lambda: torch.Tensor,
    "register_post_accumulate_grad_hook",
    1,
)
kept_for_ever(
    "multi_grad_hooks_are_kept_alive",
    "What a hook of several tensors refers to lives on after the hook was removed.",
    lambda: torch.autograd.graph,
    "register_multi_grad_hook",
    1,
)
kept_for_ever(
    "module_hooks_are_kept_alive",
    "What a forward hook of a module refers to lives on after the hook was removed.",
    lambda: torch.nn.Module,
    "register_forward_hook",
    1,
)
kept_for_ever(
    "module_backward_hooks_are_kept_alive",
    "What a backward hook of a module refers to lives on after the hook was removed.",
    lambda: torch.nn.Module,
    "register_full_backward_hook",
    1,
)


@fault
def handles_keep_their_hooks(patch: Patch) -> None:
    """A handle refers to its hook, which lives as long as the program keeps the handle."""

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            handle = original(self, hook)
            handle.hook = hook
            return handle

        return register_hook

    def let_go(original: Any) -> Any:
        def remove(self: Any) -> None:
            original(self)
            self.hook = None

        return remove

    patch.wrap(torch.Tensor, "register_hook", make)
    patch.wrap(torch.utils.hooks.RemovableHandle, "remove", let_go)


@fault
def module_hooks_keep_their_gradients(patch: Patch) -> None:
    """A module keeps the gradients that its full backward hooks were last given."""

    def make(original: Any) -> Any:
        def register_one(self: Any, hook: Any, **kwargs: Any) -> Any:
            last: list[Any] = []

            def noted(module: Any, inputs: Any, outputs: Any) -> Any:
                last[:] = [inputs, outputs]
                return hook(module, inputs, outputs)

            return original(self, noted, **kwargs)

        return register_one

    patch.wrap(torch.nn.Module, "register_full_backward_hook", make)


# --- hooks for saved tensors, transforms ---


@fault
def packed_tensors_stay_beside_what_was_packed(patch: Patch) -> None:
    """The tensor that was saved is kept beside what the pack hook returned."""

    def change(pack: Any, unpack: Any) -> Any:
        return lambda tensor: (pack(tensor), tensor), lambda packed: unpack(packed[0])

    pairs(patch, change)


@fault
def packed_values_are_kept_alive(patch: Patch) -> None:
    """What a pack hook returned is never freed."""
    held: list[Any] = []

    def change(pack: Any, unpack: Any) -> Any:
        def packed(tensor: Any) -> Any:
            found = pack(tensor)
            held.append(found)
            return found

        return packed, unpack

    pairs(patch, change)


@fault
def unpacked_values_stay_in_the_graph(patch: Patch) -> None:
    """What an unpack hook returned is kept with what was packed."""

    def change(pack: Any, unpack: Any) -> Any:
        def unpacked(packed: Any) -> Any:
            packed[1] = unpack(packed[0])
            return packed[1]

        return lambda tensor: [pack(tensor), None], unpacked

    pairs(patch, change)


@fault
def pairs_of_saved_hooks_stay_alive(patch: Patch) -> None:
    """The engine keeps every pair of hooks for saved tensors."""
    held: list[Any] = []

    def change(pack: Any, unpack: Any) -> Any:
        held.append((pack, unpack))
        return pack, unpack

    pairs(patch, change)


@fault
def transforms_keep_what_they_ran(patch: Patch) -> None:
    """A transform keeps the arguments that it gave to the function, and so its level."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def transform(function: Any, *args: Any, **kwargs: Any) -> Any:
            def noted(*given: Any, **named: Any) -> Any:
                held.append(given)
                return function(*given, **named)

            return original(noted, *args, **kwargs)

        return transform

    for name in ("grad", "vjp", "jvp"):
        patch.wrap(torch.func, name, make)
