"""What looks like a view and is none: parts that autograd does not know to share memory, copies of
views, and functions of Python applied to each element."""

from __future__ import annotations

from .. import errors
from ..graph.row import KEEPS_LAYOUT, LINEAR
from ..tensor.tensor import Tensor
from .dims import wrap_dim
from .joins import _split, _split_rule, pieces_of
from .op import op
from .registry import function, public

unsafe_split = op(
    "unsafe_split(x, /, lengths, dim)", _split, LINEAR | KEEPS_LAYOUT, n_out=0, x=_split_rule
)


@public("unsafe_split")
def unsafe_split_public(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As split, with parts that may be written though several: they are not tracked as views."""
    return tuple(unsafe_split.apply(input, *pieces_of(input, split_size, dim)))


@public("unsafe_chunk")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As chunk, with parts that are not tracked as views."""
    if chunks < 1:
        raise errors.wrong_value(f"chunk(): chunks must be at least 1; got {chunks}", RuntimeError)
    size = input._data.shape[wrap_dim(dim, input._data.ndim)]
    return unsafe_split_public(input, max(-(-size // chunks), 1), dim)


@function("detach")
def detach(input: Tensor) -> Tensor:
    """The tensor outside the graph, in the same memory."""
    return input.detach()


@function("detach_")
def detach_(input: Tensor) -> Tensor:
    """Cut the tensor from its graph."""
    return input.detach_()
