"""Devices: where a tensor's array lives."""

from __future__ import annotations

from typing import Any

__all__ = ["Device"]

_KINDS = ("cpu", "cuda", "meta")


class Device:
    """A device kind and, for an accelerator, an index.

    Raises:
        RuntimeError: the kind is unknown or the index is not a number.
    """

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, kind: str | Device, index: int | None = None) -> None:
        if isinstance(kind, Device):
            self.type, self.index = kind.type, kind.index
            return
        if not isinstance(kind, str):
            raise TypeError(
                f"device(): a device is named by a string, got {kind.__class__.__name__}"
            )
        name, _, number = kind.partition(":")
        if name not in _KINDS or (number and not number.isdigit()):
            raise RuntimeError(
                f"Invalid device string: '{kind}'. Expected one of {', '.join(_KINDS)} device type "
                "at start of device string, with an optional index, such as 'cuda:0'"
            )
        self.type = name
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Device) and self.type == other.type and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.type, self.index))


CPU = Device("cpu")
META = Device("meta")
