"""The base for scalar engines, whose tensors are single numbers, as in micrograd.

Such an engine has no shapes, so `tensor([2.0])` is the number 2.0 there, and is compared without its
shape. Programs with a tensor of several elements are unsupported.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from .engine import Plain, Unsupported
from .plain_values import exactly, number_plain
from .python_engine import Kinds, PythonEngine

DTYPE = "float32"
"""Numbers are compared with this precision, as plain numbers are."""


class ScalarEngine(PythonEngine):
    """Runs programs all of whose tensors have one element."""

    mediated = True
    tensor_class: ClassVar[str] = "Value"
    """The name of the class whose objects hold a number and its gradient."""

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        self.tensor_type = self.classifier.tensor_type = getattr(self.module, self.tensor_class)
        self.words = {"tensor": self.tensor, "vjp": self.vjp_by_backward, **self.words}
        self.has_flag = takes_keyword(self.tensor_type, "requires_grad")
        self.constants: dict[int, Any] = {}
        """By id, the tensors that are not to require grad, if the engine has no flag for it."""

    # --- override these where the engine differs ---

    def make(self, number: float, requires_grad: bool) -> Any:
        """A leaf that holds a number. An engine without a flag records every operation."""
        kind = getattr(self.module, self.tensor_class)
        return kind(number, requires_grad=requires_grad) if self.has_flag else kind(number)

    def number_of(self, tensor: Any) -> float:
        """The number that a tensor holds."""
        number: float = tensor.data
        return number

    # --- tensors of one element ---

    def is_tensor(self, value: Any) -> bool:
        return self.tensor_type is not None and isinstance(value, self.tensor_type)

    def tensor(self, data: Any, *arguments: Any, **keywords: Any) -> Any:
        """A leaf from a number, or from nested lists that hold a single one."""
        requires_grad = keywords.pop("requires_grad", False)
        if arguments or keywords:
            raise Unsupported(f"tensor() with {next(iter(keywords), 'more arguments')}")
        while isinstance(data, list | tuple) and len(data) == 1:
            (data,) = data
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise Unsupported("tensors of several elements, or of anything but real numbers")
        made = self.make(data, requires_grad)
        if not (requires_grad or self.has_flag):
            self.constants[id(made)] = made
        return made

    def member(self, owner: Any, name: str) -> Any:
        if type(owner) in (int, float):  # a gradient, for example
            raise Unsupported(f"{name} of a plain number")
        if name in ("grad", "backward") and id(owner) in self.constants:
            raise Unsupported(f"{name} of a tensor that does not require grad: there is no flag")
        return super().member(owner, name)

    def reset(self) -> None:
        super().reset()
        self.constants.clear()

    def describe(self, value: Any) -> Plain:
        """A gradient, for example, may be a plain number of Python."""
        if type(value) in (int, float):
            return self.scalar_plain(value)
        return super().describe(value)

    def describe_tensor(self, value: Any) -> Plain:
        return self.scalar_plain(self.number_of(value))

    def scalar_plain(self, number: Any) -> Plain:
        """A tensor without a shape."""
        if not isinstance(number, int | float):
            raise Unsupported(f"reading a number, found a {type(number).__name__}")
        self.count(1)
        values = [number_plain(exactly(number))]
        return {"tensor": {"dtype": DTYPE, "shape": None, "values": values}}

    # --- derivatives as values ---

    def fresh_leaf(self, tensor: Any) -> Any:
        return self.make(self.number_of(tensor), True)


def takes_keyword(kind: type | None, name: str) -> bool:
    """Whether a class is made with a keyword of this name."""
    try:
        return kind is not None and name in inspect.signature(kind).parameters
    except (TypeError, ValueError):  # a compiled class without a signature
        return False
