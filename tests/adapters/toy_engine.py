"""A toy: a tape over NumPy arrays, as one writes it in an afternoon, with two faults.

It overwrites a gradient that is there instead of adding to it (`ADDS`), and runs through one graph
as often as it is asked to instead of refusing the second time (`FREES`). Much else is simply not
there, which is no fault.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

ADDS = False
FREES = False
_recording = True


class Tensor:
    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        self.array = np.asarray(data, dtype=np.float32)
        self.requires_grad = requires_grad
        self.grad: Tensor | None = None
        self._parents: tuple[Any, ...] = ()
        self._freed = False

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def is_leaf(self) -> bool:
        return not self._parents

    def tolist(self) -> Any:
        return self.array.tolist()

    def detach(self) -> Tensor:
        return Tensor(self.array)

    def backward(self, gradient: Tensor | None = None) -> None:
        if not self.requires_grad:
            raise RuntimeError("backward: this tensor does not require grad and has no graph")
        if gradient is None and self.array.size != 1:
            raise RuntimeError("backward: only a scalar has an implicit gradient; give one")
        if gradient is not None and gradient.shape != self.shape:
            raise RuntimeError(f"backward: gradient of shape {gradient.shape} for {self.shape}")
        order: list[Tensor] = []
        _sort(self, order, set())
        if any(node._freed for node in order):
            raise RuntimeError("backward: the graph was freed; this is the second time")
        pending = {id(self): np.ones_like(self.array) if gradient is None else gradient.array}
        for node in reversed(order):
            incoming = pending.pop(id(node))
            if node.is_leaf:
                add = ADDS and node.grad is not None
                node.grad = Tensor(node.grad.array + incoming if add else incoming.copy())
            for parent, pull in node._parents:
                if parent.requires_grad:
                    share = _shrunk(pull(incoming), parent.shape)
                    pending[id(parent)] = pending.get(id(parent), 0) + share
            node._freed = FREES and not node.is_leaf

    def __add__(self, other: Any) -> Tensor:
        return _made(np.add, self, other, lambda g, a, b: g, lambda g, a, b: g)

    def __mul__(self, other: Any) -> Tensor:
        return _made(np.multiply, self, other, lambda g, a, b: g * b, lambda g, a, b: g * a)

    __radd__, __rmul__ = __add__, __mul__

    def exp(self) -> Tensor:
        return _made(lambda a, b: np.exp(a), self, 0.0, lambda g, a, b: g * np.exp(a), None)

    def sum(self) -> Tensor:
        shape = self.shape
        return _made(
            lambda a, b: a.sum(), self, 0.0, lambda g, a, b: np.broadcast_to(g, shape), None
        )


def tensor(data: Any, requires_grad: bool = False) -> Tensor:
    return Tensor(data, requires_grad)


@contextlib.contextmanager
def no_grad() -> Iterator[None]:
    global _recording
    before, _recording = _recording, False
    try:
        yield
    finally:
        _recording = before


def _made(forward: Any, x: Tensor, y: Any, *pulls: Callable[..., Any] | None) -> Tensor:
    y = y if isinstance(y, Tensor) else Tensor(y)
    a, b = x.array, y.array
    result = Tensor(forward(a, b))
    if _recording and (x.requires_grad or y.requires_grad):
        result.requires_grad = True
        bound = [(lambda g, p=pull: p(g, a, b)) if pull else None for pull in pulls]
        result._parents = tuple((t, p) for t, p in zip((x, y), bound, strict=True) if p)
    return result


def _shrunk(gradient: Any, shape: tuple[int, ...]) -> Any:
    """Sum over what broadcasting stretched."""
    gradient = gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))
    stretched = tuple(i for i, size in enumerate(shape) if size == 1 and gradient.shape[i] != 1)
    return gradient.sum(axis=stretched, keepdims=True).reshape(shape)


def _sort(node: Tensor, order: list[Tensor], seen: set[int]) -> None:
    if id(node) not in seen:
        seen.add(id(node))
        for parent, _ in node._parents:
            if parent.requires_grad:
                _sort(parent, order, seen)
        order.append(node)
