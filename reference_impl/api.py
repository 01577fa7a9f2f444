"""The submodules that users reach through the package."""

from __future__ import annotations

from typing import Any

from . import autograd as _autograd
from . import forward_ad, function, grad_mode, multi_hooks, nn, optim, saved_hooks
from .namespace import submodule
from .node import Node
from .ops.create import manual_seed
from .ops.linalg import LINALG

__all__ = ["autograd", "cuda", "linalg", "nn", "optim", "random"]

graph = submodule(
    "autograd.graph",
    "The recorded graph.",
    Node=Node,
    GradientEdge=_autograd.GradientEdge,
    get_gradient_edge=_autograd.get_gradient_edge,
    increment_version=_autograd.increment_version,
    register_multi_grad_hook=multi_hooks.register_multi_grad_hook,
    saved_tensors_hooks=saved_hooks.saved_tensors_hooks,
    save_on_cpu=saved_hooks.save_on_cpu,
    disable_saved_tensors_hooks=saved_hooks.disable_saved_tensors_hooks,
)
autograd: Any = _autograd
autograd.graph = graph
autograd.Function = function.Function
autograd.function = function
autograd.forward_ad = forward_ad
autograd.no_grad = grad_mode.no_grad
autograd.enable_grad = grad_mode.enable_grad
autograd.set_grad_enabled = grad_mode.set_grad_enabled
autograd.inference_mode = grad_mode.inference_mode
autograd.grad_mode = grad_mode
cuda = submodule(
    "cuda",
    "CUDA devices.",
    is_available=lambda: False,
    device_count=lambda: 0,
    manual_seed=lambda seed: None,
    manual_seed_all=lambda seed: None,
)
linalg = submodule("linalg", "Linear algebra.", **LINALG)
random = submodule("random", "Random numbers.", manual_seed=manual_seed)
