"""Formula functions of padding, resizing and sampling: matrices that are multiplied to one
dimension (`along_dims` of windows.py), values between the elements of an image, and attention."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .bounded import MAX_ELEMENTS, TooMuch

Array = Any


# -- padding ---------------------------------------------------------------------------------------


def _rows_at(at: Array, n: int) -> Array:
    """The matrix that takes the elements at these places, and 0 for a place outside."""
    if np.size(at) * n > MAX_ELEMENTS:
        raise TooMuch(f"a matrix of more than {MAX_ELEMENTS} elements")
    return (np.asarray(at)[:, None] == np.arange(n)).astype(float)


def padded(n: int, before: int, after: int) -> Array:
    """The matrix that adds zeros around a dimension, or takes elements away."""
    return _rows_at(np.arange(-before, n + after), n)


def reflected(n: int, before: int, after: int) -> Array:
    """The matrix that continues a dimension by its mirror image, without the end itself."""
    at = np.abs(np.arange(-before, n + after))
    return _rows_at(np.where(at >= n, 2 * (n - 1) - at, at), n)


def replicated(n: int, before: int, after: int) -> Array:
    """The matrix that continues a dimension by its first and last element."""
    return _rows_at(np.clip(np.arange(-before, n + after), 0, n - 1), n)


def wrapped(n: int, before: int, after: int) -> Array:
    """The matrix that continues a dimension from its other end."""
    return _rows_at(np.arange(-before, n + after) % n, n)


# -- another size ----------------------------------------------------------------------------------


def _centres(n: int, m: int, scale: float, align: int) -> Array:
    """Where `m` new elements are among `n`; `scale` is their ratio, or 0 for m / n."""
    if align:
        return np.arange(m) * ((n - 1) / (m - 1) if m > 1 else 0.0)
    return (np.arange(m) + 0.5) * (1 / scale if scale else n / m) - 0.5


def nearest(n: int, m: int, scale: float = 0) -> Array:
    """The matrix of nearest-neighbour resizing from `n` to `m` elements, which rounds down."""
    at = np.floor(np.arange(m) * (1 / scale if scale else n / m))
    return _rows_at(np.minimum(at, n - 1), n)


def nearest_exact(n: int, m: int, scale: float = 0) -> Array:
    """The same with the centres of the elements compared, as other libraries do."""
    at = np.floor((np.arange(m) + 0.5) * (1 / scale if scale else n / m))
    return _rows_at(np.minimum(at, n - 1), n)


def linear(n: int, m: int, scale: float = 0, align: int = 0) -> Array:
    """The matrix of linear interpolation from `n` to `m` elements."""
    at = np.clip(_centres(n, m, scale, align), 0, n - 1)
    return np.maximum(0.0, 1 - np.abs(at[:, None] - np.arange(n)))


def cubic(n: int, m: int, scale: float = 0, align: int = 0) -> Array:
    """The matrix of cubic interpolation, which replicates the elements at both ends."""
    at = _centres(n, m, scale, align)
    low = np.floor(at)
    taps = range(-1, 3)
    return sum(
        cubic_kernel(at - low - k)[:, None] * _rows_at(np.clip(low + k, 0, n - 1), n) for k in taps
    )


def cubic_kernel(distance: Array, bend: float = -0.75) -> Array:
    """Keys' interpolation kernel with two neighbours on either side."""
    d = np.where(np.real(distance) < 0, -distance, distance)
    inner = (bend + 2) * d**3 - (bend + 3) * d**2 + 1
    outer = bend * (d**3 - 5 * d**2 + 8 * d - 4)
    return np.where(np.real(d) <= 1, inner, np.where(np.real(d) < 2, outer, 0.0))


def antialiased(n: int, m: int, order: int, scale: float = 0) -> Array:
    """The matrix of linear (1) or cubic (3) interpolation whose kernel is as wide as a new element,
    where that is wider than an old one; the weights of each new element add up to one."""
    step = 1 / scale if scale else n / m
    wide = max(step, 1.0)
    reach = wide * (order + 1) / 2
    out = np.zeros((m, n))
    for row in range(m):
        centre = (row + 0.5) * step
        first = max(int(centre - reach + 0.5), 0)
        last = min(int(centre + reach + 0.5), n)
        away = (np.arange(first, last) + 0.5 - centre) / wide
        weights = cubic_kernel(away, -0.5) if order == 3 else np.maximum(0, 1 - np.abs(away))
        out[row, first:last] = weights / np.sum(weights)
    return out


# -- values between the elements -------------------------------------------------------------------


def base_grid(sizes: Sequence[int], align: int = 0) -> Array:
    """The places of an image's elements, between -1 and 1, the last dimension's first, and a one
    behind: at the ends are the outer elements with `align`, else their outer edges."""
    if math.prod(sizes) > MAX_ELEMENTS:
        raise TooMuch(f"a grid of more than {MAX_ELEMENTS} places")
    lines = [_line(n, align) for n in sizes]
    places = np.meshgrid(*lines, indexing="ij")
    return np.stack([*places[::-1], np.ones(tuple(sizes))], axis=-1)


def _line(n: int, align: int) -> Array:
    if align:
        return np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
    return (2 * np.arange(n) + 1) / n - 1


def sampled(x: Array, grid: Array, order: int = 1, padding: int = 0, align: int = 0) -> Array:
    """The values of the images (batch, channel, ...) at the places of a grid (batch, ..., dims).

    `order` is 0 for the nearest element, 1 for linear and 3 for cubic interpolation. Beyond the
    image, `padding` 0 gives zeros, 1 the nearest element, 2 the mirror image.
    """
    sizes = np.shape(x)[2:]
    dims = len(sizes)
    index: list[Any] = [np.arange(len(x)).reshape(-1, *(1,) * (np.ndim(grid) - 2)), slice(None)]
    weight: Any = 1.0
    for axis, n in enumerate(sizes):
        g = grid[..., dims - 1 - axis]
        at = (g + 1) / 2 * (n - 1) if align else ((g + 1) * n - 1) / 2
        taps, share = _taps(at, n, order, padding, align)
        apart = (*(1,) * axis, len(taps), *(1,) * (dims - 1 - axis), *np.shape(at))
        taps, share = taps.reshape(apart), share.reshape(apart)
        weight = weight * np.where((taps >= 0) & (taps < n), share, 0.0)
        index.append(np.clip(taps, 0, n - 1).astype(int))
    found = x[tuple(index)] * weight[..., None]
    return np.moveaxis(np.sum(found, axis=tuple(range(dims))), -1, 1)


def _taps(at: Array, n: int, order: int, padding: int, align: int) -> tuple[Array, Array]:
    """The elements of a dimension that a value at `at` is made of, and the share of each."""
    if order != 3:
        at = _within(at, n, padding, align)
    if order == 0:
        return np.rint(np.real(at))[None], np.ones((1, *np.shape(at)))
    low = np.floor(np.real(at))
    if order == 1:
        return np.stack([low, low + 1]), np.stack([1 - (at - low), at - low])
    taps = np.stack([low + k for k in range(-1, 3)])
    return np.rint(np.real(_within(taps, n, padding, align))), cubic_kernel(at - taps)


def _within(at: Array, n: int, padding: int, align: int) -> Array:
    """A place brought into the image, for the paddings that continue it."""
    if padding == 2:
        start, length = (0.0, n - 1) if align else (-0.5, n)
        if length == 0:
            return np.zeros_like(at)
        turns = np.floor(np.real(at - start) / length)
        rest = at - start - turns * length
        at = np.where(turns % 2 == 1, length - rest, rest) + start
    if padding:
        at = np.where(np.real(at) < 0, 0.0, np.where(np.real(at) > n - 1, n - 1.0, at))
    return at


def attention_weights(q: Array, k: Array, scale: float, bias: Array = 0.0) -> Array:
    """The softmax of scale * q k^T + bias: how much each query attends to each key."""
    scores = scale * (q @ np.swapaxes(k, -1, -2)) + bias
    weights = np.exp(scores - np.max(np.real(scores), axis=-1, keepdims=True))
    return weights / np.sum(weights, axis=-1, keepdims=True)


def functions() -> dict[str, Callable[..., Any]]:
    """What formulas may call, by name."""
    every = (
        padded, reflected, replicated, wrapped, nearest, nearest_exact, linear, cubic, antialiased,
        base_grid, sampled, attention_weights,
    )  # fmt: skip
    return {function.__name__: function for function in every}
