"""Faults of operands that are stretched: what becomes of their gradients, and which shapes fit."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..breaking import (
    Call,
    Notes,
    Patch,
    around,
    around_pass,
    fault,
    inside,
    instead,
    mistaken,
    register,
    torch,
    untouched,
)
from .leaves import attribute, read
from .recorded_results import ARITHMETIC, is_tensor

Shape = tuple[int, ...]


class Misshaped:
    """Gradients of noted tensors come back as `notes[tensor](gradient)`."""

    def __init__(self, patch: Patch) -> None:
        self.notes = Notes()
        original = read("grad")

        def get(self_: Any) -> Any:
            return self.changed(self_, original(self_))

        def passes(run: Any, options: Any) -> Any:
            found = run(options)
            if options.accumulates or found is None:
                return found
            return tuple(map(self.changed, options.inputs, found))

        attribute(patch, "grad", get)
        around_pass(patch, passes)

    def changed(self, tensor: Any, gradient: Any) -> Any:
        if gradient is None or not is_tensor(tensor) or tensor not in self.notes:
            return gradient
        return self.notes[tensor](gradient)


def misshaped(
    name: str, sentence: str, operations: str, shape: Callable[[int, Shape, Shape], Shape | None]
) -> None:
    """Put into the bank a fault by which the gradient of an operand has the wrong shape:
    `shape(place, of_the_operand, of_the_result)`, or its own where that is None."""

    def install(patch: Patch) -> None:
        gradients = Misshaped(patch)

        def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            for place, each in enumerate(args):
                if is_tensor(each) and each.requires_grad and each.is_leaf and is_tensor(result):
                    wanted = shape(place, tuple(each.shape), tuple(result.shape))
                    if wanted is not None and wanted != tuple(each.shape):
                        gradients.notes[each] = reshaped(wanted)
            return result

        around(patch, operations, operation)

    register(name, sentence, install)


def reshaped(shape: Shape) -> Callable[[Any], Any]:
    """A gradient in another shape: the same elements where there are as many, and else copies."""

    def change(gradient: Any) -> Any:
        same = prod(shape) == gradient.numel()
        return gradient.reshape(shape) if same else gradient.expand(shape)

    return change


def stretched(own: Shape, whole: Shape) -> list[int]:
    """The dimensions of a result in which an operand of length one was stretched."""
    lead = len(whole) - len(own)
    return [place + lead for place, n in enumerate(own) if n == 1 != whole[place + lead]]


# --- gradients of another shape ---


misshaped(
    "stretched_dimensions_are_dropped",
    "The gradient of an operand lacks the dimension of length one that was stretched.",
    ARITHMETIC,
    lambda place, own, whole: (
        tuple(n for n, full in zip(own, whole, strict=True) if n != 1 or full == 1)
        if len(own) == len(whole) else None
    ),
)  # fmt: skip
misshaped(
    "leading_dimensions_are_kept",
    "The gradient of an operand keeps dimensions of length one that were put in front.",
    ARITHMETIC,
    lambda place, own, whole: (1,) * (len(whole) - len(own)) + own if own else None,
)
misshaped(
    "gradients_of_equal_count_keep_the_shape_of_the_result",
    "A gradient with as many elements as its operand keeps the shape of the result.",
    ARITHMETIC,
    lambda place, own, whole: whole if own and prod(own) == prod(whole) else None,
)
misshaped(
    "gradients_of_no_elements_are_not_summed",
    "The gradient of a dimension of length one that met one of length zero has length zero.",
    ARITHMETIC,
    lambda place, own, whole: whole if prod(whole) == 0 < prod(own) else None,
)
misshaped(
    "branches_of_where_are_not_summed",
    "The gradient of a branch of where has the shape of the result instead of the branch's.",
    "where",
    lambda place, own, whole: whole if own else None,
)
misshaped(
    "third_operands_stay_stretched",
    "The gradient of a third operand is not summed to its shape.",
    "addcmul addcdiv lerp",
    lambda place, own, whole: whole if place == 2 else None,
)


@fault
def values_assigned_to_a_part_keep_its_shape(patch: Patch) -> None:
    """The gradient of a smaller value that is assigned to a part has the shape of the part."""
    gradients = Misshaped(patch)

    def assign(original: Any, x: Any, index: Any, value: Any) -> None:
        original(x, index, value)
        if is_tensor(value) and value.requires_grad and value.is_leaf:
            part = tuple(untouched.__getitem__(x, index).shape)
            if part != tuple(value.shape):
                gradients.notes[value] = reshaped(part)

    around(patch, "setitem", assign)


@fault
def gradients_of_matrices_of_one_row_are_squeezed(patch: Patch) -> None:
    """The gradient of a leaf with several dimensions loses those of length one."""
    original = read("grad")

    def get(self: Any) -> Any:
        found = original(self)
        return found if found is None or found.dim() < 2 else found.squeeze()

    attribute(patch, "grad", get)


# --- gradients that are summed wrongly ---


def first_copies(value: Any, whole: Shape) -> Any:
    """A stretched operand whose gradient is that of the first copy."""
    if not is_tensor(value) or not stretched(tuple(value.shape), whole):
        return value
    wide = value.expand(whole)
    for place in stretched(tuple(value.shape), whole):
        head, rest = wide.narrow(place, 0, 1), wide.narrow(place, 1, whole[place] - 1)
        wide = torch.cat([head, rest.detach()], place)
    return wide


@fault
def stretched_dimensions_keep_the_first_copy(patch: Patch) -> None:
    """Of a dimension that was stretched the gradient of the first copy is kept, instead of the sum."""

    def operation(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        result = original(x, y, **kwargs)
        if not is_tensor(result) or not result.requires_grad or not result.numel():
            return result
        whole = tuple(result.shape)
        return original(first_copies(x, whole), first_copies(y, whole), **kwargs)

    around(patch, ARITHMETIC, operation)


def averaged_in_front(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """Gradients divided by the dimensions that were put in front of their operand."""
    whole = tuple(cotangents[0].shape)
    return [g if g is None else g / max(prod(whole[: len(whole) - g.dim()]), 1) for g in gradients]


mistaken(
    "leading_dimensions_are_averaged",
    "The gradient of an operand is averaged over the dimensions that were put in front.",
    ARITHMETIC,
    averaged_in_front,
)
mistaken(
    "shrunk_gradients_are_detached",
    "In a pass that records itself gradients are shrunk to their operand's shape outside the graph.",
    ARITHMETIC,
    lambda gradients, cotangents, call: [
        g if g is None or g.shape == cotangents[0].shape else g.detach() for g in gradients
    ],
)


def whole_for_the_second(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The second branch of where gets the whole cotangent."""
    changed = list(gradients)
    if len(changed) > 1 and changed[-1] is not None and is_tensor(call.args[2]):
        changed[-1] = cotangents[0].sum_to_size(call.args[2].shape)
    return changed


mistaken(
    "the_second_branch_of_where_gets_all",
    "The second branch of where gets the whole cotangent.",
    "where",
    whole_for_the_second,
)


def bias_of_the_first_row(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The gradient of a bias with as many columns as the product is its first row's."""
    changed, (whole,) = list(gradients), cotangents[:1]
    bias = changed[0]
    if bias is not None and bias.dim() and bias.shape[-1] == whole.shape[-1] > 1:
        if bias.numel() < whole.numel():
            changed[0] = whole[0].reshape(bias.shape)
    return changed


mistaken(
    "the_bias_gets_the_first_row",
    "The gradient of a bias is that of the first row of the product.",
    "addmm",
    bias_of_the_first_row,
)


@fault
def shared_matrices_get_the_first_of_the_batch(patch: Patch) -> None:
    """The gradient of a matrix that a batch shares is that of the first of the batch."""

    def product(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        if not is_tensor(y) or x.dim() != 3 or y.dim() != 2 or x.shape[0] < 2:
            return original(x, y, **kwargs)
        parts = [original(x[:1], y, **kwargs), original(x[1:], y.detach(), **kwargs)]
        return torch.cat(parts)

    around(patch, "matmul", product)


# --- tangents ---


@fault
def tangents_of_sums_are_not_stretched(patch: Patch) -> None:
    """The tangent of a sum is that of its only moving operand, in that operand's shape."""
    forward: Any = torch.autograd.forward_ad
    unpack = forward.unpack_dual
    notes = Notes()

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if inside.forward_level() >= 0 and is_tensor(result):
            moving = [t for a in args if is_tensor(a) and (t := unpack(a).tangent) is not None]
            if len(moving) == 1:
                notes[result] = moving[0]
        return result

    def unpack_dual(tensor: Any, **kwargs: Any) -> Any:
        found = unpack(tensor, **kwargs)
        tangent = notes.get(tensor) if is_tensor(tensor) else None
        return found if tangent is None else forward.UnpackedDualTensor(found.primal, tangent)

    around(patch, "add", operation)
    patch.set(forward, "unpack_dual", unpack_dual)


# --- which shapes fit ---


instead(
    "operands_of_equal_count_are_paired",
    "Operands of equal length are paired element by element.",
    ARITHMETIC,
    lambda original, x, y, **kwargs: original(
        x,
        y.reshape(x.shape)
        if is_tensor(x) and is_tensor(y) and x.dim() and y.dim() and x.numel() == y.numel() else y,
        **kwargs,
    ),
)  # fmt: skip


@fault
def shapes_that_do_not_fit_are_repeated(patch: Patch) -> None:
    """Operands whose sizes do not fit are repeated or cut until they do."""

    def operation(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        try:
            return original(x, y, **kwargs)
        except (RuntimeError, ValueError):
            if not is_tensor(x) or not is_tensor(y) or not y.numel():
                raise
            flat = y.reshape(-1).repeat(x.numel() // y.numel() + 1)[: x.numel()]
            return original(x, flat.reshape(x.shape), **kwargs)

    around(patch, ARITHMETIC, operation)


@fault
def inner_sizes_of_one_are_stretched(patch: Patch) -> None:
    """An inner size of one is stretched in a matrix product."""

    def product(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        if is_tensor(y) and x.dim() and y.dim() > 1 and x.shape[-1] == 1 != y.shape[-2]:
            x = x.expand(*x.shape[:-1], y.shape[-2])
        return original(x, y, **kwargs)

    around(patch, "matmul", product)


@fault
def products_with_a_vector_are_columns(patch: Patch) -> None:
    """The dimension that a vector was given for a product with a batch stays in the result."""
    around(
        patch, "matmul",
        lambda original, x, y, **kwargs: (
            original(x, y, **kwargs).unsqueeze(-1)
            if is_tensor(y) and y.dim() == 1 < x.dim() else original(x, y, **kwargs)
        ),
    )  # fmt: skip


@fault
def minus_one_is_a_length_for_expand(patch: Patch) -> None:
    """Minus one is taken as a length by expand, and refused."""

    def expand(original: Any, x: Any, *sizes: Any, **kwargs: Any) -> Any:
        flat = sizes[0] if sizes and isinstance(sizes[0], tuple | list) else sizes
        if -1 in flat:
            raise RuntimeError("expand: a size is negative")
        return original(x, *sizes, **kwargs)

    around(patch, "expand", expand)


@fault
def sum_to_size_takes_the_first_elements(patch: Patch) -> None:
    """sum_to_size does not sum, but takes the first elements."""

    def sum_to_size(original: Any, x: Any, *sizes: Any) -> Any:
        result = original(x, *sizes)
        return x.reshape(-1)[: result.numel()].reshape(result.shape)

    around(patch, "sum_to_size", sum_to_size)
