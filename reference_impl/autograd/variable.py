"""``Variable``, as tensors with a history were once called."""

from __future__ import annotations

import warnings
from typing import Any

from .. import errors
from ..tensor.tensor import Tensor, flagged, wrap

__all__ = ["Variable"]


class _VariableType(type):
    """Makes every tensor an instance of Variable."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=_VariableType):
    """Old spelling of a tensor: a leaf that shares the data's memory."""

    def __new__(  # type: ignore[misc]
        cls, data: Any = None, requires_grad: bool = False, volatile: Any = None
    ) -> Tensor:
        """Make the tensor.

        Raises:
            TypeError: ``data`` is not a tensor.
            ValueError: both ``requires_grad`` and the old ``volatile`` are asked for.
        """
        if not isinstance(data, Tensor):
            raise errors.wrong_type(
                f"Variable data has to be a tensor, but got {type(data).__name__}"
            )
        if volatile is not None:
            warnings.warn(
                "Variable(): volatile is deprecated and does nothing. Use `with "
                "torch.no_grad():` instead.",
                UserWarning,
                stacklevel=2,
            )
        if volatile and requires_grad:
            raise errors.wrong_value(
                "Variable(): volatile and requires_grad exclude each other; got both"
            )
        t = wrap(data._data)
        return flagged(t) if requires_grad else t
