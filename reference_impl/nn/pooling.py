"""Windows over the last two dimensions, and pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..op import LINEAR, op
from ..tensor import Tensor

__all__ = ["avg_pool2d", "fold_windows", "max_pool2d", "unfold_windows"]


def out_size(n: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How many windows fit."""
    return (n + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def padded(x: Any, padding: Any, value: float = 0.0) -> Any:
    """With a constant around the last two dimensions."""
    if not any(padding):
        return x
    return np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2), constant_values=value)


def windows(x: Any, kernel: Any, stride: Any, dilation: Any) -> Any:
    """All windows of a padded array, as a view of shape (N, C, KH, KW, OH, OW)."""
    oh = out_size(x.shape[2], kernel[0], stride[0], 0, dilation[0])
    ow = out_size(x.shape[3], kernel[1], stride[1], 0, dilation[1])
    if oh < 1 or ow < 1:
        raise RuntimeError(
            f"calculated padded input size per channel: {list(x.shape[2:])}. Kernel size: "
            f"{list(kernel)}. Kernel size can't be greater than actual input size"
        )
    a, b, c, d = x.strides
    return np.lib.stride_tricks.as_strided(
        x,
        (*x.shape[:2], *kernel, oh, ow),
        (a, b, c * dilation[0], d * dilation[1], c * stride[0], d * stride[1]),
    )


def unfold_windows(x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    """All windows of an array (N, C, H, W), copied: (N, C, KH, KW, OH, OW)."""
    return np.ascontiguousarray(windows(padded(x, padding), kernel, stride, dilation))


def fold_windows(cols: Any, size: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    """Windows added back into an array of this size: the transpose of ``unfold_windows``."""
    n, c, kh, kw, oh, ow = cols.shape
    full = np.zeros((n, c, size[2] + 2 * padding[0], size[3] + 2 * padding[1]), cols.dtype)
    for i in range(kh):
        for j in range(kw):
            top, left = i * dilation[0], j * dilation[1]
            full[
                :,
                :,
                top : top + oh * stride[0] : stride[0],
                left : left + ow * stride[1] : stride[1],
            ] += cols[:, :, i, j]
    return full[:, :, padding[0] : padding[0] + size[2], padding[1] : padding[1] + size[3]]


def _pair(v: Any) -> tuple[int, int]:
    return (v, v) if isinstance(v, int) else tuple(v)


def _avg(x: Any, kernel: Any, stride: Any, padding: Any) -> Any:
    w = windows(padded(x, padding), kernel, stride, (1, 1))
    return w.mean(axis=(2, 3))


def _avg_back(g: Any, size: Any, kernel: Any, stride: Any, padding: Any) -> Any:
    if isinstance(g, Tensor):
        return avg_back.apply(g, size, kernel, stride, padding)
    share = g / (kernel[0] * kernel[1])
    cols = np.broadcast_to(share[:, :, None, None], (*g.shape[:2], *kernel, *g.shape[2:]))
    return fold_windows(cols, size, stride, padding, (1, 1))


avg_row = op(
    "avg_pool2d(x, /, kernel, stride, padding)",
    _avg,
    LINEAR,
    x=lambda g, x_shape, kernel, stride, padding: _avg_back(
        g, tuple(x_shape), kernel, stride, padding
    ),
)
avg_back = op(
    "avg_pool2d_backward(x, /, size, kernel, stride, padding)",
    _avg_back,
    LINEAR,
    x=lambda g, kernel, stride, padding: avg_row(g, kernel, stride, padding),
)


def _max(x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    w = windows(padded(x, padding, -np.inf), kernel, stride, dilation)
    n, c, kh, kw, oh, ow = w.shape
    flat = w.reshape(n, c, kh * kw, oh, ow)
    best = flat.argmax(axis=2)
    out = np.take_along_axis(flat, best[:, :, None], 2)[:, :, 0]
    rows = np.arange(oh)[:, None] * stride[0] - padding[0] + best // kw * dilation[0]
    cols = np.arange(ow)[None, :] * stride[1] - padding[1] + best % kw * dilation[1]
    return out, rows * x.shape[3] + cols


def _max_rule(g: Any, x_shape: Any, out1: Any) -> Any:
    from ..ops.choose import data_of
    from ..ops.gather import scatter_along
    from ..ops.shape import reshape_any

    n, c, h, w = x_shape
    at = data_of(out1).reshape(n, c, -1)
    flat = scatter_along(reshape_any(g, (n, c, at.shape[2])), (n, c, h * w), 2, at)
    return reshape_any(flat, tuple(x_shape))


max_row = op(
    "max_pool2d_with_indices(x, /, kernel, stride, padding, dilation)", _max, n_out=2, x=_max_rule
)


def batch(x: Tensor) -> tuple[Tensor, bool]:
    """With a batch dimension, and whether it was added."""
    return (x, False) if x._data.ndim == 4 else (x.unsqueeze(0), True)


def avg_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Tensor:
    """The mean of each window."""
    x, added = batch(input)
    kernel = _pair(kernel_size)
    out = avg_row.apply(x, kernel, kernel if stride is None else _pair(stride), _pair(padding))
    return out.squeeze(0) if added else out


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window, the first among ties."""
    x, added = batch(input)
    kernel = _pair(kernel_size)
    out, at = max_row.apply(
        x, kernel, kernel if stride is None else _pair(stride), _pair(padding), _pair(dilation)
    )
    if added:
        out, at = out.squeeze(0), at.squeeze(0)
    return (out, at) if return_indices else out
