"""What the engine asks of an array library, whichever it is.

Most kernels call NumPy's functions, which hand over to the array's own library. What NumPy does not
hand over has its place here, with a form for NumPy beside one for the libraries of devices
(``device_library``).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from .bfloat16 import BFloat16Array, rounded, stored
from .device import CPU, META, Device
from .dtypes import BFLOAT16
from .libraries import library, library_of, resolved
from .meta import MetaArray, no_values, on_meta

__all__ = [
    "arange", "as_array", "as_strided", "astype", "device_of", "full", "host", "memory",
    "moved", "pointer", "share_memory", "writable", "zeros",
]  # fmt: skip

Array = Any
ndarray = np.ndarray
NOWHERE = np.zeros(0)
"""Stands where an array is asked for only to tell that arrays are to be NumPy's."""
as_strided_by_numpy = np.lib.stride_tricks.as_strided


def as_array(value: Any) -> Array:
    """A kernel's result as an array: NumPy turns zero-dim results into scalars, which this
    undoes."""
    if type(value) is ndarray:
        return value
    if isinstance(value, np.generic):
        return np.asarray(value)
    if hasattr(value, "__array_function__"):
        return value
    return np.asarray(value)


def astype(array: Array, dtype: Any) -> Array:
    """An array in another dtype; itself where it is of that one already."""
    if array.dtype is dtype:
        return array
    if dtype is BFLOAT16:
        return stored(array)
    return array.astype(dtype, copy=False)


# -- where arrays live -----------------------------------------------------------------------------


def device_of(array: Array) -> Device:
    """The device an array lives on."""
    if type(array) is ndarray:
        return CPU
    if isinstance(array, (ndarray, np.generic)):
        return META if type(array) is MetaArray else CPU
    if type(array) is BFloat16Array:
        return device_of(array.values)
    return library_of(array).device_of(array)  # type: ignore[no-any-return]


def is_host(array: Array) -> bool:
    """Whether an array is of NumPy, with values."""
    return device_of(array) is CPU


def has_values(array: Array) -> bool:
    """Whether an array has elements whose values can be read."""
    return bool(array.size) and type(array) is not MetaArray


def host(array: Array) -> Array:
    """An array that NumPy can read: itself, or a copy from the device that is laid out as it is there.

    Raises:
        NotImplementedError: the array has no values.
    """
    if type(array) is MetaArray:
        raise no_values("a copy on another device")
    if isinstance(array, ndarray):
        return array
    if type(array) is BFloat16Array:
        return BFloat16Array(host(array.values))
    order = memory_order(array)
    rows = np.ascontiguousarray(array.get().transpose(order))
    return in_order(rows, array.shape, order)


def host_or_zeros(array: Array) -> Array:
    """An array that NumPy can read, with zeros where there are no values: enough to work out a shape."""
    return np.zeros(array.shape, array.dtype) if type(array) is MetaArray else host(array)


def moved(array: Array, device: Device) -> Array:
    """An array on a device; itself where it lives there.

    Raises:
        RuntimeError: there is no such device.
        NotImplementedError: the array has no values to move.
    """
    array = as_array(array)
    here = device_of(array)
    if here is device or here == device:
        return array
    if device.type == "meta":
        return on_meta(array)
    if type(array) is BFloat16Array:
        return BFloat16Array(moved(array.values, device))
    if device.type == "cpu":
        return host(array)
    if here.type == device.type:
        return library_of(array).between(array, device.index)
    return library(device.type).from_host(host(array), device.index)


def arrays_in(values: Any) -> Iterator[Array]:
    """The arrays among some values and in the tuples and lists among them."""
    for v in values:
        if isinstance(v, (tuple, list)):
            yield from arrays_in(v)
        elif hasattr(v, "strides") and not isinstance(v, np.generic):
            yield v


def settled(values: Any) -> bool:
    """Whether all arrays among some values live on one device, on which work is done now."""
    places = {device_of(a) for a in arrays_in(values)}
    if len(places) > 1:
        return False
    place = next(iter(places), CPU)
    return place.index is None or place == resolved(place.type)


def guard(array: Array) -> Any:
    """A context in which new arrays are made where an array lives."""
    if isinstance(array, ndarray):
        return contextlib.nullcontext()
    if type(array) is BFloat16Array:
        return guard(array.values)
    return library_of(array).device(array)


# -- making arrays where another one lives ---------------------------------------------------------


def zeros(shape: Any, dtype: Any, like: Array) -> Array:
    """Zeros of an array dtype, where ``like`` lives."""
    return full(shape, 0, dtype, like)


def full(shape: Any, value: Any, dtype: Any, like: Array) -> Array:
    """One value, in an array dtype, where ``like`` lives."""
    if type(like) is BFloat16Array:
        like = like.values
    if dtype is BFLOAT16:
        return stored(full(shape, value, np.dtype("float32"), like))
    if isinstance(like, (ndarray, np.generic)):
        out = np.full(shape, value, dtype) if value else np.zeros(shape, dtype)
        return on_meta(out) if type(like) is MetaArray else out
    there = library_of(like)
    return there.full(shape, value, dtype) if value else there.zeros(shape, dtype)


def zeros_on(device: Device, shape: Any, dtype: Any) -> Array:
    """Zeros of an array dtype on a device."""
    return full_on(device, shape, 0, dtype)


def full_on(device: Device, shape: Any, value: Any, dtype: Any) -> Array:
    """One value, in an array dtype, on a device."""
    if device.type in ("cpu", "meta"):
        return moved(full(shape, value, dtype, NOWHERE), device)
    there = library(device.type)
    kind = np.dtype("float32") if dtype is BFLOAT16 else dtype
    with there.cupy.cuda.Device(device.index):
        out = there.full(shape, value, kind) if value else there.zeros(shape, kind)
    return stored(out) if dtype is BFLOAT16 else out


def arange(n: int, like: Array) -> Array:
    """0 .. n-1 as int64, where ``like`` lives."""
    like = getattr(like, "values", like)
    if isinstance(like, (ndarray, np.generic)):
        return beside(np.arange(n), like)
    return library_of(like).arange(n)


def beside(array: Array, like: Array) -> Array:
    """A NumPy array, moved to where ``like`` lives."""
    return moved(array, device_of(like))


def eye(n: int, dtype: Any, like: Array) -> Array:
    """The identity matrix, where ``like`` lives."""
    if isinstance(like, (ndarray, np.generic)):
        return beside(np.eye(n, dtype=dtype), like)
    if type(like) is BFloat16Array:
        return stored(eye(n, np.dtype("float32"), like.values))
    return library_of(like).eye(n, dtype)


def array_like(value: Any, like: Array) -> Array:
    """An array as it is, a Python number as a zero-dim array where ``like`` lives."""
    return value if hasattr(value, "strides") else beside(np.asarray(value), like)


# -- reading and writing by index ------------------------------------------------------------------


def take_at(array: Array, index: Any) -> Array:
    """The elements at an advanced index, copied.

    Raises:
        IndexError: out of range.
    """
    if isinstance(array, ndarray):
        return array[index]
    if type(array) is BFloat16Array:
        return BFloat16Array(take_at(array.values, index))
    return array[library_of(array).usable(array, index)]


def put_at(array: Array, index: Any, values: Any) -> None:
    """Overwrite the elements at an advanced index.

    Raises:
        IndexError: out of range.
    """
    if isinstance(array, ndarray):
        array[index] = values
    elif type(array) is BFloat16Array:
        put_at(array.values, index, rounded(values))
    else:
        library_of(array).put_at(array, index, values)


def add_at(array: Array, index: Any, values: Any) -> None:
    """Add to the elements at an advanced index, repeated places adding up."""
    if isinstance(array, ndarray) and array.dtype == np.float16:
        wide = array.astype(np.float32)
        np.add.at(wide, index, values)
        array[...] = wide  # rounded once
    elif isinstance(array, ndarray):
        np.add.at(array, index, values)
    elif type(array) is BFloat16Array:
        combine_at(np.add, array, index, values)
    else:
        library_of(array).add_at(array, index, values)


def combine_at(ufunc: Any, array: Array, index: Any, values: Any) -> None:
    """As ``add_at``, by addition, multiplication, maximum or minimum."""
    if isinstance(array, ndarray):
        ufunc.at(array, index, values)
    elif type(array) is BFloat16Array:
        combine_at(ufunc, array.values, index, getattr(values, "values", values))
        array[...] = array.values  # rounded
    else:
        library_of(array).combine_at(ufunc, array, index, values)


def first_extreme(name: str, array: Array, axis: int | None) -> Array:
    """``argmax`` or ``argmin``; of several elements, and of several NaN, the first."""
    if isinstance(array, ndarray) or array.dtype.kind != "f":
        return getattr(array, name)(axis)
    extreme = getattr(array, name[3:])(axis=axis, keepdims=True)  # CuPy's may be any of the NaN
    return ((array == extreme) | (array != array)).argmax(axis)


def accumulated(ufunc: Any, array: Array, dim: int) -> Array:
    """The running maximum or minimum along a dimension."""
    if isinstance(array, ndarray) or type(array) is BFloat16Array:
        return ufunc.accumulate(array, axis=dim)
    out, reach = array.copy(), 1  # what reaches so far back is doubled in each round
    lead = (slice(None),) * dim
    while reach < array.shape[dim]:
        later, earlier = (*lead, slice(reach, None)), (*lead, slice(None, -reach))
        out[later] = ufunc(out[later], out[earlier])
        reach *= 2
    return out


def raising(array: Array) -> Any:
    """A context in which solvers refuse matrices that they cannot solve."""
    if isinstance(array, ndarray):
        return contextlib.nullcontext()
    return library_of(array).raising()


# -- memory ----------------------------------------------------------------------------------------


def share_memory(a: Array, b: Array) -> bool:
    """Whether the memory spans of two arrays touch (decided by bounds, not element by element)."""
    if isinstance(a, ndarray) and isinstance(b, ndarray):
        return np.may_share_memory(a, b)
    if device_of(a) != device_of(b) or not a.size or not b.size:
        return False
    (low, high), (start, end) = span(a), span(b)
    return low < end and start < high


def surely_meet(a: Array, b: Array) -> bool:
    """Whether two arrays that fill their memory without gaps have some of it in common."""
    return bool(share_memory(a, b) and a.size and b.size and is_dense(a) and is_dense(b))


def span(array: Array) -> tuple[int, int]:
    """Where the memory that an array looks at begins and ends."""
    start = pointer(array)
    reach = [(n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)]
    low = start + sum(r for r in reach if r < 0)
    return low, start + sum(r for r in reach if r > 0) + int(array.itemsize)


def same_place(a: Array, b: Array) -> bool:
    """Whether two arrays are one look at one memory."""
    return (pointer(a), a.shape, a.strides, a.dtype) == (pointer(b), b.shape, b.strides, b.dtype)


def strides_in_elements(array: Array) -> tuple[int, ...]:
    """Strides counted in elements, as users see them."""
    size = array.itemsize
    if not array.size and not any(array.strides):  # NumPy's, where memory for nothing was made
        counted = [max(n, 1) for n in array.shape]
        return tuple(math.prod(counted[d + 1 :]) for d in range(array.ndim))
    return tuple(s // size for s in array.strides)


def memory(array: Array) -> Array:
    """All the memory that holds an array, as bytes."""
    if type(array) is BFloat16Array:
        return memory(array.values)
    if not isinstance(array, ndarray):
        return library_of(array).memory(array)
    array = root(array)
    flat = as_strided_by_numpy(array, (array.size,), (array.itemsize,))
    return flat.view(np.uint8, ndarray)


def root(array: Array) -> Array:
    """The array that owns the memory."""
    owner = base = array
    while base is not None:  # as_strided puts an object in between that is no array
        owner, base = (base, base.base) if isinstance(base, ndarray) else (owner, base.base)
    return owner


def pointer(array: Array) -> int:
    """Address of the first element."""
    if isinstance(array, ndarray):
        return int(array.__array_interface__["data"][0])
    if type(array) is BFloat16Array:
        return pointer(array.values)
    return library_of(array).pointer(array)  # type: ignore[no-any-return]


def offset_in_elements(array: Array) -> int:
    """Position of the first element in the memory that holds it."""
    return (pointer(array) - pointer(memory(array))) // int(array.itemsize)


def as_strided(array: Array, shape: Any, strides: Any) -> Array:
    """A look at the memory of an array, beginning where it begins; strides in bytes."""
    if isinstance(array, ndarray):
        return as_strided_by_numpy(
            array, shape, strides, subok=True, writeable=array.flags.writeable
        )
    if type(array) is BFloat16Array:
        return BFloat16Array(as_strided(array.values, shape, strides))
    return library_of(array).as_strided(array, shape, strides)


def looked_at(held: Array, dtype: Any, offset: int, shape: Any, strides: Any) -> Array:
    """A look at memory, given as bytes; the offset and the strides too are counted in bytes."""
    if dtype is BFLOAT16:
        return BFloat16Array(looked_at(held, np.dtype("float32"), offset, shape, strides))
    count = (held.size - offset) // dtype.itemsize
    typed = held[offset : offset + count * dtype.itemsize].view(dtype)
    return as_strided(typed, shape, strides)


def resized(array: Array, shape: Any, order: Any = None) -> Array:
    """An array of another shape that begins where this one does, in the same memory; in a larger
    copy of that memory where it does not reach. ``order``: the dimensions from the widest stride to
    the narrowest, else rows."""
    order = range(len(shape)) if order is None else order
    held, each = memory(array), int(array.itemsize)
    offset = pointer(array) - pointer(held) if array.size else 0
    needed = offset + math.prod(shape) * each
    if needed > held.size:
        larger = zeros((needed,), np.dtype(np.uint8), held)
        larger[: held.size] = held
        held = larger
    strides, step = [0] * len(shape), each
    for d in reversed(order):
        strides[d] = step
        step *= shape[d]
    return looked_at(held, array.dtype, offset, shape, strides)


def contiguous(array: Array) -> Array:
    """An array in row-major order; itself where it is."""
    return array if array.flags.c_contiguous else array.copy()


def writable(view: Array, x: Array) -> Array:
    """NumPy marks some views read-only; this gives the same view, writable where ``x`` is."""
    if type(view) is BFloat16Array:
        writable(view.values, x.values)
    elif isinstance(view, ndarray) and not view.flags.writeable and x.flags.writeable:
        view.flags.writeable = True
    return view


def is_dense(array: Array) -> bool:
    """Whether the elements fill a block of memory without gaps or overlap, in any order of
    dimensions."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return True
    expected = array.itemsize
    for stride, size in sorted(
        (st, sz) for st, sz in zip(array.strides, array.shape, strict=True) if sz != 1
    ):
        if stride != expected:
            return False
        expected *= size
    return True


def memory_order(array: Any) -> list[int]:
    """The dimensions from the widest stride to the narrowest; a stretched one stays where it is."""
    order = list(range(array.ndim))[::-1]
    for i in range(1, array.ndim):
        at = i
        for before in range(i - 1, -1, -1):
            a, b = (array.strides[order[k]] for k in (before, at))
            if not a or not b:
                continue
            if a < b or (a == b and array.shape[order[before]] <= array.shape[order[at]]):
                break
            order[before], order[at] = order[at], order[before]
            at = before
    return order[::-1]


def in_order(values: Any, shape: tuple[int, ...], order: list[int]) -> Any:
    """Values in the order of memory, as an array of this shape whose dimensions lie in memory in
    ``order``, the widest stride first."""
    back = tuple(sorted(range(len(order)), key=order.__getitem__))
    return values.reshape([shape[d] for d in order]).transpose(back)


def overlaps_itself(array: Array) -> bool:
    """Whether two elements surely share one memory location (a stretched dimension)."""
    if 0 not in array.strides or type(array) is MetaArray:
        return False
    stretched = any(st == 0 and sz > 1 for st, sz in zip(array.strides, array.shape, strict=True))
    return stretched and bool(array.size)
