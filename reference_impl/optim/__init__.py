"""Optimisers."""

from __future__ import annotations

from . import cycles, lr_scheduler
from .adaptive import ASGD, Adadelta, Adagrad, Adamax, NAdam, RAdam, RMSprop, Rprop
from .lbfgs import LBFGS
from .optimizer import Optimizer
from .steps import SGD, Adam, AdamW

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer",
    "RAdam", "RMSprop", "Rprop", "lr_scheduler",
]  # fmt: skip

for _scheduler in (cycles.CyclicLR, cycles.OneCycleLR):  # users look for them among the others
    _scheduler.__module__ = lr_scheduler.__name__
    setattr(lr_scheduler, _scheduler.__name__, _scheduler)
