"""What the tensor's class, called as a constructor, makes of its arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend import dtypes
from ..backend.base import Array, astype, moved, zeros_on
from ..backend.device import Device
from ..backend.dtypes import DType
from ..backend.libraries import resolved
from .state import Size
from .tensor import Tensor

__all__ = ["constructed"]


def constructed(args: tuple[Any, ...], dtype: DType | None = None, **named: Any) -> Array:
    """The array that the class, or one named after a dtype, makes of these arguments.

    Raises:
        TypeError: arguments that do not go together, a number that is no length, or a tensor of
            another dtype.
        RuntimeError: a device on which the class makes no tensors.
    """
    device = named.pop("device", None)
    if device is not None and Device(device).type != resolved().type:
        raise errors.wrong_value(
            f"legacy constructor expects device type: {resolved().type} but device type: "
            f"{Device(device).type} was passed. Use torch.tensor() or torch.empty().",
            RuntimeError,
        )
    if named:
        args = (named_argument(args, named),)
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


def named_argument(args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """What came by name, as ``data=``, ``size=`` or ``other=``, in the form of the one argument
    that came by its place.

    Raises:
        TypeError: another name, several arguments, or what does not fit the name.
    """
    if args or len(named) > 1 or not named.keys() <= {"data", "size", "other"}:
        found = [type(a).__name__ for a in args] + [f"{name}=" for name in named]
        raise errors.wrong_type(
            f"new() received an invalid combination of arguments - got ({', '.join(found)}); "
            "expected lengths, or one of data, size, other, and a device"
        )
    name, value = named.popitem()
    if name == "data":
        if isinstance(value, Tensor) or not hasattr(value, "__len__"):
            raise errors.wrong_type(f"new(): data must be a sequence (got {type(value).__name__})")
        return list(value) if isinstance(value, Size) else value
    wanted = (tuple, list) if name == "size" else Tensor
    if not isinstance(value, wanted):
        raise errors.wrong_type(
            f"new() received an invalid combination of arguments - got ({name}="
            f"{type(value).__name__})"
        )
    return Size(value) if name == "size" else value
