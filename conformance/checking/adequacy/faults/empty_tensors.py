"""Faults of reductions and products without elements, without dimensions, or over no dims."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, Patch, around, fault, instead, mistaken, torch
from .edge_cases import argument
from .recorded_results import is_tensor

EMPTY: tuple[Any, ...] = ((), [])


def along_the_last(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The cotangent of the sums of a square matrix's rows is stretched along the wrong dim."""
    changed = list(gradients)
    x, dim = call.args[0], argument(call, 1, "dim")
    if isinstance(dim, int) and not argument(call, 2, "keepdim", False) and changed[0] is not None:
        if x.dim() == 2 and x.shape[0] == x.shape[1]:
            changed[0] = cotangents[0].expand(x.shape)
    return changed


mistaken(
    "reductions_spread_along_the_last_dimension",
    "Where sum does not keep its dimension, the cotangent of a square matrix is spread along the last.",
    "sum",
    along_the_last,
)


@fault
def reductions_of_zero_dimensions_take_no_dim(patch: Patch) -> None:
    """sum and mean of a tensor without dimensions refuse every dim, 0 and -1 too."""

    def reduce(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        dim = args[0] if args else kwargs.get("dim")
        if is_tensor(x) and x.dim() == 0 and isinstance(dim, int):
            raise IndexError("Dimension out of range")
        return original(x, *args, **kwargs)

    around(patch, "sum mean", reduce)


instead(
    "reductions_over_no_dims_reduce_nothing",
    "sum and mean over an empty list of dimensions reduce nothing.",
    "sum mean",
    lambda original, x, *args, **kwargs: (
        x if (args[0] if args else kwargs.get("dim")) in EMPTY else original(x, *args, **kwargs)
    ),
)


@fault
def the_mean_of_nothing_raises(patch: Patch) -> None:
    """The mean of no elements raises a division by zero."""

    def mean(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if not x.numel():
            raise ZeroDivisionError("division by zero")
        return original(x, *args, **kwargs)

    around(patch, "mean", mean)


instead(
    "the_mean_of_nothing_is_zero",
    "The mean of no elements is zero.",
    "mean",
    lambda original, x, *args, **kwargs: (
        original(x, *args, **kwargs) if x.numel() else x.sum(*args, **kwargs)
    ),
)
instead(
    "the_product_of_nothing_is_zero",
    "The product of no elements is zero.",
    "prod",
    lambda original, x, *args, **kwargs: (
        original(x, *args, **kwargs) if x.numel() else x.sum(*args, **kwargs)
    ),
)


@fault
def the_largest_of_nothing_is_infinite(patch: Patch) -> None:
    """The largest and the smallest of no elements are infinite instead of being refused."""

    def extremum(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return original(x, *args, **kwargs)
        except (RuntimeError, ValueError, IndexError):
            if x.numel():
                raise
            return x.sum(*args, **kwargs) - torch.inf

    around(patch, "amax amin", extremum)


@fault
def products_over_nothing_are_ones(patch: Patch) -> None:
    """A product of matrices over an inner size of zero holds ones."""

    def product(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        result = original(x, y, **kwargs)
        return result + 1 if x.shape[-1:] == (0,) else result

    around(patch, "matmul mm", product)


def moved_by_the_empty(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The cotangent of cat is cut one place too late behind an empty part."""
    changed, start, moved = list(gradients), 0, 0
    dim = argument(call, 1, "dim", 0)
    for place, part in enumerate(call.args[0]):
        if part.shape == (0,):
            moved += 1
            continue
        if moved and changed[place] is not None:
            late = torch.roll(cotangents[0], -moved, dim)
            changed[place] = late.narrow(dim, start, part.shape[dim])
        start += part.shape[dim]
    return changed


mistaken(
    "an_empty_part_moves_the_cuts_of_cat",
    "The cotangent of cat is cut at places that an empty part has moved.",
    "cat",
    moved_by_the_empty,
)
