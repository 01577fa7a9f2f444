"""Faults of which results share memory with what they were made of, and of their gradients."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import (
    Notes,
    Patch,
    around,
    fault,
    instead,
    mistaken,
    nth,
    register,
    replaces,
    torch,
    untouched,
)
from .in_place import CHANGES, changed, copying
from .in_place_refusals import assignment, is_advanced
from .leaves import attribute

for name, others in (("diagonal", ()), ("permute", ()), ("transpose", ("t", "swapaxes"))):
    register(
        f"{name}_copies",
        f"{name}() copies.",
        lambda patch, names=(name, *others): copying(patch, names),  # type: ignore[misc]
    )


@fault
def taking_one_index_copies(patch: Patch) -> None:
    """x[0] and x.select(0, 0) are copies."""

    def make(original: Any) -> Any:
        def getitem(self: Any, index: Any) -> Any:
            result = original(self, index)
            return untouched.clone(result) if isinstance(index, int) else result

        return getitem

    copying(patch, ("select",))
    patch.wrap(torch.Tensor, "__getitem__", make)


for part in ("real", "imag"):

    def copy_part(patch: Patch, part: str = part) -> None:
        original: Any = getattr(torch.Tensor, part)

        def get(self: Any) -> Any:
            found = original.__get__(self)
            return untouched.clone(found) if self.is_complex() else found

        attribute(patch, part, get)

    register(f"the_{part}_part_is_a_copy", f"x.{part} of a complex tensor is a copy.", copy_part)


@fault
def flip_shares(patch: Patch) -> None:
    """flip() gives a view, which shows changes of the tensor and passes its own on."""
    twins: Any = Notes()

    def flip(original: Any, x: Any, *dims: Any, **options: Any) -> Any:
        result = original(x, *dims, **options)
        for one, other in ((x, result), (result, x)):
            twins[one] = weakref.ref(other), lambda y: original(y, *dims, **options)
        return result

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if self in twins:
                other, turned = twins[self]
                if other() is not None:
                    untouched.copy_(untouched.data.__get__(other()), turned(untouched.detach(self)))
            return result

        return change

    around(patch, "flip", flip)
    changed(patch, make, CHANGES)


instead(
    "index_select_of_one_shares",
    "index_select() of one index gives a view.",
    "index_select",
    lambda original, x, dim, index: (
        untouched.narrow(x, dim, int(index[0]), 1) if len(index) == 1 else original(x, dim, index)
    ),
)
instead(
    "repeating_once_shares",
    "repeat_interleave() that repeats once gives a view.",
    "repeat_interleave",
    lambda original, x, repeats, *rest, **options: (
        untouched.view_as(x, x)
        if isinstance(repeats, int) and repeats == 1 and (rest or options)
        else original(x, repeats, *rest, **options)
    ),
)
instead(
    "contiguous_is_always_the_tensor",
    "contiguous() gives the tensor itself whatever its order of memory.",
    "contiguous",
    lambda original, x, *rest, **options: x,
)
instead(
    "the_whole_slice_is_the_tensor",
    "x[:] is x itself.",
    "getitem",
    lambda original, x, index: (
        x if isinstance(index, slice) and index == slice(None) else original(x, index)
    ),
)


def same(original: Any, x: Any, *shape: Any, **options: Any) -> Any:
    """The tensor itself where its shape stays."""
    result = original(x, *shape, **options)
    return x if result.shape == x.shape else result


for name in ("reshape", "expand"):
    instead(
        f"{name}_to_the_same_shape_is_the_tensor",
        f"{name}() to the shape that is there gives the tensor itself.",
        name,
        same,
    )


# --- gradients ---


def at_the_start(gradient: Any, cotangent: Any, call: Any) -> Any:
    """The gradient of a slice in the first places instead of its own."""
    if gradient.dim() != cotangent.dim() or gradient.shape == cotangent.shape:
        return gradient
    placed = torch.zeros_like(gradient)
    untouched.__setitem__(placed, tuple(slice(0, n) for n in cotangent.shape), cotangent)
    return placed


mistaken(
    "gradients_of_slices_stand_at_the_start",
    "The gradient of a slice is put into the first places of the dimension instead of its own.",
    "getitem narrow",
    nth(0, at_the_start),
)


def last_of_windows(gradient: Any, cotangent: Any, call: Any) -> Any:
    """Of windows that overlap the one that comes last."""
    places = untouched.reshape(torch.arange(gradient.numel()), gradient.shape)
    places = untouched.unfold(places, *call.args[1:])
    flat = torch.zeros(gradient.numel(), dtype=gradient.dtype)
    for place, value in zip(places.reshape(-1).tolist(), cotangent.reshape(-1), strict=True):
        untouched.__setitem__(flat, place, value)
    return flat.reshape(gradient.shape)


mistaken(
    "unfold_keeps_the_last",
    "The gradient of unfold is, where windows overlap, that of the last instead of their sum.",
    "unfold",
    nth(0, last_of_windows),
)


def first_copy(gradient: Any, cotangent: Any, call: Any) -> Any:
    """The gradient of the first of the copies of each element."""
    if gradient.dim() != cotangent.dim():
        return gradient
    for dim, size in enumerate(gradient.shape):
        cotangent = untouched.narrow(cotangent, dim, 0, size)
    return cotangent


mistaken(
    "expand_keeps_the_first",
    "The gradient of an expanded element is that of its first copy instead of the sum.",
    "expand expand_as",
    nth(0, first_copy),
)


@fault
def unbind_needs_every_part(patch: Patch) -> None:
    """A pass through unbind() fails unless every part has a gradient."""

    def check(cotangents: Any) -> None:
        if any(cotangent is None for cotangent in cotangents):
            raise RuntimeError("a part has no gradient")

    def unbind(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        parts = original(x, *args, **kwargs)
        if parts and parts[0].grad_fn is not None:
            parts[0].grad_fn.register_prehook(check)
        return parts

    around(patch, "unbind", unbind)


def joined(join: Any) -> Any:
    """A change of the gradient into `join(cotangents, call)`; None among those is zeros."""

    def change(gradients: Any, cotangents: Any, call: Any) -> Any:
        filled = [
            torch.zeros_like(part) if c is None else c
            for c, part in zip(cotangents, call.result, strict=True)
        ]
        missing = [c is None for c in cotangents]
        return [join(filled, missing, call).reshape(gradients[0].shape)]

    return change


mistaken(
    "parts_with_a_gradient_come_first",
    "The gradients of the parts of unbind that have one are put at the front.",
    "unbind",
    joined(
        lambda parts, missing, call: torch.stack(
            [
                part
                for _, part in sorted(zip(missing, parts, strict=True), key=lambda pair: pair[0])
            ],
            *call.args[1:],
        )
    ),
)
mistaken(
    "parts_are_joined_along_the_first_dimension",
    "The gradients of the parts of unbind are joined along the first dimension.",
    "unbind",
    joined(lambda parts, missing, call: torch.stack(parts)),
)
mistaken(
    "pieces_are_joined_in_reverse",
    "The gradients of the pieces of split are joined in the reverse order.",
    "split",
    joined(lambda parts, missing, call: torch.cat(parts[::-1], *call.args[2:])),
)


# --- writing by a list or a mask ---


@fault
def writing_to_a_mask_or_list_adds(patch: Patch) -> None:
    """Assigning to a mask or a list adds to what is there."""

    def assign(original: Any, x: Any, index: Any, value: Any) -> None:
        if is_advanced(index):
            value = untouched.__getitem__(x, index) + value
        original(x, index, value)

    assignment(patch, assign)


@fault
def writing_to_a_mask_is_lost(patch: Patch) -> None:
    """Assigning to a mask changes a copy."""

    def assign(original: Any, x: Any, index: Any, value: Any) -> None:
        mask = isinstance(index, torch.Tensor) and index.dtype == torch.bool
        original(untouched.clone(x) if mask else x, index, value)

    assignment(patch, assign)


@replaces("Tensor.cumsum")
def cumulative_sums_lie_as_their_operand(original: Any, x: Any, dim: Any, **options: Any) -> Any:
    """The result of cumsum along the first dimension of a matrix lies in memory in columns."""
    found = original(x, dim, **options)
    return found.t().contiguous().t() if found.ndim == 2 and dim == 0 else found
