"""Gradients that are put back in the wrong place: reads and writes by index, joins, turned tensors."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, instead, mistaken, nth, torch, untouched
from .edge_cases import argument


def at_first(gradient: Any, call: Call) -> Any:
    """What was read at one index is put back at index 0."""
    index = call.args[1]
    return gradient.roll(-index, 0) if type(index) is int else gradient


def with_ones(gradient: Any, call: Call) -> Any:
    """The gradient, with ones where nothing was read by a tensor of indices."""
    if not isinstance(call.args[1], torch.Tensor):
        return gradient
    unread = torch.ones_like(untouched.detach(call.args[0]))
    untouched.__setitem__(unread, call.args[1], 0)
    return gradient + unread


mistaken(
    "select_puts_back_at_the_first",
    "x[i] sends its gradient to the first element.",
    "getitem",
    nth(0, lambda g, c, call: at_first(g, call)),
)
mistaken(
    "unread_elements_get_ones",
    "x[index] sends a gradient of one to the elements that were not read.",
    "getitem",
    nth(0, lambda g, c, call: with_ones(g, call)),
)
mistaken(
    "t_is_reshaped_back",
    "The cotangent of t() is reshaped instead of transposed.",
    "t",
    nth(0, lambda g, c, call: c.reshape(g.shape)),
)
mistaken(
    "transpose_is_reshaped_back",
    "The cotangent of transpose() is reshaped instead of transposed.",
    "transpose",
    nth(0, lambda g, c, call: c.reshape(g.shape)),
)
mistaken(
    "permute_permutes_on",
    "The cotangent of permute() is permuted forward again, into another shape, instead of back.",
    "permute",
    nth(0, lambda g, c, call: c.permute(call.args[1:] if len(call.args) > 2 else call.args[1])),
)
mistaken(
    "roll_rolls_on",
    "roll rolls the gradient forward again instead of back.",
    "roll",
    nth(0, lambda g, c, call: c.roll(*call.args[1:], **call.kwargs)),
)
mistaken(
    "flip_is_not_undone",
    "flip does not flip the gradient back.",
    "flip",
    nth(0, lambda g, c, call: c),
)
mistaken(
    "stack_reverses",
    "Stacked tensors get their gradients in the reverse order.",
    "stack",
    lambda gi, go, call: list(reversed(gi)) if None not in gi else gi,
)


def cleared(gradient: Any, call: Call) -> Any:
    """The gradient of what was added to is zero where something was added."""
    return gradient.index_fill(call.args[1], call.args[2], 0) if gradient.dim() == 1 else gradient


mistaken(
    "adding_by_index_clears_the_target",
    "index_add and scatter_add send the target no gradient where something was added.",
    "index_add scatter_add",
    nth(0, lambda g, c, call: cleared(g, call)),
)


def without_target(gradients: Any, cotangents: Any, call: Call) -> Any:
    """The gradients of amax and amin by index, if the target's own element takes no share."""
    reduce = argument(call, 4, "reduce")
    if reduce not in ("amax", "amin") or not call.kwargs.get("include_self", True):
        return gradients
    x, dim, index, y = call.args[:4]
    tied = (call.result.gather(dim, index) == y).to(y.dtype)
    number = torch.zeros_like(x).scatter_add(dim, index, tied)
    share = (cotangents[0] / number.clamp(min=1)).gather(dim, index)
    own, others = gradients
    return [
        None if own is None else torch.where(number > 0, 0, own),
        None if others is None else torch.where(tied > 0, share, others),
    ]


mistaken(
    "scatter_reduce_gives_its_own_element_no_share",
    "scatter_reduce shares among equal extrema without the target's own element.",
    "scatter_reduce",
    without_target,
)


def divided(gradient: Any, cotangent: Any, call: Call) -> Any:
    """The gradient of a product by index as the product over the element."""
    if argument(call, 4, "reduce") != "prod":
        return gradient
    _, dim, index, y = call.args[:4]
    return (cotangent * call.result).gather(dim, index) / y


mistaken(
    "scatter_reduce_divides_by_zero",
    "scatter_reduce divides a product by the element, so that a zero gives NaN.",
    "scatter_reduce",
    nth(1, divided),
)


def reordered(gradient: Any, call: Call) -> Any:
    """What was left over of a source comes before what was used up."""
    used = int(call.args[1].sum())
    return gradient.reshape(-1).roll(gradient.numel() - used).reshape(gradient.shape)


mistaken(
    "masked_scatter_gives_to_what_was_left_over",
    "masked_scatter sends gradients to its source from the end, as if the rest had been used.",
    "masked_scatter",
    nth(1, lambda g, c, call: reordered(g, call)),
)

# --- indices and sizes that do not fit ---


def unfit(o: Any, x: Any, index: Any) -> Any:
    """x[index], empty if the index is a tensor that does not fit."""
    try:
        return o(x, index)
    except (IndexError, RuntimeError):
        if not isinstance(index, torch.Tensor):
            raise
        return x.narrow(0, 0, 0)


instead(
    "unfit_masks_read_nothing",
    "x[index] with a mask or an index that does not fit is empty.",
    "getitem",
    unfit,
)


def one_open(o: Any, x: Any, *a: Any) -> Any:
    """reshape with the second of two open lengths taken for one."""
    shape = tuple(a[0]) if len(a) == 1 and isinstance(a[0], tuple | list) else a
    if shape.count(-1) < 2:
        return o(x, *a)
    first = shape.index(-1)
    return o(x, tuple(1 if n == -1 and i > first else n for i, n in enumerate(shape)))


instead(
    "a_second_open_length_is_one",
    "x.reshape(-1, -1) is x.reshape(-1, 1).",
    "reshape",
    one_open,
)
