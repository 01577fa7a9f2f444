"""What looks like a view and is none: parts that autograd does not know to share memory, copies of
views, and functions of Python applied to each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import host
from ..graph.row import LINEAR
from ..tensor.tensor import Tensor, wrap
from .core import cast_to
from .joins import _split, _split_rule, lengths_of
from .op import op, variant
from .registry import function, method, public
from .shape import narrow, wrap_dim

unsafe_split = op("unsafe_split(x, /, lengths, dim)", _split, LINEAR, n_out=0, x=_split_rule)
unsafe_split_with_sizes = variant(unsafe_split, "UnsafeSplitWithSizesBackward0")


@public("unsafe_split")
def unsafe_split_public(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As split, with parts that may be written though several: they are not tracked as views."""
    d = wrap_dim(dim, input._data.ndim)
    return tuple(unsafe_split.apply(input, lengths_of(input, split_size, d), d))


@public("unsafe_split_with_sizes")
def unsafe_split_with_sizes_public(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """As split_with_sizes, with parts that are not tracked as views."""
    d = wrap_dim(dim, input._data.ndim)
    return tuple(unsafe_split_with_sizes.apply(input, lengths_of(input, list(split_sizes), d), d))


@public("unsafe_chunk")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As chunk, with parts that are not tracked as views."""
    if chunks < 1:
        raise errors.wrong_value(f"[chunk] chunks must be at least 1; got {chunks}", RuntimeError)
    size = input._data.shape[wrap_dim(dim, input._data.ndim)]
    return unsafe_split_public(input, max(-(-size // chunks), 1), dim)


@public("narrow_copy")
def narrow_copy(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A copy of a range of one dimension."""
    return narrow(input, dim, start, length).clone()


@function("detach")
def detach(input: Tensor) -> Tensor:
    """The tensor outside the graph, in the same memory."""
    return input.detach()


@function("detach_")
def detach_(input: Tensor) -> Tensor:
    """Cut the tensor from its graph."""
    return input.detach_()


@function("is_same_size")
def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have one shape."""
    return bool(input._data.shape == other._data.shape)


def each(name: str, self: Tensor, fn: Callable[..., Any], others: Sequence[Tensor]) -> Tensor:
    """Give each element the value of a function of Python, of it and of those beside it.

    Raises:
        RuntimeError: the tensor requires grad.
    """
    if self.requires_grad:
        raise errors.requires_grad(
            f"[{name}] a function of Python leaves no history, so the tensor may not require grad; "
            "use its detach()"
        )
    flat = [np.broadcast_to(host(y._data), self._data.shape).reshape(-1).tolist() for y in others]
    own = host(self._data).reshape(-1).tolist()
    values = [fn(*row) for row in zip(own, *flat, strict=True)]
    made = wrap(np.array(values, np.float64 if self._data.dtype.kind != "c" else np.complex128))
    self._data[...] = (
        cast_to(made, self._data.dtype).to(self.device)._data.reshape(self._data.shape)
    )
    return self


@method("apply_")
def apply_(self: Tensor, callable: Callable[..., Any]) -> Tensor:
    """Each element by a function of Python, in place."""
    return each("apply_", self, callable, ())


@method("map_")
def map_(self: Tensor, tensor: Tensor, callable: Callable[..., Any]) -> Tensor:
    """Each element by a function of it and of another tensor's, in place."""
    return each("map_", self, callable, (tensor,))


@method("map2_")
def map2_(self: Tensor, x: Tensor, y: Tensor, callable: Callable[..., Any]) -> Tensor:
    """Each element by a function of it and of two other tensors', in place."""
    return each("map2_", self, callable, (x, y))
