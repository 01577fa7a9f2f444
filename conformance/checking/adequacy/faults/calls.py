"""Gradients that are wrong for some ways to call an operation, and right for the others."""

from __future__ import annotations

import math
from typing import Any

from ..breaking import Call, Patch, around, each, fault, mistaken, nth, torch


def option(call: Call, position: int, name: str, default: Any = None) -> Any:
    """An argument of a call, by position or name; a method counts its tensor."""
    if name in call.kwargs:
        return call.kwargs[name]
    return call.args[position] if len(call.args) > position else default


def dims_of(call: Call) -> tuple[int, ...]:
    """The dimensions that a reduction reduces, none of them negative."""
    ndim = call.args[0].dim()
    found = option(call, 1, "dim")
    if found is None:
        return tuple(range(ndim))
    listed = found if isinstance(found, tuple | list) else (found,)
    return tuple(dim % ndim for dim in listed) if ndim else ()


def std_gradient(g: Any, call: Call) -> Any:
    dims, shape = dims_of(call), call.args[0].shape
    if len(dims) < 2 or option(call, 1, "dim") is None or shape[dims[-1]] < 2:
        return g
    return g * ((math.prod(shape[dim] for dim in dims) - 1) / (shape[dims[-1]] - 1))


mistaken(
    "std_over_several_dims_counts_the_last",
    "The gradient of std over several dims divides by the length of the last of them less one.",
    "std",
    each(std_gradient),
)


def back(c: Any, call: Call, keepdim_at: int = 2) -> Any:
    """The cotangent with the reduced dims in place."""
    if option(call, keepdim_at, "keepdim", False):
        return c
    for dim in sorted(dims_of(call)):
        c = c.unsqueeze(dim)
    return c


def amax_gradient(g: Any, c: Any, call: Call) -> Any:
    dims, x = dims_of(call), call.args[0]
    if len(dims) < 2 or option(call, 1, "dim") is None:
        return g
    result = back(c, call)
    mask = x == back(call.result, call)
    return result * mask / mask.sum(dims[-1], keepdim=True).clamp(min=1)


mistaken(
    "ties_over_several_dims_are_shared_along_the_last",
    "The gradient of amax and amin over several dims shares ties only along the last of them.",
    "amax amin",
    nth(0, amax_gradient),
)


mistaken(
    "backward_of_logaddexp_overflows",
    "The gradient of logaddexp takes the exponentials of what it was given, NaN for large values.",
    "logaddexp",
    each(lambda g, call: g + 0 * (call.args[0].exp() + call.args[1].exp()).sum()),
)


mistaken(
    "powers_divide_by_the_base",
    "The gradient of x ** n is n times the power over x, NaN at zero.",
    "pow",
    nth(
        0,
        lambda g, c, call: (
            g + 0 / call.args[0]
            if isinstance(call.args[0], torch.Tensor) and g.shape == call.args[0].shape
            else g
        ),
    ),
)


def by_mask(g: Any, c: Any, mask: Any) -> Any:
    """A mask that is multiplied instead of chosen by: infinite and NaN cotangents leak."""
    leak = (c * mask.to(c.dtype)) - torch.where(mask, c, torch.zeros_like(c))
    return g + leak if leak.shape == g.shape else g


mistaken(
    "masked_fill_masks_by_multiplication",
    "The gradient of masked_fill is the cotangent times zero or one: a NaN or infinity leaks.",
    "masked_fill",
    nth(0, lambda g, c, call: by_mask(g, c, ~call.args[1])),
)


mistaken(
    "relu_masks_by_multiplication",
    "The gradient of relu is the cotangent times zero or one: a NaN or infinity leaks.",
    "relu",
    nth(0, lambda g, c, call: by_mask(g, c, call.args[0] > 0)),
)


mistaken(
    "tril_masks_by_multiplication",
    "The gradient of tril and triu is the cotangent times zero or one: a NaN or infinity leaks.",
    "tril triu",
    nth(0, lambda g, c, call: by_mask(g, c, g != 0)),
)


def truncated(g: Any, c: Any, call: Call) -> Any:
    x, y = call.args[:2]
    if not isinstance(y, torch.Tensor):
        return g
    wrong = -c * torch.trunc(x / y)
    return wrong if wrong.shape == g.shape else g


mistaken(
    "remainder_truncates_for_the_divisor",
    "The gradient of remainder for the divisor is the truncated quotient, not its floor.",
    "remainder",
    nth(1, truncated),
)


def refused_shape(g: Any) -> Any:
    raise RuntimeError("the shape of the gradient is wrong")


def wrong_offset(g: Any, c: Any, call: Call) -> Any:
    offset = option(call, 1, "offset", 0)
    if offset >= 0 or call.args[0].dim() != 2:
        return g
    place = torch.diagonal(torch.zeros_like(g), -offset)
    return (
        torch.diagonal_scatter(torch.zeros_like(g), c, -offset)
        if place.shape == c.shape
        else refused_shape(g)
    )


mistaken(
    "diagonal_below_goes_above",
    "The gradient of a diagonal below the main one goes above it, or fails.",
    "diagonal",
    nth(0, wrong_offset),
)


def swapped_dims(g: Any, c: Any, call: Any) -> Any:
    d1, d2 = option(call, 2, "dim1", 0), option(call, 3, "dim2", 1)
    if (g.dim() == 2 and (d1, d2) in ((0, 1), (-2, -1))) or d1 % g.dim() < d2 % g.dim():
        return g
    w = g.transpose(d1, d2)
    return w if w.shape == g.shape else refused_shape(g)


def transposed(g: Any, c: Any, call: Any) -> Any:
    d1, d2 = option(call, 1, "dim0"), option(call, 2, "dim1")
    if g.dim() < 3 or (d1 >= 0 and d2 >= 0):
        return g
    w = c.transpose(0, 1)
    return w if w.shape == g.shape else refused_shape(g)


mistaken(
    "diagonal_of_swapped_dims_goes_back_straight",
    "The gradient of diagonal(dim1, dim2) with dim1 after dim2 is transposed.",
    "diagonal",
    nth(0, swapped_dims),
)


def permuted(g: Any, c: Any, call: Call) -> Any:
    dims = call.args[1:] if len(call.args) > 2 else option(call, 1, "dims")
    dims = dims if isinstance(dims, tuple | list) else (dims,)
    if min(dims) >= 0:
        return g
    inverse = sorted(range(len(dims)), key=lambda i: dims[i])
    wrong = c.permute(inverse)
    return wrong if wrong.shape == g.shape else refused_shape(g)


mistaken(
    "permute_inverts_negative_dims_wrongly",
    "The gradient of permute is permuted back wrongly if a dim was given as a negative number.",
    "permute",
    nth(0, permuted),
)


mistaken(
    "negative_dims_transpose_the_first_two",
    "The gradient of transpose(-1, -2) with three dims transposes the first two.",
    "transpose swapaxes",
    nth(0, transposed),
)


def moved(g: Any, c: Any, call: Any) -> Any:
    source, destination = (
        call.args[1:3]
        if len(call.args) > 2
        else (call.kwargs["source"], call.kwargs["destination"])
    )
    w = c.movedim(source, destination)
    return w if w.shape == g.shape else refused_shape(g)


mistaken(
    "movedim_goes_on_moving",
    "The gradient of movedim is moved on instead of back, where three dims change places.",
    "movedim",
    nth(0, moved),
)


def turned(g: Any, c: Any, call: Call) -> Any:
    k = option(call, 1, "k", 1)
    wrong = c.rot90(k, option(call, 2, "dims", (0, 1)))
    return wrong if wrong.shape == g.shape else g


mistaken(
    "rot90_goes_on_turning",
    "The gradient of rot90 is turned on instead of back.",
    "rot90",
    nth(0, turned),
)


def uneven(g: Any, c: Any, call: Call) -> Any:
    repeats, dim = option(call, 1, "repeats"), option(call, 2, "dim", 0)
    if not isinstance(repeats, torch.Tensor) or repeats.numel() < 2:
        return g
    return g / repeats.clamp(min=1).reshape(
        [-1 if i == dim % g.dim() else 1 for i in range(g.dim())]
    )


mistaken(
    "repeat_interleave_by_a_tensor_sums_nothing",
    "The gradient of repeat_interleave with a tensor of repeats is divided by them.",
    "repeat_interleave",
    nth(0, uneven),
)


def lies_over(g: Any, c: Any, call: Call) -> Any:
    x = call.args[0]
    if not x.is_contiguous() or g.requires_grad:
        return g
    index = torch.arange(x.numel()).as_strided(*call.args[1:], **call.kwargs)
    flat = torch.zeros(x.numel(), dtype=g.dtype)
    flat[index.reshape(-1)] = c.detach().reshape(-1)
    return flat.reshape(x.shape)


mistaken(
    "as_strided_keeps_the_last",
    "The gradient of as_strided keeps the last of elements that overlap instead of their sum.",
    "as_strided",
    nth(0, lies_over),
)


mistaken(
    "as_strided_of_a_turned_matrix_goes_back_straight",
    "The gradient of as_strided ignores that its input is not contiguous.",
    "as_strided",
    nth(
        0,
        lambda g, c, call: (
            g if call.args[0].is_contiguous() else g.flatten().flip(0).reshape(g.shape)
        ),
    ),
)


def squeezed(g: Any, c: Any, call: Any) -> Any:
    if len(call.args) > 1 or call.kwargs or g.dim() - c.dim() < 2:
        return g
    return refused_shape(g)


mistaken(
    "squeeze_of_several_dims_restores_one",
    "The gradient of squeeze() with several dims of length one restores one only, and fails.",
    "squeeze",
    nth(0, squeezed),
)


mistaken(
    "diag_beside_the_main_one_reads_the_main_one",
    "The gradient of diag(offset) of a vector reads the main diagonal.",
    "diag diag_embed",
    nth(
        0,
        lambda g, c, call: (
            c.diagonal(0, -2, -1).narrow(-1, 0, g.shape[-1])
            if option(call, 1, "diagonal", option(call, 1, "offset", 0)) != 0 and g.dim() < c.dim()
            else g
        ),
    ),
)


mistaken(
    "trace_of_a_tall_matrix_fails",
    "The gradient of trace is square, and fails for other matrices.",
    "trace",
    nth(0, lambda g, c, call: g if g.shape[0] == g.shape[1] else refused_shape(g)),
)


mistaken(
    "narrow_from_the_end_goes_to_the_front",
    "The gradient of narrow with a negative start goes to the first elements.",
    "narrow",
    nth(
        0,
        lambda g, c, call: (
            g.roll(-int(option(call, 2, "start")), option(call, 1, "dim"))
            if int(option(call, 2, "start")) < 0
            else g
        ),
    ),
)


mistaken(
    "select_from_the_end_goes_to_the_front",
    "The gradient of select with a negative index goes to the first element.",
    "select",
    nth(
        0,
        lambda g, c, call: (
            g.roll(-int(option(call, 2, "index")), option(call, 1, "dim"))
            if int(option(call, 2, "index")) < 0
            else g
        ),
    ),
)


def offsets_of_some(gradients: Any, cotangents: Any, call: Call) -> Any:
    dim = option(call, 1, "dim", 0)
    changed, start = [], 0
    for gradient, piece in zip(gradients, call.args[0], strict=True):
        if gradient is None or not piece.requires_grad:
            changed.append(None)
            continue
        changed.append(cotangents[0].narrow(dim, start, gradient.shape[dim]))
        start += gradient.shape[dim]
    return changed


mistaken(
    "cat_counts_offsets_of_what_requires_grad",
    "The gradient of cat skips pieces that need none when it counts where the others begin.",
    "cat",
    offsets_of_some,
)


mistaken(
    "stack_at_the_end_goes_back_from_the_front",
    "The gradient of stack(..., dim=-1) is split along the dim before the last.",
    "stack",
    lambda gs, cs, call: [
        None
        if g is None
        else refused_shape(g)
        if option(call, 1, "dim", 0) < 0 and cs[0].dim() > 1 and cs[0].shape[-2] != cs[0].shape[-1]
        else g
        for g in gs
    ],
)


mistaken(
    "blocks_after_the_first_get_nothing",
    "block_diag gives a gradient to its first block only.",
    "block_diag",
    lambda gs, cs, call: [g if i == 0 or g is None else g * 0 for i, g in enumerate(gs)],
)


mistaken(
    "unused_pieces_lose_the_others",
    "A backward pass that reaches only some pieces of a split gives no gradient at all.",
    "split chunk unbind tensor_split",
    lambda gs, cs, call: [
        None if g is None else g * 0 if any(c is None for c in cs) else g for g in gs
    ],
)


mistaken(
    "half_used_statistics_lose_the_other",
    "std_mean and var_mean give no gradient where only the mean is used.",
    "std_mean var_mean",
    lambda gs, cs, call: [None if g is None else g * 0 if cs[0] is None else g for g in gs],
)


mistaken(
    "diff_taken_twice_goes_back_once",
    "The gradient of diff(n=2) is doubled.",
    "diff",
    each(lambda g, call: g * 2 if option(call, 1, "n", 1) > 1 else g),
)


mistaken(
    "nanmean_divides_by_all",
    "The gradient of nanmean divides by the number of all elements, NaN or not.",
    "nanmean",
    nth(
        0,
        lambda g, c, call: (
            torch.where(call.args[0].isnan(), 0, c / call.args[0].numel())
            if len(call.args) == 1 and not call.kwargs
            else g
        ),
    ),
)


@fault
def quantiles_have_the_slope_of_linear_ones(patch: Patch) -> None:
    """The gradient of quantile is that of linear interpolation, whatever was asked for."""

    def op(o: Any, x: Any, q: Any, *a: Any, **k: Any) -> Any:
        r = o(x, q, *a, **k)
        if k.get("interpolation", "linear") == "linear":
            return r
        lin = o(x, q, *a, **{**k, "interpolation": "linear"})
        return lin + (r - lin).detach()

    around(patch, "quantile", op)


def kept(g: Any, c: Any, call: Any) -> Any:
    if not call.kwargs.get("keepdim", False):
        return g
    return c.expand(g.shape) / g.shape[option(call, 1, "dim", -1)] if c.dim() else g


mistaken(
    "chosen_elements_that_keep_their_dim_are_averaged",
    "median, mode and kthvalue with keepdim=True spread the gradient over the whole dim.",
    "median nanmedian mode",
    nth(0, kept),
)


def topped(g: Any, c: Any, call: Any) -> Any:
    dim = option(call, 2, "dim", -1)
    if dim in (-1, g.dim() - 1) or g.dim() < 2:
        return g
    return g.flip(dim)


mistaken(
    "topk_along_another_dim_goes_to_others",
    "The gradient of topk along any dim but the last goes to the wrong elements.",
    "topk",
    nth(0, topped),
)


def recomputed(g: Any, c: Any, call: Any) -> Any:
    x = call.args[0].detach()
    dim = option(call, 1, "dim")
    if not isinstance(dim, int) or not x.dim():
        return g
    index = x.argmax(dim, keepdim=True)
    if option(call, 2, "keepdim", False) is False:
        c = c.unsqueeze(dim)
    return torch.zeros_like(g).scatter(dim, index, c)


mistaken(
    "max_looks_again_in_the_backward_pass",
    "The gradient of max along a dim goes to where the largest is now, after a change in place.",
    "max",
    nth(0, recomputed),
)


mistaken(
    "replaced_infinities_pass_gradients",
    "nan_to_num passes the cotangent where it replaced an infinity.",
    "nan_to_num",
    nth(0, lambda g, c, call: torch.where(call.args[0].isinf(), c, g)),
)


mistaken(
    "logit_forgets_its_eps",
    "logit(eps) passes a gradient where it clamped.",
    "logit",
    nth(
        0,
        lambda g, c, call: (
            c / (call.args[0].clamp(0.01, 0.99) * (1 - call.args[0].clamp(0.01, 0.99)))
            if option(call, 1, "eps") is not None
            else g
        ),
    ),
)


@fault
def rounding_to_decimals_passes_gradients(patch: Patch) -> None:
    """round(decimals=...) passes its cotangent on as if it were the identity."""

    def op(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        r = o(x, *a, **k)
        return r if "decimals" not in k else x + (r - x).detach()

    around(patch, "round", op)


mistaken(
    "integer_bases_give_the_exponent_nothing",
    "2-as-a-tensor ** x gives x no gradient, where the base is an integer tensor.",
    "pow",
    nth(
        1,
        lambda g, c, call: (
            g * 0
            if isinstance(call.args[0], torch.Tensor) and not call.args[0].is_floating_point()
            else g
        ),
    ),
)


def truncating(gs: Any, cs: Any, call: Any) -> Any:
    ints = any(
        isinstance(a, torch.Tensor) and not a.is_floating_point() and not a.is_complex()
        for a in call.args[:2]
    )
    return [None if g is None else g.trunc() if ints else g for g in gs]


mistaken(
    "gradients_beside_integers_are_integers",
    "The gradient of an operand beside an integer tensor is truncated to whole numbers.",
    "add sub mul div",
    truncating,
)


mistaken(
    "means_over_a_length_of_one_are_halved",
    "The gradient of mean over a dim of length one is halved.",
    "mean",
    nth(0, lambda g, c, call: g / 2 if g.shape == back(c, call).shape and c.dim() else g),
)
