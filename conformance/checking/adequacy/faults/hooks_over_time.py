"""Faults of tensor hooks: over several passes, in other threads, within other passes."""

from __future__ import annotations

import threading
import weakref
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around_pass,
    fault,
    inside,
    leaves_below,
    nodes_below,
    torch,
    untouched,
)
from .hooks import changed_hook, changed_result, watched

# --- what a hook returns ---


@fault
def hooks_may_return_numbers(patch: Patch) -> None:
    """A number that a hook returns is taken for a constant gradient."""

    def filled(gradient: Any, found: Any) -> Any:
        return torch.full_like(gradient, found) if isinstance(found, int | float) else found

    changed_result(patch, filled)


@fault
def hook_results_are_cast(patch: Patch) -> None:
    """What a hook returns in another dtype is converted instead of refused."""

    def cast(gradient: Any, found: Any) -> Any:
        return found.to(gradient.dtype) if isinstance(found, torch.Tensor) else found

    changed_result(patch, cast)


@fault
def what_a_hook_returns_becomes_the_gradient(patch: Patch) -> None:
    """The tensor that a leaf's hook returns becomes .grad, without a copy."""
    returned = Notes()

    def change(hook: Any, tensor: Any) -> Any:
        if not tensor.is_leaf:
            return hook
        leaf: Any = weakref.ref(tensor)

        def noted(gradient: Any) -> Any:
            found = hook(gradient)
            returned[leaf()] = found
            return found

        return noted

    def around(run: Any, options: Any) -> Any:
        leaves = leaves_below(options.roots) if not options.create_graph else []
        fresh = [leaf for leaf in leaves if untouched.grad.__get__(leaf) is None]
        found = run(options)
        for leaf in fresh:
            gradient = returned.pop(leaf)
            if gradient is not None and untouched.grad.__get__(leaf) is not None:
                untouched.grad.__set__(leaf, untouched.detach(gradient))
        return found

    changed_hook(patch, change)
    around_pass(patch, around)


@fault
def the_mode_that_a_hook_leaves_stays(patch: Patch) -> None:
    """A mode that a hook switches, and does not switch back, holds after the pass."""
    left: list[bool] = []

    def change(hook: Any, tensor: Any) -> Any:
        def noted(gradient: Any) -> Any:
            before = torch.is_grad_enabled()
            found = hook(gradient)
            if torch.is_grad_enabled() != before:
                left.append(not before)
            return found

        return noted

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        finally:
            if left:
                inside.set_recording(left.pop())
            left.clear()

    changed_hook(patch, change)
    around_pass(patch, around)


# --- when a hook runs ---


@fault
def a_hook_registered_twice_runs_once(patch: Patch) -> None:
    """A function that is registered twice on one tensor runs once."""
    known = Notes()

    def change(hook: Any, tensor: Any) -> Any:
        registered = known.setdefault(tensor, [])
        if any(each is hook for each in registered):
            return lambda gradient: None
        registered.append(hook)
        return hook

    changed_hook(patch, change)


@fault
def hooks_belong_to_the_thread_that_registered_them(patch: Patch) -> None:
    """A tensor hook runs only in passes of the thread that registered it."""

    def change(hook: Any, tensor: Any) -> Any:
        own = threading.get_ident()
        return lambda gradient: hook(gradient) if threading.get_ident() == own else None

    changed_hook(patch, change)


@fault
def hooks_registered_between_passes_are_not_seen(patch: Patch) -> None:
    """A hook that is registered on a result after a pass does not run in the next one."""
    done = Marked()

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        done.update(node for node in nodes_below(options.roots) if not hasattr(node, "variable"))
        return found

    def change(hook: Any, tensor: Any) -> Any:
        return (lambda gradient: None) if tensor.grad_fn in done else hook

    around_pass(patch, around)
    changed_hook(patch, change)


@fault
def hooks_registered_within_a_pass_are_lost(patch: Patch) -> None:
    """A hook that is registered while a pass runs never runs, in later passes neither."""
    state = watched(patch)
    changed_hook(patch, lambda hook, tensor: (lambda g: None) if state.running else hook)


@fault
def hooks_of_an_input_run_twice(patch: Patch) -> None:
    """The hook of a non-leaf that stands among the inputs of backward runs twice."""
    state = watched(patch)

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.is_leaf:
            return hook
        own: Any = weakref.ref(tensor)

        def twice(gradient: Any) -> Any:
            first = hook(gradient)
            if not (state.accumulates and any(each is own() for each in state.inputs)):
                return first
            second = hook(gradient if first is None else first)
            return first if second is None else second

        return twice

    changed_hook(patch, change)


@fault
def a_pass_within_a_hook_ends_recording(patch: Patch) -> None:
    """After a pass within a hook the outer pass is recorded no longer."""
    state = watched(patch)

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if state.running:
            inside.set_recording(False)
        return found

    around_pass(patch, around)


@fault
def a_deep_copy_has_the_hooks(patch: Patch) -> None:
    """A deep copy of a leaf runs the hooks of the leaf."""
    known = Notes()

    def change(hook: Any, tensor: Any) -> Any:
        known.setdefault(tensor, []).append(hook)
        return hook

    def make(original: Any) -> Any:
        def copy(self: Any, memo: Any) -> Any:
            copied = original(self, memo)
            for hook in known.get(self, ()) if copied.requires_grad else ():
                copied.register_hook(hook)
            return copied

        return copy

    changed_hook(patch, change)
    patch.wrap(torch.Tensor, "__deepcopy__", make)


# --- what was handed out ---


@fault
def gradients_given_to_hooks_are_reused(patch: Patch) -> None:
    """The memory of a gradient that a hook was given is used again after the pass."""
    given: list[Any] = []

    def change(hook: Any, tensor: Any) -> Any:
        def noted(gradient: Any) -> Any:
            if not gradient.requires_grad:
                gradient = gradient.clone()
                given.append(gradient)
            found = hook(gradient)
            return gradient.clone() if found is None else found.clone()

        return noted

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for gradient in given:
            gradient.zero_()
        given.clear()
        return found

    changed_hook(patch, change)
    around_pass(patch, around)


@fault
def what_grad_returned_is_overwritten(patch: Patch) -> None:
    """What autograd.grad returned is overwritten by its next call."""
    latest: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates or options.create_graph:
            return found
        new = [each for each in found if isinstance(each, torch.Tensor)]
        for old in latest:
            for gradient in new:
                if old.shape == gradient.shape and old.dtype == gradient.dtype:
                    old.copy_(gradient)
        latest[:] = [each for each in new if not each.requires_grad]
        return found

    around_pass(patch, around)


# --- after accumulation ---


@fault
def a_leaf_has_one_post_accumulate_hook(patch: Patch) -> None:
    """A second post-accumulate hook takes the place of the first."""
    handles = Notes()

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            if self in handles:
                handles[self].remove()
            handles[self] = original(self, hook)
            return handles[self]

        return register

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def post_accumulate_hooks_do_not_run_for_named_inputs(patch: Patch) -> None:
    """Post-accumulate hooks do not run in a pass that is given inputs."""
    state = watched(patch)

    def make(original: Any) -> Any:
        return lambda self, hook: original(self, lambda leaf: None if state.inputs else hook(leaf))

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def post_accumulate_hooks_wait_for_the_end(patch: Patch) -> None:
    """Post-accumulate hooks run all together at the end of the pass."""
    waiting: list[tuple[Any, Any]] = []

    def make(original: Any) -> Any:
        return lambda self, hook: original(self, lambda leaf: waiting.append((hook, leaf)))

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        ready, waiting[:] = list(waiting), []
        with torch.set_grad_enabled(bool(options.create_graph)):
            for hook, leaf in ready:
                hook(leaf)
        return found

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)
    around_pass(patch, around)
