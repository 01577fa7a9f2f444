"""Linear maps: layers, tables and convolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import LINEAR, Op, op
from ..ops import FUNCTIONS as F
from ..ops import core
from ..ops.choose import data_of
from ..ops.linalg import addmm, matmul
from ..ops.registry import function
from ..tensor import Tensor, wrap
from .pooling import fold_windows, unfold_windows


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W^T + b over the last dimension."""
    if bias is not None and input._data.ndim == 2:
        return addmm.apply(bias, input, weight.t(), 1, 1)
    out = matmul(input, weight.t())
    return out if bias is None else out + bias  # type: ignore[no-any-return]


@function("bilinear")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1^T W x2 + b for each output."""
    out = F["einsum"]("...i,oij,...j->...o", input1, weight, input2)
    return out if bias is None else out + bias  # type: ignore[no-any-return]


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    """Rows of a table."""
    return embedding_row.apply(weight, input._data.copy(), padding_idx)


def _embedding_rule(g: Any, x_shape: Any, index: Any, padding: Any) -> Any:
    from ..ops.index import _accumulated

    if padding is not None:
        g = g * cast_to_like(index != padding, g)
    return _accumulated(g, x_shape, (index,))


def cast_to_like(mask: Any, g: Any) -> Any:
    """A mask over rows as factors for ``g``."""
    m = mask.astype(data_of(g).dtype)[..., None]
    return wrap(m) if isinstance(g, Tensor) else m


embedding_row = op(
    "embedding(x, /, index, padding)", lambda x, index, padding: x[index], LINEAR, x=_embedding_rule
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
    x = input if input._data.ndim == 4 else input.unsqueeze(0)
    if x._data.shape[1] != weight._data.shape[1] * groups:
        raise RuntimeError(
            f"[conv2d] given groups={groups}, weight of size {list(weight.shape)}, expected "
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

    def one(v: Any) -> int:
        return v if isinstance(v, int) else int(v[0])

    out = conv2d(
        input.unsqueeze(-2),
        weight.unsqueeze(-2),
        bias,
        (1, one(stride)),
        (0, one(padding)),
        (1, one(dilation)),
        groups,
    )
    return out.squeeze(-2)


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


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """With a constant put around: sizes given from the last dimension on, in pairs."""
    if mode != "constant":
        raise NotImplementedError(f"pad: mode {mode!r} is not implemented; use 'constant'")
    x = input
    n = input._data.ndim
    for k_, (before, after) in enumerate(zip(pad[::2], pad[1::2], strict=True)):
        d = n - 1 - k_
        parts = []
        for size in (before, None, after):
            if size is None:
                parts.append(
                    x.narrow(
                        d, max(-before, 0), x._data.shape[d] - max(-before, 0) - max(-after, 0)
                    )
                )
            elif size > 0:
                s = list(x._data.shape)
                s[d] = size
                parts.append(wrap(np.full(s, value or 0, x._data.dtype)))
        x = F["cat"](parts, d) if len(parts) > 1 else parts[0]
    return x


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Rows of the identity matrix."""
    n = int(tensor._data.max()) + 1 if num_classes < 0 else num_classes
    return wrap(np.eye(n, dtype=np.int64)[tensor._data])
