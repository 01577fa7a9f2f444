"""Convolutions as modules."""

from __future__ import annotations

import math
from typing import Any

from .. import errors
from ..tensor.tensor import Tensor
from . import functional as F
from .layers import drawn_bias, drawn_weight
from .module import Module

__all__ = ["Conv1d", "Conv2d", "ConvTranspose1d", "ConvTranspose2d"]


def spread(value: Any, n: int) -> Any:
    """One length for each dimension; words such as "same" stay."""
    if isinstance(value, str):
        return value
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class _Conv(Module):
    """What convolutions share; ``dims`` is the number of dimensions they slide over.

    Raises:
        ValueError: channels that cannot be divided into that many groups.
    """

    dims = 0
    transposed = False

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
        output_padding: Any = 0,
    ) -> None:
        super().__init__()
        if in_channels % groups:
            raise errors.wrong_value("in_channels must be divisible by groups")
        if out_channels % groups:
            raise errors.wrong_value("out_channels must be divisible by groups")
        n = self.dims
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = spread(kernel_size, n), spread(stride, n)
        self.padding, self.dilation = spread(padding, n), spread(dilation, n)
        self.output_padding, self.padding_mode = spread(output_padding, n), padding_mode
        first, second = out_channels, in_channels // groups
        if self.transposed:
            first, second = in_channels, out_channels // groups
        self.weight = drawn_weight((first, second, *self.kernel_size), dtype, device)
        fan_in = second * math.prod(self.kernel_size)
        drawn = drawn_bias((out_channels,), fan_in, dtype, device) if bias else None
        self.register_parameter("bias", drawn)

    def around(self, input: Tensor) -> tuple[Tensor, Any]:
        """The input with its padding, where that is not of zeros, and the padding left to do."""
        if self.padding_mode == "zeros":
            return input, self.padding
        sides = [p for size in reversed(self.padding) for p in (size, size)]
        return F.pad(input, sides, self.padding_mode), 0

    def extra_repr(self) -> str:
        parts = [f"{self.in_channels}, {self.out_channels}", f"kernel_size={self.kernel_size}"]
        parts.append(f"stride={self.stride}")
        zeros, ones = (0,) * self.dims, (1,) * self.dims
        if self.padding != zeros:
            parts.append(f"padding={self.padding}")
        if self.dilation != ones:
            parts.append(f"dilation={self.dilation}")
        if self.output_padding != zeros:
            parts.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(parts)


class Conv1d(_Conv):
    """Cross-correlation over one dimension."""

    dims = 1

    def forward(self, input: Tensor) -> Tensor:
        x, padding = self.around(input)
        return F.conv1d(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv2d(_Conv):
    """Cross-correlation over two dimensions."""

    dims = 2

    def forward(self, input: Tensor) -> Tensor:
        x, padding = self.around(input)
        return F.conv2d(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class _ConvTranspose(_Conv):
    """The transpose of a convolution."""

    transposed = True

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
    ) -> None:
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias,
            output_padding=output_padding,
        )  # fmt: skip

    def transposed_by(self, fn: Any, input: Tensor) -> Tensor:
        """What the function of these dimensions gives."""
        return fn(  # type: ignore[no-any-return]
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding,
            self.groups, self.dilation,
        )  # fmt: skip


class ConvTranspose1d(_ConvTranspose):
    """The transpose of `Conv1d`."""

    dims = 1

    def forward(self, input: Tensor) -> Tensor:
        return self.transposed_by(F.conv_transpose1d, input)


class ConvTranspose2d(_ConvTranspose):
    """The transpose of `Conv2d`."""

    dims = 2

    def forward(self, input: Tensor) -> Tensor:
        return self.transposed_by(F.conv_transpose2d, input)
