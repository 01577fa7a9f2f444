"""Which array libraries there are, by device type and by the type of their arrays.

CuPy is imported when the device ``"cuda"`` is first asked for, the stand-in for it with ``"strict"``.
"""

from __future__ import annotations

from typing import Any

from .. import errors
from ..mode import mode
from . import device as devices
from .device import CPU, Device

__all__ = ["available", "count", "library", "library_of", "resolved"]

LIBRARIES: dict[str, Any] = {}
"""By device type, those in use."""
BY_TYPE: dict[type, Any] = {}
"""The same by the type of their arrays."""


def library(kind: str) -> Any:
    """The library of a device type, loaded on first use.

    Raises:
        RuntimeError: there is no such library or no such device on this machine.
    """
    if kind not in LIBRARIES:
        found = LOADERS[kind]()
        LIBRARIES[kind] = found
        BY_TYPE[found.cupy.ndarray] = found
    return LIBRARIES[kind]


def load_cupy() -> Any:
    """CuPy, where it and a GPU are there."""
    from .device_library import DeviceLibrary

    try:
        import cupy
        import cupyx
        import cupyx.scipy.special as special
    except ImportError as error:
        raise errors.wrong_value(
            "device(): 'cuda' was asked for, but CuPy cannot be imported "
            f"({error}). Install it: pip install 'gradspec[cuda]'",
            RuntimeError,
        ) from None
    try:
        found = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise errors.wrong_value(
            f"device(): 'cuda' was asked for, but CuPy {cupy.__version__} finds no CUDA driver or "
            f"device ({error}). Use the device 'cpu'.",
            RuntimeError,
        ) from None
    if not found:
        raise errors.wrong_value(
            "device(): 'cuda' was asked for, but there is no GPU. Use 'cpu'.", RuntimeError
        )
    return DeviceLibrary("cuda", cupy, cupyx, special)


def load_stand_in() -> Any:
    """The stand-in for CuPy, which computes on the CPU."""
    from .device_library import DeviceLibrary
    from .strict_cupy import Cupyx, Special, StandIn

    return DeviceLibrary("strict", StandIn(), Cupyx(), Special())


def use_several() -> None:
    """From now on work is sent to the device where its operands live, which costs a little."""
    if not mode.several:
        type(mode).several = True
        mode.update_all()


LOADERS: dict[str, Any] = {"cuda": load_cupy, "strict": load_stand_in}


def devices_in_use() -> list[Any]:
    """For each library in use the device that this thread works on, to come back to by ``use()``."""
    return [lib.cupy.cuda.Device(int(lib.runtime.getDevice())) for lib in LIBRARIES.values()]


def library_of(array: Any) -> Any:
    """The library of an array.

    Raises:
        TypeError: the array belongs to none.
    """
    try:
        return BY_TYPE[type(array)]
    except KeyError:
        raise TypeError(
            f"expected an array of NumPy or of a device in use, got {type(array).__name__}"
        ) from None


def count(kind: str) -> int:
    """How many devices of a type there are, 0 where its library cannot be used."""
    try:
        return int(library(kind).runtime.getDeviceCount())
    except RuntimeError:
        return 0


def available(kind: str) -> bool:
    """Whether a device of a type can be used."""
    return count(kind) > 0


def resolved(device: Any = None) -> Device:
    """A device with its index; the default one for None, the current one where no index is given.

    Raises:
        RuntimeError: there is no such device.
    """
    wanted = devices.default() if device is None else device
    if wanted is CPU:
        return CPU
    wanted = Device(wanted)
    if wanted.type not in LOADERS:
        return CPU if wanted.type == "cpu" else wanted
    runtime = library(wanted.type).runtime
    if wanted.index is None:
        return Device(wanted.type, int(runtime.getDevice()))
    there = int(runtime.getDeviceCount())
    if wanted.index >= there:
        raise errors.wrong_value(
            f"device(): invalid device ordinal: '{wanted}' was asked for, and there are {there} "
            f"devices of type '{wanted.type}', counted from 0",
            RuntimeError,
        )
    if wanted.index:
        use_several()
    return wanted
