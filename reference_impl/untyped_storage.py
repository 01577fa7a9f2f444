"""The memory that holds a tensor, which views of it share."""

from __future__ import annotations

from typing import Any

from .backend.base import memory, pointer

__all__ = ["UntypedStorage"]


class UntypedStorage:
    """The memory that holds a tensor, as bytes."""

    def __init__(self, array: Any) -> None:
        self.memory = memory(array)

    def data_ptr(self) -> int:
        """The address of the first byte."""
        return pointer(self.memory)

    def nbytes(self) -> int:
        """The number of bytes."""
        return int(self.memory.nbytes)

    def size(self) -> int:
        """The number of bytes."""
        return self.nbytes()

    def __len__(self) -> int:
        return self.nbytes()
