"""``torch.random``."""

from __future__ import annotations

from .ops.create import manual_seed

__all__ = ["manual_seed"]
