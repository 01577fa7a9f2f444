"""The orders that a tensor's elements may have in memory."""

from __future__ import annotations

__all__ = [
    "MemoryFormat",
    "channels_last",
    "channels_last_3d",
    "contiguous_format",
    "preserve_format",
]


class MemoryFormat:
    """A named order of the elements in memory."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


contiguous_format = MemoryFormat("contiguous_format")
preserve_format = MemoryFormat("preserve_format")
channels_last = MemoryFormat("channels_last")
channels_last_3d = MemoryFormat("channels_last_3d")
