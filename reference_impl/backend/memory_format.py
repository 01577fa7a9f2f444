"""The orders that a tensor's elements may have in memory."""

from __future__ import annotations

from .. import errors
from ..naming import known_as

__all__ = [
    "Layout",
    "MemoryFormat",
    "channels_last",
    "contiguous_format",
    "preserve_format",
    "strided",
]


class MemoryFormat:
    """A named order of the elements in memory.

    ``ndim``: of tensors whose channels, the second dimension, come last; 0 where the name says
    nothing about channels.
    """

    __slots__ = ("name", "ndim")

    def __init__(self, name: str, ndim: int = 0) -> None:
        self.name, self.ndim = name, ndim

    def order(self, shape: tuple[int, ...]) -> list[int]:
        """The dimensions of a tensor from the widest stride to the narrowest.

        Raises:
            RuntimeError: the format is for another number of dimensions.
        """
        if not self.ndim:
            return list(range(len(shape)))
        if len(shape) != self.ndim:
            raise errors.wrong_shape(
                f"{self.name}(): required rank {self.ndim} tensor to use this format; got shape "
                f"{list(shape)}"
            )
        return [0, *range(2, self.ndim), 1]

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
channels_last = MemoryFormat("channels_last", 4)
