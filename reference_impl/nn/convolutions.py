"""Convolution as a module."""

from __future__ import annotations

import math
from typing import Any

from .. import errors
from ..tensor.tensor import Tensor
from . import functional as F
from .layers import drawn_bias, drawn_weight
from .module import Module

__all__ = ["Conv2d"]


def pair(value: Any) -> Any:
    """One length for each of the two dimensions; words such as "same" stay."""
    if isinstance(value, str):
        return value
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


class Conv2d(Module):
    """Cross-correlation over two dimensions, padded with zeros.

    Raises:
        ValueError: channels that cannot be divided into that many groups.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        *,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in_channels % groups or out_channels % groups:
            raise errors.wrong_value(
                f"in_channels and out_channels must be divisible by groups; got {in_channels}, "
                f"{out_channels} and {groups}"
            )
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = pair(kernel_size), pair(stride)
        self.padding, self.dilation = pair(padding), pair(dilation)
        inputs = in_channels // groups
        self.weight = drawn_weight((out_channels, inputs, *self.kernel_size), dtype, device)
        fan_in = inputs * math.prod(self.kernel_size)
        drawn = drawn_bias((out_channels,), fan_in, dtype, device) if bias else None
        self.register_parameter("bias", drawn)

    def forward(self, input: Tensor) -> Tensor:
        options = self.stride, self.padding, self.dilation, self.groups
        return F.conv2d(input, self.weight, self.bias, *options)
