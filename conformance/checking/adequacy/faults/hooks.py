"""Faults of hooks: of tensors, of leaves after accumulation, of nodes, of several gradients."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import Notes, Patch, around_pass, fault, inside, replaces, torch


def silent(hook: Any) -> Any:
    """A hook of which the result is ignored."""

    def ignored(*arguments: Any) -> None:
        hook(*arguments)

    return ignored


def changed_hook(patch: Patch, change: Any) -> None:
    """Register `change(hook, tensor)` in the place of every tensor hook."""

    def make(original: Any) -> Any:
        return lambda self, hook: original(self, change(hook, self))

    patch.wrap(torch.Tensor, "register_hook", make)


def changed_result(patch: Patch, change: Any) -> None:
    """Let every tensor hook return `change(gradient, result)` instead of its result."""
    changed_hook(patch, lambda hook, tensor: lambda gradient: change(gradient, hook(gradient)))


@fault
def hooks_run_twice(patch: Patch) -> None:
    """A tensor hook is called twice in one pass."""

    def change(hook: Any, tensor: Any) -> Any:
        def twice(gradient: Any) -> Any:
            hook(gradient)
            return hook(gradient)

        return twice

    changed_hook(patch, change)


@fault
def hook_results_are_ignored(patch: Patch) -> None:
    """What a tensor hook returns is ignored."""
    changed_hook(patch, lambda hook, tensor: silent(hook))


@fault
def hook_results_are_ignored_for_leaves(patch: Patch) -> None:
    """What a hook of a leaf returns is ignored."""

    def change(hook: Any, tensor: Any) -> Any:
        if not tensor.is_leaf:
            return hook
        return silent(hook)

    changed_hook(patch, change)


@fault
def hook_results_are_ignored_for_non_leaves(patch: Patch) -> None:
    """What a hook of a non-leaf returns is ignored."""

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.is_leaf:
            return hook
        return silent(hook)

    changed_hook(patch, change)


class Handle:
    """Takes a hook out of a list of hooks."""

    def __init__(self, hooks: list[Any], hook: Any) -> None:
        self.hooks, self.hook = hooks, hook

    def remove(self) -> None:
        if self.hook in self.hooks:
            self.hooks.remove(self.hook)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        self.remove()


@fault
def hooks_run_in_reverse(patch: Patch) -> None:
    """The hooks of a tensor run last registered first."""
    lists: Any = Notes()

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            node = self.grad_fn if self.grad_fn is not None else self
            known = lists.get(node)
            if known is None:
                known = lists[node] = []
                hooks = known

                def run(gradient: Any) -> Any:
                    for each in reversed(hooks):
                        result = each(gradient)
                        gradient = gradient if result is None else result
                    return gradient

                original(self, run)
            known.append(hook)
            return Handle(known, hook)

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def every_hook_sees_the_first_gradient(patch: Patch) -> None:
    """Each hook of a tensor is given the gradient as it was before any hook."""
    first: dict[int, Any] = {}

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            key = id(self)
            if key not in first or first[key][0]() is not self:
                first[key] = (weakref.ref(self), [])
                held = first[key][1]

                def note(gradient: Any) -> None:
                    held[:] = [gradient]

                original(self, note)
            held = first[key][1]
            return original(self, lambda gradient: hook(held[0] if held else gradient))

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def removed_hooks_still_run(patch: Patch) -> None:
    """Removing a hook has no effect."""

    patch.set(torch.utils.hooks.RemovableHandle, "remove", lambda self: None)


@fault
def removing_one_hook_removes_all(patch: Patch) -> None:
    """Removing one hook removes every hook of its tensor."""

    def remove(self: Any) -> None:
        hooks = inside.hooks_beside(self)
        if self.id in hooks:
            hooks.clear()

    patch.set(torch.utils.hooks.RemovableHandle, "remove", remove)


@fault
def removing_twice_is_refused(patch: Patch) -> None:
    """Removing a hook that was removed already is refused."""

    def remove(self: Any) -> None:
        if self.id not in inside.hooks_beside(self):
            raise RuntimeError("the hook was removed already")
        del inside.hooks_beside(self)[self.id]

    patch.set(torch.utils.hooks.RemovableHandle, "remove", remove)


@fault
def leaf_hooks_see_what_was_accumulated(patch: Patch) -> None:
    """A hook of a leaf is given the accumulated gradient instead of that of this pass."""

    def change(hook: Any, tensor: Any) -> Any:
        reference = weakref.ref(tensor)

        def with_held(gradient: Any) -> Any:
            leaf = reference()
            held = leaf.grad if leaf is not None and leaf.is_leaf else None
            return hook(gradient if held is None else gradient + held)

        return with_held if tensor.is_leaf else hook

    changed_hook(patch, change)


@fault
def hook_results_of_another_shape_are_accepted(patch: Patch) -> None:
    """A hook may return a gradient of another shape: it is broadcast."""

    def change(hook: Any, tensor: Any) -> Any:
        def expanded(gradient: Any) -> Any:
            result = hook(gradient)
            return (
                result.expand(gradient.shape).clone()
                if isinstance(result, torch.Tensor)
                else result
            )

        return expanded

    changed_hook(patch, change)


@fault
def hook_returning_nothing_gives_zero(patch: Patch) -> None:
    """A hook that returns None makes the gradient zero."""

    def change(hook: Any, tensor: Any) -> Any:
        def or_zero(gradient: Any) -> Any:
            result = hook(gradient)
            nothing = result is None and gradient is not None
            return torch.zeros_like(gradient) if nothing else result

        return or_zero

    changed_hook(patch, change)


@fault
def errors_of_hooks_are_swallowed(patch: Patch) -> None:
    """An error raised by a hook is swallowed."""

    def change(hook: Any, tensor: Any) -> Any:
        def safe(gradient: Any) -> Any:
            try:
                return hook(gradient)
            except Exception:
                return None

        return safe

    changed_hook(patch, change)


@replaces("Tensor.register_hook")
def hooks_without_a_graph_are_accepted(original: Any, self: Any, hook: Any) -> Any:
    """register_hook on a tensor that does not require grad is silently accepted."""
    if not self.requires_grad:
        return inside.handle_of_nothing()
    return original(self, hook)


class Pass:
    """What kind of pass is running."""

    accumulates = True
    inputs: tuple[Any, ...] = ()
    create_graph = False
    retain_graph = False
    running = 0


def watched(patch: Patch) -> Pass:
    """Tells what kind of pass is running."""
    state = Pass()

    def around(run: Any, options: Any) -> Any:
        before = (state.accumulates, state.inputs, state.create_graph, state.retain_graph)
        state.accumulates, state.inputs = options.accumulates, tuple(options.inputs)
        state.create_graph, state.retain_graph = options.create_graph, options.retain_graph
        state.running += 1
        try:
            return run(options)
        finally:
            state.running -= 1
            state.accumulates, state.inputs, state.create_graph, state.retain_graph = before

    around_pass(patch, around)
    return state


@fault
def hooks_do_not_run_for_grad(patch: Patch) -> None:
    """Tensor hooks run for backward() but not for autograd.grad."""
    state = watched(patch)
    changed_hook(patch, lambda hook, tensor: lambda g: hook(g) if state.accumulates else None)


@fault
def hooks_of_the_inputs_of_grad_do_not_run(patch: Patch) -> None:
    """The hooks of a tensor do not run when autograd.grad captures its gradient."""
    state = watched(patch)

    def change(hook: Any, tensor: Any) -> Any:
        reference = weakref.ref(tensor)

        def unless_captured(gradient: Any) -> Any:
            captured = any(each is reference() for each in state.inputs)
            return None if captured and not state.accumulates else hook(gradient)

        return unless_captured

    changed_hook(patch, change)


@fault
def hooks_get_detached_gradients(patch: Patch) -> None:
    """With create_graph=True a hook is given a gradient that is cut from the graph."""
    state = watched(patch)
    changed_hook(
        patch,
        lambda hook, tensor: lambda g: hook(g.detach() if state.create_graph else g),
    )


@fault
def hooks_do_not_run_in_the_second_pass(patch: Patch) -> None:
    """With retain_graph=True the hooks run in the first pass only."""

    def change(hook: Any, tensor: Any) -> Any:
        calls: list[int] = []

        def once(gradient: Any) -> Any:
            calls.append(1)
            return hook(gradient) if len(calls) == 1 or tensor_is_leaf else None

        tensor_is_leaf = tensor.is_leaf
        return once

    changed_hook(patch, change)


@fault
def hooks_move_with_the_tensor(patch: Patch) -> None:
    """A hook registered before an in-place change sees the gradient of the changed tensor."""

    registered: Any = Notes()
    plain: Any = torch.Tensor.register_hook

    def make_register(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> torch.utils.hooks.RemovableHandle:
            handle = original(self, hook)
            registered.setdefault(self, []).append((hook, handle))
            return handle

        return register_hook

    def make_change(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            for hook, handle in registered.get(self, []):
                if self.grad_fn is not None and torch.is_grad_enabled():
                    handle.remove()
                    plain(self, hook)
            return result

        return operation

    patch.wrap(torch.Tensor, "register_hook", make_register)
    for name in ("mul_", "__imul__", "add_", "__iadd__"):
        patch.wrap(torch.Tensor, name, make_change)


# --- after accumulation ---


@fault
def post_accumulate_hooks_run_before(patch: Patch) -> None:
    """A post-accumulate hook runs before the gradient is accumulated."""
    plain: Any = torch.Tensor.register_hook

    def register(self: Any, hook: Any) -> Any:
        reference = weakref.ref(self)
        return plain(self, silent(lambda gradient: hook(reference())))

    def make(original: Any) -> Any:
        return lambda self, hook: register(self, hook) if self.is_leaf else original(self, hook)

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def post_accumulate_hooks_get_the_gradient(patch: Patch) -> None:
    """A post-accumulate hook is given the gradient instead of the leaf."""
    patch.wrap(
        torch.Tensor, "register_post_accumulate_grad_hook",
        lambda original: lambda self, hook: original(self, lambda leaf: hook(leaf.grad)),
    )  # fmt: skip


@fault
def post_accumulate_hooks_of_non_leaves_are_accepted(patch: Patch) -> None:
    """A post-accumulate hook of a non-leaf is silently accepted."""
    patch.wrap(
        torch.Tensor, "register_post_accumulate_grad_hook",
        lambda original: lambda self, hook: original(self, hook) if self.is_leaf else None,
    )  # fmt: skip


@fault
def post_accumulate_hooks_run_for_grad(patch: Patch) -> None:
    """Post-accumulate hooks run for autograd.grad too, which accumulates nothing."""
    hooks: Any = Notes()

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            hooks.setdefault(self, []).append(hook)
            return original(self, hook)

        return register

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if not options.accumulates:
            for leaf in options.inputs:
                for hook in hooks.get(leaf, []) if isinstance(leaf, torch.Tensor) else []:
                    hook(leaf)
        return found

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)
    around_pass(patch, around)


@fault
def leaf_hooks_registered_late_are_lost(patch: Patch) -> None:
    """A hook registered with a leaf after the forward has run is not called."""

    users: Any = Notes()

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any) -> Any:
            for value in (self, other):
                if isinstance(value, torch.Tensor) and value.is_leaf and value.requires_grad:
                    users[value] = True
            return original(self, other)

        return operation

    def make_register(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            return original(self, (lambda gradient: None) if self in users else hook)

        return register_hook

    for name in ("__mul__", "__rmul__", "__add__"):
        patch.wrap(torch.Tensor, name, make)
    patch.wrap(torch.Tensor, "register_hook", make_register)


@replaces("Tensor.register_hook")
def leaf_hooks_run_after_accumulation(original: Any, self: Any, hook: Any) -> Any:
    """A hook of a leaf runs when .grad is there already, so its result changes nothing."""
    if not (self.is_leaf and self.requires_grad):
        return original(self, hook)
    return self.register_post_accumulate_grad_hook(silent(lambda leaf: hook(leaf.grad)))
