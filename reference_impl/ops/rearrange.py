"""Copies of a tensor's elements in another order, repeated, or in part."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..graph.row import KEEPS_LAYOUT, LINEAR
from ..tensor.tensor import Tensor
from .dims import sizes, wrap_dim
from .op import Op, op
from .reduce import sum_dims
from .registry import method, public
from .shape import reshape_any

flip: Op = op(
    "flip(x, /, dims)",
    lambda x, dims: (np.flip(x, dims) if dims else x).copy(order="K"),
    LINEAR | KEEPS_LAYOUT,
    shows={"dims": "dims"},
    x=lambda g, dims: flip(g, dims),
)
roll: Op = op(
    "roll(x, /, shifts, dims)",
    lambda x, s, d: np.roll(x, s, d),
    LINEAR,
    shows={"dims": "dims"},
    x=lambda g, shifts, dims: roll(g, negated(shifts), dims),
)
tril: Op = op(
    "tril(x, /, k)",
    lambda x, k: np.tril(x, k),
    LINEAR,
    shows={"k": "diagonal"},
    x=lambda g, k: tril(g, k),
)
triu: Op = op(
    "triu(x, /, k)",
    lambda x, k: np.triu(x, k),
    LINEAR,
    shows={"k": "diagonal"},
    x=lambda g, k: triu(g, k),
)


def _repeat_rule(g: Any, x_shape: Any, repeats: Any) -> Any:
    shape = (1,) * (len(repeats) - len(x_shape)) + tuple(x_shape)
    pairs: list[int] = []
    for r, n in zip(repeats, shape, strict=True):
        pairs += [r, n]
    summed = sum_dims(reshape_any(g, tuple(pairs)), tuple(range(0, 2 * len(repeats), 2)), False)
    return reshape_any(summed, x_shape)


repeat = op("repeat(x, /, repeats)", lambda x, r: np.tile(x, r), LINEAR, x=_repeat_rule)


def negated(shifts: Any) -> Any:
    """Shifts in the other direction."""
    return tuple(-s for s in shifts) if isinstance(shifts, tuple) else -shifts


@public("flip")
def flip_public(input: Tensor, *order: Any, dims: Any = None) -> Tensor:
    """In reverse order along these dimensions."""
    if not order and dims is None:
        raise errors.wrong_type("flip() needs the dimensions along which to reverse")
    n = input._data.ndim
    at = tuple(wrap_dim(d, n) for d in sizes(order, dims))
    if len(set(at)) < len(at):
        raise errors.wrong_shape(f"flip(): each dim can be named once; got dims {list(at)}")
    return flip.apply(input, at if n else ())


@public("fliplr")
def fliplr(input: Tensor) -> Tensor:
    """Columns in reverse order."""
    return flip.apply(matrices("fliplr", input), (1,))


@public("flipud")
def flipud(input: Tensor) -> Tensor:
    """Rows in reverse order."""
    if not input._data.ndim:
        raise errors.wrong_shape(
            "flipud(): the input must have at least 1 dimension; got a 0-dim tensor"
        )
    return flip.apply(input, (0,))


@public("roll")
def roll_public(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Elements moved round along these dimensions."""
    s = tuple(shifts) if not isinstance(shifts, int) else shifts
    n = input._data.ndim
    if not input._data.size:  # nothing moves, along whatever dimension
        return roll.apply(input, 0, None)
    d = dims
    moved = 1 if isinstance(s, int) else len(s)
    if moved != (1 if dims is None or isinstance(dims, int) else len(dims)):
        raise errors.wrong_shape(
            f"roll(): each shift needs a dim of its own; got shifts {shifts} and dims {dims}"
        )
    if dims is not None:
        if not n:
            raise errors.wrong_index("roll(): a 0-dim tensor has no dimension to roll along")
        d = wrap_dim(dims, n) if isinstance(dims, int) else tuple(wrap_dim(i, n) for i in dims)
    return roll.apply(input, s, d)


def matrices(what: str, x: Tensor) -> Tensor:
    """Refuse what has no rows and columns."""
    if x._data.ndim < 2:
        raise errors.wrong_shape(
            f"{what}(): the input must have at least 2 dimensions; got shape {list(x.shape)}"
        )
    return x


@public("tril")
def tril_public(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle."""
    return tril.apply(matrices("tril", input), diagonal)


@public("triu")
def triu_public(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle."""
    return triu.apply(matrices("triu", input), diagonal)


@method("tril_")
def tril_(self: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle, in place."""
    return tril.inplace(matrices("tril_", self), diagonal)


@method("triu_")
def triu_(self: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle, in place."""
    return triu.inplace(matrices("triu_", self), diagonal)


@method("repeat")
def repeat_public(self: Tensor, *counts_: Any, repeats: Any = None) -> Tensor:
    """Copies of the tensor side by side."""
    if not counts_ and repeats is None:
        raise errors.wrong_type("repeat() needs a count for each dimension")
    counts = sizes(counts_, repeats)
    if len(counts) < self._data.ndim:
        raise errors.wrong_shape(
            f"repeat(): each dimension needs a count; got {len(counts)} counts for shape "
            f"{list(self.shape)}"
        )
    return repeated("repeat", self, counts)


def repeated(what: str, x: Tensor, counts: tuple[int, ...]) -> Tensor:
    """Copies side by side.

    Raises:
        RuntimeError: a count that is negative.
    """
    lead = len(counts) - x._data.ndim
    if any(c * n < 0 for c, n in zip(counts, (1,) * lead + x._data.shape, strict=True)):
        raise errors.wrong_shape(f"{what}(): counts must not be negative; got {list(counts)}")
    return repeat.apply(x, tuple(max(c, 0) for c in counts))


@public("tile")
def tile(input: Tensor, *counts_: Any, dims: Any = None) -> Tensor:
    """As repeat, filling missing counts with 1."""
    counts = sizes(counts_, dims)
    return repeated("tile", input, (1,) * (input._data.ndim - len(counts)) + counts)
