"""``torch.autograd``: backward passes, and the rooms that users reach through this one."""

from __future__ import annotations

from . import forward_ad, function, grad_mode, graph
from .function import Function
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from .passes import backward, grad
from .variable import Variable

__all__ = [
    "Function", "Variable", "backward", "enable_grad", "forward_ad", "function", "grad",
    "grad_mode", "graph", "inference_mode", "no_grad", "set_grad_enabled",
]  # fmt: skip
