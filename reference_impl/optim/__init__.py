"""Optimizers."""

from __future__ import annotations

from ..naming import present
from .optimizer import Optimizer
from .steps import SGD, Adam, AdamW

__all__ = ["SGD", "Adam", "AdamW", "Optimizer"]

present(__name__, globals(), {f"torch.optim.{name.lower()}": name for name in __all__})
