"""Gradients of reading and writing by index that are wrong for some kinds of index."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, mistaken, nth, torch
from .calls import option


def mask_rows(g: Any, c: Any, call: Call) -> Any:
    index = call.args[1] if len(call.args) > 1 else None
    if not isinstance(index, torch.Tensor) or index.dtype != torch.bool or index.dim() >= g.dim():
        return g
    return torch.zeros_like(g).index_put((index.nonzero()[:1, 0],), c[:1])


mistaken(
    "a_mask_of_rows_keeps_the_first",
    "x[mask] with a mask of the leading dims gives a gradient to the first row chosen only.",
    "getitem",
    nth(0, mask_rows),
)


def int32(g: Any, c: Any, call: Any) -> Any:
    index = call.args[1] if len(call.args) > 1 else None
    return g * 0 if isinstance(index, torch.Tensor) and index.dtype == torch.int32 else g


mistaken(
    "short_indices_give_nothing",
    "x[index] with an index of int32 gives no gradient.",
    "getitem",
    nth(0, int32),
)


mistaken(
    "the_value_of_index_fill_gets_nothing",
    "index_fill gives no gradient to a value that is a tensor.",
    "index_fill",
    nth(1, lambda g, c, call: g * 0),
)


mistaken(
    "overwritten_columns_keep_their_gradient",
    "index_copy leaves a gradient where it overwrites, along any dim but the first.",
    "index_copy",
    nth(0, lambda g, c, call: c if call.args[1] != 0 else g),
)


mistaken(
    "scatter_reduce_without_self_gives_to_self",
    "scatter_reduce with include_self=False gives a gradient to elements it replaced.",
    "scatter_reduce",
    nth(
        0,
        lambda g, c, call: (
            c
            if not call.kwargs.get("include_self", True)
            and option(call, 4, "reduce") in ("sum", "mean")
            else g
        ),
    ),
)


def from_the_end(g: Any, c: Any, call: Call) -> Any:
    used = int((g != 0).sum())
    return g.reshape(-1).roll(g.numel() - used).reshape(g.shape)


mistaken(
    "masked_scatter_counts_from_the_end",
    "masked_scatter gives its gradient to the last elements of a source with more than enough.",
    "masked_scatter",
    nth(1, from_the_end),
)


def unstepped(g: Any, c: Any, call: Call) -> Any:
    step = option(call, 5, "step", 1)
    dim = option(call, 2, "dim", 0)
    start = option(call, 3, "start", 0) or 0
    return g if step == 1 else c.narrow(dim, start, g.shape[dim])


mistaken(
    "slice_scatter_forgets_the_step",
    "The gradient of slice_scatter for what is written ignores the step.",
    "slice_scatter",
    nth(1, unstepped),
)


mistaken(
    "adding_by_index_forgets_what_was_there",
    "index_put_ with accumulate=True gives no gradient to what was there.",
    "index_put_ index_put",
    nth(
        0,
        lambda g, c, call: (
            torch.zeros_like(g).index_put(call.args[1], torch.zeros(()))
            + g.index_put(call.args[1], torch.zeros((), dtype=g.dtype))
            if option(call, 3, "accumulate", False)
            else g
        ),
    ),
)


mistaken(
    "masks_that_stretch_keep_one_copy",
    "masked_select with a mask that stretches x gives it the gradient of one copy.",
    "masked_select",
    nth(
        0,
        lambda g, c, call: (
            g / 2
            if call.args[0].shape != option(call, 1, "mask", None).shape
            and option(call, 1, "mask", None).numel() > call.args[0].numel()
            else g
        ),
    ),
)


mistaken(
    "index_select_along_a_negative_dim_goes_back_along_the_first",
    "The gradient of index_select along a negative dim is put back along the first.",
    "index_select",
    nth(0, lambda g, c, call: g.flip(0) if option(call, 1, "dim") < 0 else g),
)


mistaken(
    "index_add_in_place_gives_the_source_all",
    "The gradient of index_add_ for the source is a sum of the wrong rows.",
    "index_add_",
    nth(1, lambda g, c, call: g.flip(0)),
)


def by_tensor(when: Any, wrong: Any) -> Any:
    """A wrong gradient of `x[index]`, for the tensors for which `when(index)`."""

    def change(g: Any, c: Any, call: Call) -> Any:
        index = option(call, 1, "")
        return wrong(g) if isinstance(index, torch.Tensor) and when(index) else g

    return nth(0, change)


mistaken(
    "indices_without_dims_lose_theirs",
    "x[i] with an index tensor without dims gives no gradient.",
    "getitem",
    by_tensor(lambda index: index.dim() == 0, lambda g: g * 0),
)
mistaken(
    "empty_indices_give_ones",
    "x[index] with an empty index gives a gradient of ones.",
    "getitem",
    by_tensor(lambda index: index.shape == (0,), lambda g: g + 1),
)
mistaken(
    "masks_that_are_true_throughout_are_missed",
    "x[mask] gives no gradient where the whole mask is true.",
    "getitem",
    by_tensor(lambda index: index.dtype == torch.bool and bool(index.all()), lambda g: g * 0),
)
