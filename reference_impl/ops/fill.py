"""Making tensors of a shape: filled with one value, with numbers in order, with random numbers."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .. import errors
from ..backend import dtypes
from ..backend.base import astype, host, in_order, memory_order
from ..backend.dtypes import BFLOAT16, DType
from ..backend.memory_format import contiguous_format
from ..tensor.tensor import Tensor
from .create import default, inferred, made
from .dims import needs_tensor
from .registry import function, method, put_out

__all__ = ["filler"]


def written(out: Tensor | None, result: Tensor, dtype: DType | None = None) -> Tensor:
    """The result, stored in ``out`` where that is given.

    Raises:
        RuntimeError: another dtype was asked for.
    """
    if out is None:
        return result
    if dtype is not None and dtypes.named(dtype) is not out.dtype:
        raise errors.wrong_dtype(
            f"dtype {dtype} does not match dtype of out parameter ({out.dtype})"
        )
    put_out("out", result, out, cast=True)
    return out


def in_numpy(dtype: Any) -> Any:
    """An array dtype, or the one that holds its values where NumPy has none of that kind."""
    return dtype.dtype if dtype is BFLOAT16 else dtype


def laid_out_like(values: Any, like: Any) -> Any:
    """Values in the order of memory, as an array whose dimensions lie in memory as those of
    ``like``."""
    if like.flags.c_contiguous:
        rows = values.reshape(like.shape)
        if rows.strides == like.strides or not like.size:
            return rows
    return in_order(values, like.shape, memory_order(like))


def placed(values: Any, like: Any, memory_format: Any) -> Any:
    """Values in the order of memory, laid out as was asked for, or as ``like``."""
    if memory_format is contiguous_format:
        return values.reshape(like.shape)
    if memory_format is not None and memory_format.ndim:
        return in_order(values, like.shape, memory_format.order(like.shape))
    return laid_out_like(values, like)


def lengths(what: str, args: tuple[Any, ...], size: Any) -> tuple[int, ...]:
    """The sizes that a tensor is to have.

    Raises:
        TypeError: none are given, or one is no whole number.
        RuntimeError: one is negative.
    """
    if not args and size is None:
        raise errors.wrong_type(f'{what}() missing 1 required positional arguments: "size"')
    given = args if size is None else (size,)
    if len(given) == 1 and isinstance(given[0], (list, tuple)):
        given = tuple(given[0])
    try:
        if any(n is True or n is False for n in given):
            raise TypeError
        shape = tuple(operator.index(n) for n in given)
    except TypeError:
        found = [type(n).__name__ for n in given]
        raise errors.wrong_type(
            f"{what}(): argument 'size' must be tuple of ints, but found {found}"
        ) from None
    if any(n < 0 for n in shape):
        raise errors.wrong_shape(f"a dimension cannot be negative; got shape {list(shape)}")
    return shape


def filler(name: str, fill: Any, new_method: bool = True) -> None:
    """NAME(*size), NAME_like(input) and Tensor.new_NAME(*size).

    ``fill(shape, array dtype, generator)`` gives the values in the order of memory.
    """

    def fn(
        *args: Any,
        size: Any = None,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
        out: Any = None,
        generator: Any = None,
        layout: Any = None,
        memory_format: Any = None,
        pin_memory: bool = False,
        names: Any = None,
    ) -> Tensor:
        kind = default(dtype) if dtype is not None or out is None else out._data.dtype
        shape = lengths(name, args, size)
        values = fill(shape, kind, generator)
        if memory_format is not None and memory_format.ndim:
            values = in_order(values, shape, memory_format.order(shape))
        return written(out, made(values, requires_grad, kind, device), dtype)

    def like(
        input: Tensor,
        *,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
        memory_format: Any = None,
        layout: Any = None,
        generator: Any = None,
        pin_memory: bool = False,
    ) -> Tensor:
        needs_tensor(f"{name}_like", "input", input)
        kind = input._data.dtype if dtype is None else dtypes.array_dtype(dtype)
        place = input.device if device is None else device
        data = input._data
        drawn = fill(data.shape, kind, generator)
        return made(placed(drawn, data, memory_format), requires_grad, kind, place)

    def new(
        self: Tensor,
        *args: Any,
        size: Any = None,
        dtype: DType | None = None,
        device: Any = None,
        requires_grad: bool = False,
        layout: Any = None,
        pin_memory: bool = False,
    ) -> Tensor:
        kind = self._data.dtype if dtype is None else dtypes.array_dtype(dtype)
        place = self.device if device is None else device
        shape = lengths(f"new_{name}", args, size)
        return made(fill(shape, kind, None), requires_grad, kind, place)

    fn.__name__ = fn.__qualname__ = name
    like.__name__ = like.__qualname__ = name + "_like"
    new.__name__ = new.__qualname__ = "new_" + name
    fn.__doc__ = f"A tensor of this shape: {name}."
    like.__doc__ = f"A tensor of the same shape and dtype: {name}; requires_grad is not inherited."
    new.__doc__ = (
        f"A tensor of this shape and the same dtype: {name}; requires_grad is not inherited."
    )
    function(name)(fn)
    function(name + "_like")(like)
    if new_method:
        method("new_" + name)(new)


filler("zeros", lambda shape, dtype, *_: np.zeros(shape, in_numpy(dtype)))
filler("ones", lambda shape, dtype, *_: np.ones(shape, in_numpy(dtype)))
filler("empty", lambda shape, dtype, *_: np.zeros(shape, in_numpy(dtype)))


@function("full")
def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    layout: Any = None,
    pin_memory: bool = False,
) -> Tensor:
    """A tensor of this shape holding one value."""
    if isinstance(size, int):
        raise errors.wrong_type("full(): argument 'size' must be tuple of ints, not int")
    value = number("full", fill_value)
    kind = inferred(value, np.asarray(value)) if dtype is None else dtypes.array_dtype(dtype)
    values = constant(lengths("full", (), size), value, kind)
    return written(out, made(values, requires_grad, kind, device), dtype)


def number(what: str, value: Any) -> Any:
    """A number, or that of a tensor of one element that does not require grad.

    Raises:
        TypeError: something else.
    """
    if isinstance(value, Tensor):
        if value._data.size != 1 or value.requires_grad:
            raise errors.wrong_type(
                f"{what}(): the value must be a number, or a tensor of one element that does not "
                f"require grad; got shape {list(value.shape)}"
            )
        return host(value._data).item()
    if not isinstance(value, (int, float, complex, np.generic)):
        raise errors.wrong_type(f"{what}(): the value must be a number, not {type(value).__name__}")
    return value


def constant(shape: tuple[int, ...], value: Any, kind: Any) -> Any:
    """An array of one value.

    Raises:
        TypeError: no number.
        RuntimeError: a number that the dtype cannot hold.
    """
    value = dtypes.checked_number("full", value, dtypes.from_numpy(kind))
    return np.full(shape, value, dtype=in_numpy(kind))


@function("full_like")
def full_like(
    input: Tensor,
    fill_value: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
    layout: Any = None,
) -> Tensor:
    """A tensor of the same shape and dtype holding one value."""
    kind = input._data.dtype if dtype is None else dtypes.array_dtype(dtype)
    values = constant(input._data.shape, number("full_like", fill_value), kind)
    place = input.device if device is None else device
    return made(placed(values, input._data, memory_format), requires_grad, kind, place)


@method("new_full")
def new_full(
    self: Tensor,
    size: Any,
    fill_value: Any,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of this shape and the same dtype holding one value."""
    kind = self._data.dtype if dtype is None else dtypes.array_dtype(dtype)
    place = self.device if device is None else device
    values = constant(lengths("new_full", (), size), number("new_full", fill_value), kind)
    return made(values, requires_grad, kind, place)


@function("arange")
def arange(
    start: Any = None,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    layout: Any = None,
) -> Tensor:
    """Numbers from start up to, not including, end.

    Raises:
        TypeError: no end is given, or something is no number.
        RuntimeError: the step is zero or leads away from the end, or a number is not finite.
        NotImplementedError: the dtype is bool or complex.
    """
    if end is None:
        start, end = 0, start
    start = 0 if start is None else start
    if not all(
        isinstance(v, (int, float, complex, Tensor, np.generic)) for v in (start, end, step)
    ):
        raise errors.wrong_type(
            f"arange() takes numbers; got start={start!r}, end={end!r} and step={step!r}"
        )
    start, end, step = (v.item() if hasattr(v, "item") else v for v in (start, end, step))
    if not all(isinstance(v, (int, float)) and math.isfinite(v) for v in (start, end, step)):
        raise errors.wrong_value(
            f"arange(): needs finite real numbers; got start={start}, end={end} and step={step}",
            RuntimeError,
        )
    if dtype is not None and dtypes.named(dtype).category in (dtypes.BOOL, dtypes.COMPLEX):
        raise errors.wrong_dtype(f'"arange_cpu" not implemented for {dtype}', NotImplementedError)
    if not step:
        raise errors.wrong_value("step must be nonzero", RuntimeError)
    if (end - start) * step < 0:
        raise errors.wrong_value(
            f"arange(): step has the wrong sign; got start={start}, end={end} and step={step}",
            RuntimeError,
        )
    integral = all(isinstance(v, int) for v in (start, end, step))
    kind = np.dtype("int64") if integral and dtype is None else default(dtype)
    count = -(-(end - start) // step) if integral else math.ceil((end - start) / step)
    return written(out, made(start + step * np.arange(count), requires_grad, kind, device))


@function("linspace")
def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    layout: Any = None,
) -> Tensor:
    """Evenly spaced numbers from start to end, both included."""
    if dtype is None and any(isinstance(v, complex) for v in (start, end)):
        dtype = dtypes.get_default_dtype().to_complex()
    kind = default(dtype)
    return written(out, made(evenly(start, end, steps, kind), requires_grad, kind, device), dtype)


def evenly(start: Any, end: Any, steps: int, kind: Any) -> Any:
    """Evenly spaced numbers, counted from the nearer end and computed in the dtype itself.

    Raises:
        RuntimeError: a negative number of steps.
    """
    if steps < 0:
        raise errors.wrong_value("number of steps must be non-negative", RuntimeError)
    start, end = (v.item() if isinstance(v, Tensor) else v for v in (start, end))
    number = in_numpy(kind).type
    if in_numpy(kind).kind not in "fc":
        number = np.float64
    first, last = number(start), number(end)
    step = (last - first) / number(max(steps - 1, 1))
    if kind is BFLOAT16:
        step = astype(np.asarray(step), kind).values
    i = np.arange(steps)
    below = i < steps // 2 if steps > 1 else i < 1
    near, far = i.astype(number), (steps - 1 - i).astype(number)
    return np.where(below, first + near * step, last - far * step)


@function("eye")
def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: DType | None = None,
    device: Any = None,
    requires_grad: bool = False,
    out: Any = None,
    layout: Any = None,
) -> Tensor:
    """The identity matrix.

    Raises:
        RuntimeError: a negative number of rows or columns.
    """
    if n < 0 or (m is not None and m < 0):
        raise errors.wrong_shape(f"eye(): a dimension cannot be negative; got n={n} and m={m}")
    return written(out, made(np.eye(n, m), requires_grad, default(dtype), device))
