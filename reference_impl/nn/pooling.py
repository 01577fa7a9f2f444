"""Pooling over one, two and three dimensions.

What is said of one dimension is computed as in two, with a dimension of size one between.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .. import errors
from ..backend.base import arange, astype, beside, first_extreme, has_values, put_at, zeros
from ..graph.row import LINEAR
from ..naming import named
from ..ops.choose import data_of
from ..ops.core import in_wider
from ..ops.gather import along, gather, scatter_along
from ..ops.op import Op, op
from ..ops.shape import reshape_any
from ..tensor.tensor import Tensor
from .resizing import along_dims
from .windows import fold_windows, numbers, out_size, padded, windows

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool2d", "adaptive_max_pool3d", "avg_pool1d", "avg_pool2d", "avg_pool3d",
    "lp_pool1d", "lp_pool2d", "lp_pool3d", "max_pool1d", "max_pool2d", "max_pool3d",
    "max_unpool1d", "max_unpool2d", "max_unpool3d",
]  # fmt: skip


F = TypeVar("F", bound=Callable[..., Any])


# -- what is asked ---------------------------------------------------------------------------------


def check_rank(name: str, x: Tensor, dims: int) -> None:
    """Refuse anything but channels of so many dimensions, in a batch or alone."""
    if x._data.ndim not in (dims + 1, dims + 2):
        raise errors.wrong_shape(
            f"{name}(): expected a {dims + 1}D or {dims + 2}D input; got shape {list(x.shape)}"
        )


def asked(
    name: str, x: Tensor, dims: int, kernel_size: Any, stride: Any, padding: Any
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """The window, its step and the padding, each for every dimension.

    Raises:
        RuntimeError: an input of another number of dimensions, windows of no size or that do not
            move, or padding of more than half a window.
    """
    check_rank(name, x, dims)
    kernel = numbers(kernel_size, dims, "kernel_size")
    given = stride is not None and stride != ()
    step = numbers(stride, dims, "stride") if given else kernel
    around = numbers(padding, dims, "padding")
    if min(kernel) < 1 or min(step) < 1:
        raise errors.wrong_shape(
            f"{name}(): kernel size and stride must be greater than zero; got {list(kernel)} and "
            f"{list(step)}"
        )
    if any(not 0 <= 2 * p <= k for p, k in zip(around, kernel, strict=True)):
        raise errors.wrong_shape(
            f"{name}(): the padding must be at most half of the window; got padding="
            f"{list(around)} and kernel_size={list(kernel)}"
        )
    return kernel, step, around


def end_padding(shape: Any, kernel: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    """How much must be added at the ends so that no element is left over."""
    more = []
    for n, k, s, p, d in zip(shape[-len(kernel) :], kernel, stride, padding, dilation, strict=True):
        reach = d * (k - 1) + 1
        count = -(-(n + 2 * p - reach) // s) + 1
        if (count - 1) * s >= n + p:  # a window must begin within the input or its padding
            count -= 1
        more.append(max(0, (count - 1) * s + reach - n - 2 * p))
    return tuple(more)


# -- means -----------------------------------------------------------------------------------------


def _avg(x: Any, kernel: Any, stride: Any, padding: Any, more: Any, factor: Any) -> Any:
    w = windows(padded(x, padding, more), kernel, stride, (1,) * len(kernel))
    lead = x.ndim - len(kernel)
    return times(w.mean(axis=tuple(range(lead, lead + len(kernel)))), factor)


def times(means: Any, factor: Any) -> Any:
    """The means of windows, each multiplied by a factor of its own, unless that is None."""
    return means if factor is None else means * astype(factor, means.dtype)


def _avg_back(
    g: Any, size: Any, kernel: Any, stride: Any, padding: Any, more: Any, factor: Any
) -> Any:
    lead, dims = len(size) - len(kernel), len(kernel)
    share = times(g, factor) / math.prod(kernel)
    share = share.reshape(*g.shape[:lead], *(1,) * dims, *g.shape[lead:])
    cols = np.broadcast_to(share, (*g.shape[:lead], *kernel, *g.shape[lead:]))
    return fold_windows(cols, size, stride, padding, (1,) * dims, more)


def averaging(node: str) -> Op:
    """The means of all windows, under a node's name."""
    return op(
        "avg_pool(x, /, kernel, stride, padding, more, factor)",
        _avg,
        LINEAR,
        node=node,
        x=lambda g, x_shape, kernel, stride, padding, more, factor: avg_back(
            g, tuple(x_shape), kernel, stride, padding, more, factor
        ),
    )


AVERAGES = {dims: averaging(f"AvgPool{dims}DBackward0") for dims in (2, 3)}
avg_back: Op = op(
    "avg_pool_backward(x, /, size, kernel, stride, padding, more, factor)",
    _avg_back,
    LINEAR,
    x=lambda g, kernel, stride, padding, more, factor: AVERAGES[2](
        g, kernel, stride, padding, more, factor
    ),
)


def counted(n: int, kernel: int, stride: int, padding: int, places: int, include: bool) -> Any:
    """How many elements of a dimension each window has, with or without the padding."""
    start = np.arange(places) * stride - padding
    if include:
        return np.minimum(start + kernel, n + padding) - start
    return np.minimum(start + kernel, n) - np.maximum(start, 0)


def averaged(
    name: str,
    x: Tensor,
    dims: int,
    sizes: tuple[Any, Any, Any],
    ceil: bool,
    include: bool,
    divisor: int | None,
) -> Tensor:
    """The sum of each window, over its size or over a divisor."""
    kernel, stride, padding = sizes
    if divisor == 0:
        raise errors.wrong_value(f"{name}(): divisor_override must not be zero", RuntimeError)
    shape, ones = x._data.shape, (1,) * dims
    more = end_padding(shape, *sizes, ones) if ceil else (0,) * dims
    factor: Any = None
    if divisor is not None:
        factor = np.asarray(math.prod(kernel) / divisor)
    elif any(more) or (not include and any(padding)):
        per_dim = zip(shape[-dims:], *sizes, more, strict=True)
        counts: Any = 1
        for n, k, s, p, m in per_dim:
            places = out_size(n + m, k, s, p, 1)
            counts = np.multiply.outer(counts, counted(n, k, s, p, places, include))
        factor = math.prod(kernel) / counts
    if factor is not None:
        factor = beside(factor, x._data)
    return AVERAGES[dims].apply(x, kernel, stride, padding, more, factor)


def average_pool(dims: int) -> Callable[..., Tensor]:
    """The pooling by means over two or three dimensions."""
    name = f"avg_pool{dims}d"

    def run(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Tensor:
        sizes = asked(name, input, dims, kernel_size, stride, padding)
        return averaged(name, input, dims, sizes, ceil_mode, count_include_pad, divisor_override)

    return described(run, name, "The mean of each window.")


def described(run: F, name: str, doc: str) -> F:
    """A function under its public name."""
    run.__doc__ = doc
    return named(run, name)


avg_pool2d, avg_pool3d = average_pool(2), average_pool(3)


def avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """The mean of each window."""
    sizes = asked("avg_pool1d", input, 1, kernel_size, stride, padding)
    out = averaged(
        "avg_pool1d", input.unsqueeze(-2), 2, flat(sizes), ceil_mode, count_include_pad, None
    )
    return out.squeeze(-2)


def flat(sizes: Any) -> tuple[Any, Any, Any]:
    """Windows over one dimension as windows over two."""
    kernel, stride, padding = sizes
    return (1, *kernel), (1, *stride), (0, *padding)


def lp_pool(dims: int) -> Callable[..., Tensor]:
    """The pooling by norms."""
    pool = {1: avg_pool1d, 2: avg_pool2d, 3: avg_pool3d}[dims]

    def run(
        input: Tensor,
        norm_type: float,
        kernel_size: Any,
        stride: Any = None,
        ceil_mode: bool = False,
    ) -> Tensor:
        count = math.prod(numbers(kernel_size, dims, "kernel_size"))
        return norms(input, norm_type, kernel_size, stride, ceil_mode, count)

    @in_wider
    def norms(
        input: Tensor, norm_type: float, kernel_size: Any, stride: Any, ceil_mode: bool, count: int
    ) -> Tensor:
        out = pool(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
        return ((out.sign() * out.abs().relu()) * count).pow(1.0 / norm_type)

    return described(run, f"lp_pool{dims}d", "The p-norm of each window.")


lp_pool1d, lp_pool2d, lp_pool3d = (lp_pool(dims) for dims in (1, 2, 3))


# -- largest elements ------------------------------------------------------------------------------


def _max(x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, more: Any) -> Any:
    dims, lead = len(kernel), x.ndim - len(kernel)
    w = windows(padded(x, padding, more, -np.inf), kernel, stride, dilation)
    places = w.shape[lead + dims :]
    values = w.reshape(*x.shape[:lead], math.prod(kernel), *places)
    best = first_largest(values, lead, x, kernel, stride, padding, dilation, more)
    out = np.take_along_axis(values, np.expand_dims(best, lead), lead).squeeze(lead)
    at: Any = 0
    rest = math.prod(kernel)
    for d in range(dims):
        rest //= kernel[d]
        line = arange(places[d], x).reshape(-1, *(1,) * (dims - 1 - d))
        coordinate = line * stride[d] - padding[d] + best // rest % kernel[d] * dilation[d]
        at = at * x.shape[lead + d] + coordinate
    return out, at


def first_largest(values: Any, axis: int, x: Any, *sizes: Any) -> Any:
    """Which element of each window is the first largest; never one of the padding."""
    kernel, stride, padding, dilation, more = sizes
    if not any((*padding, *more)):
        return first_extreme("argmax", values, axis)
    ones = padded(zeros(x.shape[axis:], np.bool_, x) == 0, padding, more, False)
    inside = windows(ones, kernel, stride, dilation)
    inside = inside.reshape(math.prod(kernel), *values.shape[axis + 1 :])
    largest = values.max(axis=axis, keepdims=True)
    same = (values == largest) | (values != values)
    return (same & inside).argmax(axis=axis)


def flat_places(g: Any, lead: int) -> tuple[int, ...]:
    """A shape with all that follows the leading dimensions made one."""
    return (*g.shape[:lead], math.prod(g.shape[lead:]))


def put_back(g: Any, shape: Any, at: Any, dims: int) -> Any:
    """Zeros of a shape with ``g`` added at places in its last dimensions, flattened."""
    lead = len(shape) - dims
    whole = (*shape[:lead], math.prod(shape[lead:]))
    rows = scatter_along(
        reshape_any(g, flat_places(g, lead)), whole, lead, at.reshape(flat_places(at, lead))
    )
    return reshape_any(rows, tuple(shape))


def picked(x: Any, at: Any, dims: int) -> Any:
    """The elements at places in the last dimensions, flattened."""
    lead = len(x.shape) - dims
    rows = gather(reshape_any(x, flat_places(x, lead)), lead, at.reshape(flat_places(at, lead)))
    return reshape_any(rows, at.shape)


LARGEST = {
    dims: op(
        f"max_pool{dims}d_with_indices(x, /, kernel, stride, padding, dilation, more)",
        _max,
        n_out=2,
        node=f"MaxPool{dims}DWithIndicesBackward0",
        refuses="bc",
        x=lambda g, x_shape, out1, kernel: put_back(g, tuple(x_shape), data_of(out1), len(kernel)),
    )
    for dims in (2, 3)
}


def largest(
    name: str, x: Tensor, sizes: Any, dilation: Any, ceil: bool, dims: int
) -> tuple[Tensor, Tensor]:
    """The largest element of each window, and where it is."""
    if min(dilation) < 1:
        raise errors.wrong_shape(f"{name}(): dilation must be positive; got {list(dilation)}")
    kernel, stride, padding = sizes
    shape = x._data.shape
    more = end_padding(shape, kernel, stride, padding, dilation) if ceil else (0,) * dims
    return LARGEST[dims].apply(x, *sizes, dilation, more)  # type: ignore[return-value]


def maximum_pool(dims: int) -> Callable[..., Any]:
    """The pooling by largest elements over two or three dimensions."""
    name = f"max_pool{dims}d"

    def run(
        input: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        sizes = asked(name, input, dims, kernel_size, stride, padding)
        apart = numbers(dilation, dims, "dilation")
        found = largest(name, input, sizes, apart, ceil_mode, dims)
        return tuple(found) if return_indices else found[0]

    return described(run, name, "The largest element of each window, the first among ties.")


max_pool2d, max_pool3d = maximum_pool(2), maximum_pool(3)


def max_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window, the first among ties."""
    sizes = asked("max_pool1d", input, 1, kernel_size, stride, padding)
    apart = (1, *numbers(dilation, 1, "dilation"))
    found = largest("max_pool1d", input.unsqueeze(-2), flat(sizes), apart, ceil_mode, 2)
    out, at = (result.squeeze(-2) for result in found)
    return (out, at) if return_indices else out


# -- and back --------------------------------------------------------------------------------------


def _unpool(x: Any, at: Any, shape: Any, dims: int) -> Any:
    lead = len(shape) - dims
    whole = zeros((*shape[:lead], math.prod(shape[lead:])), x.dtype, x)
    put_at(whole, along(at.reshape(flat_places(at, lead)), lead), x.reshape(flat_places(x, lead)))
    return whole.reshape(shape)


UNPOOLED = {
    dims: op(
        f"max_unpool{dims}d(x, /, at, shape, dims)",
        _unpool,
        LINEAR,
        node=f"MaxUnpool{dims}DBackward0",
        x=lambda g, at, dims: picked(g, at, dims),
    )
    for dims in (2, 3)
}


def unpooling(dims: int) -> Callable[..., Tensor]:
    """What undoes the pooling by largest elements."""
    name = f"max_unpool{dims}d"

    def run(
        input: Tensor,
        indices: Tensor,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Tensor:
        kernel, step, around = asked(name, input, dims, kernel_size, stride, padding)
        if indices._data.shape != input._data.shape:
            raise errors.wrong_shape(
                f"{name}(): expected indices of the input's shape {list(input.shape)}; got "
                f"{list(indices.shape)}"
            )
        spatial = input._data.shape[-dims:]
        default = tuple(
            (n - 1) * s + k - 2 * p
            for n, k, s, p in zip(spatial, kernel, step, around, strict=True)
        )
        sizes = default if output_size is None else tuple(output_size)[-dims:]
        if any(not d - s < size < d + s for size, d, s in zip(sizes, default, step, strict=True)):
            raise errors.wrong_value(
                f"{name}(): output_size must differ from {list(default)} by less than the stride "
                f"{list(step)}; got {list(sizes)}"
            )
        at = indices._data.copy()
        if has_values(at) and (at.min() < 0 or at.max() >= math.prod(sizes)):
            raise errors.wrong_index(
                f"{name}(): found an invalid index; the result of size {list(sizes)} has "
                f"{math.prod(sizes)} elements, the indices go from {int(at.min())} to "
                f"{int(at.max())}"
            )
        shape = (*input._data.shape[:-dims], *sizes)
        if dims == 1:
            x, at, flat_shape = input.unsqueeze(-2), at[..., None, :], (*shape[:-1], 1, shape[-1])
            return UNPOOLED[2].apply(x, at, flat_shape, 2).squeeze(-2)
        return UNPOOLED[dims].apply(input, at, shape, dims)

    return described(
        run, name, "Elements put where the pooling took them from, with zeros elsewhere."
    )


max_unpool1d, max_unpool2d, max_unpool3d = (unpooling(dims) for dims in (1, 2, 3))


# -- as many windows as asked for ------------------------------------------------------------------


def ranges(n: int, count: int) -> list[tuple[int, int]]:
    """That many ranges which cover so many elements evenly."""
    return [(k * n // count, -(-(k + 1) * n // count)) for k in range(count)]


def range_means(n: int, count: int) -> Any:
    """The matrix that takes the means of ranges."""
    out = np.zeros((count, n))
    for k, (a, b) in enumerate(ranges(n, count)):
        out[k, a:b] = 1 / (b - a)
    return out


def _adaptive_max(x: Any, sizes: Any) -> Any:
    lead = x.ndim - len(sizes)
    full, start = x.shape[lead:], x.shape[:lead]
    every = arange(math.prod(full), x).reshape(full)
    out, at = zeros((*start, *sizes), x.dtype, x), zeros((*start, *sizes), np.int64, x)
    bounds = [ranges(n, count) for n, count in zip(full, sizes, strict=True)]
    for index in np.ndindex(*sizes):
        part = tuple(slice(*bounds[d][k]) for d, k in enumerate(index))
        places = every[part].reshape(-1)
        values = x[(..., *part)].reshape(*start, places.size)
        best = first_extreme("argmax", values, -1)
        out[(..., *index)] = np.take_along_axis(values, np.expand_dims(best, -1), -1).squeeze(-1)
        at[(..., *index)] = places[best]
    return out, at


ADAPTIVE_MEANS = {
    dims: op(
        f"adaptive_avg_pool{dims}d(x, /, matrices)",
        along_dims,
        LINEAR,
        node=f"AdaptiveAvgPool{dims}DBackward0",
        x=lambda g, matrices: along_dims(g, [m.T for m in matrices]),
    )
    for dims in (2, 3)
}
ADAPTIVE_LARGEST = {
    dims: op(
        f"adaptive_max_pool{dims}d(x, /, sizes)",
        _adaptive_max,
        n_out=2,
        node=f"AdaptiveMaxPool{dims}DBackward0",
        refuses="bic",
        x=lambda g, x_shape, out1, sizes: put_back(g, tuple(x_shape), data_of(out1), len(sizes)),
    )
    for dims in (2, 3)
}


def wanted(name: str, size: Any, x: Tensor, dims: int) -> tuple[int, ...]:
    """The output's size; None keeps that of the input."""
    check_rank(name, x, dims)
    given = tuple(size) if isinstance(size, (tuple, list)) else (size,) * dims
    if len(given) != dims:
        raise errors.wrong_shape(f"{name}(): output_size must be of length {dims}; got {given}")
    return tuple(
        n if v is None else int(v) for v, n in zip(given, x._data.shape[-dims:], strict=True)
    )


def adaptive_means(x: Tensor, size: tuple[int, ...], dims: int) -> Tensor:
    """The means of ranges; of one range as the mean, which has a node of its own."""
    if size == (1,) * dims:
        return x.mean(tuple(range(-1, -dims - 1, -1)), keepdim=True)
    sizes = zip(x._data.shape[-dims:], size, strict=True)
    matrices = [beside(range_means(n, m), x._data) for n, m in sizes]
    return ADAPTIVE_MEANS[dims].apply(x, matrices)


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The means of ranges that cover the input evenly."""
    size = wanted("adaptive_avg_pool1d", output_size, input, 1)
    return adaptive_means(input.unsqueeze(-2), (1, *size), 2).squeeze(-2)


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows that cover the input evenly."""
    return adaptive_means(input, wanted("adaptive_avg_pool2d", output_size, input, 2), 2)


def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """The means of windows that cover the input evenly."""
    return adaptive_means(input, wanted("adaptive_avg_pool3d", output_size, input, 3), 3)


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest elements of ranges that cover the input evenly."""
    size = wanted("adaptive_max_pool1d", output_size, input, 1)
    found: Any = ADAPTIVE_LARGEST[2].apply(input.unsqueeze(-2), (1, *size))
    out, at = (result.squeeze(-2) for result in found)
    return (out, at) if return_indices else out


def adaptive_maximum(dims: int) -> Callable[..., Any]:
    """The pooling by largest elements of a given number of windows."""
    name = f"adaptive_max_pool{dims}d"

    def run(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        size = wanted(name, output_size, input, dims)
        found: Any = ADAPTIVE_LARGEST[dims].apply(input, size)
        return tuple(found) if return_indices else found[0]

    return described(run, name, "The largest elements of windows that cover the input evenly.")


adaptive_max_pool2d, adaptive_max_pool3d = adaptive_maximum(2), adaptive_maximum(3)
