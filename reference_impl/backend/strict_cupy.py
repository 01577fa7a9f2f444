"""The functions of the stand-in device: what ``cupy``, its ``linalg`` and its special functions
have, computed by NumPy.

The engine's code for CUDA is handed either CuPy's modules or these, and cannot tell them apart.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import special
from .cupy_names import known
from .strict import (
    COUNT,
    MemoryPointer,
    StrictArray,
    StrictDevice,
    UnownedMemory,
    add_at,
    bare,
    fresh,
    garbage,
    local,
    waits,
    wrapped,
)
from .strict_rules import bind

__all__ = ["StandIn", "call_function"]

WAITING = {"nonzero", "flatnonzero", "argwhere", "unique", "extract", "compress"}
"""Functions whose result's shape depends on values, so that CuPy waits for them."""
CREATING = {"array", "asarray", "ascontiguousarray"}
"""Functions that take NumPy arrays: the way from the host to the device."""


class State(threading.local):
    """Whether linear solvers raise."""

    linalg: str = "ignore"


state = State()


def call_function(func: Any, args: Any, kwargs: Any) -> Any:
    """A function of NumPy on arrays of the device: CuPy's of that name, where it has one."""
    module = known()["functions"].get(func.__module__, {})
    if func.__name__ not in module:
        return NotImplemented
    return call(func.__module__, func.__name__, func, args, kwargs)


def call(module: str, name: str, func: Any, args: Any, kwargs: Any) -> Any:
    """A function of CuPy, computed by ``func`` on the host arrays."""
    bind(
        f"{module}.{name}".replace("numpy", "cupy"),
        known()["functions"][module][name],
        args,
        kwargs,
    )
    if name in WAITING:
        waits(name)
    if name in ("where", "nonzero") and not isinstance(args[0], StrictArray):
        raise TypeError(f"cupy.{name}: the condition must be an array of the device")
    if name in ("where", "nonzero") and len(args) == 1 and not args[0].ndim:
        raise ValueError("Calling nonzero on 0d arrays is not allowed.")
    if name == "solve" and args[1].ndim > 1 and args[0].shape[:-1] != args[1].shape[:-1]:
        raise ValueError(
            "cupy.linalg.solve: the matrices and the right-hand sides do not broadcast"
        )
    if name == "norm" and not args[0].size and np.inf in (*args[1:], kwargs.get("ord")):
        raise ValueError("cupy.linalg.norm: the largest of no elements")
    sources: list[StrictArray] = []
    plain = bare(args, sources)
    keywords = {k: bare(v, sources) for k, v in kwargs.items()}
    with np.errstate(all="ignore"):
        try:
            out = func(*plain, **keywords)
        except np.linalg.LinAlgError:
            if state.linalg == "raise" or name not in ("inv", "solve", "cholesky"):
                raise
            out = np.full(plain[-1].shape, np.nan, plain[-1].dtype)
    if name.startswith("empty"):
        out = garbage(out)
    return wrapped(out, sources)


class Namespace:
    """A module of CuPy: has the functions and ufuncs that CuPy's has."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._numpy: Any = np
        for part in module.split(".")[1:]:
            self._numpy = getattr(self._numpy, part)

    def __getattr__(self, name: str) -> Any:
        if name in known()["functions"][self._module]:
            func = getattr(self._numpy, name)
            if name in CREATING:
                return lambda value, *args, **kwargs: from_host(func, name, value, args, kwargs)
            return lambda *args, **kwargs: call(self._module, name, func, args, kwargs)
        if self._module == "numpy" and name in known()["ufuncs"]:
            return Ufunc(name)
        raise AttributeError(
            f"module {self._module.replace('numpy', 'cupy')!r} has no attribute {name!r}"
        )


class Ufunc:
    """A ufunc of CuPy."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(np, self.name)(*args, **kwargs)

    def at(self, a: StrictArray, index: Any, values: Any = None) -> None:
        """Combine in place at an index, repeated places included."""
        add_at(self.name, a, index, values)


def from_host(func: Any, name: str, value: Any, args: Any, kwargs: Any) -> Any:
    """A new array of the device from one of the host or of the device."""
    bind(name, known()["functions"]["numpy"][name], (value, *args), kwargs)
    if isinstance(value, StrictArray):
        return wrapped(func(bare(value, []), *args, **kwargs), [value])
    host = np.array(value, *args, **kwargs)
    if host.dtype.kind not in "biufc":
        raise ValueError(f"Unsupported dtype {host.dtype}")
    return fresh(host)


class Special:
    """``cupyx.scipy.special``."""

    def __getattr__(self, name: str) -> Any:
        if name not in known()["special_ufuncs"] and name not in known()["special"]:
            raise AttributeError(f"module 'cupyx.scipy.special' has no attribute {name!r}")

        def run(*args: Any) -> Any:
            sources: list[StrictArray] = []
            plain = [bare(a, sources) for a in args]
            if any(np.asarray(a).dtype == np.float16 for a in plain):
                plain = [np.asarray(a).astype(np.float32) for a in plain]
            with np.errstate(all="ignore"):
                return wrapped(np.asarray(getattr(special.scipy_special(), name)(*plain)), [])

        return run


class Cuda:
    """``cupy.cuda``."""

    Device = StrictDevice
    MemoryPointer = MemoryPointer
    UnownedMemory = UnownedMemory

    class runtime:
        """What the driver tells."""

        @staticmethod
        def getDeviceCount() -> int:
            """How many devices there are."""
            return COUNT

        @staticmethod
        def getDevice() -> int:
            """The device that this thread works on."""
            return local.device

        @staticmethod
        def setDevice(id: int) -> None:
            """Work on another device from now on."""
            local.device = StrictDevice(id).id

        @staticmethod
        def getDeviceProperties(id: int) -> dict[str, Any]:
            """What is known about a device."""
            return {"name": b"stand-in", "major": 0, "minor": 0, "totalGlobalMem": 0}

        @staticmethod
        def deviceSynchronize() -> None:
            """Wait until the device is done."""
            waits("synchronize")


class Cupyx:
    """``cupyx``."""

    @staticmethod
    @contextlib.contextmanager
    def errstate(*, linalg: str) -> Iterator[None]:
        """Whether linear solvers raise, within a block."""
        held, state.linalg = state.linalg, linalg
        try:
            yield
        finally:
            state.linalg = held


class StandIn(Namespace):
    """``cupy``."""

    ndarray = StrictArray
    cuda = Cuda

    def __init__(self) -> None:
        super().__init__("numpy")
        self.linalg = Namespace("numpy.linalg")
        self.fft = Namespace("numpy.fft")
