"""``torch.linalg``."""

from __future__ import annotations

from .ops import LINALG

__all__ = sorted(LINALG)
globals().update(LINALG)
