"""Pooling."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import arange
from ..graph.row import LINEAR
from ..ops.choose import data_of
from ..ops.fused import fused
from ..ops.gather import scatter_along
from ..ops.joins import stack_public
from ..ops.op import op
from ..ops.shape import reshape_any
from ..tensor.tensor import Tensor, wrap
from .resizing import pad
from .windows import fold_windows, padded, windows

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool1d", "adaptive_max_pool2d",
    "avg_pool1d", "avg_pool2d", "lp_pool1d", "max_pool1d", "max_pool2d",
]  # fmt: skip


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
    rows = arange(oh, x)[:, None] * stride[0] - padding[0] + best // kw * dilation[0]
    cols = arange(ow, x)[None, :] * stride[1] - padding[1] + best % kw * dilation[1]
    return out, rows * x.shape[3] + cols


def _max_rule(g: Any, x_shape: Any, out1: Any) -> Any:
    n, c, h, w = x_shape
    at = data_of(out1).reshape(n, c, -1)
    flat = scatter_along(reshape_any(g, (n, c, at.shape[2])), (n, c, h * w), 2, at)
    return reshape_any(flat, tuple(x_shape))


max_row = op(
    "max_pool2d_with_indices(x, /, kernel, stride, padding, dilation)", _max, n_out=2, x=_max_rule
)


def _max_2d(input: Tensor, kernel: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    if input._data.ndim == 4:
        return max_row.apply(input, kernel, stride, padding, dilation)
    out, at = max_row.apply(input.unsqueeze(0), kernel, stride, padding, dilation)
    return out.squeeze(0), at.squeeze(0)


def _avg_2d(
    input: Tensor, kernel: Any, stride: Any, padding: Any, ceil: bool, include: bool, divisor: Any
) -> Tensor:
    x = input if input._data.ndim == 4 else input.unsqueeze(0)
    grown = ceil_padding(x, kernel, stride, padding) if ceil else (0, 0)
    out = avg_row.apply(grown_by(x, grown), kernel, stride, padding)
    if divisor is not None:
        out = out * (kernel[0] * kernel[1] / divisor)
    elif any(grown) or (not include and any(padding)):
        ones = np.ones((1, 1, *x._data.shape[2:]), x._data.dtype)
        if include:
            ones = np.pad(ones, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2),
                          constant_values=1)  # fmt: skip
            counted = _avg(np.pad(ones, [(0, 0), (0, 0), *((0, g) for g in grown)]),
                           kernel, stride, (0, 0))  # fmt: skip
        else:
            counted = _avg(np.pad(ones, [(0, 0), (0, 0), *((0, g) for g in grown)]),
                           kernel, stride, padding)  # fmt: skip
        out = out / wrap(counted)
    return out if input._data.ndim == 4 else out.squeeze(0)


def ceil_padding(x: Tensor, kernel: Any, stride: Any, padding: Any) -> tuple[int, int]:
    """How much must be added at the ends so that no element is left over."""
    more = []
    for d in (0, 1):
        n, k, s, p = x._data.shape[2 + d], kernel[d], stride[d], padding[d]
        count = -(-(n + 2 * p - k) // s) + 1
        if (count - 1) * s >= n + p:  # a window must begin within the input or its padding
            count -= 1
        more.append(max(0, (count - 1) * s + k - n - 2 * p))
    return more[0], more[1]


def grown_by(x: Tensor, more: tuple[int, int], value: float = 0.0) -> Tensor:
    """With a constant added at the ends of the last two dimensions."""
    return pad(x, (0, more[1], 0, more[0]), value=value) if any(more) else x


max_fused = fused("max_pool2d_with_indices", _max_2d, "MaxPool2DWithIndicesBackward0", 2)
avg_fused = fused("avg_pool2d", _avg_2d, "AvgPool2DBackward0")


def avg_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window."""
    kernel = _pair(kernel_size)
    return avg_fused(  # type: ignore[no-any-return]
        input, kernel, kernel if stride is None else _pair(stride), _pair(padding), ceil_mode,
        count_include_pad, divisor_override,
    )  # fmt: skip


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window, the first among ties.

    Raises:
        RuntimeError: padding of more than half a window.
    """
    kernel = _pair(kernel_size)
    step, around = kernel if stride is None else _pair(stride), _pair(padding)
    if any(2 * p > k for p, k in zip(around, kernel, strict=True)):
        raise errors.wrong_shape(
            f"pool(): the padding must be at most half of the window; got padding={around} "
            f"and kernel_size={kernel}"
        )
    x = input
    if ceil_mode:
        four = input if input._data.ndim == 4 else input.unsqueeze(0)
        x = grown_by(input, ceil_padding(four, kernel, step, around), -np.inf)
    out, at = max_fused(x, kernel, step, around, _pair(dilation))
    return (out, at) if return_indices else out


def one(v: Any) -> int:
    """One number, or the only one of a sequence."""
    return v if isinstance(v, int) else int(v[0])


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """max_pool2d over one dimension."""
    result = max_pool2d(
        input.unsqueeze(-2),
        (1, one(kernel_size)),
        (1, one(kernel_size if stride is None else stride)),
        (0, one(padding)),
        (1, one(dilation)),
        ceil_mode,
        True,
    )
    out, at = (r.squeeze(-2) for r in result)
    return (out, at) if return_indices else out


def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """avg_pool2d over one dimension."""
    out = avg_pool2d(
        input.unsqueeze(-2),
        (1, one(kernel_size)),
        (1, one(kernel_size if stride is None else stride)),
        (0, one(padding)),
        ceil_mode,
        count_include_pad,
    )
    return out.squeeze(-2)


def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: int, stride: Any = None, ceil_mode: bool = False
) -> Tensor:
    """The p-norm of each window."""
    out = avg_pool1d(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return ((out.sign() * out.abs().relu()) * kernel_size).pow(1.0 / norm_type)


# -- as many windows as asked for ------------------------------------------------------------------


def ranges(n: int, count: int) -> list[tuple[int, int]]:
    """That many ranges which cover so many elements evenly."""
    return [(k * n // count, -(-(k + 1) * n // count)) for k in range(count)]


def _adaptive_avg(x: Tensor, size: tuple[int, int]) -> Tensor:
    h, w = x._data.shape[-2:]
    rows = np.zeros((size[0], h), x._data.dtype)
    columns = np.zeros((w, size[1]), x._data.dtype)
    for k, (a, b) in enumerate(ranges(h, size[0])):
        rows[k, a:b] = 1 / (b - a)
    for k, (a, b) in enumerate(ranges(w, size[1])):
        columns[a:b, k] = 1 / (b - a)
    return wrap(rows) @ x @ wrap(columns)


def _adaptive_max(x: Tensor, size: tuple[int, int]) -> Any:
    h, w = x._data.shape[-2:]
    values, places = [], []
    for a, b in ranges(h, size[0]):
        for c, d in ranges(w, size[1]):
            flat = x[..., a:b, c:d].reshape(*x._data.shape[:-2], -1)
            value, at = flat.max(-1)
            values.append(value)
            places.append((a + at._data // (d - c)) * w + c + at._data % (d - c))
    shape = (*x._data.shape[:-2], *size)
    return stack_public(values, -1).reshape(shape), wrap(np.stack(places, -1).reshape(shape))


adaptive_avg_row = fused("adaptive_avg_pool2d", _adaptive_avg, "AdaptiveAvgPool2DBackward0")
adaptive_max_row = fused("adaptive_max_pool2d", _adaptive_max, "AdaptiveMaxPool2DBackward0", 2)


def wanted(size: Any, x: Tensor) -> tuple[int, int]:
    """The output's size; None keeps that of the input."""
    given = (size, size) if isinstance(size, int) or size is None else tuple(size)
    return tuple(  # type: ignore[return-value]
        n if v is None else int(v) for v, n in zip(given, x._data.shape[-2:], strict=True)
    )


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows that cover the input evenly."""
    size = wanted(output_size, input)
    if size == (1, 1):
        return input.mean((-1, -2), keepdim=True)
    return adaptive_avg_row(input, size)  # type: ignore[no-any-return]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of windows that cover the input evenly."""
    out, at = adaptive_max_row(input, wanted(output_size, input))
    return (out, at) if return_indices else out


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """adaptive_avg_pool2d over one dimension."""
    return adaptive_avg_pool2d(input.unsqueeze(-2), (1, one(output_size))).squeeze(-2)


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """adaptive_max_pool2d over one dimension."""
    result = adaptive_max_pool2d(input.unsqueeze(-2), (1, one(output_size)), True)
    out, at = (r.squeeze(-2) for r in result)
    return (out, at) if return_indices else out
