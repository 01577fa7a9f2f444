"""The device "strict": a stand-in for CUDA where there is no GPU.

Its arrays hold NumPy arrays and behave as CuPy's do, as far as an engine could tell and a bit
stricter. They have CuPy's methods, attributes and parameters and no others. They never become NumPy
arrays by themselves, and never meet one in an operation, nor an array of another device. Results
are always arrays, zero-dim ones too. An index out of range wraps around instead of failing, a
linear solver fails silently, ``base`` is lost by ``as_strided``, adding at a plain index does not
count repeated places. What is undefined on a GPU is refused here: writing twice to one place, and
reading memory that was never written gives NaN.

Every wait for the device (``get``, ``item``, ``bool(x)``, finding where a mask holds) is noted, so
that a test can tell that code does without: see ``host_reads``.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .cupy_names import known
from .strict_rules import attribute, bind, loop_for, ufunc_facts

__all__ = ["COUNT", "StrictArray", "StrictDevice", "host_reads"]

COUNT = 2
"""How many devices there are."""
SCALARS = (bool, int, float, complex, np.generic)
UFUNC_KEYWORDS = {
    "__call__": {"out", "dtype", "casting"},
    "outer": {"out", "dtype", "casting"},
    "at": set(),
    "reduce": {"axis", "dtype", "out", "keepdims"},
    "accumulate": {"axis", "dtype", "out"},
}
RAW = np.ndarray
new = object.__new__


class Local(threading.local):
    """The device that a thread works on, and the list that its waits are noted in, if any."""

    device: int = 0
    reads: list[str] | None = None


local = Local()


@contextlib.contextmanager
def host_reads() -> Iterator[list[str]]:
    """What this thread waits for the device for, within a block: one name for each time."""
    held, local.reads = local.reads, []
    try:
        yield local.reads
    finally:
        local.reads = held


def waits(what: str) -> None:
    """The host waits for the device here."""
    if local.reads is not None:
        local.reads.append(what)


class StrictDevice:
    """One of the devices; as a context the one that new arrays are made on."""

    def __init__(self, id: int) -> None:
        if not 0 <= id < COUNT:
            raise RuntimeError(f"invalid device ordinal: {id}; there are {COUNT}")
        self.id = id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StrictDevice) and self.id == other.id

    def __hash__(self) -> int:
        return self.id

    def __enter__(self) -> StrictDevice:
        self.former, local.device = local.device, self.id
        return self

    def __exit__(self, *exc: object) -> None:
        local.device = self.former

    def use(self) -> None:
        """Work on this device from now on."""
        local.device = self.id


class Memory:
    """One piece of device memory."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int) -> None:
        self.ptr, self.size, self.device_id, self._owner = ptr, size, device_id, owner


class UnownedMemory(Memory):
    """A piece of memory that another array made."""


class MemoryPointer:
    """A place within a piece of memory."""

    def __init__(self, mem: Memory, offset: int) -> None:
        self.mem, self.ptr, self.device_id = mem, mem.ptr + offset, mem.device_id


class Flags:
    """What CuPy tells about an array's memory; there is no ``writeable``."""

    def __init__(self, host: Any, owns: bool) -> None:
        self.c_contiguous: bool = host.flags.c_contiguous
        self.f_contiguous: bool = host.flags.f_contiguous
        self.owndata = owns


def address(host: Any) -> int:
    """Where the first element of a NumPy array is."""
    return int(host.__array_interface__["data"][0])


def fresh(host: Any, device_id: int | None = None) -> StrictArray:
    """A new array on the current device around a NumPy array that nothing else holds."""
    host = np.asarray(host)
    if not host.flags.writeable:
        host = host.copy()
    a: StrictArray = new(StrictArray)
    a.host, a.base = host, None
    owner = host
    while isinstance(owner.base, RAW):
        owner = owner.base
    device_id = local.device if device_id is None else device_id
    mem = Memory(address(owner), owner.nbytes, owner, device_id)
    a.data = MemoryPointer(mem, address(host) - mem.ptr)
    return a


def viewing(host: Any, of: StrictArray) -> StrictArray:
    """A view of the memory of an array."""
    offset = address(host) - of.data.mem.ptr if host.size else 0
    start = MemoryPointer(of.data.mem, offset)
    if not host.flags.writeable:  # NumPy protects some views, CuPy none
        full = host.size > 0
        host = (
            StrictArray(host.shape, host.dtype, start, host.strides).host
            if full
            else np.empty(host.shape, host.dtype)
        )
    a: StrictArray = new(StrictArray)
    a.host, a.data, a.base = host, start, of if of.base is None else of.base
    return a


def wrapped(out: Any, sources: list[StrictArray]) -> Any:
    """A result of NumPy as CuPy would give it: arrays, never scalars; views stay views."""
    if isinstance(out, (RAW, np.generic)):
        host = np.asarray(out)
        for a in sources if isinstance(out, RAW) else ():
            if host is a.host:
                return a
            if np.may_share_memory(host, a.host):
                return viewing(host, a)
        return fresh(host)
    if isinstance(out, tuple):
        return tuple(wrapped(o, sources) for o in out)
    if isinstance(out, list):
        return [wrapped(o, sources) for o in out]
    return fresh(out) if isinstance(out, bool) else out


def bare(value: Any, sources: list[StrictArray]) -> Any:
    """An argument as NumPy can take it; the arrays met are put into ``sources``.

    Raises:
        TypeError: a NumPy array, which CuPy does not take.
        ValueError: an array of a device that is not the current one.
    """
    if type(value) is StrictArray:
        if value.data.device_id != local.device:
            raise ValueError(
                f"The device where the array resides ({value.data.device_id}) is different from "
                f"the current device ({local.device})."
            )
        sources.append(value)
        return value.host
    if isinstance(value, RAW):
        raise TypeError(f"Unsupported type {type(value)}: a NumPy array among CuPy's")
    if isinstance(value, (list, tuple)):
        return type(value)(bare(v, sources) for v in value)
    return value


class StrictArray(NDArrayOperatorsMixin):
    """An array as CuPy's, on a device that is none."""

    __slots__ = ("base", "data", "host")
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    host: Any
    base: StrictArray | None
    data: MemoryPointer

    def __new__(
        cls, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None
    ) -> StrictArray:
        """New memory, which holds NaN, or a look at memory that is there."""
        if memptr is None:
            return fresh(garbage(np.empty(shape, dtype)))
        a: StrictArray = new(cls)
        mem = memptr.mem
        owner = mem._owner
        flat = owner.host if isinstance(owner, StrictArray) else owner
        flat = np.lib.stride_tricks.as_strided(flat, (flat.size,), (flat.itemsize,)).view(np.uint8)
        a.host = np.ndarray(shape, dtype, flat.data, memptr.ptr - mem.ptr, strides)
        a.base, a.data = None, memptr
        return a

    def __getattr__(self, name: str) -> Any:
        if name in known()["methods"]:
            return lambda *args, **kwargs: self._call(name, args, kwargs)
        raise attribute(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("real", "imag"):
            getattr(self, name)[...] = value
        elif name in StrictArray.__slots__:
            object.__setattr__(self, name, value)
        else:
            raise attribute(name)

    # -- attributes --------------------------------------------------------------------------------

    dtype = property(lambda self: self.host.dtype)
    shape = property(lambda self: self.host.shape)
    strides = property(lambda self: self.host.strides)
    ndim = property(lambda self: self.host.ndim)
    size = property(lambda self: self.host.size)
    itemsize = property(lambda self: self.host.itemsize)
    nbytes = property(lambda self: self.host.nbytes)
    device = property(lambda self: StrictDevice(self.data.device_id))
    flags = property(lambda self: Flags(self.host, self.base is None))
    T = property(lambda self: viewing(self.host.T, self))

    @property
    def real(self) -> StrictArray:
        """The real part, as a view; the array itself where real."""
        return viewing(self.host.real, self) if self.dtype.kind == "c" else self

    @property
    def imag(self) -> StrictArray:
        """The imaginary part, as a view; new zeros where real."""
        if self.dtype.kind == "c":
            return viewing(self.host.imag, self)
        return fresh(np.zeros(self.shape, self.dtype))

    # -- to the host -------------------------------------------------------------------------------

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            "strict(): NumPy asked for the values of a device's array, which must be copied to the "
            "host first. Use .get()."
        )

    def _read(self, what: str) -> Any:
        waits(what)
        return self.host

    def get(self, stream: Any = None, order: str = "C", out: Any = None) -> Any:
        """A copy on the host."""
        return np.array(self._read("get"), order=order)  # type: ignore[call-overload]

    def item(self) -> Any:
        """The only element, as a Python number."""
        return self._read("item").item()

    def tolist(self) -> Any:
        """Nested lists."""
        return self._read("tolist").tolist()

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous")
        return bool(self._read("bool"))

    def __int__(self) -> int:
        return int(self._read("int"))

    def __float__(self) -> float:
        return float(self._read("float"))

    def __complex__(self) -> complex:
        return complex(self._read("complex"))

    def __repr__(self) -> str:
        return repr(self._read("repr"))

    def __len__(self) -> int:
        return len(self.host)

    def __iter__(self) -> Iterator[Any]:
        if not self.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    def __reduce__(self) -> Any:
        return fresh, (self.get(), self.data.device_id)

    # -- methods -----------------------------------------------------------------------------------

    def _call(self, name: str, args: Any, kwargs: Any) -> Any:
        """A method that CuPy has too, by NumPy's of that name."""
        if name not in NUMPY_METHODS:
            raise NotImplementedError(f"the stand-in device does not offer ndarray.{name}")
        bind(name, known()["methods"][name], args, kwargs)
        if name == "nonzero":
            waits(name)
        if not self.ndim and kwargs.get("axis") not in (None, ()):
            raise np.exceptions.AxisError(kwargs["axis"], 0)  # which NumPy accepts
        sources: list[StrictArray] = []
        host = bare(self, sources)
        args, kwargs = bare(args, sources), {k: bare(v, sources) for k, v in kwargs.items()}
        result = getattr(host, name)(*args, **kwargs)
        if name in ("argmax", "argmin") and host.dtype.kind == "f" and host.size:
            result = some_nan(host, result, *args, **kwargs)
        return wrapped(result, sources)

    def view(self, dtype: Any = None, type: Any = None) -> StrictArray:
        """The same memory."""
        return viewing(self.host.view() if dtype is None else self.host.view(dtype), self)

    def astype(
        self, dtype: Any, order: str = "K", casting: None = None, subok: None = None,
        copy: bool = True,
    ) -> StrictArray:  # fmt: skip
        """A copy in another dtype; itself where ``copy`` is False and nothing changes."""
        host = bare(self, [])
        with np.errstate(all="ignore"):
            out = host.astype(dtype, order=order, copy=copy)
        return self if out is host else fresh(out)

    def copy(self, order: Any = "C") -> StrictArray:
        """A copy on the current device, wherever this array lives."""
        return fresh(self.host.copy(order))

    def conj(self) -> StrictArray:
        """The conjugate; itself where real."""
        return fresh(self.host.conj()) if self.dtype.kind == "c" else self

    # -- indexing ----------------------------------------------------------------------------------

    def __getitem__(self, index: Any) -> StrictArray:
        sources: list[StrictArray] = []
        host = bare(self, sources)
        return wrapped(host[indices(self, index)], [self])  # type: ignore[no-any-return]

    def __setitem__(self, index: Any, value: Any) -> None:
        host = bare(self, [])
        at = indices(self, index)
        value = bare(value, [])
        with np.errstate(all="ignore"):
            refuse_overlap(host[at], value)
            host[at] = value
            refuse_repeated(host, at, value)

    # -- NumPy's functions -------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        name = ufunc.__name__
        facts = ufunc_facts(name)
        if (facts is None and name != "matmul") or method not in UFUNC_KEYWORDS:
            return NotImplemented
        unknown = set(kwargs) - UFUNC_KEYWORDS[method]
        if unknown:
            raise TypeError(f"Wrong arguments {unknown} for cupy.{name}.{method}")
        sources: list[StrictArray] = []
        for x in inputs:  # the index of `at` too, which may therefore not be a tuple
            if not isinstance(x, (StrictArray, *SCALARS, RAW)):
                return NotImplemented
        if method == "at":
            return add_at(name, *inputs)
        out = kwargs.pop("out", (None,))
        target = bare(out[0], sources)
        operands = [bare(x, sources) for x in inputs]
        with np.errstate(all="ignore"):
            if method in ("reduce", "accumulate"):
                if name not in ("add", "multiply"):
                    raise NotImplementedError(f"`cupy_{name}.{method}` is not supported yet")
                result = getattr(ufunc, method)(*operands, **kwargs)
            else:
                result = computed(ufunc, method, facts, operands, kwargs)
            if out[0] is None:
                return wrapped(result, [])
            for x in operands:
                refuse_overlap(target, x)
            np.copyto(target, result, casting="same_kind")
            return out[0]

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from .strict_cupy import call_function

        if not all(issubclass(kind, (StrictArray, np.ndarray)) for kind in types):
            return NotImplemented
        return call_function(func, args, kwargs)


NUMPY_METHODS = set(dir(RAW)) - {"dump", "dumps", "tofile", "tobytes", "put", "choose"}


class CompileException(Exception):
    """Raised by CuPy where it has a loop for these dtypes that does not compile."""


def computed(ufunc: Any, method: str, facts: Any, operands: list[Any], kwargs: Any) -> Any:
    """A ufunc's result in the dtypes of CuPy's loop."""
    if facts is None:  # matmul has no table of loops
        return ufunc(*operands, **kwargs)
    if "dtype" in kwargs:
        return getattr(ufunc, method)(*operands, **kwargs)
    ins, outs = loop_for(ufunc.__name__, facts["types"], operands)
    if ufunc.__name__ in ("arctan2", "hypot") and ins[0].kind == "c":
        raise CompileException(f"no instance of overloaded function matches: {ufunc.__name__}")
    cast = [np.asarray(x).astype(d, copy=False) for x, d in zip(operands, ins, strict=True)]
    result = getattr(ufunc, method)(*cast)
    if isinstance(result, tuple):
        return tuple(r.astype(d, copy=False) for r, d in zip(result, outs, strict=True))
    return np.asarray(result).astype(outs[0], copy=False)


def some_nan(host: Any, found: Any, axis: int | None = None) -> Any:
    """The index of an extreme element as CuPy finds it: of several NaN it may be any; here the last."""
    spoilt = np.isnan(host.reshape(-1) if axis is None else host)
    along = 0 if axis is None else axis
    last = spoilt.shape[along] - 1 - np.flip(spoilt, along).argmax(along)
    return np.where(spoilt.any(along), last, found)


def garbage(host: Any) -> Any:
    """What memory holds that was never written."""
    if host.dtype.kind in "fc":
        host[...] = np.nan
    else:
        host.view(np.uint8).fill(1 if host.dtype.kind == "b" else 0x5A) if host.ndim else None
    return host


# -- indices ---------------------------------------------------------------------------------------


def indices(a: StrictArray, index: Any) -> Any:
    """An index as NumPy takes it, with CuPy's rules: out of range wraps around, one mask at most.

    Raises:
        ValueError: several masks.
    """
    items = list(index) if isinstance(index, tuple) else [index]
    bare_items = [bare(i, []) for i in items]
    masks = [i for i in bare_items if isinstance(i, RAW) and i.dtype.kind == "b"]
    if masks:
        waits("mask")
    if len(masks) > 1:
        raise ValueError("CuPy does not support an index of several boolean arrays")
    used = sum(
        i.ndim if isinstance(i, RAW) and i.dtype.kind == "b" else i is not None and i is not ...
        for i in bare_items
    )
    dim = 0
    out: list[Any] = []
    for i in bare_items:
        if i is None:
            out.append(i)
        elif i is ...:
            out.append(i)
            dim += a.ndim - used
        elif isinstance(i, RAW) and i.dtype.kind == "b":
            out.append(i)
            dim += i.ndim
        else:
            if isinstance(i, RAW) and dim < a.ndim and a.shape[dim]:
                i = i % a.shape[dim]
            out.append(i)
            dim += 1
    return tuple(out)


def refuse_overlap(target: Any, source: Any) -> None:
    """Refuse to write into memory that is read at the same time, unless element by element.

    Raises:
        ValueError: what is read is undefined on a GPU.
    """
    if isinstance(source, RAW) and target.size and np.shares_memory(target, source):
        if address(target) != address(source) or target.strides != source.strides:
            raise ValueError("memory is read and written at once: what is read is undefined")


def refuse_repeated(host: Any, index: tuple[Any, ...], stored: Any) -> None:
    """Refuse that an index named one place twice and different values were stored there.

    Raises:
        ValueError: which value stays is undefined on a GPU.
    """
    if np.ndim(stored) and any(isinstance(i, RAW) and i.dtype.kind in "iu" for i in index):
        found, wanted = np.broadcast_arrays(host[index], np.asarray(stored).astype(host.dtype))
        if not np.array_equal(found, wanted, equal_nan=host.dtype.kind in "fc"):
            raise ValueError("an index names one place twice: which value stays is undefined")


def add_at(name: str, a: StrictArray, index: Any, values: Any = None) -> None:
    """``ufunc.at``: repeated places count where the index holds arrays, and not otherwise."""
    if not ufunc_facts(name)["at"]:
        raise NotImplementedError(f"`cupy_{name}.at` is not supported yet")
    host, at, values = bare(a, []), indices(a, index), bare(values, [])
    ufunc = getattr(np, name)
    if not any(isinstance(i, RAW) for i in at):
        host[at] = ufunc(host[at], values)
        return
    allowed = "iu" if name == "subtract" or name.startswith("bitwise") else "iuf"
    if host.dtype.kind not in allowed or host.itemsize < (2 if name == "add" else 4) or (
        host.dtype.kind != "f" and host.itemsize < 4
    ):  # fmt: skip
        raise TypeError(f"cupy.{name}.at does not support {host.dtype} as data type")
    if name in ("maximum", "minimum") and host.dtype == np.float64:
        values = np.float32(values)  # as CuPy's atomic functions compute it
    ufunc.at(host, at, np.asarray(values).astype(host.dtype))
