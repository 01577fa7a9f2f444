"""Tangents that tensors have in a forward-mode level."""

from __future__ import annotations

from typing import Any

from ..mode import mode
from .tensor import Tensor

__all__ = ["Level", "set_tangent", "tangent_of"]


class Level(int):
    """One forward-mode level; tangents belong to it and die with it. There is one at a time, so to
    users each is number 0."""


def tangent_of(x: Any) -> Tensor | None:
    """The tangent that a tensor has in the active level; a view that has none of its own sees that
    of its base."""
    if not isinstance(x, Tensor):
        return None
    extra = x._extra
    if extra is not None and extra.tangent is not None and extra.tangent[0] is mode.level:
        return extra.tangent[1]  # type: ignore[no-any-return]
    if x._view is None or mode.level is None:
        return None
    whole = tangent_of(x._view.base)
    if whole is None:
        return None
    with mode.changed(grad=True, level=None):
        part: Tensor = whole
        for step in x._view.steps:
            part = step(part)
    set_tangent(x, part)
    return part


def set_tangent(x: Tensor, tangent: Tensor | None) -> None:
    """Give a tensor a tangent in the active level, or none, be that of its base what it may."""
    x.ensure_extra().tangent = (mode.level, tangent)
