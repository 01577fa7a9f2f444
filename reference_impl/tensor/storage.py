"""The memory that holds a tensor, which views of it share: as bytes, and as elements."""

from __future__ import annotations

import warnings
import weakref
from typing import Any

from ..backend.base import astype, device_of, looked_at, memory, pointer
from ..backend.device import Device
from ..backend.dtypes import BFLOAT16, BY_NUMPY, DType

__all__ = ["Storage", "TypedStorage", "UntypedStorage", "typed_storage", "untyped_storage"]

KNOWN: weakref.WeakValueDictionary[Any, UntypedStorage] = weakref.WeakValueDictionary()
"""The storage objects that are alive, by the memory that they stand for."""


class Storage:
    """What memory seen as bytes and as elements has in common.

    Attributes:
        held: all of the memory, as bytes.
        elements: the same memory, as what is counted.
    """

    __module__ = "torch.storage"
    held: Any
    elements: Any

    def data_ptr(self) -> int:
        """The address of the first byte, 0 where there is none."""
        return pointer(self.held) if self.held.size else 0

    def size(self) -> int:
        """The number of elements."""
        return int(self.elements.size)

    def __len__(self) -> int:
        return self.size()

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return device_of(self.held)

    @property
    def is_cuda(self) -> bool:
        """Whether the memory is on a CUDA device."""
        return bool(self.device.type == "cuda")

    def tolist(self) -> list[Any]:
        """All elements, as Python numbers."""
        return self.elements.reshape(-1).tolist()  # type: ignore[no-any-return]

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def __getitem__(self, index: int) -> Any:
        return self.elements.reshape(-1)[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self.elements[index] = value

    def fill_(self, value: Any) -> Any:
        """Set all elements to one number."""
        self.elements[...] = value
        return self

    def copy_(self, source: Storage, non_blocking: bool = False) -> Any:
        """Take over the elements of a storage of the same size."""
        self.elements[...] = astype(source.elements, self.elements.dtype)
        return self

    def described(self) -> str:
        """What the printed form says of it, before its size."""
        return f"UntypedStorage(device={self.device})"

    def __repr__(self) -> str:
        rows = "".join(f" {value}\n" for value in self.tolist())
        return f"{rows}[torch.storage.{self.described()} of size {self.size()}]"


class UntypedStorage(Storage):
    """The memory that holds a tensor, as bytes. ``halves``: of each four bytes that NumPy keeps for
    a bfloat16, the two that count."""

    def __init__(self, held: Any, halves: bool = False) -> None:
        self.held = held
        self.elements = held.reshape(-1, 4)[:, 2:] if halves else held

    def nbytes(self) -> int:
        """The number of bytes."""
        return self.size()

    def element_size(self) -> int:
        """The number of bytes in a byte."""
        return 1

    def resizable(self) -> bool:
        """Whether the memory may change its size."""
        return True

    def clone(self) -> UntypedStorage:
        """A copy."""
        return UntypedStorage(self.held.copy(), self.elements is not self.held)

    def __deepcopy__(self, memo: Any) -> UntypedStorage:
        return self.clone()

    def untyped(self) -> UntypedStorage:
        """The memory itself."""
        return self


class TypedStorage(Storage):
    """The memory that holds a tensor, as elements of one dtype."""

    def __init__(self, held: Any, dtype: Any) -> None:
        self.held = held
        width = 4 if dtype is BFLOAT16 else int(dtype.itemsize)
        self.elements = looked_at(held, dtype, 0, (held.size // width,), (width,))

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return BY_NUMPY[self.elements.dtype]

    def element_size(self) -> int:
        """The number of bytes of an element."""
        return int(self.elements.dtype.itemsize)

    def nbytes(self) -> int:
        """The number of bytes."""
        return self.size() * self.element_size()

    def untyped(self) -> UntypedStorage:
        """The same memory as bytes."""
        return untyped_storage(self.elements)

    def clone(self) -> TypedStorage:
        """A copy."""
        return TypedStorage(self.held.copy(), self.elements.dtype)

    def described(self) -> str:
        return f"TypedStorage(dtype={self.dtype}, device={self.device})"


def untyped_storage(array: Any) -> UntypedStorage:
    """The memory that holds an array: the same object for as long as someone holds that."""
    held = memory(array)
    halves = array.dtype is BFLOAT16
    key = device_of(held), pointer(held), held.size, halves
    known = KNOWN.get(key)
    if known is None:
        known = KNOWN[key] = UntypedStorage(held, halves)
    return known


def typed_storage(array: Any) -> TypedStorage:
    """The memory that holds an array, as elements of its dtype. Warns once that this is old."""
    if not WARNED:
        WARNED.append(True)
        warnings.warn(
            "TypedStorage is deprecated. Use x.untyped_storage(), which gives bytes.",
            UserWarning,
            stacklevel=3,
        )
    return TypedStorage(memory(array), array.dtype)


WARNED: list[bool] = []
"""Not empty once the warning was given."""
