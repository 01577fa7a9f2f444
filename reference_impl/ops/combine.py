"""Joins and rearrangements that are made of other operations."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import beside, host, zeros
from ..graph.row import KEEPS_LAYOUT
from ..tensor.tensor import Tensor, wrap
from .dims import own_dim, wrap_dim
from .fused import fused
from .gather import index_select
from .joins import cat_public, stack_public
from .layout import contiguous_row
from .rearrange import matrices
from .registry import function, public
from .shape import at_least, broadcast_shapes, view

__all__ = ["block_diag", "cartesian_prod", "combinations", "meshgrid", "repeat_interleave", "rot90"]


@function("block_diag")
def block_diag(*tensors: Tensor) -> Tensor:
    """Matrices along the diagonal of one matrix."""
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise errors.wrong_type(f"block_diag(): expected Tensor {i}, not {type(x).__name__}")
    blocks = [at_least(x, 2) for x in tensors]
    if any(x._data.ndim > 2 for x in blocks):
        raise errors.wrong_shape(
            "block_diag(): matrices, vectors and 0-dim tensors expected; got shapes "
            f"{[list(x.shape) for x in tensors]}"
        )
    return block_diag_row(*tensors)  # type: ignore[no-any-return]


def _block_diag(*tensors: Tensor) -> Tensor:
    blocks = [at_least(x, 2) for x in tensors]
    width = sum(x._data.shape[1] for x in blocks)
    rows, at = [], 0
    for x in blocks:
        n, m = x._data.shape
        left = wrap(zeros((n, at), x._data.dtype, x._data))
        right = wrap(zeros((n, width - at - m), x._data.dtype, x._data))
        rows.append(cat_public([left, x, right], 1))
        at += m
    return cat_public(rows, 0)


block_diag_row = fused("block_diag", _block_diag)


@function("meshgrid")
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Vectors stretched over a common grid, as views."""
    if indexing is None:
        errors.caution(
            "meshgrid(): without indexing=, 'ij' is taken; NumPy takes 'xy'. Pass the one "
            "that is meant."
        )
    elif indexing not in ("ij", "xy"):
        message = f"meshgrid(): indexing must be one of 'ij' and 'xy'; got {indexing!r}"
        raise errors.wrong_value(message, RuntimeError)
    given: Any = tensors[0] if len(tensors) == 1 and not isinstance(tensors[0], Tensor) else tensors
    vectors = list(given)
    if any(x._data.ndim > 1 for x in vectors):
        raise errors.wrong_shape(
            "meshgrid(): vectors and 0-dim tensors make a grid; got shapes "
            f"{[list(x.shape) for x in vectors]}"
        )
    if len({x.dtype for x in vectors}) > 1:
        raise errors.wrong_dtype(
            f"meshgrid(): the dtypes must agree; got {[str(x.dtype) for x in vectors]}"
        )
    n = len(vectors)
    placed = [x.reshape([-1 if k == i else 1 for k in range(n)]) for i, x in enumerate(vectors)]
    if indexing == "xy" and n > 1:
        placed = [x.transpose(0, 1) for x in placed]
    shape = broadcast_shapes(*(x._data.shape for x in placed))
    return tuple(x.expand(shape) for x in placed)


@function("cartesian_prod")
def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All tuples of one element of each vector, as rows."""
    if any(x._data.ndim != 1 for x in tensors):
        raise errors.wrong_shape(
            f"cartesian_prod(): vectors expected; got shapes {[list(x.shape) for x in tensors]}"
        )
    if len(tensors) == 1:
        return tensors[0]
    return stack_public([g.reshape(-1) for g in meshgrid(*tensors, indexing="ij")], 1)


@public("combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of r elements of a vector, as rows."""
    if input._data.ndim != 1:
        raise errors.wrong_shape(
            f"combinations(): a vector expected; got shape {list(input.shape)}"
        )
    choose: Any = (
        itertools.combinations_with_replacement if with_replacement else itertools.combinations
    )
    if not r:
        return input[:0]
    picks = np.array(list(choose(range(input._data.size), r)), np.int64).reshape(-1, r)
    return stack_public([input[wrap(beside(p, input._data))] for p in picks.T], 1)


@public("repeat_interleave")
def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each element (or index of a dimension) several times in a row; of counts alone, each place as
    often as its count says."""
    if repeats is None:
        counts = host(input._data)
        return wrap(beside(np.repeat(np.arange(len(counts)), counts), input._data))
    x = input.reshape(-1) if dim is None else input
    d = 0 if dim is None else own_dim(dim, x._data.ndim)
    if isinstance(repeats, int):
        if repeats < 0:
            raise errors.wrong_value(
                f"repeat_interleave(): repeats must not be negative; got {repeats}", RuntimeError
            )
        shape = x._data.shape
        stretched = x.unsqueeze(d + 1).expand((*shape[: d + 1], repeats, *shape[d + 1 :]))
        copied = contiguous_row.apply(stretched)
        return view(copied, (*shape[:d], shape[d] * repeats, *shape[d + 1 :]))
    counts = host(repeats._data) if isinstance(repeats, Tensor) else repeats
    if getattr(counts, "ndim", 0) > 1 or np.size(counts) not in (1, x._data.shape[d]):
        raise errors.wrong_shape(
            f"repeat_interleave(): repeats must be one number, or one for each of the "
            f"{x._data.shape[d]} places; got shape {list(np.shape(counts))}"
        )
    picks = np.repeat(np.arange(x._data.shape[d]), counts)
    return index_select(x, d, wrap(beside(picks, x._data)))


def rot90(input: Tensor, k: int = 1, dims: Any = (0, 1)) -> Tensor:
    """Turned by quarter circles in a plane.

    Raises:
        RuntimeError: the plane is not made of two different dimensions.
    """
    if len(dims) != 2 or input._data.ndim < 2:
        raise errors.wrong_shape(
            f"rot90(): two dimensions make the plane; got dims {list(dims)} for shape "
            f"{list(input.shape)}"
        )
    a, b = dims
    if wrap_dim(a, input._data.ndim) == wrap_dim(b, input._data.ndim):
        raise errors.wrong_shape(f"rot90(): the two dimensions must differ; got {list(dims)}")
    matrices("rot90", input)
    turns = k % 4
    if turns == 0:
        return input.clone()
    if turns == 2:
        return input.flip((a, b))
    if turns == 1:
        return input.flip(b).transpose(a, b)
    return input.transpose(a, b).flip(b)


public("rot90")(fused("rot90", rot90, flags=KEEPS_LAYOUT))
