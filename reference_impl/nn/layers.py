"""Layers with parameters, and those that act differently in training."""

from __future__ import annotations

import math
from typing import Any

from ..ops import FUNCTIONS
from ..tensor import Tensor
from . import functional as F
from .init import kaiming_uniform_
from .linear_functions import pair
from .module import Module, Parameter

__all__ = ["BatchNorm1d", "BatchNorm2d", "Conv2d", "Dropout", "Linear"]

zeros, ones, empty = FUNCTIONS["zeros"], FUNCTIONS["ones"], FUNCTIONS["empty"]


def weight(shape: Any, dtype: Any = None) -> Parameter:
    """A weight drawn from the usual range for its number of inputs, which comes second."""
    drawn = empty(shape, dtype=dtype)
    return Parameter(kaiming_uniform_(drawn, math.sqrt(5)) if drawn.numel() else drawn)


def uniform(shape: Any, fan_in: int, dtype: Any = None) -> Parameter:
    """A parameter drawn from the usual range for that many inputs."""
    bound = 1 / math.sqrt(fan_in) if fan_in else 0.0
    return Parameter(empty(*shape, dtype=dtype).uniform_(-bound, bound))


class Linear(Module):
    """x W^T + b, W of shape (out_features, in_features)."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = weight((out_features, in_features), dtype)
        self.bias = uniform((out_features,), in_features, dtype) if bias else None

    def forward(self, input: Tensor) -> Tensor:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        sizes = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{sizes}, bias={self.bias is not None}"


class Bilinear(Module):
    """x1^T W x2 + b."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True
    ) -> None:
        super().__init__()
        self.weight = uniform((out_features, in1_features, in2_features), in1_features)
        self.bias = uniform((out_features,), in1_features) if bias else None

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        out, first, second = self.weight.shape
        sizes = f"in1_features={first}, in2_features={second}, out_features={out}"
        return f"{sizes}, bias={self.bias is not None}"


class Conv2d(Module):
    """Cross-correlation over two dimensions."""

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
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride, self.padding = (
            pair(kernel_size),
            pair(stride),
            pair(padding),
        )
        self.dilation, self.groups = pair(dilation), groups
        shape = (out_channels, in_channels // groups, *self.kernel_size)
        fan_in = shape[1] * shape[2] * shape[3]
        self.weight = weight(shape)
        self.bias = uniform((out_channels,), fan_in) if bias else None

    def forward(self, input: Tensor) -> Tensor:
        return F.conv2d(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )

    def extra_repr(self) -> str:
        return conv_text(self, (0, 0), (1, 1))


class Conv1d(Module):
    """Cross-correlation over one dimension."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int,
        stride: int = 1,
        padding: int = 0,
        dilation: int = 1,
        groups: int = 1,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.in_channels, self.out_channels = in_channels, out_channels
        self.kernel_size, self.stride = (kernel_size,), (stride,)
        self.padding, self.dilation, self.groups = (padding,), (dilation,), groups
        fan_in = in_channels // groups * kernel_size
        self.weight = weight((out_channels, in_channels // groups, kernel_size))
        self.bias = uniform((out_channels,), fan_in) if bias else None

    def forward(self, input: Tensor) -> Tensor:
        return F.conv1d(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )

    def extra_repr(self) -> str:
        return conv_text(self, (0,), (1,))


def conv_text(conv: Any, no_padding: Any, no_dilation: Any) -> str:
    """How a convolution prints: what is not as usual."""
    parts = [f"{conv.in_channels}, {conv.out_channels}"]
    parts += [f"kernel_size={conv.kernel_size}", f"stride={conv.stride}"]
    if conv.padding != no_padding:
        parts.append(f"padding={conv.padding}")
    if conv.dilation != no_dilation:
        parts.append(f"dilation={conv.dilation}")
    if conv.groups != 1:
        parts.append(f"groups={conv.groups}")
    if conv.bias is None:
        parts.append("bias=False")
    return ", ".join(parts)


class _BatchNorm(Module):
    """Normalisation over the batch, with running estimates for evaluation."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.weight = Parameter(ones(num_features)) if affine else None
        self.bias = Parameter(zeros(num_features)) if affine else None
        self.register_buffer("running_mean", zeros(num_features) if track_running_stats else None)
        self.register_buffer("running_var", ones(num_features) if track_running_stats else None)
        self.register_buffer(
            "num_batches_tracked", FUNCTIONS["tensor"](0) if track_running_stats else None
        )

    def forward(self, input: Tensor) -> Tensor:
        batch = self.training or self.running_mean is None
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
        return F.batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            batch,
            self.momentum,
            self.eps,
        )

    def extra_repr(self) -> str:
        shown = f"{self.num_features}, eps={self.eps}, momentum={self.momentum}"
        flags = f"affine={self.weight is not None}, bias={self.bias is not None}"
        return f"{shown}, {flags}, track_running_stats={self.running_mean is not None}"


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L)."""


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W)."""


class LayerNorm(Module):
    """Normalisation over the last dimensions."""

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True
    ) -> None:
        super().__init__()
        self.normalized_shape = (
            (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        )
        self.eps = eps
        self.weight = Parameter(ones(*self.normalized_shape)) if elementwise_affine else None
        self.bias = Parameter(zeros(*self.normalized_shape)) if elementwise_affine else None

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine, bias = self.weight is not None, self.bias is not None
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={affine}, bias={bias}"


class Dropout(Module):
    """Zeros at random in training, nothing in evaluation."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Embedding(Module):
    """Rows of a table, looked up by number."""

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None
    ) -> None:
        super().__init__()
        self.padding_idx = padding_idx
        self.weight = Parameter(FUNCTIONS["randn"](num_embeddings, embedding_dim))
        if padding_idx is not None:
            self.weight.data[padding_idx] = 0

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        rows, width = self.weight.shape
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{rows}, {width}{padding}"


class Flatten(Module):
    """All dimensions but the first made one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class MaxPool2d(Module):
    """The largest element of each window."""

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1
    ) -> None:
        super().__init__()
        self.options = (kernel_size, stride, padding, dilation)

    def forward(self, input: Tensor) -> Tensor:
        return F.max_pool2d(input, *self.options)  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        kernel, stride, padding, dilation = self.options
        shown = f"kernel_size={kernel}, stride={stride or kernel}, padding={padding}"
        return f"{shown}, dilation={dilation}, ceil_mode=False"


class AvgPool2d(Module):
    """The mean of each window."""

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        self.options = (kernel_size, stride, padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(input, *self.options)

    def extra_repr(self) -> str:
        kernel, stride, padding = self.options
        return f"kernel_size={kernel}, stride={stride or kernel}, padding={padding}"
