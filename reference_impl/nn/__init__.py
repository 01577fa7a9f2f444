"""Layers: modules, their parameters, and the functions they are made of."""

from __future__ import annotations

from . import functional, init, utils
from .activations import (
    ELU, GELU, Identity, LeakyReLU, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Softplus, Tanh,
)  # fmt: skip
from .containers import ModuleDict, ModuleList, ParameterList, Sequential
from .layers import (
    BatchNorm1d, BatchNorm2d, Bilinear, Conv1d, Conv2d, Dropout, Embedding, Flatten, LayerNorm, Linear,
    MaxPool2d, AvgPool2d,
)  # fmt: skip
from .losses import BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, L1Loss, MSELoss, NLLLoss, SmoothL1Loss
from .module import Module, Parameter

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "AvgPool2d", "BatchNorm1d", "BatchNorm2d", "Bilinear", "Conv1d", "Conv2d",
    "CrossEntropyLoss", "Dropout", "ELU", "Embedding", "Flatten", "GELU", "Identity", "L1Loss", "LayerNorm",
    "LeakyReLU", "Linear", "LogSoftmax", "MSELoss", "MaxPool2d", "Module", "ModuleDict", "ModuleList",
    "NLLLoss", "Parameter", "ParameterList", "ReLU", "Sequential", "SiLU", "Sigmoid", "SmoothL1Loss",
    "Softmax", "Softplus", "Tanh", "functional", "init", "utils",
]  # fmt: skip
