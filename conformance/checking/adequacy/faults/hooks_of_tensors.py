"""Faults of tensor hooks: which of them run, what they are given, what becomes of their results."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    around_pass,
    edge_of,
    fault,
    leaves_below,
    nodes_below,
    retaining,
    torch,
    untouched,
)
from .hooks import changed_hook, changed_result, silent, watched


def silenced(patch: Patch, when: Any) -> None:
    """Let the hooks of the tensors for which `when(tensor)` never run."""
    changed_hook(patch, lambda hook, tensor: (lambda g: None) if when(tensor) else hook)


# --- which hooks run ---


@fault
def hooks_of_leaves_never_run(patch: Patch) -> None:
    """Hooks on leaves do not run."""
    silenced(patch, lambda tensor: tensor.is_leaf)


@fault
def hooks_of_results_never_run(patch: Patch) -> None:
    """Hooks on results do not run."""
    silenced(patch, lambda tensor: not tensor.is_leaf)


@fault
def leaves_are_captured_before_their_hooks(patch: Patch) -> None:
    """autograd.grad returns the gradient of a leaf without running its hooks."""
    state = watched(patch)

    def change(hook: Any, tensor: Any) -> Any:
        return (lambda g: hook(g) if state.accumulates else None) if tensor.is_leaf else hook

    changed_hook(patch, change)


@fault
def hooks_of_inputs_on_the_way_do_not_run(patch: Patch) -> None:
    """The hooks of a result do not run where it is an input of a pass together with one behind it."""
    state = watched(patch)

    def change(hook: Any, tensor: Any) -> Any:
        own: Any = weakref.ref(tensor)

        def unless_on_the_way(gradient: Any) -> Any:
            result = own()
            others = [each for each in state.inputs if each is not result]
            if len(others) == len(state.inputs) or not behind(result, others):
                return hook(gradient)
            return None

        return hook if tensor.is_leaf else unless_on_the_way

    changed_hook(patch, change)


def behind(result: Any, others: list[Any]) -> bool:
    """Whether a result depends on one of some other tensors."""
    below = {id(node) for node in nodes_below([result])}
    return any(id(edge_of(other)) in below for other in others)


@fault
def hooks_of_a_leaf_among_the_inputs_run_twice(patch: Patch) -> None:
    """The hook of a leaf among the inputs of backward runs again where its gradient is accumulated."""
    state = watched(patch)

    def change(hook: Any, tensor: Any) -> Any:
        own: Any = weakref.ref(tensor)

        def twice(gradient: Any) -> Any:
            first = hook(gradient)
            if not (state.accumulates and any(each is own() for each in state.inputs)):
                return first
            second = hook(gradient if first is None else first)
            return first if second is None else second

        return twice if tensor.is_leaf else hook

    changed_hook(patch, change)


@fault
def passes_with_inputs_go_everywhere(patch: Patch) -> None:
    """A pass with given inputs also goes through what those inputs do not need."""

    def around_it(run: Any, options: Any) -> Any:
        given = list(options.inputs)
        if not given:
            return run(options)
        needed = {id(node) for node in nodes_below(given)}
        others = [x for x in leaves_below(options.roots) if id(edge_of(x)) not in needed]
        before = [untouched.grad.__get__(leaf) for leaf in others]
        options.inputs = [*given, *others]
        found = run(options)
        for leaf, gradient in zip(others, before, strict=True):
            if options.accumulates:
                untouched.grad.__set__(leaf, gradient)
        return found if options.accumulates else found[: len(given)]

    around_pass(patch, around_it)


# --- what they are given, and how ---


@fault
def hooks_are_given_zeros_for_nothing(patch: Patch) -> None:
    """The hook of a result that got no gradient is given zeros."""

    def change(hook: Any, tensor: Any) -> Any:
        zeros = torch.zeros_like(untouched.detach(tensor))

        def filled(gradient: Any) -> Any:
            return hook(gradient) if gradient is not None else silent(hook)(zeros)

        return filled

    changed_hook(patch, change)


@fault
def everything_in_a_pass_is_recorded(patch: Patch) -> None:
    """Recording stays on within a backward pass, for hooks of tensors and after accumulation."""

    def recorded(hook: Any) -> Any:
        def run(value: Any) -> Any:
            with torch.enable_grad():
                return hook(value)

        return run

    def make(original: Any) -> Any:
        return lambda self, hook: original(self, recorded(hook))

    patch.wrap(torch.Tensor, "register_hook", make)
    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def gradients_given_to_hooks_stay_with_them(patch: Patch) -> None:
    """The gradient that a hook was given stays with the hook."""

    def change(hook: Any, tensor: Any) -> Any:
        given: list[Any] = []

        def keeping(gradient: Any) -> Any:
            given[:] = [gradient]
            return hook(gradient)

        return keeping

    changed_hook(patch, change)


# --- what becomes of their results ---


@fault
def hook_results_are_detached(patch: Patch) -> None:
    """What a hook returns is cut from its history."""

    def detached(gradient: Any, found: Any) -> Any:
        return untouched.detach(found) if isinstance(found, torch.Tensor) else found

    changed_result(patch, detached)


@fault
def hook_results_are_written_into_the_gradient(patch: Patch) -> None:
    """What a hook returns is written into the gradient, which other operands may share."""

    def change(hook: Any, tensor: Any) -> Any:
        def written(gradient: Any) -> Any:
            found = hook(gradient)
            fits = isinstance(found, torch.Tensor) and found.shape == gradient.shape
            if not fits or gradient.requires_grad or found.dtype != gradient.dtype:
                return found
            with torch.no_grad():
                return gradient.copy_(found)

        return written

    changed_hook(patch, change)


@fault
def hook_results_of_results_are_retained_only(patch: Patch) -> None:
    """What the hook of a result returns is retained but not passed on."""
    retained = retaining(patch)
    returned = Notes()

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.is_leaf:
            return hook
        own: Any = weakref.ref(tensor)

        def noted(gradient: Any) -> None:
            found = hook(gradient)
            if found is not None and own() is not None:
                returned[own()] = found - gradient

        return noted

    def around_it(run: Any, options: Any) -> Any:
        found = run(options)
        for tensor in retained:
            more = returned.pop(tensor)
            held = untouched.grad.__get__(tensor)
            if more is not None and held is not None:
                untouched.grad.__set__(tensor, held + more)
        return found

    changed_hook(patch, change)
    around_pass(patch, around_it)


@fault
def hook_results_of_one_of_several_results_are_lost(patch: Patch) -> None:
    """What the hook of one of several results of an operation returns is ignored."""
    several = Marked()

    def parts(original: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        several.update(found)
        return found

    around(patch, "unbind split chunk", parts)
    changed_hook(patch, lambda hook, tensor: silent(hook) if tensor in several else hook)


@fault
def errors_of_hooks_are_wrapped(patch: Patch) -> None:
    """An error in a hook leaves the pass as another one."""

    def change(hook: Any, tensor: Any) -> Any:
        def wrapping(gradient: Any) -> Any:
            try:
                return hook(gradient)
            except Exception as error:
                raise RuntimeError("a hook failed") from error

        return wrapping

    changed_hook(patch, change)


@fault
def removing_a_hook_removes_its_twins(patch: Patch) -> None:
    """Removing a hook removes every hook of its tensor with the same function."""
    known = Notes()

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            handle = original(self, hook)
            key = self if self.grad_fn is None else self.grad_fn
            twins = known.setdefault(key, {}).setdefault(id(hook), [])
            twins.append(handle.remove)
            handle.remove = lambda: [remove() for remove in twins] and None
            return handle

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)
