"""What the tensor's class, called as a constructor, makes of its arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes, errors
from .backend.base import Array, astype, moved, zeros_on
from .backend.devices import resolved
from .dtypes import DType
from .state import Size
from .tensor import Tensor

__all__ = ["constructed"]


def constructed(args: tuple[Any, ...], dtype: DType | None = None) -> Array:
    """The array that the class, or one named after a dtype, makes of these arguments.

    Raises:
        TypeError: a number that is no length, or a tensor of another dtype.
    """
    first = args[0] if len(args) == 1 else None
    if isinstance(first, Tensor):
        if dtype not in (None, first.dtype):
            raise errors.wrong_type(f"expected {dtype} (got {first.dtype}); convert it with .to()")
        return first._data
    dtype = dtype or dtypes.get_default_dtype()
    if first is not None and not isinstance(first, (int, Size)):
        if not hasattr(first, "__len__"):
            raise errors.wrong_type(
                f"new(): data must be a sequence (got {type(first).__name__}); "
                "torch.tensor(number) makes a tensor of one number"
            )
        if isinstance(first, str):
            raise errors.wrong_type("new(): invalid data type 'str'; numbers are needed")
        return moved(astype(np.array(first, dtype=dtype.np), dtype.np), resolved())
    sizes = first if isinstance(first, Size) else args or (0,)
    return zeros_on(resolved(), sizes, dtype.np)
