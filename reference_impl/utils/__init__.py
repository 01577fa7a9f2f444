"""``torch.utils``: what does not compute gradients itself."""

from __future__ import annotations

from ..ops.reshaping import swap_tensors
from . import checkpoint, hooks

__all__ = ["checkpoint", "hooks", "swap_tensors"]
