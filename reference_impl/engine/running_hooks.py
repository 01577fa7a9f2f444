"""Hooks within a backward pass: called with tensors, whatever the pass carries, and checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .. import errors
from ..backend.base import as_array
from ..graph.node import Node
from ..mode import mode
from ..tensor.tensor import Tensor, wrap

__all__ = [
    "as_tensor", "call_hooks", "node_grads", "node_posthooks", "node_prehooks", "tensor_hooks",
]  # fmt: skip


def as_tensor(g: Any) -> Any:
    """A gradient as a tensor, for hooks."""
    return g if g is None or isinstance(g, Tensor) else wrap(as_array(g))


def raw(g: Any, create: bool) -> Any:
    """A gradient as the loop carries it: a tensor under create_graph, else an array."""
    return g._data if isinstance(g, Tensor) and not create else g


def call_hooks(hooks: Mapping[int, Any], g: Any, create: bool) -> Any:
    """Tensor hooks in order of registration, each seeing the value that the former left.

    Raises:
        TypeError: a hook returned something other than a tensor or None.
        RuntimeError: a hook returned a tensor of another shape, dtype or device, or one where no
            gradient came.
    """
    t = as_tensor(g)
    for hook in list(hooks.values()):
        result = hook(t)
        if result is None:
            continue
        if not isinstance(result, Tensor):
            raise errors.wrong_type(
                f"hook '{name_of(hook)}' has returned a {type(result).__name__}; "
                "expected Variable (a tensor) or None"
            )
        check_replacement(hook, t, result)
        t = result
    return raw(t, create)


def name_of(hook: Any) -> Any:
    """What messages call a hook."""
    return getattr(hook, "__name__", hook)


def check_replacement(hook: Any, old: Tensor | None, new: Tensor) -> None:
    """Check a gradient that a hook returns in the place of another.

    Raises:
        RuntimeError: it has another shape, dtype or device, or stands where no gradient came.
    """
    if old is None:
        raise errors.hook(
            f"can't replace a None gradient with a non-None value: hook '{name_of(hook)}' must "
            "return None where it was given None"
        )
    if new._data.shape != old._data.shape:
        raise errors.hook(
            f"hook '{name_of(hook)}' has changed the size of value: from {list(old.shape)} to "
            f"{list(new.shape)}"
        )
    if new._data.dtype is not old._data.dtype:
        raise errors.hook(
            f"hook '{name_of(hook)}' has changed the type of value: from {old.dtype} to {new.dtype}"
        )
    if type(new._data) is not type(old._data) and new.device.type != old.device.type:
        raise errors.hook(
            f"hook '{name_of(hook)}' has changed the type of value: from one on {old.device} to "
            f"one on {new.device}"
        )


def tensor_hooks(node: Node, g: Any, table: Mapping[int, Mapping[int, Any]], create: bool) -> Any:
    """Hooks of the outputs of a node."""
    for nr, hooks in list(table.items()):
        if not hooks:
            continue
        if node._multi:
            g = dict(g or {})
            result = call_hooks(hooks, g.get(nr), create)
            if result is not None:
                g[nr] = result
        else:
            g = call_hooks(hooks, g, create)
    return g


def node_grads(node: Node, g: Any) -> tuple[Any, ...]:
    """The gradients that enter a node, as tensors."""
    if node._multi:
        g = g or {}
        return tuple(as_tensor(g.get(nr)) for nr in range(node._width))
    return (as_tensor(g),)


def node_prehooks(node: Node, g: Any, hooks: dict[int, Any]) -> Any:
    """Pre-hooks of a node: they may replace the gradients that enter it."""
    for hook in list(hooks.values()):
        given = node_grads(node, g)
        result = hook(given)
        if result is not None:
            plain = [
                raw(r, mode.grad or mode.level is not None)
                for r in replacements(hook, result, given)
            ]
            given_on = {nr: each for nr, each in enumerate(plain) if each is not None}
            g = given_on if node._multi else plain[0]
    return g


def node_posthooks(
    grads: tuple[Any, ...], outer: Any, hooks: dict[int, Any], create: bool
) -> tuple[Any, ...]:
    """Hooks of a node: they may replace the gradients that leave it."""
    for hook in list(hooks.values()):
        given = tuple(as_tensor(g) for g in grads)
        result = hook(given, outer)
        if result is not None:
            grads = tuple(raw(r, create) for r in replacements(hook, result, given))
    return grads


def replacements(hook: Any, result: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradients that a hook of a node returns in the place of those it was given, checked.

    Raises:
        TypeError: neither a tuple of tensors (or None), nor None.
        RuntimeError: another number of them, or one that does not fit the one it replaces.
    """
    name, expected = name_of(hook), len(given)
    if not isinstance(result, tuple):
        raise errors.wrong_type(f"hook '{name}' of a node must return a tuple of tensors or None, got "
                        f"{type(result).__name__}")  # fmt: skip
    if len(result) != expected:
        raise errors.hook(
            f"hook '{name}' returned {len(result)} values; expected {expected}, one "
            "gradient (or None) for each that it was given"
        )
    for old, new in zip(given, result, strict=True):
        if new is None:
            continue
        if not isinstance(new, Tensor):
            raise errors.wrong_type(
                f"hook '{name}' of a node must return tensors or None, got {type(new).__name__}"
            )
        check_replacement(hook, old, new)
    return result
