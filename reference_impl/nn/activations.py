"""Activations as modules."""

from __future__ import annotations

from typing import Any

from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor
from . import functional as F
from .module import Module, Parameter
from .of_function import module_of

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "SELU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh",
    "Identity", "LeakyReLU", "LogSigmoid", "LogSoftmax", "Mish", "PReLU", "ReLU", "ReLU6", "SiLU",
    "Sigmoid", "Softmax", "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink",
    "Threshold",
]  # fmt: skip

INPLACE = ("inplace", False)


class Identity(Module):
    """The input."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class PReLU(Module):
    """x above zero, else a learned slope times x; one slope, or one for each channel."""

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        full = FUNCTIONS["full"]
        self.weight = Parameter(full((num_parameters,), float(init), dtype=dtype, device=device))

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class GLU(Module):
    """One half of a dimension times the sigmoid of the other."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


def hardtanh(input: Tensor, min_val: float, max_val: float, inplace: bool) -> Any:
    """Clamped to a range that must not be empty."""
    return F.hardtanh(input, min_val, max_val, inplace)


ReLU = module_of("ReLU", "max(x, 0).", F.relu, INPLACE)
ReLU6 = module_of("ReLU6", "x clamped to [0, 6].", F.relu6, INPLACE)
LeakyReLU = module_of(
    "LeakyReLU",
    "x above zero, else slope times x.",
    F.leaky_relu,
    ("negative_slope", 0.01),
    INPLACE,
)
ELU = module_of("ELU", "x above zero, else alpha (exp(x) - 1).", F.elu, ("alpha", 1.0), INPLACE)
SELU = module_of("SELU", "A scaled ELU.", F.selu, INPLACE)
CELU = module_of("CELU", "An ELU with a smooth derivative.", F.celu, ("alpha", 1.0), INPLACE)
GELU = module_of(
    "GELU", "x times the normal distribution function.", F.gelu, ("approximate", "none")
)
SiLU = module_of("SiLU", "x sigmoid(x).", F.silu, INPLACE)
Mish = module_of("Mish", "x tanh(softplus(x)).", F.mish, INPLACE)
Sigmoid = module_of("Sigmoid", "1 / (1 + exp(-x)).", F.sigmoid)
LogSigmoid = module_of("LogSigmoid", "The logarithm of the sigmoid.", F.logsigmoid)
Tanh = module_of("Tanh", "tanh(x).", F.tanh)
Tanhshrink = module_of("Tanhshrink", "x - tanh(x).", F.tanhshrink)
Softplus = module_of("Softplus", "log(1 + exp(x)).", F.softplus, ("beta", 1.0), ("threshold", 20.0))
Softsign = module_of("Softsign", "x / (1 + |x|).", F.softsign)
Softshrink = module_of(
    "Softshrink", "x drawn towards zero.", F.softshrink, ("lambd", 0.5), show="{lambd}"
)
Hardshrink = module_of(
    "Hardshrink", "x, zero near zero.", F.hardshrink, ("lambd", 0.5), show="{lambd}"
)
Hardtanh = module_of(
    "Hardtanh", "x clamped to a range.", hardtanh, ("min_val", -1.0), ("max_val", 1.0), INPLACE
)
Hardsigmoid = module_of("Hardsigmoid", "A sigmoid of straight pieces.", F.hardsigmoid, INPLACE)
Hardswish = module_of("Hardswish", "x hardsigmoid(x).", F.hardswish, INPLACE)
Threshold = module_of(
    "Threshold", "x above a threshold, else a value.", F.threshold, "threshold", "value", INPLACE
)
Softmax = module_of("Softmax", "exp(x) over its sum.", F.softmax, ("dim", None))
Softmin = module_of("Softmin", "Softmax of -x.", F.softmin, ("dim", None))
LogSoftmax = module_of("LogSoftmax", "The logarithm of softmax.", F.log_softmax, ("dim", None))
