"""Images read at places between their elements, and channels in another order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import arange, astype, beside
from ..errors import caution
from ..ops.fused import fused
from ..ops.index import index_row
from ..ops.joins import stack_public
from ..ops.registry import function
from ..tensor.tensor import Tensor, wrap

__all__ = ["affine_grid", "channel_shuffle", "grid_sample"]

ORDERS = {"nearest": 0, "bilinear": 1, "bicubic": 3}
PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """The values of images (N, C, ...) at the places of a grid (N, ..., 2 or 3).

    Raises:
        ValueError: an unknown mode or padding.
        RuntimeError: shapes that do not match, or cubics for volumes.
    """
    for what, value, known in (("mode", mode, ORDERS), ("padding_mode", padding_mode, PADDINGS)):
        if value not in known:
            raise errors.wrong_value(
                f"grid_sample(): expected {what} to be one of {', '.join(known)}; got {value!r}"
            )
    dims = input._data.ndim - 2
    if dims not in (2, 3) or grid._data.ndim != dims + 2 or grid._data.shape[-1] != dims:
        raise errors.wrong_shape(
            "grid_sample(): expected a 4D input with a grid of pairs, or a 5D input with a grid of "
            f"triples; got input of shape {list(input.shape)} and grid of shape {list(grid.shape)}"
        )
    if input._data.shape[0] != grid._data.shape[0] or not math.prod(input._data.shape[2:]):
        raise errors.wrong_shape(
            "grid_sample(): expected input and grid of the same batch size, and a non-empty image; "
            f"got shapes {list(input.shape)} and {list(grid.shape)}"
        )
    if mode == "bicubic" and dims == 3:
        raise errors.wrong_shape("grid_sample(): bicubic interpolation only supports 4D input")
    if align_corners is None:
        caution("grid_sample(): align_corners is taken as False; give it, to be sure.")
    ask = (ORDERS[mode], PADDINGS[padding_mode], bool(align_corners))
    return SAMPLED[dims](input, grid, *ask)  # type: ignore[no-any-return]


def _sampled(x: Tensor, grid: Tensor, order: int, padding: int, align: bool) -> Tensor:
    sizes = x._data.shape[2:]
    dims = len(sizes)
    batch = arange(x._data.shape[0], x._data).reshape(x._data.shape[0], *(1,) * dims)
    index: list[Any] = [batch, slice(None)]
    weight: Any = None
    for axis, n in enumerate(sizes):
        g = grid.select(-1, dims - 1 - axis)
        at = (g + 1) * ((n - 1) / 2) if align else ((g + 1) * n - 1) * 0.5
        taps, share = taps_of(at, n, order, padding, align)
        apart = (*(1,) * axis, len(taps), *(1,) * (dims - 1 - axis), *at._data.shape)
        inside = (taps >= 0) & (taps < n)
        share = (share * wrap(astype(inside, at._data.dtype))).reshape(*apart)
        weight = share if weight is None else weight * share
        index.append(astype(np.clip(taps, 0, n - 1), np.int64).reshape(apart))
    found = index_row.apply(x, tuple(index)) * weight.unsqueeze(-1)
    return found.sum(tuple(range(dims))).movedim(-1, 1)  # type: ignore[no-any-return]


def taps_of(at: Tensor, n: int, order: int, padding: int, align: bool) -> tuple[Any, Tensor]:
    """The places (an array) of the elements that a value is made of, and the share of each."""
    if order != 3:
        at = within(at, n, padding, align)
    if order == 0:
        return np.rint(at._data)[None], wrap(np.ones_like(at._data)).unsqueeze(0)
    low = np.floor(at._data)
    rest = at - wrap(low)
    if order == 1:
        return np.stack([low, low + 1]), stacked([1 - rest, rest])
    shares = [cubic(rest + 1, False), cubic(rest, True), cubic(1 - rest, True)]
    shares.append(cubic(2 - rest, False))
    taps = [within(wrap(low + k), n, padding, align)._data for k in range(-1, 3)]
    return np.rint(np.stack(taps)), stacked(shares)


def stacked(parts: list[Tensor]) -> Tensor:
    """Parts along a new first dimension."""
    return stack_public(parts)


def cubic(d: Tensor, inner: bool) -> Tensor:
    """The share of an element at distance ``d``, one of the two nearest or beyond them."""
    bend = -0.75
    if inner:
        return ((bend + 2) * d - (bend + 3)) * d * d + 1
    return ((bend * d - 5 * bend) * d + 8 * bend) * d - 4 * bend


def within(at: Tensor, n: int, padding: int, align: bool) -> Tensor:
    """Places brought into the image, for the paddings that continue it."""
    if padding == 2:
        start, length = (0.0, n - 1) if align else (-0.5, n)
        if not length:
            return at * 0
        turns = np.floor((at._data - start) / length)
        rest = at - wrap(turns * length + start)
        odd = wrap(turns % 2 == 1)
        at = rest.where(~odd, length - rest) + start
    if not padding:
        return at
    inside = (at._data > 0) & (at._data < n - 1)
    return at.where(wrap(inside), wrap(np.clip(at._data, 0, n - 1)))


SAMPLED = {
    dims: fused(f"grid_sampler_{dims}d", _sampled, f"GridSampler{dims}DBackward0")
    for dims in (2, 3)
}


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """The places of an image's elements, between -1 and 1, after affine maps (N, 2, 3), or for
    volumes (N, 3, 4).

    Raises:
        ValueError: maps of another shape.
    """
    dims = len(size) - 2
    if dims not in (2, 3) or theta._data.shape != (size[0], dims, dims + 1):
        raise errors.wrong_shape(
            f"affine_grid(): expected a batch of affine matrices of shape Nx2x3 for size "
            f"(N, C, H, W), or Nx3x4 for (N, C, D, H, W); got {list(theta.shape)} and {tuple(size)}",
            ValueError,
        )
    if align_corners is None:
        caution("affine_grid(): align_corners is taken as False; give it, to be sure.")
    lines = [line(int(n), bool(align_corners)) for n in size[2:]]
    places = np.meshgrid(*lines, indexing="ij")
    base = np.stack([*places[::-1], np.ones(places[0].shape)], -1)
    base = astype(beside(base, theta._data), theta._data.dtype)
    return placed(theta, base)  # type: ignore[no-any-return]


def line(n: int, align: bool) -> Any:
    """The places of so many elements between -1 and 1."""
    if align:
        return np.linspace(-1, 1, n) if n > 1 else np.zeros(1)
    return (2 * np.arange(n) + 1) / n - 1


def _placed(theta: Tensor, base: Any) -> Tensor:
    rows = wrap(base.reshape(1, -1, base.shape[-1]))
    found: Any = rows @ theta.transpose(1, 2)
    return found.reshape(theta._data.shape[0], *base.shape[:-1], theta._data.shape[1])  # type: ignore[no-any-return]


placed = fused("affine_grid_generator", _placed)


@function("channel_shuffle")
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Channels divided into groups, and taken from the groups in turn.

    Raises:
        RuntimeError: channels that the groups do not divide, or too few dimensions.
    """
    shape = input._data.shape
    if len(shape) < 3 or groups < 1 or shape[1] % groups:
        raise errors.wrong_shape(
            "channel_shuffle(): the number of channels must be divisible by groups, in at least "
            f"three dimensions; got shape {list(shape)} and groups={groups}"
        )
    return shuffled(input, groups)  # type: ignore[no-any-return]


def _shuffled(x: Tensor, groups: int) -> Tensor:
    shape = x._data.shape
    apart = x.reshape(shape[0], groups, shape[1] // groups, *shape[2:])
    return apart.transpose(1, 2).reshape(*shape)


shuffled = fused("channel_shuffle", _shuffled)
