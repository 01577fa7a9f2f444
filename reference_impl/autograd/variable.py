"""``Variable``, as tensors with a history were once called."""

from __future__ import annotations

from ..tensor import Tensor, wrap

__all__ = ["Variable"]


def Variable(data: Tensor, requires_grad: bool = False) -> Tensor:
    """Old spelling of a tensor: a leaf that shares the data's memory."""
    t = wrap(data._data)
    return t.requires_grad_() if requires_grad else t
