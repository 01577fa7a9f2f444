"""An array library whose arrays live on a device: CuPy, or the stand-in for it.

Everything that the engine needs of such a library and that NumPy's own functions, called on its
arrays, do not hand over. Imports no library: it is given the modules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from .base import in_order, memory_order
from .device import Device

__all__ = ["DeviceLibrary"]

Array = Any
WIDER = {"b": "int32", "i": "int64", "u": "uint64", "f": "float32"}
"""By kind, the dtype in which small elements are added up by atomic operations."""


def arrays_of(index: Any) -> list[Array]:
    """The arrays of an advanced index."""
    return [i for i in index if hasattr(i, "dtype")]


class DeviceLibrary:
    """CuPy, or what stands for it.

    Attributes:
        kind: the device type, ``"cuda"`` or ``"strict"``.
        cupy, cupyx, special: the modules ``cupy``, ``cupyx`` and ``cupyx.scipy.special``.
    """

    def __init__(self, kind: str, cupy: Any, cupyx: Any, special: Any) -> None:
        self.kind, self.cupy, self.cupyx, self.special = kind, cupy, cupyx, special
        self.runtime = cupy.cuda.runtime

    # -- devices -----------------------------------------------------------------------------------

    def device_of(self, array: Array) -> Device:
        """The device that an array lives on."""
        return Device(self.kind, array.data.device_id)

    def device(self, array: Array) -> Any:
        """The library's own object for the device of an array: as a context, and after its
        ``use()``, work is done there."""
        return self.cupy.cuda.Device(array.data.device_id)

    def from_host(self, array: Array, index: int) -> Array:
        """A copy of a NumPy array, laid out as it is, on one of the devices."""
        order = memory_order(array)
        with self.cupy.cuda.Device(index):
            rows = self.cupy.array(array.transpose(order), order="C")
            return in_order(rows, array.shape, order)

    def between(self, array: Array, index: int) -> Array:
        """A copy on another of the devices."""
        with self.device(array):
            dense = self.cupy.ascontiguousarray(array)
        with self.cupy.cuda.Device(index):
            return dense.copy()

    # -- making arrays -----------------------------------------------------------------------------

    def zeros(self, shape: Any, dtype: Any) -> Array:
        """Zeros on the current device."""
        return self.cupy.zeros(shape, dtype)

    def full(self, shape: Any, value: Any, dtype: Any) -> Array:
        """One value on the current device."""
        return self.cupy.full(shape, value, dtype)

    def arange(self, n: int) -> Array:
        """0 .. n-1 on the current device."""
        return self.cupy.arange(n)

    def eye(self, n: int, dtype: Any) -> Array:
        """The identity matrix on the current device."""
        return self.cupy.eye(n, dtype=dtype)

    # -- memory ------------------------------------------------------------------------------------

    def pointer(self, array: Array) -> int:
        """Address of the first element."""
        return int(array.data.ptr)

    def memory(self, array: Array) -> Array:
        """All the memory that holds an array, as bytes."""
        base = array if array.base is None else array.base
        mem = base.data.mem
        size = mem.size if isinstance(mem, self.cupy.cuda.UnownedMemory) else base.nbytes
        start = self.cupy.cuda.MemoryPointer(mem, 0)
        return self.cupy.ndarray((size,), np.uint8, start)

    def as_strided(self, array: Array, shape: Any, strides: Any) -> Array:
        """Any look at the memory of an array, beginning where it begins.

        The library forgets the base of such an array; the size of its memory, which a block of the
        library's pool may exceed, is kept by a piece of memory that names its owner.
        """
        if not array.size:
            return self.cupy.ndarray(tuple(shape), array.dtype)
        cuda = self.cupy.cuda
        mem = array.data.mem
        if not isinstance(mem, cuda.UnownedMemory):
            root = array if array.base is None else array.base
            mem = cuda.UnownedMemory(mem.ptr, root.nbytes, root, mem.device_id)
        start = cuda.MemoryPointer(mem, array.data.ptr - mem.ptr)
        return self.cupy.ndarray(tuple(shape), array.dtype, start, tuple(strides))

    # -- reading and writing by index --------------------------------------------------------------

    def usable(self, array: Array, index: Any) -> Any:
        """An advanced index as the library takes it: no two masks, and nothing out of range, which
        it would wrap around.

        Raises:
            IndexError: out of range.
        """
        out: list[Any] = []
        masks = [i for i in arrays_of(index) if i.dtype.kind == "b"]
        for i in index:
            several = len(masks) > 1 and any(i is m for m in masks)
            if several and i.shape != array.shape[len(out) : len(out) + i.ndim]:
                raise errors.wrong_index(
                    f"the shape of the mask {list(i.shape)} does not match the shape of the indexed tensor "
                    f"{list(array.shape)} at dimension {len(out)}"
                )
            out.extend(i.nonzero() if several else (i,))
        dim = 0
        for i in out:
            mask = hasattr(i, "dtype") and i.dtype.kind == "b"
            if hasattr(i, "dtype") and not mask and i.size:
                size = array.shape[dim]
                low, high = int(i.min()), int(i.max())
                if low < -size or high >= size:
                    wrong = high if high >= size else low
                    raise errors.wrong_index(
                        f"index {wrong} is out of bounds for dimension {dim} with size {size}"
                    )
            dim += i.ndim if mask else 1
        return tuple(out)

    def put_at(self, array: Array, index: Any, values: Any) -> None:
        """Overwrite at an advanced index; of several values for one place the last one stays.

        The library leaves open which one does. So for each place the last position that writes
        there is found first, and then all of them write the value of that one.
        """
        index = self.usable(array, index)
        if getattr(values, "ndim", 0) and not any(i.dtype.kind == "b" for i in arrays_of(index)):
            last = self.cupy.zeros(array.shape, np.int64)
            shape = last[index].shape
            count = 1
            for n in shape:
                count *= n
            self.cupy.maximum.at(last, index, self.cupy.arange(count).reshape(shape))
            values = np.broadcast_to(values, shape).reshape(-1)[last[index]]
        array[index] = values

    def add_at(self, out: Array, index: Any, values: Any) -> None:
        """Add at an advanced index, repeated places adding up; complex numbers by their parts."""
        if out.dtype.kind == "c":
            self.add_at(out.real, index, values.real)
            self.add_at(out.imag, index, values.imag)
            return
        self.combine_at(np.add, out, index, values)

    def combine_at(self, ufunc: Any, out: Array, index: Any, values: Array) -> None:
        """``ufunc.at`` for add, multiply, maximum and minimum, by the library's own: NumPy's does not
        hand over to it where the index is a tuple."""
        wide_extreme = ufunc is not np.add and out.dtype == np.float64
        if ufunc is np.multiply or wide_extreme:  # which it lacks, and which it rounds to float32
            host, at = out.get(), tuple(i.get() if hasattr(i, "get") else i for i in index)
            ufunc.at(host, at, values.get())
            out[...] = self.cupy.asarray(host)
            return
        small = out.dtype.itemsize < 4 or (ufunc is np.add and out.dtype.kind == "i")
        wide = out.astype(WIDER[out.dtype.kind]) if small else out
        getattr(self.cupy, ufunc.__name__).at(wide, index, values.astype(wide.dtype))
        if small:
            out[...] = wide

    # -- numbers -----------------------------------------------------------------------------------

    def function(self, name: str, *args: Any) -> Array:
        """A special function by its name there, in the dtype of the last argument."""
        arrays = [a if hasattr(a, "dtype") else self.cupy.full((), a, np.float64) for a in args]
        found = getattr(self.special, name)(*arrays).astype(args[-1].dtype, copy=False)
        return self.without_overflow(name, args[-1], found) if name in ("i0e", "i1e") else found

    def without_overflow(self, name: str, x: Array, found: Array) -> Array:
        """A scaled Bessel function, by its asymptotic series (DLMF 10.40.1) where x is large.

        The library multiplies exp(-|x|), which underflows there, by a function that overflows. From
        |x| = 85 on, five terms are exact in float32, and from 600 on in float64.
        """
        size = np.abs(x)
        large = size > (600 if x.dtype.itemsize == 8 else 85)
        order = int(name[1])
        term: Any = 1.0
        series: Any = 1.0
        z = np.where(large, size, 1)
        for k in range(1, 6):
            term = term * ((2 * k - 1) ** 2 - 4 * order**2) / (8 * k * z)
            series = series + term
        series = series / np.sqrt(2 * np.pi * z)
        series = series * np.sign(x) if order else series
        return np.where(large, series, found).astype(x.dtype, copy=False)

    def raising(self) -> Any:
        """A context in which linear solvers fail aloud."""
        return self.cupyx.errstate(linalg="raise")

    def synchronize(self) -> None:
        """Wait until the device is done."""
        self.runtime.deviceSynchronize()
