"""``torch.special``."""

from __future__ import annotations

from .ops import SPECIAL

__all__ = sorted(SPECIAL)
globals().update(SPECIAL)
