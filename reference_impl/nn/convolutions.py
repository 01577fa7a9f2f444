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


PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class Conv2d(Module):
    """Cross-correlation over two dimensions, padded with zeros, or as ``padding_mode`` says.

    Raises:
        ValueError: channels that cannot be divided into that many groups, or an unknown padding mode.
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
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if padding_mode not in PADDING_MODES:
            raise errors.wrong_value(
                f"padding_mode must be one of {', '.join(PADDING_MODES)}; got {padding_mode!r}"
            )
        self.padding_mode = padding_mode
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
        padding = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self.around(), self.padding_mode), 0
        return F.conv2d(
            input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )

    def around(self) -> list[int]:
        """How many elements are put before and behind each dimension, from the last one on."""
        if self.padding == "valid":
            return [0] * 4
        if self.padding == "same":
            totals = [d * (k - 1) for k, d in zip(self.kernel_size, self.dilation, strict=True)]
            return [p for total in reversed(totals) for p in (total // 2, total - total // 2)]
        return [p for p in reversed(self.padding) for _ in range(2)]
