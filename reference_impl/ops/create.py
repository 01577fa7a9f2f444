"""Making tensors from data."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np

from .. import errors
from ..backend import dtypes
from ..backend.base import astype, host, moved
from ..backend.device import CPU
from ..backend.dtypes import DIFFERENTIABLE, DType
from ..backend.libraries import resolved
from ..backend.silence import silent
from ..tensor.construction import constructed
from ..tensor.tensor import Tensor, flagged, set_requires_grad, wrap
from .core import cast_to, same_dtype, to_device
from .registry import function, method

__all__ = ["array_of", "default", "inferred", "made", "plain", "tensor"]

NUMBERS = frozenset((bool, int, float, complex))


def made(array: Any, requires_grad: Any = False, dtype: Any = None, device: Any = None) -> Tensor:
    """A new leaf around an array, brought to an array dtype and a device.

    Raises:
        TypeError: ``requires_grad`` is not a bool.
        RuntimeError: the dtype cannot require grad.
    """
    if type(requires_grad) is not bool:
        raise errors.wrong_type(
            f"argument 'requires_grad' must be bool, not {type(requires_grad).__name__}"
        )
    if dtype is not None:
        array = astype(array, dtype)
    array = moved(array, resolved(device))
    if requires_grad and array.dtype not in DIFFERENTIABLE:
        raise errors.integer_requires_grad(dtypes.from_numpy(array.dtype))
    t = wrap(array)
    if requires_grad:
        set_requires_grad(t, True)
    return t


def plain(data: Any) -> Any:
    """Python data with tensors replaced by their values; one in a sequence stands for a number."""
    if isinstance(data, Tensor):
        return host(data._data)
    if isinstance(data, (list, tuple)):
        if NUMBERS.issuperset(map(type, data)):
            return data
        if data and isinstance(data[0], np.ndarray):
            errors.caution(
                "a tensor of a list of arrays is made number by number; join the arrays first, "
                "with np.array() or np.stack()."
            )
        return [one_number(d) if isinstance(d, Tensor) else plain(d) for d in data]
    return data


def one_number(x: Tensor) -> Any:
    """The only element of a tensor.

    Raises:
        ValueError: a tensor of floating numbers that has not one element.
        TypeError: another tensor that has not one element.
    """
    if x.requires_grad:
        errors.caution(
            "a tensor with requires_grad=True is read as a plain scalar, and no gradient "
            "reaches it. If that is meant, say so with detach(); else use stack()."
        )
    if x._data.size != 1:
        kind = ValueError if x._data.dtype in DIFFERENTIABLE else TypeError
        raise errors.wrong_shape(
            "only tensors of one element can stand for numbers in a sequence; found one of shape "
            f"{list(x.shape)}. Join tensors with stack() or cat().",
            kind,
        )
    return host(x._data).item()


def array_of(data: Any, dtype: DType | None) -> Any:
    """A new array from Python data, an array or a tensor, its dtype inferred where not given.

    Raises:
        TypeError: the data is not numeric.
        ValueError: nested sequences of unequal length, or an array that no tensor can hold.
    """
    if dtype is not None:
        dtype = dtypes.named(dtype)
    if isinstance(data, Tensor):
        array = data._data
    elif isinstance(data, (np.ndarray, np.generic)):
        array = checked_array(np.asarray(data))
    else:
        try:
            array = np.array(plain(data))
        except ValueError:
            raise uneven(data) from None
        if array.dtype.kind not in "biufc" or array.dtype == np.uint64:
            raise not_numeric(data)
        if dtype is None:
            array = converted(array, inferred(data, array))
        else:
            check_fits(array, dtype)
    kind = array.dtype if dtype is None else dtype.np
    if not isinstance(array, np.ndarray):
        return astype(array.copy(), kind)
    return converted(np.array(array, order="C"), kind)


def checked_array(array: Any) -> Any:
    """A NumPy array that a tensor can hold.

    Raises:
        TypeError: no tensor holds that dtype.
        ValueError: the bytes are in foreign order, or a dimension runs backwards.
    """
    if not array.dtype.isnative:
        raise errors.wrong_value(
            "given numpy array has byte order different from the native byte order; convert it "
            "with array.astype(array.dtype.newbyteorder('='))"
        )
    dtypes.from_numpy(array.dtype)
    if any(stride < 0 for stride in array.strides):
        raise errors.wrong_value(
            f"no tensor can have negative strides, and the array has {array.strides}; copy it "
            "with array.copy()"
        )
    return array


converted = silent(astype)
"""An array in another dtype; what does not fit becomes infinite without a word."""


def check_fits(array: Any, dtype: DType) -> None:
    """Refuse Python numbers that the dtype has no value for.

    Raises:
        TypeError: complex numbers for a real dtype.
        RuntimeError: numbers out of range of a whole-number dtype, NaN among them; those below
            zero wrap in an unsigned dtype.
    """
    if array.dtype.kind == "c" and dtype.category < dtypes.COMPLEX:
        raise errors.wrong_type(f"must be real numbers to make a tensor of {dtype}, not complex")
    if array.dtype.kind in "iuf" and dtype.category == dtypes.INTEGER and array.size:
        limits = np.iinfo(dtype.np)
        low = -int(limits.max) if not limits.min else int(limits.min)
        if not (array.max() <= limits.max and array.min() >= low):
            raise errors.wrong_value(
                f"value cannot be converted to type {dtype} without overflow", RuntimeError
            )


def not_numeric(data: Any) -> Exception:
    """The refusal of data that is not made of numbers, bools and nested sequences of them."""
    while isinstance(data, (list, tuple)):
        data = next((d for d in data if isinstance(d, (str, bytes))), data[0])
    if isinstance(data, (str, bytes)):
        return errors.wrong_type(
            f"new(): invalid data type '{type(data).__name__}'; numbers are needed"
        )
    if isinstance(data, int):
        return errors.wrong_value(f"Overflow when unpacking long: {data} does not fit into int64")
    return errors.wrong_type(
        f"Could not infer dtype of {type(data).__name__}; numbers are needed", RuntimeError
    )


def uneven(data: Any) -> Exception:
    """The refusal of nested sequences that have no shape, by the first place where that shows."""
    sizes: list[int] = []
    first = data
    while isinstance(first, (list, tuple)):
        sizes.append(len(first))
        if not first:
            break
        first = first[0]

    def look(part: Any, level: int) -> Exception | None:
        if level == len(sizes):
            if isinstance(part, (list, tuple)):
                return errors.wrong_type(
                    f"must be a number at dim {level}, not {type(part).__name__}"
                )
            return None
        if not isinstance(part, (list, tuple)):
            return errors.wrong_type(
                f"must be a sequence at dim {level}, not {type(part).__name__}"
            )
        if len(part) != sizes[level]:
            return errors.wrong_value(
                f"expected sequence of length {sizes[level]} at dim {level} (got {len(part)})"
            )
        return next((e for p in part if (e := look(p, level + 1)) is not None), None)

    return look(data, 0) or errors.wrong_value("expected sequences of equal length at every level")


def warn_of_copy(what: str) -> None:
    """A tensor is better copied by its own methods."""
    warnings.warn(
        f"{what}(source) copies values and leaves history behind. For a tensor, write "
        "source.clone().detach(), and requires_grad_(True) after it if that is meant.",
        UserWarning,
        stacklevel=3,
    )


def inferred(data: Any, array: Any) -> Any:
    """The array dtype for Python data: bool, int64, or the default floating or complex dtype."""
    if array.size and has_dtypes(data):
        return dtype_of_elements(data)
    default = dtypes.get_default_dtype()
    kinds = {"b": np.dtype(bool), "i": np.dtype("int64"), "u": np.dtype("int64"),
             "f": default.np, "c": default.to_complex().np}  # fmt: skip
    return default.np if array.size == 0 else kinds[array.dtype.kind]


def has_dtypes(data: Any) -> bool:
    """Whether some element brings a dtype along, as tensors and NumPy's numbers do."""
    if isinstance(data, (list, tuple)):
        return not NUMBERS.issuperset(map(type, data)) and any(has_dtypes(d) for d in data)
    return isinstance(data, (Tensor, np.generic, np.ndarray))


def dtype_of_elements(data: Any) -> Any:
    """The array dtype that all elements promote to, numbers counting as the default dtypes."""
    if not isinstance(data, (list, tuple)):
        held = data._data if isinstance(data, Tensor) else data
        return dtypes.from_numpy(getattr(held, "dtype", None) or dtypes.of_number(held)).np
    return functools.reduce(dtypes.promote, map(dtype_of_elements, data))


@function("tensor")
def tensor(
    data: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A leaf that holds a copy of the data."""
    if isinstance(data, Tensor):
        warn_of_copy("torch.tensor")
        device = data.device if device is None else device
    return made(array_of(data, dtype), requires_grad, None, device)


@function("as_tensor")
def as_tensor(data: Any, dtype: DType | None = None, device: Any = None) -> Tensor:
    """The data as a tensor: the same object where it is one already, sharing memory with an
    array."""
    if isinstance(data, Tensor):
        kept = data if dtype is None else cast_to(data, dtypes.array_dtype(dtype))
        return kept if device is None else to_device(kept, device)
    here = resolved(device) is CPU
    if (
        here
        and isinstance(data, np.ndarray)
        and (dtype is None or same_dtype(data.dtype, dtypes.array_dtype(dtype)))
    ):
        return wrap(checked_array(data))
    return made(array_of(data, dtype), False, None, device)


@function("asarray")
def asarray(
    obj: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """As ``as_tensor``; ``requires_grad=False`` detaches, True switches it on, None leaves it.

    Raises:
        ValueError: ``copy=False``, and ``obj`` is no tensor or array of the wanted dtype.
    """
    t = as_tensor(obj, dtype, device)
    if requires_grad is None and t.requires_grad:
        errors.caution(
            "asarray() keeps requires_grad of what it is given where nothing is said of it; pass "
            "requires_grad=True or False to say what is meant."
        )
    if copy is False:
        shared = isinstance(obj, np.ndarray) and (
            dtype is None or same_dtype(obj.dtype, dtypes.array_dtype(dtype))
        )
        if t is not obj and not shared:
            message = f"can't alias {type(obj).__name__} into a tensor of dtype {t.dtype}"
            raise errors.wrong_value(f"{message}; a copy must be allowed")
    if copy:
        t = t.clone() if requires_grad is not False else wrap(t._data.copy())
    if requires_grad is None:
        return t
    if not requires_grad:
        if t.requires_grad:
            if t is not obj or t._node is not None:
                return t.detach()
            t.requires_grad = False
        return t
    return t if t.requires_grad else flagged(t)


@function("from_numpy")
def from_numpy(ndarray: Any) -> Tensor:
    """A tensor that shares memory with an array.

    Raises:
        TypeError: not an array, or of a dtype that no tensor can hold.
        ValueError: the bytes are in foreign order, or a dimension runs backwards.
    """
    if not isinstance(ndarray, np.ndarray):
        raise errors.wrong_type(f"expected np.ndarray (got {type(ndarray).__name__})")
    if not ndarray.flags.writeable:
        errors.caution(
            "the array is not writable, which a tensor knows nothing of, and writes to it would go "
            "through; copy it first",
            stacklevel=3,
        )
    return wrap(checked_array(ndarray))


def default(dtype: DType | None) -> Any:
    """The array dtype, or the default one."""
    return dtypes.array_dtype(dtype or dtypes.get_default_dtype())


@method("new_tensor")
def new_tensor(
    self: Tensor,
    data: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A leaf with this data and the same dtype."""
    if isinstance(data, Tensor):
        warn_of_copy("new_tensor")
    place = self.device if device is None else device
    return made(array_of(data, dtype or self.dtype), requires_grad, None, place)


@method("new")
def new(self: Tensor, *args: Any) -> Tensor:
    """As the class called with these arguments, in this tensor's dtype."""
    return wrap(constructed(args, self.dtype))
