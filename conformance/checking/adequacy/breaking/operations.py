"""Faults of operations: what they compute, and what their backward returns."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .engine import torch, untouched
from .patch import Patch, register

__all__ = [
    "Call", "Change", "around", "cut", "each", "instead", "miscompute", "mistaken", "node_of", "nth", "places",
    "tensors_in",
]  # fmt: skip

OPERATORS = {
    "add": ("__add__", "__radd__"), "sub": ("__sub__",), "rsub": ("__rsub__",),
    "mul": ("__mul__", "__rmul__"), "div": ("__truediv__",), "rdiv": ("__rtruediv__",),
    "pow": ("__pow__",), "rpow": ("__rpow__",), "matmul": ("__matmul__",), "neg": ("__neg__",),
    "abs": ("__abs__",), "getitem": ("__getitem__",), "setitem": ("__setitem__",),
    "fmod": (), "remainder": ("__mod__",), "floor_divide": ("__floordiv__",),
    "add_": ("__iadd__",), "sub_": ("__isub__",), "mul_": ("__imul__",), "div_": ("__itruediv__",),
    "pow_": ("__ipow__",),
}  # fmt: skip


def places(operation: str) -> list[tuple[Any, str]]:
    """Everything by which a program can reach an operation: function, method and operator."""
    owner: Any = torch
    *parts, name = operation.split(".")
    for part in parts:
        owner = getattr(owner, part)
    found = [(owner, name)]
    if not parts:
        found += [(torch.Tensor, each) for each in (name, *OPERATORS.get(name, ()))]
    return [place for place in found if hasattr(*place)]


def around(patch: Patch, operations: str, function: Callable[..., Any]) -> None:
    """Replace operations, from wherever they are reached, by `function(original, *args, **kwargs)`."""

    def make(original: Any) -> Any:
        return lambda *args, **kwargs: function(original, *args, **kwargs)

    for operation in operations.split():
        for owner, name in places(operation):
            patch.wrap(owner, name, make)


def instead(name: str, sentence: str, operations: str, function: Callable[..., Any]) -> None:
    """Put into the bank a fault that computes operations by `function(original, *args, **kwargs)`."""
    register(name, sentence, lambda patch: around(patch, operations, function))


@dataclass
class Call:
    """One call of an operation: its arguments, and its result cut from the graph."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any


Change = Callable[[tuple[Any, ...], tuple[Any, ...], Call], Sequence[Any]]


def miscompute(patch: Patch, operations: str, change: Change) -> None:
    """Make the backward of operations return what `change` makes of it.

    `change(gradients, cotangents, call)` is given what the right backward returns for the inputs
    of the node (None where nothing is needed) and what the backward was given.
    """
    busy = threading.local()

    def make(original: Any) -> Any:
        def operation(*args: Any, **kwargs: Any) -> Any:
            if getattr(busy, "is_set", False):
                return original(*args, **kwargs)
            before = [node_of(value) if isinstance(value, torch.Tensor) else None for value in args]
            busy.is_set = True
            try:
                result = original(*args, **kwargs)
            finally:
                busy.is_set = False
            node = node_of(args[0] if result is None and args else result)
            if node is not None and not any(node is each for each in before):
                call = Call(args, kwargs, cut(result))

                def hook(gradients: tuple[Any, ...], cotangents: tuple[Any, ...]) -> Any:
                    busy.is_set = True
                    try:
                        return tuple(change(gradients, cotangents, call))
                    finally:
                        busy.is_set = False

                node.register_hook(hook)
            return result

        return operation

    for operation in operations.split():
        for owner, name in places(operation):
            patch.wrap(owner, name, make)


def node_of(result: Any) -> Any:
    """The node of a result, or of the first of several that has one; None of a view whose history
    was cut off."""
    if isinstance(result, torch.Tensor):
        try:
            return result.grad_fn
        except RuntimeError:
            return None
    if isinstance(result, tuple | list):
        return next((node for node in map(node_of, result) if node is not None), None)
    return None


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors in a nest of lists, tuples and dicts."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from tensors_in(item)


def cut(result: Any) -> Any:
    """A result without its history."""
    if isinstance(result, torch.Tensor):
        return untouched.detach(result)
    if isinstance(result, tuple | list):
        return tuple(map(cut, result))
    return result


def each(function: Callable[..., Any]) -> Change:
    """A change of every gradient by itself: `function(gradient, call)`."""
    return lambda gradients, cotangents, call: [
        None if gradient is None else function(gradient, call) for gradient in gradients
    ]


def nth(index: int, function: Callable[..., Any]) -> Change:
    """A change of one gradient: `function(gradient, cotangent, call)`."""

    def change(gradients: tuple[Any, ...], cotangents: tuple[Any, ...], call: Call) -> list[Any]:
        changed = list(gradients)
        if len(changed) > index and changed[index] is not None:
            changed[index] = function(changed[index], cotangents[0], call)
        return changed

    return change


def mistaken(name: str, sentence: str, operations: str, change: Change) -> None:
    """Put into the bank a fault that makes the backward of operations wrong."""
    register(name, sentence, lambda patch: miscompute(patch, operations, change))
