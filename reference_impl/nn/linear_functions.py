"""Linear maps: layers and tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import arange, has_values, take_at
from ..backend.dtypes import int32, int64
from ..graph.row import LINEAR
from ..ops import FUNCTIONS as F
from ..ops.choose import data_of
from ..ops.index import _accumulated
from ..ops.op import op
from ..ops.products import addmm, matmul
from ..ops.registry import function
from ..tensor.tensor import Tensor, wrap


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W^T + b over the last dimension."""
    for name, x in (("input", input), ("weight", weight)):
        if not isinstance(x, Tensor):
            raise errors.not_a_tensor("linear", name, x)
    if bias is None:
        return matmul(input, weight.t())  # type: ignore[no-any-return]
    if input._data.ndim == 2:
        return addmm.apply(bias, input, weight.t(), 1, 1)
    if not (input._data.ndim and weight._data.ndim):
        raise errors.wrong_shape(
            f"both arguments to linear need to be at least 1D, but they are {input.ndim}D and "
            f"{weight.ndim}D"
        )
    lead = input._data.shape[:-1]
    rows = input.reshape(math.prod(lead), input._data.shape[-1])
    return addmm.apply(bias, rows, weight.t(), 1, 1).view(*lead, weight._data.shape[0])


@function("bilinear")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1^T W x2 + b for each output."""
    out = F["einsum"]("...i,oij,...j->...o", input1, weight, input2)
    return out if bias is None else out + bias  # type: ignore[no-any-return]


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of a table; those longer than ``max_norm`` are scaled down, in the table itself.

    Raises:
        RuntimeError: numbers that are not whole.
        IndexError: a row that the table does not have.
        NotImplementedError: a sparse gradient.
    """
    if sparse:
        raise NotImplementedError("embedding(): there are no sparse gradients; leave sparse=False")
    if input.dtype not in (int64, int32):
        raise errors.wrong_dtype(
            f"embedding(): indices must be of dtype int64 or int32; got {input.dtype}"
        )
    index = input._data.copy()
    if has_values(index) and (index.min() < 0 or index.max() >= weight._data.shape[0]):
        raise errors.wrong_index(
            f"index out of range in self: the table has {weight._data.shape[0]} rows, the indices "
            f"go from {int(index.min())} to {int(index.max())}"
        )
    if max_norm is not None:
        shorten(weight, index, max_norm, norm_type)
    if padding_idx is not None and padding_idx < 0:
        padding_idx += weight._data.shape[0]
    return embedding_row.apply(weight, index, padding_idx, scale_grad_by_freq)


def shorten(weight: Tensor, index: Any, max_norm: float, norm_type: float) -> None:
    """Scale down the rows that are longer than ``max_norm``, of those that are looked up."""
    table, rows = weight._data, np.unique(index)
    norms = np.linalg.norm(table[rows], norm_type, axis=1)
    factors = np.where(norms > max_norm, max_norm / (norms + 1e-7), 1)
    table[rows] *= factors[:, None].astype(table.dtype)
    weight._vc[0] += 1


def _embedding_rule(g: Any, x_shape: Any, index: Any, padding: Any, by_frequency: bool) -> Any:
    if by_frequency:
        _, place, count = np.unique(index, return_inverse=True, return_counts=True)
        times = count[place.reshape(index.shape)].astype(data_of(g).dtype)[..., None]
        g = g / (wrap(times) if isinstance(g, Tensor) else times)
    if padding is not None:
        g = g * cast_to_like(index != padding, g)
    return _accumulated(g, x_shape, (index,))


def cast_to_like(mask: Any, g: Any) -> Any:
    """A mask over rows as factors for ``g``."""
    m = mask.astype(data_of(g).dtype)[..., None]
    return wrap(m) if isinstance(g, Tensor) else m


embedding_row = op(
    "embedding(x, /, index, padding, by_frequency)",
    lambda x, index, padding, by_frequency: take_at(x, (index,)),
    LINEAR,
    x=_embedding_rule,
)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Rows of the identity matrix.

    Raises:
        RuntimeError: not integers, or one that is negative or no class.
    """
    index = tensor._data
    if index.dtype != np.int64:
        raise errors.wrong_dtype(
            f"one_hot(): the classes must be of dtype int64; got {tensor.dtype}"
        )
    if index.size and index.min() < 0:
        raise errors.wrong_value("Class values must be non-negative.", RuntimeError)
    n = int(index.max()) + 1 if num_classes < 0 else num_classes
    if index.size and index.max() >= n:
        raise errors.wrong_value("Class values must be smaller than num_classes.", RuntimeError)
    return wrap((index[..., None] == arange(n, index)).astype(np.int64))
