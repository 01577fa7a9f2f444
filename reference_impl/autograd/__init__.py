"""``torch.autograd``: backward passes, and the rooms that users reach through this one."""

from __future__ import annotations

from . import anomaly_mode, forward_ad, function, functional, grad_mode, graph
from .anomaly_mode import detect_anomaly, set_detect_anomaly
from .function import Function
from .grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from .gradcheck import gradcheck, gradgradcheck
from .passes import backward, grad
from .variable import Variable

__all__ = [
    "Function", "Variable", "anomaly_mode", "backward", "detect_anomaly", "enable_grad", "enforce_grad_layout_policy",
    "forward_ad", "function", "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck",
    "graph", "inference_mode", "no_grad", "set_detect_anomaly", "set_grad_enabled",
    "set_multithreading_enabled",
]  # fmt: skip
