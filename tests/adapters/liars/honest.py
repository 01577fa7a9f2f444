"""An honest engine: a tape over vectors, in plain Python, with a few of PyTorch's names."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

__version__ = "1.0"


class dtype:
    """The only element type, float32."""

    def __str__(self) -> str:
        return "honest.float32"


float32 = dtype()


class Tensor:
    dtype = float32

    def __init__(self, values: list[float], requires_grad: bool = False) -> None:
        self.values = values
        self.requires_grad = requires_grad
        self.grad: Tensor | None = None
        self.parents: list[tuple[Tensor, Callable[[float, int], float]]] | None = []
        self.hooks: list[Callable[[Tensor], Any]] = []

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.values),)

    @property
    def is_leaf(self) -> bool:
        return self.parents == []

    def tolist(self) -> list[float]:
        return self.values

    def detach(self) -> Tensor:
        return Tensor(self.values)

    def register_hook(self, hook: Callable[[Tensor], Any]) -> None:
        self.hooks.append(hook)

    def made(self, values: list[float], *parents: Any) -> Tensor:
        """The result of an operation, recorded if any operand asks for it."""
        wanted = [(tensor, pull) for tensor, pull in parents if tensor.requires_grad]
        result = Tensor(values, bool(wanted))
        result.parents = wanted
        return result

    def __mul__(self, other: Any) -> Tensor:
        if not isinstance(other, Tensor):
            return self.made([v * other for v in self.values], (self, lambda g, i: g * other))
        values = [a * b for a, b in zip(self.values, other.values, strict=True)]
        mine = (self, lambda g, i: g * other.values[i])
        return self.made(values, mine, (other, lambda g, i: g * self.values[i]))

    def backward(self) -> None:
        if not self.requires_grad:
            raise RuntimeError("this tensor does not require grad")
        if self.parents is None:
            raise RuntimeError("the graph was freed already; there is no second time")
        self.receive([1.0] * len(self.values))

    def receive(self, gradient: list[float]) -> None:
        """Take a gradient, and pass it on to what this was made from."""
        for hook in self.hooks:
            hook(Tensor(gradient))
        if self.is_leaf:
            before = self.grad.values if self.grad else [0.0] * len(gradient)
            self.grad = Tensor([a + b for a, b in zip(before, gradient, strict=True)])
            return
        parents, self.parents = self.parents, None
        for tensor, pull in parents or []:
            tensor.receive([pull(g, i) for i, g in enumerate(gradient)])


def tensor(values: list[float], requires_grad: bool = False) -> Tensor:
    return Tensor(list(values), requires_grad)


def set_grad_enabled(flag: bool) -> contextlib.AbstractContextManager[None]:
    """Called before each program. Where a test counts programs, one more is noted."""
    count = os.environ.get("LIARS_COUNT")
    if count:
        with open(count, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    return nothing()


@contextlib.contextmanager
def nothing() -> Iterator[None]:
    yield
