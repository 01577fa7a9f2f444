"""``torch.cuda``: which CUDA devices there are, and which one is in use.

Asking never fails; using what is not there is refused with what is missing.
"""

from __future__ import annotations

from typing import Any

from .backend.device import Device
from .backend.libraries import LIBRARIES, available, count, library, use_several
from .ops.draw import manual_seed as _manual_seed

__all__ = [
    "current_device", "device", "device_count", "empty_cache", "init", "is_available",
    "is_initialized", "manual_seed", "manual_seed_all", "set_device", "synchronize",
]  # fmt: skip


def is_available() -> bool:
    """Whether a CUDA device can be used."""
    return available("cuda")


def device_count() -> int:
    """How many CUDA devices there are."""
    return count("cuda")


def init() -> None:
    """Load the array library; this happens by itself on first use.

    Raises:
        RuntimeError: there is no such library, or no device.
    """
    library("cuda")


def is_initialized() -> bool:
    """Whether a CUDA device has been used."""
    return "cuda" in LIBRARIES


def index_of(device: Any = None) -> int:
    """The number of a device given as a number, a name or a Device; the current one for None."""
    if isinstance(device, int):
        return device
    index = None if device is None else Device(device).index
    return current_device() if index is None else index


def current_device() -> int:
    """The number of the device that is used where only ``"cuda"`` is said."""
    return int(library("cuda").runtime.getDevice())


def set_device(device: Any) -> None:
    """Use another device where only ``"cuda"`` is said."""
    index = index_of(device)
    library("cuda").runtime.setDevice(index)
    if index:
        use_several()


class device:
    """As ``set_device``, within a ``with`` block."""

    def __init__(self, device: Any) -> None:
        self.index = index_of(device)

    def __enter__(self) -> None:
        self.former = current_device()
        set_device(self.index)

    def __exit__(self, *exc: object) -> None:
        set_device(self.former)


def synchronize(device: Any = None) -> None:
    """Wait until a device has done all that was asked of it."""
    there = library("cuda")
    with there.cupy.cuda.Device(index_of(device)):
        there.synchronize()


def empty_cache() -> None:
    """Give memory that is not in use back to the driver."""
    library("cuda").cupy.get_default_memory_pool().free_all_blocks()


def manual_seed(seed: int) -> None:
    """Start the random numbers anew: they are drawn on the CPU, the same for every device."""
    _manual_seed(seed)


manual_seed_all = manual_seed
