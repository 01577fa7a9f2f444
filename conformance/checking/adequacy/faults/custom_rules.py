"""Faults of the rules that a custom function must keep, and of those that it may add."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, inside, replaces, torch, untouched
from .custom_backwards import Edges
from .custom_functions import around_apply, around_backward, several
from .recorded_results import is_tensor


def around_class(patch: Patch, around: Callable[..., Any]) -> None:
    """Put `around(cls, run, arguments)` in the place of every call of a custom function."""
    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return around(cls, lambda: original(cls, *args, **kwargs), args)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


# --- what forward is given, and what it may save ---


@fault
def forward_is_given_copies_of_constants(patch: Patch) -> None:
    """The forward of a custom function is given copies of the tensors that do not require grad."""

    def copied(value: Any) -> Any:
        constant = is_tensor(value) and not value.requires_grad and value.is_leaf
        return untouched.detach(value) if constant and not value._is_view() else value

    around_apply(
        patch, lambda run, *args, **kwargs: run(*(copied(each) for each in args), **kwargs)
    )


@fault
def anything_may_be_saved(patch: Patch) -> None:
    """save_for_backward drops what is no tensor, without an error."""

    def make(original: Any) -> Any:
        def save_for_backward(self: Any, *values: Any) -> None:
            original(self, *(v for v in values if v is None or is_tensor(v)))

        return save_for_backward

    patch.wrap(inside.function_node, "save_for_backward", make)


@fault
def saved_values_in_between_require_grad(patch: Patch) -> None:
    """A saved tensor that is neither an input nor a result comes back as one that requires grad."""

    def come_back(self: Any) -> tuple[Any, ...]:
        return tuple(
            untouched.detach(value).requires_grad_()
            if is_tensor(value) and not value.requires_grad and value.is_floating_point()
            else value
            for value in inside.saved_tensors(self)
        )

    patch.set(inside.function_node, "saved_tensors", property(come_back))


# --- what backward returns ---


@fault
def gradients_for_numbers_are_dropped(patch: Patch) -> None:
    """A gradient that a custom backward returns for a number is dropped, without an error."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = several(run(*cotangents))
        if len(found) != len(inside.needs_input_grad(context)):
            return found
        return tuple(
            g if needed else None
            for g, needed in zip(found, inside.needs_input_grad(context), strict=True)
        )

    around_backward(patch, around)


@fault
def smaller_custom_gradients_are_stretched(patch: Patch) -> None:
    """A gradient of a custom backward that would broadcast to its input's shape is accepted."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = list(several(run(*cotangents)))
        for place, leaf in edges.leaves(context).items():
            gradient: Any = found[place] if place < len(found) else None
            if is_tensor(gradient) and gradient.numel() == 1 and gradient.shape != leaf.shape:
                found[place] = (
                    gradient.expand(leaf.shape) if gradient.dim() <= leaf.dim() else gradient
                )
        return tuple(found)

    edges = Edges(patch)
    around_backward(patch, around)


@fault
def custom_gradients_of_another_dtype_are_refused(patch: Patch) -> None:
    """A gradient of another real dtype that a custom backward returns raises an error."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = several(run(*cotangents))
        for place, leaf in edges.leaves(context).items():
            gradient: Any = found[place] if place < len(found) else None
            if is_tensor(gradient) and gradient.dtype != leaf.dtype:
                raise RuntimeError("expected a gradient of the dtype of its input")
        return found

    edges = Edges(patch)
    around_backward(patch, around)


@fault
def complex_custom_gradients_lose_their_imaginary_part(patch: Patch) -> None:
    """Of a complex gradient that a custom backward returns for a real input, the real part is used."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = list(several(run(*cotangents)))
        for place, leaf in edges.leaves(context).items():
            gradient: Any = found[place] if place < len(found) else None
            if is_tensor(gradient) and gradient.is_complex() and not leaf.is_complex():
                found[place] = gradient.real
        return tuple(found)

    edges = Edges(patch)
    around_backward(patch, around)


@fault
def lists_of_results_are_half_recorded(patch: Patch) -> None:
    """The first tensor of a list that a custom forward returns requires grad."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        if isinstance(found, list) and found and is_tensor(found[0]):
            found[0] = untouched.detach(found[0]).requires_grad_()
        return found

    around_apply(patch, around)


@replaces("autograd.function.once_differentiable")
def once_differentiable_gradients_have_a_derivative_of_zero(original: Any, function: Any) -> Any:
    """The derivative of what a backward marked once_differentiable returns is zero."""

    def backward(ctx: Any, *cotangents: Any) -> Any:
        with torch.no_grad():
            found = function(ctx, *cotangents)
        zero = cotangents[0].sum() * 0.0
        return tuple(g + zero if is_tensor(g) else g for g in several(found))

    return backward


# --- methods that are missing ---


@fault
def a_missing_backward_gives_nothing(patch: Patch) -> None:
    """A custom function without a backward passes no gradient on, without an error."""
    patch.set(torch.autograd.Function, "backward", staticmethod(lambda ctx, *given: None))


@fault
def a_missing_forward_gives_the_input(patch: Patch) -> None:
    """A custom function without a forward returns its input."""
    patch.set(torch.autograd.Function, "forward", staticmethod(lambda ctx, *given: given[0]))


@fault
def a_missing_jvp_passes_the_tangent_on(patch: Patch) -> None:
    """A custom function without a jvp gives its result the tangent of its first input."""
    patch.set(torch.autograd.Function, "jvp", staticmethod(lambda ctx, *given: given[0]))


# --- within transforms ---


def within(patch: Patch, *names: str) -> list[bool]:
    """Tells whether a function that one of some transforms runs is running."""
    depth: list[bool] = []

    def make(original: Any) -> Any:
        def transform(function: Any, *args: Any, **kwargs: Any) -> Any:
            def noted(*given: Any, **named: Any) -> Any:
                depth.append(True)
                try:
                    return function(*given, **named)
                finally:
                    depth.pop()

            return original(noted, *args, **kwargs)

        return transform

    for name in names:
        patch.wrap(torch.func, name, make)
    return depth


class NoContext:
    """A context that keeps nothing."""

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep nothing."""


def is_separate(cls: Any) -> bool:
    """Whether a custom function has a setup_context."""
    return cls.setup_context is not torch.autograd.Function.setup_context


@fault
def forwards_with_a_context_run_within_transforms(patch: Patch) -> None:
    """Within a transform, a forward that takes ctx is run and differentiated operation by operation."""
    inner = within(patch, "grad", "vmap")

    def around(cls: Any, run: Any, args: Any) -> Any:
        return run() if not inner or is_separate(cls) else cls.forward(NoContext(), *args)

    around_class(patch, around)


@fault
def setup_context_is_no_help_within_transforms(patch: Patch) -> None:
    """Within a transform, the forward of a custom function is differentiated, and its backward ignored."""
    inner = within(patch, "grad", "vmap")

    def around(cls: Any, run: Any, args: Any) -> Any:
        return cls.forward(*args) if inner and is_separate(cls) else run()

    around_class(patch, around)


@fault
def own_vmap_rules_are_ignored(patch: Patch) -> None:
    """Within vmap, the forward of a custom function runs, whatever its vmap rule is."""
    inner = within(patch, "vmap")

    def around(cls: Any, run: Any, args: Any) -> Any:
        own = cls.vmap is not torch.autograd.Function.vmap and not cls.generate_vmap_rule
        return cls.forward(*args) if inner and own else run()

    around_class(patch, around)


@fault
def vmap_rules_may_be_missing_or_double(patch: Patch) -> None:
    """Within vmap, a custom function with no rule or with two runs its forward."""
    inner = within(patch, "vmap")

    def around(cls: Any, run: Any, args: Any) -> Any:
        own = cls.vmap is not torch.autograd.Function.vmap
        return cls.forward(*args) if inner and own is bool(cls.generate_vmap_rule) else run()

    around_class(patch, around)


# --- what may be saved for jvp ---


def saving_for_jvp(patch: Patch, change: Callable[[tuple[Any, ...]], Any]) -> None:
    """Let save_for_forward be given `change(values)`."""

    def make(original: Any) -> Any:
        def save_for_forward(self: Any, *values: Any) -> None:
            original(self, *change(values))

        return save_for_forward

    patch.wrap(torch.autograd.function.FunctionCtx, "save_for_forward", make)


@fault
def anything_may_be_saved_for_jvp(patch: Patch) -> None:
    """save_for_forward keeps None for what is no tensor, without an error."""
    saving_for_jvp(patch, lambda values: (v if is_tensor(v) else None for v in values))


@fault
def none_is_not_saved_for_jvp(patch: Patch) -> None:
    """save_for_forward leaves None out, so that what follows has another place."""
    saving_for_jvp(patch, lambda values: (v for v in values if v is not None))


@fault
def a_mapped_backward_needs_a_rule(patch: Patch) -> None:
    """Within jacrev, a custom function without a vmap rule raises an error."""
    inner = within(patch, "jacrev")

    def around(cls: Any, run: Any, args: Any) -> Any:
        own = cls.vmap is not torch.autograd.Function.vmap
        if inner and not own and not cls.generate_vmap_rule:
            raise RuntimeError("You tried to vmap over a function without vmap support")
        return run()

    around_class(patch, around)
