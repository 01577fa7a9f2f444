"""The orders that a tensor's elements may have in memory."""

from __future__ import annotations

from .naming import known_as

__all__ = [
    "Layout",
    "MemoryFormat",
    "channels_last",
    "channels_last_3d",
    "contiguous_format",
    "preserve_format",
    "strided",
]


class MemoryFormat:
    """A named order of the elements in memory."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class Layout:
    """How the elements of a tensor are stored: here always with strides."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "torch.strided"


known_as(MemoryFormat, "torch", "memory_format")
known_as(Layout, "torch", "layout")
strided = Layout()
contiguous_format = MemoryFormat("contiguous_format")
preserve_format = MemoryFormat("preserve_format")
channels_last = MemoryFormat("channels_last")
channels_last_3d = MemoryFormat("channels_last_3d")
