"""Optimisers."""

from __future__ import annotations

from .optimizer import Optimizer
from .steps import SGD, Adam, AdamW

__all__ = ["SGD", "Adam", "AdamW", "Optimizer"]
