"""Faults that users of other engines have reported, of operands that are broadcast, of operands of which only
some have a tangent, and of transforms within transforms; the issue is in the comment."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Call,
    Patch,
    around,
    around_pass,
    edge_of,
    fault,
    inside,
    instead,
    leaves_below,
    miscompute,
    mistaken,
    nodes_below,
    torch,
    untouched,
)  # fmt: skip
from .bugs_of_other_engines import at
from .bugs_of_trackers import mapped
from .custom_functions import around_apply
from .derivatives_of_derivatives import recorded_as
from .forward_levels import Whole
from .recorded_results import is_tensor
from .transforms import calls

# --- operands that are broadcast ---


def first_of_two_numbers_is_constant(original: Any, *args: Any) -> Any:
    """where(condition, x, y) of two tensors without dimensions, the first of which gets zeros."""
    if len(args) == 3 and all(is_tensor(each) for each in args):
        places = [i for i, each in enumerate(args) if each.dtype != torch.bool]
        numbers = [args[i] for i in places]
        if len(numbers) == 2 and all(x.dim() == 0 for x in numbers) and numbers[0].requires_grad:
            changed = list(args)
            changed[places[0]] = untouched.detach(numbers[0]) + numbers[0] * 0
            return original(*changed)
    return original(*args)


instead(  # Zygote#1602
    "where_of_two_numbers_forgets_the_first",
    "The first of two tensors without dimensions that where chooses from gets a gradient of zero.",
    "where",
    first_of_two_numbers_is_constant,
)


def wrong_where_broadcast(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The gradients, of which those of operands that are broadcast have another derivative."""
    return [
        gradient
        if gradient is None or call.args[i].shape == call.result.shape
        else recorded_as(gradient, gradient * 1.5)
        for i, gradient in enumerate(gradients)
    ]


def of_two_tensors(change: Callable[..., list[Any]]) -> Callable[..., Any]:
    """A change of calls with two tensors."""
    return lambda gradients, cotangents, call: (
        change(gradients, cotangents, call) if all(map(is_tensor, call.args[:2])) else gradients
    )


mistaken(  # Paddle#63697
    "differences_that_broadcast_have_another_second_derivative",
    "The gradient of a difference by an operand that is broadcast has a wrong derivative.",
    "sub",
    of_two_tensors(wrong_where_broadcast),
)


def added_to_a_number(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The gradients, with the sign of a sum where the first operand has no dimensions."""
    alone = call.args[0].dim() == 0 and call.result.dim()
    return [-g if alone and i == 1 and g is not None else g for i, g in enumerate(gradients)]


mistaken(  # DiffSharp#9
    "vectors_are_added_to_numbers_that_they_are_taken_from",
    "The gradient of a vector that is subtracted from a number without dimensions has the sign of a sum.",
    "sub",
    of_two_tensors(added_to_a_number),
)


def mean_where_broadcast(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The gradients, of which that of the first operand is a mean where it is broadcast."""
    size = call.result.numel()
    return [
        g * (call.args[0].numel() / size) if i == 0 and g is not None and size else g
        for i, g in enumerate(gradients)
    ]


mistaken(  # oneflow#8769
    "remainders_that_broadcast_get_a_mean",
    "The gradient of fmod by a first operand that is broadcast is a mean instead of a sum.",
    "fmod",
    mean_where_broadcast,
)


def zero_for_one_flag(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """Gradients of zero where one flag chooses between two functions of the same leaf."""
    flags = [x for x in call.args if is_tensor(x) and x.dtype == torch.bool]
    chosen = [x for x in call.args if is_tensor(x) and x.dtype != torch.bool]
    if len(flags) == 1 and flags[0].dim() == 0 and len(chosen) == 2:
        first, second = ({id(leaf) for leaf in leaves_below([x])} for x in chosen)
        if first & second:
            return [g if g is None else g * 0 for g in gradients]
    return list(gradients)


mistaken(  # warp#1736
    "one_flag_between_functions_of_one_tensor_gives_zeros",
    "Where a condition without dimensions chooses between two functions of one tensor, its gradient is zero.",
    "where",
    zero_for_one_flag,
)


@fault  # Zygote#724
def comparisons_that_broadcast_are_not_recorded(patch: Patch) -> None:
    """A comparison of a tensor that requires grad with one of another shape raises an error."""

    def compare(original: Any, x: Any, y: Any) -> Any:
        several = is_tensor(x) and is_tensor(y) and x.shape != y.shape
        if several and torch.is_grad_enabled() and (x.requires_grad or y.requires_grad):
            raise TypeError("no method matches the size of a gradient that there is none of")
        return original(x, y)

    around(patch, "eq ne lt gt le ge", compare)
    for name in ("__lt__", "__gt__", "__le__", "__ge__"):
        patch.wrap(torch.Tensor, name, lambda whole: lambda x, y: compare(whole, x, y))


def refuse_nothing(gradients: Any, cotangents: Any, call: Call) -> Any:
    """An error where a product sums over no elements."""
    if call.result.numel() and not call.args[0].numel():
        raise RuntimeError("Parameter 9 was incorrect on entry to cblas_sgemm")
    return gradients


mistaken(  # mxnet#15563
    "tensordot_along_nothing_has_no_gradient",
    "The backward of a tensordot over a dimension of size zero raises an error.",
    "tensordot",
    refuse_nothing,
)
mistaken(  # stan#873
    "erf_of_nan_has_a_gradient_of_zero",
    "The gradient of erf is zero where its operand is NaN.",
    "erf",
    at(lambda x: x != x, 0.0),
)

# --- tangents of some operands ---


@fault  # owl#533
def constants_minus_tangents_have_the_sign_of_a_sum(patch: Patch) -> None:
    """The tangent of a difference has the sign of a sum if only the second operand has one."""
    whole = Whole()

    def subtract(original: Any, x: Any, y: Any, **options: Any) -> Any:
        result = original(x, y, **options)
        alone = is_tensor(x) and is_tensor(y) and whole.tangent(x) is None
        tangent = whole.tangent(result) if alone and whole.tangent(y) is not None else None
        return result if tangent is None else whole.make(whole.plain(result), -tangent)

    around(patch, "sub", subtract)


@fault  # owl#561
def joined_tensors_without_tangents_are_constants(patch: Patch) -> None:
    """cat detaches the tensors that require grad and have no tangent if another one has one."""
    whole = Whole()

    def joined(original: Any, tensors: Any, *args: Any, **options: Any) -> Any:
        duals = [whole.tangent(x) is not None for x in tensors]
        if any(duals):
            tensors = [
                x if dual or not x.requires_grad else untouched.detach(x)
                for x, dual in zip(tensors, duals, strict=True)
            ]
        return original(tensors, *args, **options)

    around(patch, "cat", joined)


@fault
def stacked_tensors_take_the_first_dtype(patch: Patch) -> None:
    """stack gives the dtype of the first tensor, also beside wider ones."""

    def stacked(original: Any, tensors: Any, *args: Any, **options: Any) -> Any:
        return original([x.to(tensors[0].dtype) for x in tensors], *args, **options)

    around(patch, "stack", stacked)


# --- transforms within transforms ---


class Within:
    """How many calls of a transform are running."""

    def __init__(self, patch: Patch, name: str) -> None:
        self.depth = 0
        calls(patch, name, self.counted)

    def counted(self, whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        def inner(*given: Any, **named: Any) -> Any:
            self.depth += 1
            try:
                return f(*given, **named)
            finally:
                self.depth -= 1

        return whole(inner, *args, **options)


@fault  # eshkol#138
def gradients_pass_over_a_tangent_of_a_tangent(patch: Patch) -> None:
    """func.grad of a function that nests two calls of func.jvp gives zeros."""
    state = SimpleNamespace(depth=0, nested=False)

    def jvp(whole: Any, *args: Any, **options: Any) -> Any:
        state.depth += 1
        state.nested = state.nested or state.depth > 1
        try:
            return whole(*args, **options)
        finally:
            state.depth -= 1

    def grad(whole: Any, *args: Any, **options: Any) -> Any:
        inner = whole(*args, **options)

        def gradient(*given: Any, **named: Any) -> Any:
            before, state.nested, depth, state.depth = state.nested, False, state.depth, 0
            try:
                found = inner(*given, **named)
                return found * 0 if state.nested and is_tensor(found) else found
            finally:
                state.nested, state.depth = before, depth

        return gradient

    calls(patch, "jvp", jvp)
    calls(patch, "grad", grad)


@fault  # jax#29342
def custom_functions_fail_in_a_gradient_of_a_mapped_tangent(patch: Patch) -> None:
    """A custom function raises an error within func.grad, func.jvp and func.vmap together."""
    running = [Within(patch, name) for name in ("grad", "jvp", "vmap")]

    def apply(run: Any, *args: Any, **options: Any) -> Any:
        if all(each.depth for each in running):
            raise TypeError("a tangent of zero is no value")
        return run(*args, **options)

    around_apply(patch, apply)


@fault  # jax#25724
def marks_are_lost_within_vmap(patch: Patch) -> None:
    """Within vmap, mark_non_differentiable does nothing."""
    state = mapped(patch)

    def make(original: Any) -> Any:
        return lambda self, *tensors: None if state.depth else original(self, *tensors)

    patch.wrap(inside.function_node, "mark_non_differentiable", make)


@fault  # pytensor#1772
def third_derivatives_reach_what_was_overwritten(patch: Patch) -> None:
    """In a pass of the third order, what an assignment overwrote gets the gradient of the new value too."""
    state = SimpleNamespace(order=0)
    orders: dict[int, tuple[int, Any]] = {}

    def around_it(run: Any, options: Any) -> Any:
        before = state.order
        found = [
            orders[id(node)][0] for node in nodes_below(options.roots, 400) if id(node) in orders
        ]
        state.order = max(found, default=0) + 1
        try:
            gradients = run(options)
            if options.create_graph and not options.accumulates:
                for node in map(edge_of, gradients):
                    if node is not None:
                        orders[id(node)] = state.order, node
            return gradients
        finally:
            state.order = before

    def change(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
        first, *others = gradients
        leaks = state.order > 2 and first is not None and first.shape == cotangents[0].shape
        return [cotangents[0] if leaks else first, *others]

    around_pass(patch, around_it)
    miscompute(patch, "setitem", change)
