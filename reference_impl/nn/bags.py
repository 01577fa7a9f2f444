"""Rows of a table, looked up and reduced in bags."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import astype, beside, host_or_zeros, zeros
from ..backend.dtypes import int32, int64
from ..ops.fused import fused
from ..ops.joins import stack_public
from ..tensor.tensor import Tensor, wrap
from .linear_functions import embedding_row, shorten

__all__ = ["embedding_bag"]


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The mean, the sum or the largest elements of the rows in each bag; zeros for an empty one.

    Raises:
        ValueError: an unknown mode, or offsets that are missing or not needed.
        RuntimeError: indices that are not whole numbers of the table's rows.
        NotImplementedError: a sparse gradient, or weights for another mode than the sum.
    """
    check_call(input, weight, offsets, mode, sparse, per_sample_weights)
    index, bags, count = bags_of(input, offsets, include_last_offset)
    if index.size and (index.min() < 0 or index.max() >= weight._data.shape[0]):
        raise errors.wrong_index(
            f"embedding_bag(): index out of range; the table has {weight._data.shape[0]} rows, the "
            f"indices go from {int(index.min())} to {int(index.max())}",
            RuntimeError,
        )
    if padding_idx is not None and padding_idx < 0:
        padding_idx += weight._data.shape[0]
    if max_norm is not None:
        shorten(weight, beside(index, weight._data), max_norm, norm_type)
    counted = np.ones(index.shape, bool) if padding_idx is None else index != padding_idx
    plan = (index, bags, count, counted)
    if mode == "max":
        return largest(weight, plan, padding_idx, scale_grad_by_freq)  # type: ignore[no-any-return]
    return added(weight, per_sample_weights, plan, mode, padding_idx, scale_grad_by_freq)  # type: ignore[no-any-return]


def check_call(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None,
    mode: str,
    sparse: bool,
    weights: Tensor | None,
) -> None:
    """Refuse arguments that do not go together."""
    if sparse:
        raise NotImplementedError("embedding_bag(): there are no sparse gradients")
    if mode not in ("mean", "sum", "max"):
        raise errors.wrong_value(f"embedding_bag(): mode has to be sum, mean or max; got {mode!r}")
    if input.dtype not in (int64, int32):
        raise errors.wrong_dtype(
            f"embedding_bag(): indices must be of dtype int64 or int32; got {input.dtype}"
        )
    if input._data.ndim not in (1, 2) or (input._data.ndim == 1) == (offsets is None):
        raise errors.wrong_value(
            "embedding_bag(): expected indices of 2 dimensions alone, or of 1 dimension with "
            f"offsets; got shape {list(input.shape)} with offsets={offsets}"
        )
    if weight._data.ndim != 2:
        raise errors.wrong_shape(
            f"embedding_bag(): expected a table of 2 dimensions; got shape {list(weight.shape)}"
        )
    if weights is None:
        return
    if mode != "sum":
        raise errors.wrong_value(
            f"embedding_bag(): per_sample_weights is only supported for mode='sum'; got {mode!r}",
            NotImplementedError,
        )
    if weights._data.shape != input._data.shape:
        raise errors.wrong_shape(
            "embedding_bag(): expected per_sample_weights to have the shape of the indices, "
            f"{list(input.shape)}; got {list(weights.shape)}"
        )


def bags_of(input: Tensor, offsets: Tensor | None, with_end: bool) -> tuple[Any, Any, int]:
    """All indices in a row, the bag of each, and how many bags there are; arrays of the host."""
    index = host_or_zeros(input._data).copy()
    if offsets is None:
        count, size = index.shape
        return index.reshape(-1), np.repeat(np.arange(count), size), count
    starts = host_or_zeros(offsets._data)
    ends = starts[1:] if with_end else np.append(starts[1:], index.size)
    starts = starts[: len(ends)]
    if (len(starts) and starts[0] != 0) or (ends < starts).any() or (ends > index.size).any():
        raise errors.wrong_value(
            "embedding_bag(): offsets must begin with 0, not decrease, and not exceed the number "
            f"of indices, {index.size}; got {offsets.tolist()}",
            RuntimeError,
        )
    return index, np.repeat(np.arange(len(starts)), ends - starts), len(starts)


def _added(
    weight: Tensor,
    weights: Tensor | None,
    plan: Any,
    mode: str,
    padding: int | None,
    by_frequency: bool,
) -> Tensor:
    index, bags, count, counted = plan
    table = weight._data
    share = counted.astype(float)
    if mode == "mean":
        share /= np.maximum(np.bincount(bags, counted, count), 1)[bags]
    rows = embedding_row.apply(weight, beside(index, table), padding, by_frequency)
    rows = rows * wrap(astype(beside(share, table), table.dtype)).unsqueeze(1)
    if weights is not None:
        rows = rows * weights.reshape(-1, 1)
    out = wrap(zeros((count, table.shape[1]), table.dtype, table))
    return out.index_add(0, wrap(beside(bags, table)), rows)


def _largest(weight: Tensor, plan: Any, padding: int | None, by_frequency: bool) -> Tensor:
    index, bags, count, counted = plan
    table = weight._data
    rows = embedding_row.apply(weight, beside(index, table), padding, by_frequency)
    nothing = wrap(zeros((table.shape[1],), table.dtype, table))
    found = []
    for bag in range(count):
        chosen = np.flatnonzero((bags == bag) & counted)
        some = rows.index_select(0, wrap(beside(chosen, table)))
        found.append(some.max(0)[0] if chosen.size else nothing)
    return stack_public(found) if found else rows.narrow(0, 0, 0)


added = fused("embedding_bag", _added)
largest = fused("embedding_bag", _largest)
