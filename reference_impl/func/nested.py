"""Nested tuples, lists and dicts of values, as the function transforms take and give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["leaves_of", "mapped", "refilled", "structure"]


def leaves_of(tree: Any) -> list[Any]:
    """The values in nested tuples, lists and dicts, in order."""
    if isinstance(tree, (tuple, list)):
        return [leaf for part in tree for leaf in leaves_of(part)]
    if isinstance(tree, dict):
        return [leaf for part in tree.values() for leaf in leaves_of(part)]
    return [tree]


def mapped(fn: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with ``fn`` of each value."""
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*[mapped(fn, part) for part in tree])
    if isinstance(tree, (tuple, list)):
        return type(tree)(mapped(fn, part) for part in tree)
    if isinstance(tree, dict):
        return type(tree)((k, mapped(fn, part)) for k, part in tree.items())
    return fn(tree)


def refilled(tree: Any, values: Iterable[Any]) -> Any:
    """The same containers with other values."""
    rest = iter(values)
    return mapped(lambda _: next(rest), tree)


def structure(tree: Any) -> Any:
    """How nested tuples, lists and dicts are built, whatever they hold; the order of keys counts."""
    if isinstance(tree, (tuple, list)):
        return type(tree), [structure(part) for part in tree]
    if isinstance(tree, dict):
        return dict, [(k, structure(part)) for k, part in tree.items()]
    return None
