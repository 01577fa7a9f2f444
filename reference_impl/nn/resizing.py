"""Padding, and images brought to another size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import astype, beside, contiguous
from ..graph.row import LINEAR
from ..ops.fused import fused
from ..ops.op import Op, op
from ..ops.shape import _place, slice_
from ..tensor.tensor import Tensor, wrap
from .windows import fold_windows, numbers, out_size, unfold_windows

__all__ = [
    "fold", "interpolate", "pad", "pixel_shuffle", "pixel_unshuffle", "unfold",
]  # fmt: skip

MODES = {"reflect": "Reflection", "replicate": "Replication"}


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """More (or, where negative, less) around: sizes given from the last dimension on, in pairs.

    Raises:
        RuntimeError: sizes that are not pairs, or that reach beyond what is there.
        NotImplementedError: an unknown mode.
    """
    if len(pad) % 2 or len(pad) // 2 > input._data.ndim:
        raise errors.wrong_shape(
            f"Padding length must be divisible by 2 and at most twice the number of dimensions, "
            f"got {len(pad)} for {input.ndim} dimensions"
        )
    pairs = tuple(zip(pad[::2], pad[1::2], strict=True))
    if any(a + b + n < 0 for (a, b), n in zip(pairs, reversed(input._data.shape), strict=False)):
        raise errors.wrong_shape(
            f"pad(): negative padding takes away more than there is; got {tuple(pad)} for shape "
            f"{list(input.shape)}"
        )
    if mode == "constant":
        return constant_pad.apply(input, pairs, 0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise errors.wrong_value(f"Unrecognised padding mode {mode}", NotImplementedError)
    if input._data.ndim not in (len(pairs) + 1, len(pairs) + 2):
        raise errors.wrong_shape(
            f"pad(): expected {len(pairs) + 1} or {len(pairs) + 2} dimensions for padding of size "
            f"{len(pad)} in mode {mode!r}; got shape {list(input.shape)}"
        )
    node = f"{MODES[mode]}Pad{len(pairs)}DBackward0" if mode in MODES else "CopySlices"
    return ROWS[node](input, pairs, mode)  # type: ignore[no-any-return]


def _constant(x: Any, pairs: Any, value: Any) -> Any:
    grown = [(0, 0)] * (x.ndim - len(pairs)) + [(max(a, 0), max(b, 0)) for a, b in reversed(pairs)]
    out = np.pad(x, grown, constant_values=value)
    for k, (a, b) in enumerate(pairs):
        d = x.ndim - 1 - k
        out = out[(slice(None),) * d + (slice(max(-a, 0), out.shape[d] - max(-b, 0)),)]
    return out.copy()


def _constant_rule(g: Any, x_shape: Any, pairs: Any) -> Any:
    for k, (a, b) in enumerate(pairs):
        d = len(x_shape) - 1 - k
        g = slice_(g, d, slice(max(a, 0), g.shape[d] - max(b, 0)))
        if a < 0 or b < 0:
            shape = (*g.shape[:d], x_shape[d], *g.shape[d + 1 :])
            g = _place(g, shape, slice_, d, slice(max(-a, 0), x_shape[d] - max(-b, 0)))
    return g


constant_pad = op(
    "constant_pad_nd(x, /, pairs, value)",
    _constant,
    x=_constant_rule,
)


def _repeated(input: Tensor, pairs: Any, mode: str) -> Tensor:
    x = input
    for k, (a, b) in enumerate(pairs):
        d = input._data.ndim - 1 - k
        n = input._data.shape[d]
        limit = {"reflect": n - 1, "replicate": max(a, b), "circular": n}[mode]
        if max(a, b) > limit:
            raise errors.wrong_shape(
                f"pad(): the padding must be smaller than the dimension it mirrors; got ({a}, "
                f"{b}) at dimension {d} of shape {list(input.shape)}"
            )
        at = np.arange(-a, n + b)
        if mode == "reflect":
            at = np.abs(at)
            at = np.where(at >= n, 2 * (n - 1) - at, at)
        else:
            at = at % n if mode == "circular" else np.clip(at, 0, n - 1)
        x = x.index_select(d, wrap(beside(at, x._data)))
    return x


ROWS = {
    f"{name}Pad{n}DBackward0": fused("pad", _repeated, node=f"{name}Pad{n}DBackward0")
    for name in MODES.values()
    for n in (1, 2, 3)
}
ROWS["CopySlices"] = fused("pad", _repeated, node="CopySlices")


# -- windows as columns ----------------------------------------------------------------------------


def pair(v: Any) -> tuple[int, ...]:
    """One number for both dimensions, or two."""
    return numbers(v, 2, "sizes")


def _columns(x: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    w = unfold_windows(x, kernel, stride, padding, dilation)
    *lead, c = x.shape[:-2]
    return w.reshape(*lead, c * math.prod(kernel), math.prod(w.shape[-2:]))


def _added_back(x: Any, size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    *lead, rows, _ = x.shape
    c = rows // math.prod(kernel)
    places = window_counts(size, kernel, dilation, padding, stride)
    cols = x.reshape(*lead, c, *kernel, *places)
    return fold_windows(cols, (*lead, c, *size), stride, padding, dilation)


def window_counts(size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    """How many windows there are in each direction.

    Raises:
        RuntimeError: a window is larger than the padded image.
    """
    each = zip(size, kernel, stride, padding, dilation, strict=True)
    found = [out_size(*one) for one in each]
    if min(found) < 1:
        raise errors.wrong_shape(
            f"the kernel does not fit into the padded image; got kernel size {list(kernel)} for "
            f"image size {list(size)} with padding {list(padding)}"
        )
    return found


columns_row: Op = op(
    "im2col(x, /, kernel, dilation, padding, stride)",
    _columns,
    LINEAR,
    node="Im2ColBackward0",
    x=lambda g, x_shape, kernel, dilation, padding, stride: back_row(
        g, tuple(x_shape)[-2:], kernel, dilation, padding, stride
    ),
)
back_row: Op = op(
    "col2im(x, /, size, kernel, dilation, padding, stride)",
    _added_back,
    LINEAR,
    node="Col2ImBackward0",
    x=lambda g, kernel, dilation, padding, stride: columns_row(
        g, kernel, dilation, padding, stride
    ),
)


def unfold(
    input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """All windows of images, as columns: (N, C KH KW, number of windows).

    Raises:
        RuntimeError: no images with channels, or a window is larger than they are.
    """
    if input._data.ndim not in (3, 4):
        raise errors.wrong_shape(
            f"unfold(): expected a 3D or 4D input of channels and images; got shape {list(input.shape)}"
        )
    return columns_row.apply(input, pair(kernel_size), pair(dilation), pair(padding), pair(stride))


def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Windows added back into images: the transpose of ``unfold``.

    Raises:
        RuntimeError: the columns are not those of such windows.
    """
    check_columns(input, pair(output_size), pair(kernel_size), dilation, padding, stride)
    return back_row.apply(
        input, pair(output_size), pair(kernel_size), pair(dilation), pair(padding), pair(stride)
    )


def check_columns(
    input: Tensor, size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any
) -> None:
    """Refuse columns of another number, or that no whole number of channels gives."""
    shape = input._data.shape
    if len(shape) not in (2, 3) or shape[-2] % math.prod(kernel):
        raise errors.wrong_shape(
            f"fold(): expected a 2D or 3D input whose dimension -2 has a size divisible by the "
            f"kernel's {math.prod(kernel)} elements; got shape {list(shape)}"
        )
    count = math.prod(window_counts(size, kernel, pair(dilation), pair(padding), pair(stride)))
    if shape[-1] != count:
        raise errors.wrong_shape(
            f"fold(): expected {count} windows in the last dimension for these sizes; got "
            f"shape {list(shape)}"
        )


# -- another size ----------------------------------------------------------------------------------


def _pixel_shuffle(x: Any, r: int) -> Any:
    *lead, c, h, w = x.shape
    k = len(lead)
    x = x.reshape(*lead, c // (r * r), r, r, h, w)
    x = x.transpose(*range(k), k, k + 3, k + 1, k + 4, k + 2)
    return x.reshape(*lead, c // (r * r), h * r, w * r)


def _pixel_unshuffle(x: Any, r: int) -> Any:
    *lead, c, h, w = x.shape
    k = len(lead)
    x = x.reshape(*lead, c, h // r, r, w // r, r)
    x = x.transpose(*range(k), k, k + 2, k + 4, k + 1, k + 3)
    return x.reshape(*lead, c * r * r, h // r, w // r)


shuffle_row: Op = op(
    "pixel_shuffle(x, /, r)", _pixel_shuffle, LINEAR, x=lambda g, r: unshuffle_row(g, r)
)
unshuffle_row: Op = op(
    "pixel_unshuffle(x, /, r)", _pixel_unshuffle, LINEAR, x=lambda g, r: shuffle_row(g, r)
)


def check_pixels(name: str, x: Tensor, factor: int) -> None:
    """Refuse what is no image with channels, and a factor that is not positive."""
    if x._data.ndim < 3 or factor < 1:
        raise errors.wrong_shape(
            f"{name}(): expected an input of at least 3 dimensions and a positive factor; got "
            f"shape {list(x.shape)} and {factor}"
        )


def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Channels laid out as pixels: (C r r, H, W) becomes (C, H r, W r).

    Raises:
        RuntimeError: fewer than three dimensions, or channels that the square does not divide.
    """
    check_pixels("pixel_shuffle", input, upscale_factor)
    if input._data.shape[-3] % upscale_factor**2:
        raise errors.wrong_shape(
            "pixel_shuffle(): the channels, dimension -3, must be divisible by "
            f"upscale_factor squared; got {input._data.shape[-3]} channels and "
            f"upscale_factor={upscale_factor}"
        )
    return shuffle_row(input, upscale_factor)  # type: ignore[no-any-return]


def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Pixels laid out as channels, the inverse of ``pixel_shuffle``.

    Raises:
        RuntimeError: fewer than three dimensions, or sizes that it does not divide.
    """
    check_pixels("pixel_unshuffle", input, downscale_factor)
    if any(n % downscale_factor for n in input._data.shape[-2:]):
        raise errors.wrong_shape(
            "pixel_unshuffle(): the last two dimensions must be divisible by downscale_factor; got "
            f"shape {list(input.shape)} and downscale_factor={downscale_factor}"
        )
    return unshuffle_row(input, downscale_factor)  # type: ignore[no-any-return]


def weights_1d(n: int, m: int, mode: str, align: bool, scale: float | None) -> Any:
    """The matrix (m, n) that brings a row of n pixels to m."""
    to = np.arange(m)
    out = np.zeros((m, n))
    step = n / m if scale is None else 1 / scale
    if mode == "nearest":
        out[to, np.minimum(np.floor(to * step).astype(int), n - 1)] = 1
        return out
    if mode == "nearest-exact":
        out[to, np.minimum(np.floor((to + 0.5) * step).astype(int), n - 1)] = 1
        return out
    if mode == "area":
        for k in range(m):
            a, b = k * n // m, -(-(k + 1) * n // m)
            out[k, a:b] = 1 / (b - a)
        return out
    place = to * ((n - 1) / (m - 1) if m > 1 else 0.0) if align else (to + 0.5) * step - 0.5
    if mode == "bicubic":
        base = np.floor(place).astype(int)
        for k in range(-1, 3):
            share = cubic_kernel(np.abs(place - (base + k)), -0.75)
            np.add.at(out, (to, np.clip(base + k, 0, n - 1)), share)
        return out
    place = np.maximum(place, 0)
    low = np.minimum(np.floor(place).astype(int), n - 1)
    share = place - low
    np.add.at(out, (to, low), 1 - share)
    np.add.at(out, (to, np.minimum(low + 1, n - 1)), share)
    return out


def smooth_weights(n: int, m: int, mode: str, scale: float | None) -> Any:
    """The matrix (m, n) of a kernel that is as wide as a new pixel, where that is wider than an
    old one."""
    step = n / m if scale is None else 1 / scale
    wide = max(step, 1.0)
    reach = wide * (2 if mode == "bicubic" else 1)
    out = np.zeros((m, n))
    for row in range(m):
        centre = (row + 0.5) * step
        first, last = max(int(centre - reach + 0.5), 0), min(int(centre + reach + 0.5), n)
        d = np.abs((np.arange(first, last) + 0.5 - centre) / wide)
        share = cubic_kernel(d, -0.5) if mode == "bicubic" else np.maximum(0, 1 - d)
        out[row, first:last] = share / share.sum()
    return out


def cubic_kernel(d: Any, bend: float) -> Any:
    """The shares of pixels at these distances, by cubics."""
    inner = (bend + 2) * d**3 - (bend + 3) * d**2 + 1
    outer = bend * (d**3 - 5 * d**2 + 8 * d - 4)
    return np.where(d <= 1, inner, np.where(d < 2, outer, 0.0))


def _along_dims(x: Any, matrices: Any) -> Any:
    lead = x.ndim - len(matrices)
    for axis, matrix in enumerate(matrices, lead):
        factor = astype(matrix, x.dtype).swapaxes(0, 1)
        x = np.matmul(x.swapaxes(axis, -1), factor).swapaxes(axis, -1)
    return contiguous(x)


def along_dims(x: Any, matrices: Any) -> Any:
    """Each of the last dimensions multiplied by a matrix of its own."""
    return resized.apply(x, matrices) if isinstance(x, Tensor) else _along_dims(x, matrices)


def _resized_rule(g: Any, matrices: Any) -> Any:
    return along_dims(g, [m.T for m in matrices])


resized = op("upsample(x, /, matrices)", _along_dims, LINEAR, x=_resized_rule)
KINDS = {
    "nearest": "Nearest", "nearest-exact": "NearestExact", "linear": "Linear",
    "bilinear": "Bilinear", "trilinear": "Trilinear", "bicubic": "Bicubic",
}  # fmt: skip
RESIZED = {
    (mode, d): op(
        f"upsample_{mode}{d}d(x, /, matrices)",
        _along_dims,
        LINEAR,
        node=f"Upsample{name}{d}DBackward0",
        x=_resized_rule,
    )
    for mode, name in KINDS.items()
    for d in (1, 2, 3)
}

SMOOTHED = {
    mode: op(
        f"upsample_{mode}2d_aa(x, /, matrices)",
        _along_dims,
        LINEAR,
        node=f"Upsample{KINDS[mode]}2DAaBackward0",
        x=_resized_rule,
    )
    for mode in ("bilinear", "bicubic")
}


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Images (N, C, ...) brought to another size.

    Raises:
        ValueError: neither or both of ``size`` and ``scale_factor``, or options that the mode does
            not have.
        NotImplementedError: an unknown mode, or one for another number of dimensions.
    """
    check_options(mode, align_corners, antialias)
    spatial = input._data.shape[2:]
    d = len(spatial)
    if (size is None) == (scale_factor is None):
        raise errors.wrong_value(
            f"interpolate(): give either size or scale_factor; got size={size} and "
            f"scale_factor={scale_factor}"
        )
    given = size if size is not None else scale_factor
    values = list(given) if isinstance(given, (tuple, list)) else [given] * d
    if len(values) != d:
        raise errors.wrong_shape(
            f"interpolate(): Input and output must have the same number of spatial dimensions; got "
            f"input of shape {list(input.shape)} and {given}",
            ValueError,
        )
    scales: list[Any] = [None] * d
    if size is None:
        scales = [None if recompute_scale_factor else float(v) for v in values]
        values = [math.floor(n * v) for n, v in zip(spatial, values, strict=True)]
    fitting = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}
    if fitting.get(mode, d) != d or (mode not in KINDS and mode != "area"):
        raise errors.wrong_shape(
            f"Got {input.ndim}D input, but {mode} mode does not fit", NotImplementedError
        )
    matrices = [
        smooth_weights(n, int(m), mode, s)
        if antialias
        else weights_1d(n, int(m), mode, bool(align_corners), s)
        for n, m, s in zip(spatial, values, scales, strict=True)
    ]
    row = SMOOTHED[mode] if antialias else RESIZED.get((mode, d), resized)
    return row.apply(input, [beside(matrix, input._data) for matrix in matrices])


def check_options(mode: str, align_corners: bool | None, antialias: bool) -> None:
    """Refuse options that a mode does not have."""
    if align_corners is not None and mode in ("nearest", "nearest-exact", "area"):
        raise errors.wrong_value(
            "interpolate(): align_corners option can only be set with the modes linear, bilinear, "
            f"bicubic and trilinear; got mode={mode!r}"
        )
    if antialias and mode not in SMOOTHED:
        raise errors.wrong_value(
            f"interpolate(): antialias needs mode bilinear or bicubic; got mode={mode!r}"
        )
