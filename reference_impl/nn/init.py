"""Filling parameters with their first values."""

from __future__ import annotations

import math
import warnings
from typing import Any

from .. import errors
from ..autograd.grad_mode import no_grad
from ..ops import FUNCTIONS, LINALG
from ..tensor.tensor import Tensor

__all__ = [
    "calculate_gain",
    "constant_",
    "dirac_",
    "eye_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "orthogonal_",
    "sparse_",
    "trunc_normal_",
    "uniform_",
    "xavier_normal_",
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
def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Normal, numbers outside [a, b] drawn again.

    Where few numbers would fall inside, candidates are uniform and kept as often as the density
    asks for.
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            f"[trunc_normal_] the mean {mean} lies more than two standard deviations "
            f"outside [{a}, {b}], where the values drawn do not follow the wanted "
            "distribution.",
            stacklevel=2,
        )

    def below(x: float) -> float:
        return (1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0

    if below(b) - below(a) > 0.3:
        low, high = (tensor.new_tensor(bound).item() for bound in (a, b))
        found = tensor.normal_(mean, std, generator=generator)
        while bool((outside := (found < low) | (found > high)).any()):
            again = FUNCTIONS["empty_like"](found).normal_(mean, std, generator=generator)
            found = FUNCTIONS["where"](outside, again, found)
        return tensor if found is tensor else tensor.copy_(found)
    highest = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    waiting: Tensor | None = None
    found = tensor
    while waiting is None or bool(waiting.any()):
        drawn = FUNCTIONS["empty_like"](tensor).uniform_(a, b, generator=generator)
        found = drawn if waiting is None else FUNCTIONS["where"](waiting, drawn, found)
        density = ((drawn - mean) / std).pow(2) * -0.5 - highest
        chance = FUNCTIONS["empty_like"](tensor).uniform_(generator=generator).log()
        refused = chance > density
        waiting = refused if waiting is None else waiting & refused
    return tensor.copy_(found)


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


@no_grad()
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """A convolution that gives its input back, as far as there are channels.

    Raises:
        ValueError: not the weight of a convolution, or not that many groups.
    """
    if tensor.ndim not in (3, 4, 5):
        raise errors.wrong_value(
            f"[dirac_] the tensor must have 3, 4 or 5 dimensions; got shape {list(tensor.shape)}"
        )
    if tensor.shape[0] % groups:
        raise errors.wrong_value("dim 0 must be divisible by groups")
    tensor.zero_()
    share = tensor.shape[0] // groups
    middle = tuple(n // 2 for n in tensor.shape[2:])
    for g in range(groups):
        for d in range(min(share, tensor.shape[1])):
            tensor[(g * share + d, d, *middle)] = 1
    return tensor


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Normal, with this part of each column zero.

    Raises:
        ValueError: not a matrix.
    """
    if tensor.ndim != 2:
        raise errors.wrong_value("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        zeroed = FUNCTIONS["randperm"](rows)[: math.ceil(sparsity * rows)]
        tensor[zeroed, column] = 0
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    return fans(tensor)


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


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """A matrix with orthogonal rows or columns, whichever are fewer.

    Raises:
        ValueError: fewer than two dimensions.
    """
    if tensor.ndim < 2:
        raise errors.wrong_value(
            "[orthogonal_] the tensor must have 2 dimensions or more; got shape "
            f"{list(tensor.shape)}"
        )
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    drawn = FUNCTIONS["empty"](rows, columns, dtype=tensor.dtype).normal_(generator=generator)
    q, r = LINALG["qr"](drawn.t() if rows < columns else drawn)
    q = q * r.diagonal().sign()
    return tensor.copy_((q.t() if rows < columns else q).reshape(tensor.shape)).mul_(gain)
