"""Activations as modules."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from . import functional as F
from .module import Module

__all__ = ["Identity", "ReLU", "Sigmoid", "Softmax", "Tanh"]


class Identity(Module):
    """The input."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class ReLU(Module):
    """max(x, 0), in place if asked."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.relu(input, self.inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


def _of(name: str, doc: str, fn: Any, *defaults: tuple[str, Any]) -> Any:
    """A module around a function, its options set at construction."""

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        Module.__init__(self)
        values = dict(defaults)
        values.update(zip([k for k, _ in defaults], args, strict=False))
        values.update(kwargs)
        self.options = values

    def forward(self: Any, input: Tensor) -> Any:
        return fn(input, **self.options)

    def extra_repr(self: Any) -> str:
        return ", ".join(f"{k}={v!r}" for k, v in self.options.items())

    return type(
        name,
        (Module,),
        {
            "__init__": init,
            "forward": forward,
            "extra_repr": extra_repr,
            "__doc__": doc,
            "__module__": __name__,
        },
    )


Sigmoid = _of("Sigmoid", "1 / (1 + exp(-x)).", F.sigmoid)
Tanh = _of("Tanh", "tanh(x).", F.tanh)
LeakyReLU = _of(
    "LeakyReLU", "x above zero, else slope times x.", F.leaky_relu, ("negative_slope", 0.01)
)
ELU = _of("ELU", "x above zero, else alpha (exp(x) - 1).", F.elu, ("alpha", 1.0))
GELU = _of("GELU", "x times the normal distribution function.", F.gelu, ("approximate", "none"))
SiLU = _of("SiLU", "x sigmoid(x).", F.silu)
Softplus = _of("Softplus", "log(1 + exp(x)).", F.softplus, ("beta", 1.0), ("threshold", 20.0))
Softmax = _of("Softmax", "exp(x) over its sum.", F.softmax, ("dim", None))
LogSoftmax = _of("LogSoftmax", "The logarithm of softmax.", F.log_softmax, ("dim", None))
