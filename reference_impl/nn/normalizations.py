"""Normalisations as modules."""

from __future__ import annotations

from typing import Any, ClassVar

from .. import errors
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor
from . import functional as F
from .module import Module, Parameter

__all__ = [
    "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm", "InstanceNorm1d", "InstanceNorm2d",
    "InstanceNorm3d", "LayerNorm", "RMSNorm",
]  # fmt: skip

zeros: Any = FUNCTIONS["zeros"]
ones: Any = FUNCTIONS["ones"]


class _Running(Module):
    """Normalisation with running estimates for evaluation.

    Raises:
        ValueError: from ``forward``, for an input of another number of dimensions.
    """

    allowed: tuple[int, ...] = ()
    _version = 2
    _added_in_version: ClassVar[dict[str, int]] = {"num_batches_tracked": 2}

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        made = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(ones(num_features, **made)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_features, **made)) if affine else None)
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, **made) if tracked else None)
        self.register_buffer("running_var", ones(num_features, **made) if tracked else None)
        count = FUNCTIONS["tensor"](0) if tracked else None
        self.register_buffer("num_batches_tracked", count)

    def reset_running_stats(self) -> None:
        """Forget the running estimates."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def check(self, input: Tensor) -> None:
        """Refuse an input of another number of dimensions."""
        if input.ndim not in self.allowed:
            wanted = " or ".join(f"{d}D" for d in self.allowed)
            raise errors.wrong_value(f"expected {wanted} input (got {input.ndim}D input)")

    def extra_repr(self) -> str:
        shown = f"{self.num_features}, eps={self.eps}, momentum={self.momentum}"
        flags = f"affine={self.affine}, bias={self.bias is not None}"
        return f"{shown}, {flags}, track_running_stats={self.track_running_stats}"


class _BatchNorm(_Running):
    """Normalisation over the batch."""

    def forward(self, input: Tensor) -> Tensor:
        self.check(input)
        share = self.momentum
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if share is None:  # the plain average of all batches
                share = 1.0 / float(self.num_batches_tracked.item())
        return F.batch_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or self.running_mean is None,
            0.0 if share is None else share,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L)."""

    allowed = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W)."""

    allowed = (4,)


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of (N, C, D, H, W)."""

    allowed = (5,)


class _InstanceNorm(_Running):
    """Normalisation of each channel of each example."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats)

    def forward(self, input: Tensor) -> Tensor:
        self.check(input)
        alone = input.ndim == min(self.allowed)
        out = F.instance_norm(
            input.unsqueeze(0) if alone else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or self.running_mean is None,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return out.squeeze(0) if alone else out


class InstanceNorm1d(_InstanceNorm):
    """Instance normalisation of (N, C, L) or (C, L)."""

    allowed = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of (N, C, H, W) or (C, H, W)."""

    allowed = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of (N, C, D, H, W) or (C, D, H, W)."""

    allowed = (4, 5)


class GroupNorm(Module):
    """Normalisation of groups of channels.

    Raises:
        ValueError: the channels cannot be divided into that many groups.
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise errors.wrong_value("num_channels must be divisible by num_groups")
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        made = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(ones(num_channels, **made)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_channels, **made)) if affine else None)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        shown = f"{self.num_groups}, {self.num_channels}, eps={self.eps}"
        return f"{shown}, affine={self.affine}, bias={self.bias is not None}"


class LayerNorm(Module):
    """Normalisation over the last dimensions."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        one = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if one else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        made = {"device": device, "dtype": dtype}
        shape, affine = self.normalized_shape, elementwise_affine
        self.register_parameter("weight", Parameter(ones(shape, **made)) if affine else None)
        shifted = affine and bias
        self.register_parameter("bias", Parameter(zeros(shape, **made)) if shifted else None)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine, bias = self.elementwise_affine, self.bias is not None
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={affine}, bias={bias}"


class RMSNorm(Module):
    """Division by the root mean square over the last dimensions."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        one = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if one else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        made = ones(self.normalized_shape, device=device, dtype=dtype)
        self.register_parameter("weight", Parameter(made) if elementwise_affine else None)

    def forward(self, input: Tensor) -> Tensor:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        affine = self.elementwise_affine
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={affine}"
