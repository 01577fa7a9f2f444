"""``torch.utils``: what does not compute gradients itself."""

from __future__ import annotations

from . import checkpoint, hooks

__all__ = ["checkpoint", "hooks"]
