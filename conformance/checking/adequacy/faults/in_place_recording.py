"""Faults of how changes in place are recorded: what they send where in a backward pass."""

from __future__ import annotations

from typing import Any

from ..breaking import (
    Notes,
    Patch,
    around,
    fault,
    inside,
    instead,
    mistaken,
    nodes_below,
    nth,
    torch,
    untouched,
)
from .detaching import SHAPES
from .in_place import VIEWS, changed, unless_noted, unrecorded
from .in_place_refusals import assignment, is_advanced, is_basic


def cut_value(value: Any) -> Any:
    """A value without its history."""
    return untouched.detach(value) if isinstance(value, torch.Tensor) else value


@fault
def results_of_arithmetic_retain_their_gradient(patch: Patch) -> None:
    """What +, - and * give keeps its gradient, as if retain_grad() had been called."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if isinstance(result, torch.Tensor) and result.grad_fn is not None:
            untouched.retain_grad(result)
        return result

    around(patch, "add sub mul", operation)


@fault
def changes_of_results_are_not_recorded(patch: Patch) -> None:
    """A change of a non-leaf in place leaves its history as it was."""
    unrecorded(patch, lambda x: x.grad_fn is not None and not x._is_view())


@fault
def constants_stay_constants(patch: Patch) -> None:
    """A tensor that does not require grad stays a constant whatever is written to it."""
    unrecorded(patch, lambda x: not x.requires_grad and not x._is_view())


@fault
def values_assigned_to_a_mask_or_list_get_no_gradient(patch: Patch) -> None:
    """What is assigned to a mask or a list is taken for a constant."""

    def assign(original: Any, x: Any, index: Any, value: Any) -> None:
        original(x, index, cut_value(value) if is_advanced(index) else value)

    assignment(patch, assign)


@fault
def operands_computed_from_the_tensor_lose_their_path(patch: Patch) -> None:
    """The history of an operand that was computed from the tensor that it changes leads to the new
    value, where it ends."""

    def change(original: Any, x: Any, y: Any, *rest: Any, **options: Any) -> Any:
        old = None if x._is_view() else x.grad_fn
        tracked = isinstance(y, torch.Tensor) and y.requires_grad
        follows = old is not None and tracked and any(node is old for node in nodes_below([y]))
        result = original(x, y, *rest, **options)
        if follows and x.grad_fn is not old:
            x.grad_fn.register_hook(lambda gradients, _: (gradients[0], None, *gradients[2:]))
        return result

    around(patch, "add_ mul_", change)


# --- overwriting ---


@fault
def zeroing_detaches(patch: Patch) -> None:
    """zero_() detaches the tensor."""

    def zero_(original: Any, x: Any) -> Any:
        return original(x if x.is_leaf or x._is_view() else untouched.detach_(x))

    around(patch, "zero_", zero_)


mistaken(
    "filling_sends_none",
    "fill_ sends None instead of zeros to what it overwrites.",
    "fill_",
    lambda gradients, cotangents, call: [None, *gradients[1:]],
)


def passing(patch: Patch, names: tuple[str, ...], when: Any = lambda x, *args: True) -> None:
    """Let the gradient pass through to what such changes in place overwrite."""

    def through(gradients: Any, cotangents: Any) -> Any:
        return (cotangents[0], *gradients[1:])

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            overwriting = when(self, *args)
            changed_one = self._base if self._is_view() else self
            before = changed_one.grad_fn
            result = original(self, *args, **kwargs)
            node = changed_one.grad_fn
            if overwriting and before is not None and node is not before:
                node.register_hook(through)
            return result

        return change

    changed(patch, make, names)


@fault
def filling_passes_the_gradient_everywhere(patch: Patch) -> None:
    """zero_ and fill_ pass the gradient on to what they overwrite, through views too."""
    passing(patch, ("zero_", "fill_"))


@fault
def copying_passes_the_gradient(patch: Patch) -> None:
    """copy_ and assigning to an index pass the gradient on to what they overwrite."""
    passing(patch, ("copy_", "__setitem__"), lambda x, *args: len(args) < 2 or is_basic(args[0]))


@fault
def assigning_to_a_mask_or_list_passes_the_gradient(patch: Patch) -> None:
    """Assigning to a mask or a list passes the gradient of the overwritten elements on."""
    passing(patch, ("__setitem__",), lambda x, index, value: is_advanced(index))


@fault
def overwriting_a_view_passes_the_gradient(patch: Patch) -> None:
    """Overwriting a view leaves the gradient of that part of the base as it was."""
    passing(patch, ("zero_", "fill_", "copy_"), lambda x, *args: x._is_view())


for name in ("copy_", "fill_"):
    instead(
        f"what_{name}takes_gets_no_gradient",
        f"The tensor that {name} is given is taken for a constant.",
        name,
        lambda original, x, value, *rest: original(x, cut_value(value), *rest),
    )


mistaken(
    "operands_stretched_in_place_are_averaged",
    "The gradient of an operand that was broadcast into an operation in place is the mean of the "
    "gradients of its copies instead of their sum.",
    "add_ sub_ mul_ div_",
    nth(1, lambda g, c, call: g * (call.args[1].numel() / c.numel())),
)


# --- shapes ---


@fault
def changes_of_shape_are_not_recorded(patch: Patch) -> None:
    """A change of shape in place is not recorded."""
    unrecorded(patch, lambda x: x.grad_fn is not None, SHAPES)


@fault
def changes_of_shape_are_not_counted(patch: Patch) -> None:
    """A change of shape in place is not counted."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any) -> Any:
            with inside.keeping_version(self):
                return original(self, *args)

        return change

    changed(patch, make, SHAPES)


# --- tangents ---


def tangent_of(x: Any) -> Any:
    """The tangent of a tensor, or None."""
    if inside.forward_level() < 0 or x.is_inference():
        return None
    return torch.autograd.forward_ad.unpack_dual(x).tangent


@fault
def earlier_views_have_no_tangent(patch: Patch) -> None:
    """A view that was taken before its base had a tangent has none."""

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if inside.forward_level() < 0 or self.requires_grad or tangent_of(self) is not None:
                return result
            return untouched.detach(result) if result._is_view() else result

        return view

    changed(patch, make, VIEWS)


@fault
def copying_shares_the_tangent(patch: Patch) -> None:
    """A tensor that a value is copied to shares the value's tangent."""
    sources: Any = Notes()

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            whole = self._base if self._is_view() else self
            if original.__name__ == "copy_" and whole is self and args[0].shape == self.shape:
                sources[self] = args[0]
            tangent = tangent_of(whole)
            shared = tangent_of(sources[whole]) if whole in sources else None
            if tangent is not None and shared is not None:
                untouched.copy_(shared, tangent)
            return result

        return change

    changed(patch, make, ("copy_", "mul_", "add_"))


@fault
def changes_of_shape_lose_the_tangent(patch: Patch) -> None:
    """A change of shape in place loses the tangent, which still has the old shape."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any) -> Any:
            result = original(self, *args)
            tangent = tangent_of(self)
            if tangent is not None:
                untouched.zero_(tangent)
            return result

        return change

    changed(patch, make, SHAPES)


# --- writing through views ---


@fault
def writes_through_views_are_not_recorded(patch: Patch) -> None:
    """A change in place of a view does not reach the history of the base."""
    unrecorded(patch, lambda x: x._is_view())


@fault
def what_is_written_into_a_view_gets_no_gradient(patch: Patch) -> None:
    """What is written into a view is taken for a constant."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if self._is_view():
                args = tuple(map(cut_value, args))
            return original(self, *args, **kwargs)

        return change

    changed(patch, make)


def scaled(patch: Patch, scale: Any) -> None:
    """Let the backward of mul_ by a number through a view give what `scale(view, factor, cotangent,
    gradient)` makes of the gradient of the base."""

    def mul_(original: Any, x: Any, factor: Any, *rest: Any) -> Any:
        result = original(x, factor, *rest)
        base = x._base if x._is_view() else None
        number = isinstance(factor, int | float)
        if base is not None and base.grad_fn is not None and number and torch.is_grad_enabled():

            def hook(gradients: Any, cotangents: Any) -> Any:
                return (scale(x, factor, cotangents[0], gradients[0]), *gradients[1:])

            base.grad_fn.register_hook(hook)
        return result

    around(patch, "mul_", mul_)


@fault
def changes_of_a_view_count_for_the_whole_base(patch: Patch) -> None:
    """The derivative of a change through a view is applied to the gradient of the whole base."""
    scaled(patch, lambda view, factor, cotangent, gradient: cotangent * factor)


@fault
def only_the_last_step_of_a_chain_of_views_counts(patch: Patch) -> None:
    """Of a chain of views only the last step is remembered, so that the wrong part gets the gradient."""
    steps: Any = Notes()

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor) and result._is_view() and self._is_view():
                steps[result] = lambda g: original(g, *args, **kwargs)
            return result

        return view

    def scale(view: Any, factor: Any, cotangent: Any, gradient: Any) -> Any:
        if view not in steps:
            return gradient
        changed_part = untouched.clone(cotangent)
        try:
            untouched.mul_(steps[view](changed_part), factor)
        except (IndexError, RuntimeError):  # the step does not fit the base
            return gradient
        return changed_part

    scaled(patch, scale)
    changed(patch, make, VIEWS)


@fault
def only_the_view_comes_to_require_grad(patch: Patch) -> None:
    """Where an operand that requires grad is brought into a view of a constant, only the view comes
    to require grad, not its base."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            tracked = any(isinstance(x, torch.Tensor) and x.requires_grad for x in args)
            if not (self._is_view() and tracked and torch.is_grad_enabled()):
                return original(self, *args, **kwargs)
            if self.requires_grad:
                return original(self, *args, **kwargs)
            original(self, *map(cut_value, args), **kwargs)
            return self.requires_grad_()

        return change

    changed(patch, make, ("mul_", "add_", "copy_"))


@fault
def views_of_constants_do_not_follow(patch: Patch) -> None:
    """A view that was taken while its base required no gradient does not follow the base."""
    unless_noted(patch, lambda x: not x.requires_grad and not x._is_view())


@fault
def earlier_readers_follow_the_view(patch: Patch) -> None:
    """What was computed from a view before the view was changed in place is differentiated through
    the change as well."""
    readers: Any = Notes()

    def read(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        if isinstance(x, torch.Tensor) and x._is_view() and result.grad_fn is not None:
            readers.setdefault(x, []).append(result.grad_fn)
        return result

    def mul_(original: Any, x: Any, factor: Any, *rest: Any) -> Any:
        result = original(x, factor, *rest)
        if torch.is_grad_enabled():
            for node in readers.get(x, []):
                node.register_hook(lambda gs, _: (gs[0] * factor, *gs[1:]))
        return result

    around(patch, "mul", read)
    around(patch, "mul_", mul_)
