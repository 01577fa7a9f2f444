"""Optimisers."""

from __future__ import annotations

from ..naming import present
from . import cycles, lr_scheduler, swa_utils
from .adaptive import ASGD, Adadelta, Adagrad, Adamax, NAdam, RAdam, RMSprop, Rprop
from .lbfgs import LBFGS
from .optimizer import Optimizer
from .steps import SGD, Adam, AdamW

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer",
    "RAdam", "RMSprop", "Rprop", "lr_scheduler", "swa_utils",
]  # fmt: skip

for _scheduler in (cycles.CyclicLR, cycles.OneCycleLR):  # users look for them among the others
    setattr(lr_scheduler, _scheduler.__name__, _scheduler)
    lr_scheduler.__all__.append(_scheduler.__name__)

OPTIMIZERS = "ASGD Adadelta Adagrad Adam AdamW Adamax LBFGS NAdam RAdam RMSprop Rprop SGD Optimizer"
present(__name__, globals(), {f"torch.optim.{name.lower()}": name for name in OPTIMIZERS.split()})
present(
    lr_scheduler.__name__,
    vars(lr_scheduler),
    {"torch.optim.lr_scheduler": " ".join(lr_scheduler.__all__)},
)
present(swa_utils.__name__, vars(swa_utils), {"torch.optim.swa_utils": "AveragedModel SWALR"})
