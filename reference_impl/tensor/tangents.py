"""Tangents that tensors have in a forward-mode level."""

from __future__ import annotations

import weakref
from typing import Any

from ..mode import mode
from .tensor import Tensor

__all__ = ["Level", "Tangent", "set_tangent", "tangent_of"]


class Level(int):
    """One forward-mode level; tangents belong to it and die with it. There is one at a time, so to
    users each is number 0."""

    def __init__(self) -> None:
        self.tangents: weakref.WeakSet[Tangent] = weakref.WeakSet()

    def end(self) -> None:
        """Let all tangents go."""
        for held in self.tangents:
            held.value = None


class Tangent:
    """What a tensor, or a saved value, holds as its tangent in a level."""

    __slots__ = ("__weakref__", "level", "value")

    def __init__(self, level: Level | None, value: Tensor | None) -> None:
        self.level = level
        self.value = value
        if level is not None:
            level.tangents.add(self)


def tangent_of(x: Any) -> Tensor | None:
    """The tangent that a tensor has in the active level; a view that has none of its own sees that
    of its base."""
    if not isinstance(x, Tensor):
        return None
    extra = x._extra
    if extra is not None and extra.tangent is not None and extra.tangent.level is mode.level:
        return extra.tangent.value  # type: ignore[no-any-return]
    if x._view is None or mode.level is None:
        return None
    whole = tangent_of(x._view.base)
    if whole is None:
        return None
    for step in x._view.steps:
        whole = step(whole)
    return whole


def set_tangent(x: Tensor, tangent: Tensor | None) -> None:
    """Give a tensor a tangent in the active level, or none, be that of its base what it may."""
    x.ensure_extra().tangent = Tangent(mode.level, tangent)
