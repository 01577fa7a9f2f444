"""Devices: where a tensor's array lives."""

from __future__ import annotations

import threading
from typing import Any

from .. import errors
from ..naming import known_as

__all__ = ["Device", "default", "set_default"]

_KINDS = ("cpu", "cuda", "meta", "strict")


class Device:
    """A device kind and, for an accelerator, an index.

    As a context it is the device that new tensors are made on.

    Raises:
        RuntimeError: the kind is unknown or the index is not a number.
    """

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: str | int | Device, index: int | None = None) -> None:
        if isinstance(type, Device):
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int) and not isinstance(type, bool):  # of the accelerator
            self.type, self.index = "cuda", type
            return
        if not isinstance(type, str):
            raise errors.wrong_type(
                f"device(): a device is named by a string, got {type.__class__.__name__}"
            )
        name, colon, number = type.partition(":")
        if name not in _KINDS or (colon and not number.isdigit()):
            raise errors.wrong_value(
                f"Invalid device string: '{type}'. Expected one of {', '.join(_KINDS)} device type "
                "at start of device string, with an optional index, such as 'cuda:0'",
                RuntimeError,
            )
        self.type = name
        self.index = int(number) if number else index

    def __enter__(self) -> Device:
        _chosen.stack = (*_chosen.stack, self)
        return self

    def __exit__(self, *exc: object) -> None:
        _chosen.stack = _chosen.stack[:-1]

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Device) and self.type == other.type and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> Any:
        return of_parts, (self.type, self.index)


def of_parts(kind: str, index: int | None) -> Device:
    """The device of that kind and index."""
    return Device(kind, index)


known_as(Device, "torch", "device")
CPU = Device("cpu")
META = Device("meta")


class _Chosen(threading.local):
    """The devices chosen by ``with``, innermost last; each thread has its own."""

    stack: tuple[Device, ...] = ()


_chosen = _Chosen()
_default = CPU


def default() -> Device:
    """The device that new tensors are made on where none is named."""
    return _chosen.stack[-1] if _chosen.stack else _default


def set_default(device: Device) -> None:
    """Make new tensors on a device, in all threads, where none is named."""
    global _default
    _default = device
