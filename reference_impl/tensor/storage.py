"""The memory that holds a tensor, which views of it share, as bytes."""

from __future__ import annotations

import weakref
from typing import Any

from ..backend.base import device_of, memory, pointer
from ..backend.dtypes import BFLOAT16

__all__ = ["UntypedStorage", "untyped_storage"]

KNOWN: weakref.WeakValueDictionary[Any, UntypedStorage] = weakref.WeakValueDictionary()
"""The storage objects that are alive, by the memory that they stand for."""


class UntypedStorage:
    """The memory that holds a tensor, as bytes. ``halves``: of each four bytes that NumPy keeps for
    a bfloat16, two count.

    Attributes:
        held: all of the memory.
    """

    __module__ = "torch.storage"

    def __init__(self, held: Any, halves: bool = False) -> None:
        self.held, self.halves = held, halves

    def data_ptr(self) -> int:
        """The address of the first byte, 0 where there is none."""
        return pointer(self.held) if self.held.size else 0

    def nbytes(self) -> int:
        """The number of bytes."""
        return int(self.held.size) // (2 if self.halves else 1)

    def __len__(self) -> int:
        return self.nbytes()


def untyped_storage(array: Any) -> UntypedStorage:
    """The memory that holds an array: the same object for as long as someone holds that."""
    held = memory(array)
    halves = array.dtype is BFLOAT16
    key = device_of(held), pointer(held), held.size, halves
    known = KNOWN.get(key)
    if known is None:
        known = KNOWN[key] = UntypedStorage(held, halves)
    return known
