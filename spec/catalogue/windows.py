"""Formula functions of convolutions, pooling and folding: what happens in windows that slide over
the last dimensions of an array.

`kernel`, `stride`, `padding` and `dilation` hold one number for each of these dimensions; `stride`,
`padding` and `dilation` may be one number for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .bounded import MAX_ELEMENTS, TooMuch

Array = Any
MAX_WINDOWS = 16 * MAX_ELEMENTS
"""The most elements that all windows together may have."""


def _each(value: int | Sequence[int], count: int) -> list[int]:
    """One number for each dimension."""
    return [int(n) for n in np.broadcast_to(value, (count,))]


def _flat(x: Array, kept: int) -> Array:
    """With the dimensions after the first ones that are kept made one."""
    shape = np.shape(x)
    return np.reshape(x, (*shape[:kept], math.prod(shape[kept:])))


def window_count(
    n: int, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1, ceil: int = 0
) -> int:
    """How many windows a dimension of `n` elements has. With `ceil`, the last one may reach beyond
    the padding at the end, but must begin before it."""
    room = n + 2 * padding - dilation * (kernel - 1) - 1
    count = (-(-room // stride) if ceil else room // stride) + 1
    return count - 1 if ceil and (count - 1) * stride >= n + padding else count


def window_at(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil: int = 0,
) -> Array:
    """The places of each window's elements in the flattened dimensions, and -1 for those in the
    padding: an array with the windows first, then the elements of one."""
    steps = [tuple(_each(value, len(kernel))) for value in (stride, padding, dilation)]
    return _window_at(tuple(map(int, sizes)), tuple(map(int, kernel)), *steps, ceil)


Numbers = tuple[int, ...]


@lru_cache(maxsize=64)
def _window_at(
    sizes: Numbers, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers, ceil: int
) -> Array:
    count, steps = len(kernel), (stride, padding, dilation)
    places = [window_count(*each, ceil) for each in zip(sizes, kernel, *steps, strict=True)]
    if math.prod([*places, *kernel]) > MAX_WINDOWS:
        raise TooMuch(f"windows of more than {MAX_WINDOWS} elements together")
    found, inside = np.zeros((1,) * 2 * count, int), np.ones((1,) * 2 * count, bool)
    for i, (n, step, before, apart) in enumerate(zip(sizes, *steps, strict=True)):
        shape = np.ones(2 * count, int)
        shape[[i, count + i]] = places[i], kernel[i]
        at = np.arange(places[i])[:, None] * step - before + np.arange(kernel[i]) * apart
        at = at.reshape(shape)
        found, inside = found * n + at, inside & (at >= 0) & (at < n)
    found = np.where(inside, found, -1)
    found.flags.writeable = False
    return found


def windows(
    x: Array,
    kernel: Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil: int = 0,
    fill: float = 0.0,
) -> Array:
    """All windows: the leading dimensions of `x`, the windows, the elements of each window."""
    lead = np.ndim(x) - len(kernel)
    at = window_at(np.shape(x)[lead:], kernel, stride, padding, dilation, ceil)
    return np.where(at < 0, fill, _flat(x, lead)[..., at])


def windows_back(
    g: Array,
    shape: Sequence[int],
    kernel: Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
) -> Array:
    """Windows added up into an array of `shape`: the transpose of `windows`. There may be fewer
    windows than the array has room for."""
    lead = len(shape) - len(kernel)
    at = window_at(shape[lead:], kernel, stride, padding, dilation)
    at = at[tuple(slice(n) for n in np.shape(g)[lead : lead + len(kernel)])]
    out = np.zeros((*shape[:lead], math.prod(shape[lead:])), np.result_type(g))
    index: Any = (..., at[at >= 0])
    np.add.at(out, index, np.asarray(g)[..., at >= 0])
    return out.reshape(tuple(shape))


# -- convolution -----------------------------------------------------------------------------------


def _grouped(x: Array, groups: int, axis: int) -> Array:
    """The channels along an axis divided into groups, which come first."""
    shape = np.shape(x)
    apart = np.reshape(x, (*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :]))
    return np.moveaxis(apart, axis, 0)


def _flat_windows(
    x: Array, places: Sequence[int], kernel: Sequence[int], steps: Any, groups: int
) -> Array:
    """The first windows of each dimension, as (group, batch, channel, window, element)."""
    found = windows(x, kernel, *steps)[(..., *map(slice, places), *(slice(None),) * len(kernel))]
    flat = found.reshape(*np.shape(x)[:2], math.prod(places), math.prod(kernel))
    return _grouped(flat, groups, 1)


def conv(
    x: Array, w: Array, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Array:
    """The sum over each window of (batch, channel, ...) times the weights (output, channel of the
    group, ...); a batch may be left out."""
    if np.ndim(x) < np.ndim(w):
        return conv(x[None], w, stride, padding, dilation, groups)[0]
    kernel = np.shape(w)[2:]
    steps = [_each(value, len(kernel)) for value in (stride, padding, dilation)]
    places = [window_count(*each) for each in zip(np.shape(x)[2:], kernel, *steps, strict=True)]
    parts = _flat_windows(x, places, kernel, steps, groups)
    weights = _grouped(_flat(w, 2), groups, 0)
    out = np.einsum("gncpk,gock->ngop", parts, weights)
    return out.reshape(np.shape(x)[0], np.shape(w)[0], *places)


def conv_input(
    g: Array,
    w: Array,
    shape: Sequence[int],
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Array:
    """Each element of `g` times the weights, added up where its window is in an array of `shape`:
    the transpose of `conv` in its input, which is also the transposed convolution."""
    kernel = np.shape(w)[2:]
    if len(shape) < np.ndim(w):
        return conv_input(g[None], w, (1, *shape), stride, padding, dilation, groups)[0]
    weights = _grouped(_flat(w, 2), groups, 0)
    given = _grouped(_flat(g, 2), groups, 1)
    parts = np.einsum("gnop,gock->ngcpk", given, weights)
    parts = parts.reshape(*shape[:2], *np.shape(g)[2:], *kernel)
    return windows_back(parts, shape, kernel, stride, padding, dilation)


def conv_weight(
    g: Array,
    x: Array,
    shape: Sequence[int],
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Array:
    """Each element of `g` times its window of `x`, added up: the transpose of `conv` in its
    weights, which have `shape`."""
    if np.ndim(x) < len(shape):
        return conv_weight(g[None], x[None], shape, stride, padding, dilation, groups)
    steps = (stride, padding, dilation)
    parts = _flat_windows(x, np.shape(g)[2:], shape[2:], steps, groups)
    given = _grouped(_flat(g, 2), groups, 1)
    return np.einsum("gnop,gncpk->gock", given, parts).reshape(tuple(shape))


# -- pooling ---------------------------------------------------------------------------------------


def max_at(
    x: Array, kernel: Sequence[int], stride: Any, padding: Any = 0, dilation: Any = 1, ceil: int = 0
) -> Array:
    """Where the largest element of each window is, in the flattened dimensions; the first one, if
    several are equal. The padding is never the largest."""
    dims = len(kernel)
    at = window_at(np.shape(x)[-dims:], kernel, stride, padding, dilation, ceil)
    flat = windows(np.real(x), kernel, stride, padding, dilation, ceil, -np.inf)
    flat = _flat(flat, flat.ndim - dims)
    places = np.broadcast_to(_flat(at, dims), flat.shape)
    best = _first_of_windows(flat, places >= 0)
    return np.take_along_axis(places, best[..., None], -1)[..., 0]


def _first_of_windows(flat: Array, inside: Array) -> Array:
    """The first largest element of each window that is not in the padding."""
    largest = np.max(flat, axis=-1, keepdims=True)
    same = (flat == largest) | (np.isnan(flat) & np.isnan(largest))
    return np.argmax(same & inside, axis=-1)


def even_ranges(n: int, count: int) -> list[tuple[int, int]]:
    """That many ranges which cover `n` elements evenly, and overlap where they must."""
    return [(k * n // count, -(-(k + 1) * n // count)) for k in range(count)]


def adaptive_max_at(x: Array, sizes: Sequence[int]) -> Array:
    """Where the largest element of each of `sizes` even ranges is, in the flattened dimensions."""
    full = np.shape(x)[-len(sizes) :]
    lead = np.shape(x)[: -len(sizes)]
    every = np.arange(math.prod(full)).reshape(full)
    out = np.zeros((*lead, *sizes), int)
    bounds = [even_ranges(n, count) for n, count in zip(full, sizes, strict=True)]
    for index in np.ndindex(*sizes):
        part = tuple(slice(*bounds[d][k]) for d, k in enumerate(index))
        best = np.argmax(np.real(x)[(..., *part)].reshape(*lead, -1), axis=-1)
        out[(..., *index)] = every[part].ravel()[best]
    return out


def pick(x: Array, at: Array, dims: int) -> Array:
    """The elements at places in the last `dims` dimensions, flattened."""
    lead = np.ndim(x) - dims
    return np.take_along_axis(_flat(x, lead), _flat(at, lead), -1).reshape(np.shape(at))


def place(g: Array, at: Array, shape: Sequence[int], dims: int) -> Array:
    """Zeros of `shape` with the elements of `g` added at places in the last `dims` dimensions,
    flattened: the transpose of `pick`."""
    lead = len(shape) - dims
    rows, size = math.prod(shape[:lead]), math.prod(np.shape(g)[lead:])
    out = np.zeros((rows, math.prod(shape[lead:])), np.result_type(g))
    index = (np.arange(rows)[:, None], np.reshape(at, (rows, size)))
    np.add.at(out, index, np.reshape(g, (rows, size)))
    return out.reshape(tuple(shape))


def average(
    n: int,
    kernel: int,
    stride: int,
    padding: int = 0,
    ceil: int = 0,
    with_padding: int = 1,
) -> Array:
    """The matrix that takes the mean of each window of a dimension. The padding counts as zeros,
    or with `with_padding=0` not at all; what lies beyond it never counts."""
    places = window_count(n, kernel, stride, padding, 1, ceil)
    out = _matrix(places, n)
    for row, start in enumerate(range(-padding, places * stride - padding, stride)):
        first, last = max(start, 0), min(start + kernel, n)
        whole = min(start + kernel, n + padding) - start
        out[row, first:last] = 1 / (whole if with_padding else last - first)
    return out


def even_average(n: int, count: int) -> Array:
    """The matrix that takes the means of `count` even ranges of a dimension."""
    out = _matrix(count, n)
    for row, (first, last) in enumerate(even_ranges(n, count)):
        out[row, first:last] = 1 / (last - first)
    return out


def along_dims(x: Array, *matrices: Array) -> Array:
    """Each of the last dimensions multiplied by a matrix of its own."""
    for i, matrix in enumerate(matrices):
        axis = np.ndim(x) - len(matrices) + i
        x = np.moveaxis(np.tensordot(x, matrix, (axis, 1)), -1, axis)
    return x


def _matrix(rows: int, columns: int) -> Array:
    """A matrix of zeros. Raises `TooMuch` for one that no formula may hold."""
    if rows * columns > MAX_ELEMENTS:
        raise TooMuch(f"a matrix of more than {MAX_ELEMENTS} elements")
    return np.zeros((rows, columns))


def functions() -> dict[str, Callable[..., Any]]:
    """What formulas may call, by name."""
    every = (
        window_at, windows, windows_back, conv, conv_input, conv_weight, max_at, adaptive_max_at,
        pick, place, average, even_average, along_dims,
    )  # fmt: skip
    return {function.__name__: function for function in every}
