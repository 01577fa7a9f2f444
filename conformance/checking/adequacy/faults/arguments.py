"""Faults of what operations refuse, and of values at which engines differ."""

from __future__ import annotations

import math
from typing import Any

from ..breaking import Patch, fault, instead, replaces, torch


def clamped(o: Any, x: Any, dim: Any, index: Any, *a: Any, **k: Any) -> Any:
    """The operation with the nearest index that there is."""
    return o(x, dim, index.clamp(0, x.shape[dim] - 1) if x.dim() else index, *a, **k)


instead(
    "expm1_is_inexact_near_zero",
    "expm1(x) is exp(x) - 1, zero for small x.",
    "expm1",
    lambda o, x: x.exp() - 1,
)


instead(
    "log1p_is_inexact_near_zero",
    "log1p(x) is log(1 + x), zero for small x.",
    "log1p",
    lambda o, x: (1 + x).log(),
)


instead(
    "hypot_overflows",
    "hypot squares its operands, infinite for large ones.",
    "hypot",
    lambda o, x, y: (x * x + y * y).sqrt(),
)


instead(
    "var_cancels",
    "var is the mean square less the squared mean, inexact for a large mean.",
    "var",
    lambda o, x, *a, **k: (
        o(x, *a, **k)
        if a or k
        else ((x * x).mean() - x.mean() ** 2) * (x.numel() / (x.numel() - 1))
    ),
)


instead(
    "halves_are_rounded_away_from_zero",
    "round(0.5) is 1.",
    "round",
    lambda o, x, **k: o(x, **k) if k else torch.trunc(x + 0.5 * x.sign()),
)


instead(
    "maximum_passes_over_nan",
    "maximum and minimum ignore NaN.",
    "maximum",
    lambda o, x, y: torch.fmax(x, y),
)


instead(
    "amax_passes_over_nan",
    "amax ignores NaN.",
    "amax",
    lambda o, x, *a, **k: o(torch.where(x.isnan(), -math.inf, x), *a, **k),
)


instead(
    "floor_division_truncates",
    "floor_divide rounds towards zero.",
    "floor_divide",
    lambda o, x, y: torch.div(x, y, rounding_mode="trunc"),
)


instead(
    "sorting_down_reverses_equals",
    "sort(descending=True, stable=True) gives equal elements in reverse.",
    "sort",
    lambda o, x, *a, **k: (
        o(x, *a, **k)
        if not k.get("descending") or not k.get("stable")
        else tuple(each.flip(k.get("dim", -1)) for each in o(x, *a, **{**k, "descending": False}))
    ),
)


instead(
    "indices_beyond_the_end_are_clamped",
    "index_select and gather take the last element for an index beyond the end.",
    "index_select gather",
    clamped,
)


@fault
def integers_beyond_the_end_are_clamped(patch: Patch) -> None:
    """x[5] of three elements is the last."""
    patch.wrap(
        torch.Tensor,
        "__getitem__",
        lambda o: (
            lambda self, index: (
                o(self, min(index, len(self) - 1))
                if type(index) is int and self.dim() and len(self)
                else o(self, index)
            )
        ),
    )


@fault
def masks_may_be_too_short(patch: Patch) -> None:
    """x[mask] with a mask that is shorter than x takes the rest for False."""

    def make(o: Any) -> Any:
        def op(self: Any, index: Any) -> Any:
            if (
                isinstance(index, torch.Tensor)
                and index.dtype == torch.bool
                and index.dim() == 1
                and self.dim() == 1
                and len(index) < len(self)
            ):
                index = torch.cat([index, torch.zeros(len(self) - len(index), dtype=torch.bool)])
            return o(self, index)

        return op

    patch.wrap(torch.Tensor, "__getitem__", make)


instead(
    "narrow_beyond_the_end_is_cut",
    "narrow beyond the end gives what there is.",
    "narrow",
    lambda o, x, dim, start, length: o(
        x, dim, start, min(length, x.shape[dim] - int(start)) if int(start) >= 0 else length
    ),
)


instead(
    "expand_repeats_any_length",
    "expand of a length other than one repeats.",
    "expand",
    lambda o, x, *s: (
        o(x, *s)
        if len(s) != x.dim()
        or any(not isinstance(n, int) for n in s)
        or all(n in (-1, m) or m == 1 for n, m in zip(s, x.shape, strict=False))
        else x.repeat(*[max(n // m, 1) for n, m in zip(s, x.shape, strict=False)])
    ),
)


def wrapped_dim(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    """The operation with a dim taken modulo the number of dims."""
    if a and type(a[0]) is int and isinstance(x, torch.Tensor) and x.dim():
        return o(x, a[0] % x.dim(), *a[1:], **k)
    return o(x, *a, **k)


instead(
    "dims_beyond_the_last_wrap",
    "sum(dim=5) of two dims reduces the dim that is left over.",
    "sum mean amax prod cumsum",
    wrapped_dim,
)


def repeated_dims(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    """The operation with each dim once."""
    if a and isinstance(a[0], tuple | list):
        return o(x, tuple(dict.fromkeys(d % max(x.dim(), 1) for d in a[0])), *a[1:], **k)
    return o(x, *a, **k)


instead("a_dim_may_stand_twice", "sum((0, 0)) is accepted.", "sum mean amax", repeated_dims)


@fault
def ragged_lists_are_filled(patch: Patch) -> None:
    """tensor([[1, 2], [3]]) fills the missing place with zero."""

    def make(o: Any) -> Any:
        def tensor(data: Any, *a: Any, **k: Any) -> Any:
            if (
                isinstance(data, list)
                and data
                and all(isinstance(e, list) for e in data)
                and len({len(e) for e in data}) > 1
            ):
                n = max(len(e) for e in data)
                data = [e + [0.0] * (n - len(e)) for e in data]
            return o(data, *a, **k)

        return tensor

    patch.wrap(torch, "tensor", make)


@fault
def functions_call_their_operand_otherwise(patch: Patch) -> None:
    """square() calls its operand `x`, not `input`."""
    patch.wrap(torch, "square", lambda original: lambda x: original(x))


@fault
def linalg_matmul_is_elementwise(patch: Patch) -> None:
    """linalg.matmul() multiplies element by element."""
    patch.wrap(torch.linalg, "matmul", lambda original: lambda a, b: a * b)


@replaces("nn.Module.named_parameters")
def parameters_have_no_paths(original: Any, *args: Any, **options: Any) -> Any:
    """named_parameters() names parameters without the modules that lead to them."""
    for name, parameter in original(*args, **options):
        yield name.rpartition(".")[2], parameter


@fault
def no_dimensions_are_out_of_range(patch: Patch) -> None:
    """Functions along a dimension reject a tensor without dimensions."""

    def make(original: Any) -> Any:
        def run(x: Any, *args: Any, **kwargs: Any) -> Any:
            if not x.dim():
                raise IndexError("dimension out of range: the tensor has none")
            return original(x, *args, **kwargs)

        return run

    for name in ("max", "median", "sort", "cumsum", "gather"):
        patch.wrap(torch, name, make)


@fault
def deleted_items_stay_in_silence(patch: Patch) -> None:
    """del x[0] does nothing, and raises no error."""
    patch.set(torch.Tensor, "__delitem__", lambda self, index: None)


@fault
def false_is_the_index_zero(patch: Patch) -> None:
    """x[False] = value writes the first element, as False counts as zero."""

    def make(original: Any) -> Any:
        return lambda x, index, value: original(x, 0 if index is False else index, value)

    patch.wrap(torch.Tensor, "__setitem__", make)
