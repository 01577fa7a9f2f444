"""Linear maps: layers, tables and convolutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import take_at
from ..backend.dtypes import int32, int64
from ..errors import caution
from ..graph.row import LINEAR
from ..ops import FUNCTIONS as F
from ..ops import core
from ..ops.choose import data_of
from ..ops.fused import fused
from ..ops.index import _accumulated
from ..ops.op import Op, op
from ..ops.products import addmm, matmul
from ..ops.registry import function
from ..tensor.tensor import Tensor, wrap
from .pooling import fold_windows, unfold_windows
from .resizing import pad


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W^T + b over the last dimension."""
    for position, x in enumerate((input, weight), 1):
        if not isinstance(x, Tensor):
            raise errors.not_a_tensor("linear", position, x)
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
    if index.size and (index.min() < 0 or index.max() >= weight._data.shape[0]):
        raise errors.wrong_index(
            f"index out of range in self: the table has {weight._data.shape[0]} rows, the indices "
            f"go from {int(index.min())} to {int(index.max())}"
        )
    if max_norm is not None:
        shorten(weight, index, max_norm, norm_type)
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


# -- convolution -----------------------------------------------------------------------------------


def pair(v: Any) -> tuple[int, int]:
    """One number for both dimensions, or two."""
    return (v, v) if isinstance(v, int) else tuple(v)


@function("conv2d")
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlation of (N, C, H, W) with (O, C / groups, KH, KW)."""
    if padding in ("same", "valid"):
        return conv2d(*padded_same(input, weight, padding, pair(dilation)), bias, stride, 0,
                      dilation, groups)  # fmt: skip
    if input._data.ndim == 3:
        return conv2d(input.unsqueeze(0), weight, bias, stride, padding, dilation, groups).squeeze(
            0
        )
    if bias is None and input._data.ndim == 4:
        return _conv2d(input, weight, bias, stride, padding, dilation, groups)
    return conv_fused(input, weight, bias, stride, padding, dilation, groups)  # type: ignore[no-any-return]


def padded_same(
    input: Tensor, weight: Tensor, padding: str, dilation: Any
) -> tuple[Tensor, Tensor]:
    """The input padded so that the output, at stride 1, has its size; the weight."""
    if padding == "valid":
        return input, weight
    around: list[int] = []
    uneven = False
    for k, d in zip(reversed(weight._data.shape[2:]), reversed(dilation), strict=True):
        total = d * (k - 1)
        around += [total // 2, total - total // 2]
        uneven = uneven or total % 2 == 1
    if uneven:
        caution(
            "padding='same' needs one more element on one side for this kernel and "
            "dilation, so a padded copy of the input is made."
        )
    return pad(input, around), weight


def _conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    x = input if input._data.ndim == 4 else input.unsqueeze(0)
    if input.dtype is not weight.dtype:
        raise errors.wrong_dtype(
            f"conv2d(): input and weight must be of one dtype; got {input.dtype} and {weight.dtype}. "
            "Convert one of them with .to()."
        )
    if x._data.shape[1] != weight._data.shape[1] * groups:
        raise errors.wrong_shape(
            f"conv2d(): given groups={groups}, weight of size {list(weight.shape)}, expected "
            f"input{list(input.shape)} to have {weight._data.shape[1] * groups} channels, but got "
            f"{x._data.shape[1]} channels instead"
        )
    out = conv_row.apply(x, weight, pair(stride), pair(padding), pair(dilation), groups)
    if bias is not None:
        out = out + bias.reshape(-1, 1, 1)
    return out if input._data.ndim == 4 else out.squeeze(0)


@function("conv1d")
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """conv2d over one dimension."""

    if padding in ("same", "valid"):
        return conv1d(*padded_same(input, weight, padding, (one(dilation),)), bias, stride, 0,
                      dilation, groups)  # fmt: skip
    if input._data.ndim == 2:
        return conv1d(input.unsqueeze(0), weight, bias, stride, padding, dilation, groups).squeeze(
            0
        )
    return conv1d_fused(  # type: ignore[no-any-return]
        input, weight, bias, one(stride), one(padding), one(dilation), groups
    )


def one(v: Any) -> int:
    """One number, or the only one of a sequence."""
    return v if isinstance(v, int) else int(v[0])


def _conv1d(
    x: Tensor, w: Tensor, bias: Tensor | None, stride: int, padding: int, dilation: int, groups: int
) -> Tensor:
    out = _conv2d(
        x.unsqueeze(-2),
        w.unsqueeze(-2),
        bias,
        (1, stride),
        (0, padding),
        (1, dilation),
        groups,
    )
    return out.squeeze(-2)


conv_fused = fused("convolution", _conv2d)
conv1d_fused = fused("convolution", _conv1d)


@function("conv_transpose2d")
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The transpose of ``conv2d``, with weights (C, O / groups, KH, KW)."""
    return transposed_fused(  # type: ignore[no-any-return]
        input, weight, bias, pair(stride), pair(padding), pair(output_padding), groups,
        pair(dilation),
    )  # fmt: skip


@function("conv_transpose1d")
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The transpose of ``conv1d``."""
    return transposed1d_fused(  # type: ignore[no-any-return]
        input, weight, bias, one(stride), one(padding), one(output_padding), groups, one(dilation)
    )


def _transposed(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    output_padding: Any,
    groups: int,
    dilation: Any,
) -> Tensor:
    x = input if input._data.ndim == 4 else input.unsqueeze(0)
    if x._data.shape[1] != weight._data.shape[0]:
        raise errors.wrong_shape(
            f"Given transposed=1, weight of size {list(weight.shape)}, expected input"
            f"{list(input.shape)} to have {weight._data.shape[0]} channels, but got "
            f"{x._data.shape[1]} channels instead"
        )
    size = [
        (x._data.shape[2 + d] - 1) * stride[d] - 2 * padding[d]
        + dilation[d] * (weight._data.shape[2 + d] - 1) + output_padding[d] + 1
        for d in (0, 1)
    ]  # fmt: skip
    shape = (x._data.shape[0], weight._data.shape[1] * groups, *size)
    out = conv_input.apply(x, weight, shape, stride, padding, dilation, groups)
    if bias is not None:
        out = out + bias.reshape(-1, 1, 1)
    return out if input._data.ndim == 4 else out.squeeze(0)


def _transposed1d(
    x: Tensor,
    w: Tensor,
    bias: Tensor | None,
    stride: int,
    padding: int,
    output_padding: int,
    groups: int,
    dilation: int,
) -> Tensor:
    out = _transposed(
        x.unsqueeze(-2), w.unsqueeze(-2), bias, (1, stride), (0, padding), (0, output_padding),
        groups, (1, dilation),
    )  # fmt: skip
    return out.squeeze(-2)


transposed_fused = fused("convolution", _transposed)
transposed1d_fused = fused("convolution", _transposed1d)


def _conv(x: Any, w: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    cols = unfold_windows(x, w.shape[2:], stride, padding, dilation)  # N, C, KH, KW, OH, OW
    n, c, kh, kw, oh, ow = cols.shape
    o = w.shape[0]
    a = cols.reshape(n, groups, c // groups * kh * kw, oh * ow)
    b = w.reshape(groups, o // groups, -1)
    return np.matmul(b, a).reshape(n, o, oh, ow)


def conv_x_rule(
    g: Any, x_shape: Any, y: Any, stride: Any, padding: Any, dilation: Any, groups: Any
) -> Any:
    """The gradient of the input: windows' gradients added back."""
    return conv_input(g, core.conj(y), tuple(x_shape), stride, padding, dilation, groups)


def _conv_input(
    g: Any, w: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    n, o, oh, ow = g.shape
    a = g.reshape(n, groups, o // groups, oh * ow)
    b = w.reshape(groups, o // groups, -1)
    cols = np.matmul(b.swapaxes(-1, -2), a)
    cols = cols.reshape(n, size[1], *w.shape[2:], oh, ow)
    return fold_windows(cols, size, stride, padding, dilation)


def _conv_weight(
    g: Any, x: Any, size: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    cols = unfold_windows(x, size[2:], stride, padding, dilation)
    n, c, kh, kw, oh, ow = cols.shape
    a = cols.reshape(n, groups, c // groups * kh * kw, oh * ow)
    b = g.reshape(n, groups, size[0] // groups, oh * ow)
    return np.matmul(b, a.swapaxes(-1, -2)).sum(0).reshape(size)


conv_row = op(
    "convolution(x, y, /, stride, padding, dilation, groups)",
    _conv,
    x=conv_x_rule,
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_weight(
        g, core.conj(x), tuple(y_shape), stride, padding, dilation, groups
    ),
)
conv_input = op(
    "convolution_input(x, y, /, size, stride, padding, dilation, groups)",
    _conv_input,
    x=lambda g, y, stride, padding, dilation, groups: conv_row(
        g, core.conj(y), stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_weight(
        x, core.conj(g), tuple(y_shape), stride, padding, dilation, groups
    ),
)
conv_weight: Op = op(
    "convolution_weight(x, y, /, size, stride, padding, dilation, groups)",
    _conv_weight,
    x=lambda g, y, stride, padding, dilation, groups: conv_row(
        y, g, stride, padding, dilation, groups
    ),
    y=lambda g, x, y_shape, stride, padding, dilation, groups: conv_input(
        x, g, tuple(y_shape), stride, padding, dilation, groups
    ),
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
    return wrap(np.eye(n, dtype=np.int64)[index])
