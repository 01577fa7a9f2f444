"""Taking tensors apart along a dimension, and joining them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array, astype
from ..backend.dtypes import result_type
from ..graph.row import LINEAR, MULTI_VIEW
from ..tensor.tensor import Tensor
from .core import zeros_of
from .dims import whole, wrap_dim
from .op import op, variant
from .registry import FUNCTIONS, METHODS, called, function, public, renaming, with_out
from .shape import V, at_least, reshape_public, select, slice_


def _unbind(x: Any, dim: int) -> tuple[Any, ...]:
    return tuple(x[(slice(None),) * dim + (i, ...)] for i in range(x.shape[dim]))


def _unbind_rule(gs: Any, x_shape: Any, dim: int) -> Any:
    some = next(iter(gs.values()))
    parts = [gs.get(i) for i in range(x_shape[dim])]
    return stack([zeros_of(some) if p is None else p for p in parts], dim)


unbind = op("unbind(x, /, dim)", _unbind, V | MULTI_VIEW, n_out=0, x=_unbind_rule)


def _split(x: Any, lengths: Any, dim: int) -> tuple[Any, ...]:
    parts, at = [], 0
    for n in lengths:
        parts.append(x[(slice(None),) * dim + (slice(at, at + n),)])
        at += n
    return tuple(parts)


def _split_rule(gs: Any, x_shape: Any, lengths: Any, dim: int) -> Any:
    some = next(iter(gs.values()))
    shape = list(x_shape)
    parts = []
    for i, n in enumerate(lengths):
        shape[dim] = n
        parts.append(gs[i] if i in gs else zeros_of(some, tuple(shape)))
    return cat(parts, dim)


split = op("split(x, /, lengths, dim)", _split, V | MULTI_VIEW, n_out=0, x=_split_rule)
split_with_sizes = variant(split, "SplitWithSizesBackward0")


def _cat(xs: Any, dim: int) -> Any:
    kept = [x for x in xs if x.shape != (0,)] or list(xs)
    dtype = result_type(*xs)
    return np.concatenate([astype(x, dtype) for x in kept], dim)


def _cat_rule(g: Any, xs_shape: Any, dim: int) -> Any:
    parts, at = [], 0
    for shape in xs_shape:
        if shape == (0,) and len(shape) != g.ndim:
            parts.append(zeros_of(g, (0,)))
            continue
        parts.append(slice_(g, dim, slice(at, at + shape[dim])))
        at += shape[dim]
    return parts


def _stack(xs: Any, dim: int) -> Any:
    xs = [as_array(x) for x in xs]  # a scalar of NumPy is a gradient here, not a number
    dtype = result_type(*xs)
    return np.stack([astype(x, dtype) for x in xs], dim)


cat = op("cat(*xs, /, dim)", _cat, LINEAR, xs=_cat_rule)
stack = op(
    "stack(*xs, /, dim)",
    _stack,
    LINEAR,
    xs=lambda g, xs_shape, dim: [select(g, dim, i) for i in range(len(xs_shape))],
)


@public("unbind")
def unbind_public(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """All indices of one dimension."""
    if not input._data.ndim:
        raise errors.wrong_index("unbind(): a 0-dim tensor has no dimension to unbind")
    if not input._data.shape[wrap_dim(dim, input._data.ndim)]:
        return ()
    return tuple(unbind.apply(input, wrap_dim(dim, input._data.ndim)))


def split_public(input: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of a size, or of these sizes.

    Raises:
        RuntimeError: a size that is negative, or zero where there is something to split, or sizes
            that do not add up.
    """
    row = split if isinstance(split_size, int) else split_with_sizes
    return tuple(row.apply(input, *pieces_of(input, split_size, dim)))


def pieces_of(input: Tensor, split_size: Any, dim: int) -> tuple[tuple[int, ...], int]:
    """The lengths of the pieces of a size, or of these sizes, and the dimension; refuses as ``split_public``."""
    if not input._data.ndim:
        raise errors.wrong_shape("split expects at least a 1-dimensional tensor")
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d]
    if isinstance(split_size, int):
        if split_size < 0 or (split_size == 0 and size):
            raise errors.wrong_shape(
                f"split expects split_size be positive, but got split_size={split_size} for a "
                f"dimension of size {size}"
            )
        whole, rest = divmod(size, split_size) if split_size else (1, 0)
        lengths = [split_size] * whole + ([rest] if rest else []) or [0]
    else:
        lengths = list(split_size)
        if sum(lengths) != size or min(lengths, default=0) < 0:
            raise errors.wrong_shape(
                f"split(): split_sizes must be lengths that add up to {size}, the size of dimension {d}; got "
                f"{lengths}"
            )
    return tuple(lengths), d


@function("split")
def split_function(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of a size, or of these sizes."""
    return split_public(tensor, split_size_or_sections, dim)


METHODS["split"] = renaming(split_public)


@public("split_with_sizes")
def split_with_sizes_public(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Pieces of these sizes."""
    return split_public(input, list(split_sizes), dim)


@public("chunk")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most that many pieces of equal size.

    Raises:
        RuntimeError: less than one piece.
    """
    if whole("chunk", "chunks", chunks) < 1:
        raise errors.wrong_value(f"chunk(): chunks must be at least 1; got {chunks}", RuntimeError)
    if not input._data.ndim:
        raise errors.wrong_shape("chunk(): a 0-dim tensor has no dimension to split")
    size = input._data.shape[wrap_dim(dim, input._data.ndim)]
    if not size:
        return split_public(input, [0] * chunks, dim)
    return split_public(input, -(-size // chunks), dim)


@public("tensor_split")
def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces between these indices, or that many pieces."""
    if not input._data.ndim:
        raise errors.wrong_shape("tensor_split(): a 0-dim tensor has no dimension to split")
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d]
    if isinstance(indices_or_sections, Tensor):
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, int):
        if indices_or_sections < 1:
            raise errors.wrong_value(
                f"tensor_split(): there must be at least one section; got {indices_or_sections}",
                RuntimeError,
            )
        each, extra = divmod(size, indices_or_sections)
        cuts, at = [], 0
        for i in range(indices_or_sections - 1):
            at += each + (i < extra)
            cuts.append(at)
    else:
        cuts = [max(0, min(size, c + size if c < 0 else c)) for c in indices_or_sections]
    edges = [0, *cuts, size]
    return tuple(slice_.apply(input, d, slice(a, max(a, b))) for a, b in pairwise(edges))


def evenly(
    what: str, x: Tensor, indices_or_sections: Any, dim: int, least: int = 1
) -> tuple[Tensor, ...]:
    """tensor_split over a dimension of which a number of sections must be a divisor."""
    shape = x._data.shape
    if len(shape) < least:
        raise errors.wrong_shape(
            f"{what}(): the input must have at least {least} dimensions; got shape {list(shape)}"
        )
    if isinstance(indices_or_sections, int) and (
        indices_or_sections < 1 or shape[dim] % indices_or_sections
    ):
        raise errors.wrong_shape(
            f"{what}(): dimension {dim}, of size {shape[dim]}, cannot be divided into "
            f"{indices_or_sections} equal sections"
        )
    return tensor_split(x, indices_or_sections, dim)


@public("hsplit")
def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split over columns."""
    return evenly("hsplit", input, indices_or_sections, 0 if input._data.ndim == 1 else 1)


@public("vsplit")
def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split over rows."""
    return evenly("vsplit", input, indices_or_sections, 0, 2)


@public("dsplit")
def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split over the third dimension."""
    return evenly("dsplit", input, indices_or_sections, 2, 3)


def listed(what: str, tensors: Any) -> list[Tensor]:
    """A non-empty list of tensors.

    Raises:
        TypeError: something else was given.
    """
    if isinstance(tensors, Tensor):
        raise errors.wrong_type(
            f"{what}(): argument 'tensors' must be tuple of Tensors, not Tensor"
        )
    items = list(tensors)
    if not items:
        kind = ValueError if what == "cat" else RuntimeError
        raise errors.wrong_value(f"{what}(): expected a non-empty list of Tensors", kind)
    for i, x in enumerate(items):
        if not isinstance(x, Tensor):
            raise errors.wrong_type(
                f"{what}(): expected Tensor as element {i}, but got {type(x).__name__}"
            )
    return items


def cat_public(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors joined along a dimension they have."""
    items = listed("cat", tensors)
    shapes_ = [x._data.shape for x in items]
    if all(shape == (0,) for shape in shapes_):
        dim = 0  # nothing is joined to nothing, along whatever dimension
    n = max(map(len, shapes_))
    if not all(x._data.ndim for x in items):
        raise errors.wrong_shape(
            "cat(): zero-dimensional tensors cannot be concatenated; use stack()"
        )
    try:
        return cat.apply(items, wrap_dim(dim, n))
    except ValueError as error:
        shapes = [list(x.shape) for x in items]
        raise errors.wrong_shape(
            f"Sizes of tensors must match except in dimension {dim}; got {shapes}"
        ) from error


for _name in ("cat", "concat", "concatenate"):
    FUNCTIONS[_name] = called(_name, with_out(cat_public))


def stack_public(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors joined along a new dimension."""
    items = listed("stack", tensors)
    if len({x._data.shape for x in items}) > 1:
        raise errors.wrong_shape(
            f"stack expects each tensor to be equal size, but got {[list(x.shape) for x in items]}"
        )
    return stack.apply(items, wrap_dim(dim, items[0]._data.ndim + 1))


FUNCTIONS["stack"] = called("stack", with_out(stack_public))


@function("hstack")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along columns."""
    items = [at_least(x, 1) for x in listed("hstack", tensors)]
    return cat_public(items, 0 if items[0]._data.ndim == 1 else 1)


@function("vstack", "row_stack")
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along rows."""
    return cat_public([at_least(x, 2) for x in tensors], 0)


@function("dstack")
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along the third dimension."""
    return cat_public([at_least(x, 3) for x in tensors], 2)


@function("column_stack")
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Vectors as columns, matrices side by side."""
    items = [reshape_public(x, (x._data.size, 1)) if x._data.ndim <= 1 else x for x in tensors]
    return hstack(items)
