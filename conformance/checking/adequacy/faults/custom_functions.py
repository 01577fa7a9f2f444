"""Faults of custom functions: what their context, their forward and their backward give and take."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, nodes_below, torch, untouched

COUNT = "returned an incorrect number of gradients"

AroundBackward = Callable[[Any, tuple[Any, ...], Callable[..., Any]], Any]


def around_backward(patch: Patch, around: AroundBackward) -> None:
    """Put `around(context, cotangents, run)` in the place of every custom backward."""

    def make(original: Any) -> Any:
        def apply(self: Any, *cotangents: Any) -> Any:
            return around(self, cotangents, lambda *given: original(self, *given))

        return apply

    patch.wrap(inside.function_node, "apply", make)


def around_apply(patch: Patch, around: Callable[..., Any]) -> None:
    """Put `around(run, *arguments)` in the place of every call of a custom function."""
    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return around(lambda *given, **named: original(cls, *given, **named), *args, **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


def several(value: Any) -> tuple[Any, ...]:
    """What a backward returned, as a tuple."""
    return value if isinstance(value, tuple) else (value,)


def show_needed(patch: Patch, get: Callable[[Any], tuple[bool, ...]]) -> None:
    """Let ctx.needs_input_grad be what `get(ctx)` finds, whatever the engine notes there."""

    def note(self: Any, value: Any) -> None:
        vars(self)["needs_input_grad"] = value

    patch.set(inside.function_node, "needs_input_grad", property(get, note))


# --- the context ---


@fault
def all_inputs_need_a_gradient_if_one_does(patch: Patch) -> None:
    """ctx.needs_input_grad is True for every input of a call that is recorded."""

    def needed(self: Any) -> tuple[bool, ...]:
        flags = inside.needs_input_grad(self)
        return (any(flags),) * len(flags)

    show_needed(patch, needed)


@fault
def saving_none_is_dropped(patch: Patch) -> None:
    """None among the saved tensors is left out."""

    def make(original: Any) -> Any:
        def save(self: Any, *tensors: Any) -> None:
            original(self, *(tensor for tensor in tensors if tensor is not None))

        return save

    patch.wrap(inside.function_context, "save_for_backward", make)


@fault
def saved_inputs_come_back_detached(patch: Patch) -> None:
    """Inputs that a custom function saved come back without their history."""

    def saved(self: Any) -> tuple[Any, ...]:
        found = inside.saved_tensors(self)
        return tuple(t if t is None or t.grad_fn is self else untouched.detach(t) for t in found)

    patch.set(inside.function_node, "saved_tensors", property(saved))


@fault
def saved_results_come_back_detached(patch: Patch) -> None:
    """Results that a custom function saved come back without their history."""

    def saved(self: Any) -> tuple[Any, ...]:
        found = inside.saved_tensors(self)
        return tuple(
            t if t is None or t.grad_fn is not self else untouched.detach(t) for t in found
        )

    patch.set(inside.function_node, "saved_tensors", property(saved))


@fault
def cleared_tensors_stay_until_the_backward_ends(patch: Patch) -> None:
    """A function that clears its saved tensors on access keeps them until its node is freed."""
    patch.set(inside.function_node, "saved_tensors", property(lambda self: held(self)))


def held(node: Any) -> tuple[Any, ...]:
    """What a node saved, which its context keeps."""
    node.kept_by_mistake = inside.saved_tensors(node)
    return tuple(node.kept_by_mistake)


@fault
def cleared_tensors_can_be_read_again(patch: Patch) -> None:
    """A function that clears its saved tensors on access gives them again while they are alive."""

    def saved(self: Any) -> tuple[Any, ...]:
        known = [reference() for reference in getattr(self, "given", ())]
        if known and all(tensor is not None for tensor in known):
            return tuple(known)
        found = tuple(inside.saved_tensors(self))
        self.given = [weakref.ref(tensor) for tensor in found if tensor is not None]
        return found

    patch.set(inside.function_node, "saved_tensors", property(saved))


@fault
def a_list_of_gradients_is_taken_apart(patch: Patch) -> None:
    """A backward that takes one list of gradients gets them one by one."""

    def make(original: Any) -> Any:
        return lambda self, gradients: original(self, *gradients)

    patch.wrap(inside.function_node, "apply_boxed", make)


@fault
def gradients_of_a_list_stay_until_the_backward_ends(patch: Patch) -> None:
    """The gradients that a backward gets as one list are kept beside it."""

    def make(original: Any) -> Any:
        def apply(self: Any, gradients: list[Any]) -> Any:
            kept = list(gradients)
            result = original(self, gradients)
            del kept
            return result

        return apply

    patch.wrap(inside.function_node, "apply_boxed", make)


@fault
def all_calls_share_one_context(patch: Patch) -> None:
    """What is noted on ctx is shared by all calls of the function."""
    notes: dict[tuple[Any, str], Any] = {}

    def put(self: Any, name: str, value: Any) -> None:
        if name in ("note", "kept"):
            notes[type(self), name] = value
        else:
            object.__setattr__(self, name, value)

    def get(self: Any, name: str) -> Any:
        if (type(self), name) not in notes:
            raise AttributeError(name)
        return notes[type(self), name]

    patch.set(inside.function_node, "__setattr__", put)
    patch.set(inside.function_node, "__getattr__", get)


@fault
def functions_forget_their_context_in_a_second_pass(patch: Patch) -> None:
    """What is noted on ctx is gone in the second pass over a retained graph."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        for name in ("note", "kept"):
            vars(context).pop(name, None)
        return found

    around_backward(patch, around)


@fault
def only_the_first_is_marked_non_differentiable(patch: Patch) -> None:
    """mark_non_differentiable marks the first of its arguments only."""
    patch.wrap(
        inside.function_context,
        "mark_non_differentiable",
        lambda mark: lambda self, *args: mark(self, *args[:1]),
    )


@fault
def only_the_first_is_marked_dirty(patch: Patch) -> None:
    """mark_dirty marks the first of its arguments only."""
    patch.wrap(
        inside.function_context,
        "mark_dirty",
        lambda mark: lambda self, *args: mark(self, *args[:1]),
    )


# --- the call ---


@fault
def results_that_are_no_tensors_are_lost(patch: Patch) -> None:
    """What a custom forward returns beside tensors comes back as None."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        if not isinstance(found, tuple):
            return found
        return tuple(each if isinstance(each, torch.Tensor) else None for each in found)

    around_apply(patch, around)


@fault
def a_tuple_of_one_result_is_unpacked(patch: Patch) -> None:
    """A custom forward that returns a tuple of one tensor gives the tensor alone."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        return found[0] if isinstance(found, tuple) and len(found) == 1 else found

    around_apply(patch, around)


@fault
def a_function_without_tensors_is_refused(patch: Patch) -> None:
    """A custom function refuses a call without a tensor among its arguments."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        if not any(isinstance(each, torch.Tensor) for each in args):
            raise TypeError("expected a tensor")
        return run(*args, **kwargs)

    around_apply(patch, around)


# --- the backward ---


@fault
def more_nones_than_inputs_are_refused(patch: Patch) -> None:
    """A custom backward may not return None beyond its inputs."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        if len(several(found)) > len(inside.needs_input_grad(context)):
            raise RuntimeError(COUNT)
        return found

    around_backward(patch, around)


@fault
def gradients_nobody_needs_are_refused(patch: Patch) -> None:
    """A custom backward may not return a gradient for an input that needs none."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        for gradient, needed in zip(several(found), inside.needs_input_grad(context), strict=False):
            if gradient is not None and not needed:
                raise RuntimeError("a gradient was returned for an input that needs none")
        return found

    around_backward(patch, around)


@fault
def a_lone_none_is_refused(patch: Patch) -> None:
    """A custom backward may not return None alone."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        if found is None:
            raise RuntimeError(COUNT)
        return found

    around_backward(patch, around)


@fault
def the_backward_of_functions_is_always_recorded(patch: Patch) -> None:
    """The backward of a custom function runs with recording on."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        with torch.enable_grad():
            return run(*cotangents)

    around_backward(patch, around)


@fault
def cotangents_of_custom_functions_are_detached(patch: Patch) -> None:
    """A custom backward is given its cotangents without their history."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        return run(*(g if g is None else untouched.detach(g) for g in cotangents))

    around_backward(patch, around)


@fault
def custom_gradients_are_taken_without_a_copy(patch: Patch) -> None:
    """The gradient that a custom backward returns for a leaf becomes its .grad, without a copy."""
    returned: list[tuple[Any, Any]] = []

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        tensors = [each for each in several(found) if isinstance(each, torch.Tensor)]
        returned.extend(zip([node for node, _ in context.next_functions], tensors, strict=False))
        return found

    def around_it(run: Any, options: Any) -> Any:
        leaves = [node for node in nodes_below(options.roots) if hasattr(node, "variable")]
        fresh = [node for node in leaves if untouched.grad.__get__(node.variable) is None]
        found = run(options)
        for node, gradient in returned:
            kept = untouched.grad.__get__(node.variable) if node in fresh else None
            if kept is not None and not options.create_graph and torch.equal(kept, gradient):
                untouched.grad.__set__(node.variable, untouched.detach(gradient))
        returned.clear()
        return found

    around_backward(patch, around)
    around_pass(patch, around_it)


@fault
def vjp_is_no_name_for_backward(patch: Patch) -> None:
    """A custom function that defines vjp instead of backward cannot be differentiated."""
    inside.ignore_vjp(patch)
