"""Methods of a tensor that only read what it is: its size, its dtype, its device, its memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..naming import named
from ..tensor.storage import untyped_storage as bytes_of
from ..tensor.tensor import Tensor
from .closeness import allclose, equal, isclose
from .core import to_device
from .registry import as_method, described

__all__ = ["ATTRIBUTES"]

ATTRIBUTES: dict[str, Callable[..., Any]] = {}
"""The methods, by name."""


def attribute(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function a method of the tensor."""
    ATTRIBUTES[fn.__name__] = described(fn, f"torch.Tensor.{fn.__name__}")
    return fn


@attribute
def tolist(self: Tensor) -> Any:
    """The elements as nested lists of Python numbers; a number if there are no dimensions."""
    return self._data.tolist()


@attribute
def numel(self: Tensor) -> int:
    """Number of elements."""
    return int(self._data.size)


@attribute
def nelement(self: Tensor) -> int:
    """Number of elements."""
    return int(self._data.size)


@attribute
def dim(self: Tensor) -> int:
    """Number of dimensions."""
    return int(self._data.ndim)


@attribute
def element_size(self: Tensor) -> int:
    """Bytes that one element takes."""
    return int(self._data.dtype.itemsize)


@attribute
def is_floating_point(self: Tensor) -> bool:
    """Whether the dtype is a real floating one."""
    return self.dtype.is_floating_point


@attribute
def is_complex(self: Tensor) -> bool:
    """Whether the dtype is complex."""
    return self.dtype.is_complex


@attribute
def get_device(self: Tensor) -> int:
    """The number of the device, -1 on the CPU."""
    return -1 if self.device.index is None else self.device.index


@attribute
def cpu(self: Tensor) -> Tensor:
    """The tensor on the CPU; itself where it is there already."""
    return to_device(self, "cpu")


@attribute
def untyped_storage(self: Tensor) -> Any:
    """The memory that the tensor lies in, as bytes."""
    return bytes_of(self._data)


NEVER = {
    "has_names": "dimensions have names",
    "is_conj": "the conjugate is still to be taken",
    "is_distributed": "the tensor is spread over processes",
    "is_neg": "the sign is still to be changed",
    "is_pinned": "the memory is pinned",
    "is_shared": "the memory is shared between processes",
}
"""Questions whose answer is always no."""


def never(name: str, what: str) -> Callable[..., Any]:
    """A method that answers no."""

    def run(self: Tensor) -> bool:
        return False

    def on_device(self: Tensor, device: Any = None) -> bool:
        return False

    made = on_device if name == "is_pinned" else run
    return described(named(made, name), f"torch.Tensor.{name}", f"Whether {what}; never so here.")


for _name, _what in NEVER.items():
    ATTRIBUTES[_name] = never(_name, _what)
SHARED: dict[str, Callable[..., Any]] = {"isclose": isclose, "equal": equal, "allclose": allclose}
for _name, _fn in SHARED.items():
    ATTRIBUTES[_name] = as_method(_name, _fn)
