"""Filling parameters with their first values."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

from .. import errors
from ..autograd.grad_mode import no_grad
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor

__all__ = [
    "calculate_gain",
    "constant",
    "constant_",
    "eye",
    "eye_",
    "kaiming_normal",
    "kaiming_normal_",
    "kaiming_uniform",
    "kaiming_uniform_",
    "normal",
    "normal_",
    "ones_",
    "uniform",
    "uniform_",
    "xavier_normal",
    "xavier_normal_",
    "xavier_uniform",
    "xavier_uniform_",
    "zeros_",
]

GAINS = {"tanh": 5 / 3, "relu": math.sqrt(2.0), "selu": 3 / 4}
LINEAR = {"linear", "sigmoid", *(f"conv{d}d" for d in (1, 2, 3))}
LINEAR |= {f"conv_transpose{d}d" for d in (1, 2, 3)}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance through a nonlinearity.

    Raises:
        ValueError: an unknown nonlinearity, or a slope that is no number.
    """
    if nonlinearity in LINEAR:
        return 1
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise errors.wrong_value(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity not in GAINS:
        raise errors.wrong_value(f"Unsupported nonlinearity {nonlinearity}")
    return GAINS[nonlinearity]


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform in [a, b)."""
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Normal."""
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """One value."""
    return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix.

    Raises:
        ValueError: not a matrix.
    """
    if tensor.ndim != 2:
        raise errors.wrong_value("Only tensors with 2 dimensions are supported")
    return tensor.copy_(FUNCTIONS["eye"](*tensor.shape))


def fans(tensor: Tensor) -> tuple[int, int]:
    """How many inputs and outputs each element has.

    Raises:
        ValueError: fewer than two dimensions.
    """
    if tensor.ndim < 2:
        raise errors.wrong_value(
            f"fan in and fan out need 2 dimensions or more; got shape {list(tensor.shape)}"
        )
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    """The standard deviation that keeps the variance through a rectifier.

    Raises:
        ValueError: an unknown mode.
    """
    modes = ("fan_in", "fan_out")
    if mode.lower() not in modes:
        raise errors.wrong_value(f"Mode {mode} not supported, please use one of {list(modes)}")
    fan = fans(tensor)[modes.index(mode.lower())]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def has_elements(tensor: Tensor) -> bool:
    """Whether there is something to fill; warns where not."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return False
    return True


def xavier_std(tensor: Tensor, gain: float) -> float:
    """The standard deviation balanced between inputs and outputs."""
    return gain * math.sqrt(2.0 / sum(fans(tensor)))


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform, the variance balanced between inputs and outputs."""
    bound = math.sqrt(3.0) * xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal, the variance balanced between inputs and outputs."""
    return normal_(tensor, 0.0, xavier_std(tensor, gain), generator)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Uniform, the variance kept through a rectifier."""
    if not has_elements(tensor):
        return tensor
    bound = math.sqrt(3.0) * kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0.0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Normal, the variance kept through a rectifier."""
    if not has_elements(tensor):
        return tensor
    return normal_(tensor, 0.0, kaiming_std(tensor, a, mode, nonlinearity), generator)


def old_name(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The name without underscore that a function had once."""
    name = function.__name__.removesuffix("_")

    @functools.wraps(function)
    def deprecated(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(
            f"nn.init.{name} is deprecated. Use nn.init.{name}_.", FutureWarning, stacklevel=2
        )
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = name
    return deprecated


uniform = old_name(uniform_)
normal = old_name(normal_)
constant = old_name(constant_)
eye = old_name(eye_)
xavier_uniform = old_name(xavier_uniform_)
xavier_normal = old_name(xavier_normal_)
kaiming_uniform = old_name(kaiming_uniform_)
kaiming_normal = old_name(kaiming_normal_)
