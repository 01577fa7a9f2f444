"""``torch.fft``."""

from __future__ import annotations

from .ops import FFT

__all__ = sorted(FFT)
globals().update(FFT)
