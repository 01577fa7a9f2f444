"""``torch.nn.modules``: what ``torch.nn`` has, under the path that it came from."""

from __future__ import annotations

from typing import Any

from . import module

__all__ = ["module"]


def __getattr__(name: str) -> Any:
    """A class of ``torch.nn``."""
    from ... import nn

    return getattr(nn, name)
