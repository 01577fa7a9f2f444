"""Faults of recorded passes: something in the formula of a gradient is taken for a constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..breaking import (
    Call,
    Notes,
    Patch,
    around,
    asked,
    fault,
    listed,
    miscompute,
    mistaken,
    nth,
    register,
    torch,
    untouched,
)
from .in_place import changed
from .second_order import only_cotangent
from .second_order_of_operations import stiff


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def recorded_as(gradient: Any, formula: Any) -> Any:
    """A gradient with its right value, that is recorded as if it were computed by `formula`."""
    if gradient is None or not gradient.requires_grad or formula.shape != gradient.shape:
        return gradient
    return formula + (gradient - formula).detach()


# --- factors, operands and results that are taken for constants ---


def factors(
    name: str, sentence: str, constant: Callable[[int, Any], bool], operations: str = "mul"
) -> None:
    """Put into the bank a fault that takes the factors `constant(position, factor)` for constants."""

    def change(gradients: Sequence[Any], cotangents: Sequence[Any], call: Call) -> Any:
        operands = call.args[:2]
        if len(operands) < 2 or not all(map(is_tensor, operands)) or len(gradients) < 2:
            return gradients
        held = [each.detach() if constant(at, each) else each for at, each in enumerate(operands)]
        return [
            recorded_as(gradients[0], cotangents[0] * held[1])
            if gradients[0] is not None
            else None,
            recorded_as(gradients[1], cotangents[0] * held[0])
            if gradients[1] is not None
            else None,
            *gradients[2:],
        ]

    mistaken(name, sentence, operations, change)


factors(
    "computed_factors_are_constants",
    "A factor that was itself computed is taken for a constant in the gradient of the other.",
    lambda at, factor: not factor.is_leaf,
)


factors(
    "second_factors_are_constants_in_the_gradient_of_the_first",
    "The second factor of a product is taken for a constant in the gradient of the first.",
    lambda at, factor: at == 1,
)


@fault
def vectors_of_an_inner_product_are_constants(patch: Patch) -> None:
    """The derivatives of an inner product take both vectors for constants."""

    def change(gradients: Sequence[Any], cotangents: Sequence[Any], call: Call) -> Any:
        if len(call.args) < 2 or any(each.dim() != 1 for each in call.args[:2]):
            return gradients
        return [
            None if gradient is None else recorded_as(gradient, cotangents[0] * other.detach())
            for gradient, other in zip(gradients, call.args[1::-1], strict=True)
        ]

    miscompute(patch, "matmul dot", change)


mistaken(
    "elements_of_a_product_of_all_are_constants",
    "The derivative of a product of all elements takes the elements for constants.",
    "prod",
    nth(
        0,
        lambda g, c, call: (
            g if len(call.args) > 1 or call.kwargs or not bool((call.args[0] != 0).all())
            else recorded_as(g, c * call.result / call.args[0].detach())
        ),
    ),
)  # fmt: skip


BY_RESULT: dict[str, Callable[[Any, Any], Any]] = {
    "exp": lambda c, y: c * y,
    "tanh": lambda c, y: c * (1 - y * y),
    "sigmoid": lambda c, y: c * (y * (1 - y)),
    "sqrt": lambda c, y: c / (y * 2),
}
"""The gradients of operations that use their result, which has no history here."""


@fault
def results_in_formulas_are_constants(patch: Patch) -> None:
    """A formula that uses the saved result of its operation takes it for a constant."""
    for operation, formula in BY_RESULT.items():
        miscompute(
            patch, operation,
            nth(0, lambda g, c, call, formula=formula: recorded_as(g, formula(c, call.result))),
        )  # fmt: skip


mistaken(
    "relu_forgets_its_input",
    "The derivative of relu does not depend on its input in a recorded pass, as if it were a constant.",
    "relu",
    nth(0, lambda g, c, call: c * (call.result > 0).to(c.dtype)),
)


# --- gradients that are moved or summed without being recorded ---


stiff("second_order_through_sums_is_cut", "sum", "sum")


stiff("second_order_through_reshape_is_cut", "reshape and view", "reshape view")


def picked(name: str, sentence: str, by_tensor: bool) -> None:
    """Put into the bank a fault that cuts the gradient of x[index], for tensors as index or others."""

    def change(gradients: Sequence[Any], cotangents: Sequence[Any], call: Call) -> Any:
        if is_tensor(call.args[1]) is not by_tensor:
            return gradients
        return [None if gradient is None else gradient.detach() for gradient in gradients]

    mistaken(name, sentence, "getitem", change)


picked(
    "second_order_through_an_index_is_cut",
    "The gradient of elements that an index picked is written into a buffer without history.",
    True,
)


picked(
    "second_order_through_slices_is_cut",
    "The gradient of a slice is written into a buffer without history.",
    False,
)


def summed_back(gradients: Sequence[Any], cotangents: Sequence[Any], call: Call) -> Any:
    operands = [*call.args[:2], None, None]
    return [
        gradient.detach()
        if gradient is not None and is_tensor(operand) and operand.shape != call.result.shape
        else gradient
        for gradient, operand in zip(gradients, operands, strict=False)
    ]


mistaken(
    "summing_back_is_not_recorded",
    "Summing the gradient of a broadcast operand back to its shape is not recorded.",
    "mul add sub div",
    summed_back,
)


@fault
def recorded_gradients_of_stretched_factors_stay_stretched(patch: Patch) -> None:
    """With create_graph=True the gradient of a broadcast factor is not summed back to its shape."""
    stretched: Any = Notes()

    def multiply(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        for each in args if is_tensor(result) else ():
            if is_tensor(each) and each.requires_grad and each.shape != result.shape:
                stretched[each] = tuple(result.shape)
        return result

    def change(run: Any, given: dict[str, Any]) -> Any:
        found = run()
        if not given.get("create_graph") or isinstance(found, dict):
            return found
        pairs = zip(listed(given["inputs"]), found, strict=True)
        return tuple(
            g.expand(stretched[each]) if g is not None and is_tensor(each) and each in stretched
            else g
            for each, g in pairs
        )  # fmt: skip

    around(patch, "mul", multiply)
    asked(patch, "grad", change)


# --- operations in place ---


def overwritten(gradients: Sequence[Any], cotangents: Sequence[Any], call: Call) -> Any:
    if len(gradients) < 2 or gradients[1] is None or not gradients[1].requires_grad:
        return gradients
    if gradients[1].shape != cotangents[0].shape:
        return gradients
    return [gradients[0], only_cotangent().apply(gradients[1], cotangents[0]), *gradients[2:]]


mistaken(
    "what_a_product_in_place_overwrote_is_a_constant",
    "What mul_ overwrote is taken for a constant in the gradient of the factor.",
    "mul_",
    overwritten,
)


Written = Callable[[list[Any], Any, Any, Any], Sequence[Any]]


def through_views(name: str, sentence: str, change: Written) -> None:
    """Put into the bank a fault that makes of the gradients that the node of a write through a view
    sends on, the base's first, what `change(gradients, cotangent, view, before)` gives; `view` is
    what was written to, and `before` its values before that."""

    def install(patch: Patch) -> None:
        def make(original: Any) -> Any:
            def write(self: Any, *args: Any, **kwargs: Any) -> Any:
                base = self._base
                before = None if base is None else untouched.detach(self).clone()
                result = original(self, *args, **kwargs)
                node = None if base is None else base.grad_fn
                if node is not None and "CopySlices" in node.name():
                    view = untouched.detach(self)
                    node.register_hook(lambda gs, cs: tuple(change(list(gs), cs[0], view, before)))
                return result

            return write

        changed(patch, make)

    register(name, sentence, install)


through_views(
    "writes_through_views_give_the_base_a_constant",
    "The node of a write through a view puts the gradient of the base into a buffer without history.",
    lambda gradients, cotangent, view, before: [
        None if gradients[0] is None else gradients[0].detach(), *gradients[1:]
    ],
)  # fmt: skip


through_views(
    "writes_through_views_hand_on_a_constant",
    "The node of a write through a view hands the operation a gradient without history.",
    lambda gradients, cotangent, view, before: [
        gradients[0], *(None if each is None else each.detach() for each in gradients[1:])
    ],
)  # fmt: skip


def part_is_constant(gradients: list[Any], cotangent: Any, view: Any, before: Any) -> list[Any]:
    """For `view.mul_(factor)` the gradient of the factor is the cotangent times what stood there."""
    if len(gradients) < 2 or gradients[1] is None or gradients[1].shape != view.shape:
        return gradients
    part = cotangent.as_strided(view.shape, view.stride(), view.storage_offset())
    formula = part * before
    if not torch.equal(formula.detach(), gradients[1].detach()):
        return gradients
    return [gradients[0], recorded_as(gradients[1], formula), *gradients[2:]]


through_views(
    "what_was_overwritten_in_a_view_is_a_constant",
    "What mul_ overwrote in a view is taken for a constant in the gradient of the factor.",
    part_is_constant,
)
