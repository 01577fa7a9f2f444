"""Layers: modules, their parameters, and the functions they are made of.

The modules are those that behaviors need; the functions, in `functional`, are the catalogue's.
"""

from __future__ import annotations

from ..naming import present
from . import functional, init, modules, parameter, utils
from .containers import ModuleList, Sequential
from .convolutions import Conv2d
from .layers import Dropout, Embedding, Identity, Linear, MSELoss, ReLU, Sigmoid, Tanh
from .module import Buffer, Module, Parameter
from .normalizations import BatchNorm1d, BatchNorm2d

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "Buffer", "Conv2d", "Dropout", "Embedding", "Identity", "Linear",
    "MSELoss", "Module", "ModuleList", "Parameter", "ReLU", "Sequential", "Sigmoid", "Tanh",
    "functional", "init", "modules", "parameter", "utils",
]  # fmt: skip

NAMES = {
    "activation": "ReLU Sigmoid Tanh",
    "batchnorm": "BatchNorm1d BatchNorm2d",
    "container": "ModuleList Sequential",
    "conv": "Conv2d",
    "dropout": "Dropout",
    "linear": "Identity Linear",
    "loss": "MSELoss",
    "module": "Module",
    "sparse": "Embedding",
}
"""The modules of layers under which users know each of them."""

present(__name__, globals(), {f"torch.nn.modules.{m}": names for m, names in NAMES.items()})
