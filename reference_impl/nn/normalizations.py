"""Batch normalization as modules."""

from __future__ import annotations

from typing import Any, ClassVar

from .. import errors
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor
from . import functional as F
from .module import Module, Parameter

__all__ = ["BatchNorm1d", "BatchNorm2d"]

zeros: Any = FUNCTIONS["zeros"]
ones: Any = FUNCTIONS["ones"]


class _BatchNorm(Module):
    """Normalization over the batch, with running estimates for evaluation.

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
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        made = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(ones(num_features, **made)) if affine else None)
        shifts = affine and bias
        self.register_parameter("bias", Parameter(zeros(num_features, **made)) if shifts else None)
        tracked = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, **made) if tracked else None)
        self.register_buffer("running_var", ones(num_features, **made) if tracked else None)
        count = FUNCTIONS["tensor"](0, device=device) if tracked else None
        self.register_buffer("num_batches_tracked", count)

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim not in self.allowed:
            wanted = " or ".join(f"{d}D" for d in self.allowed)
            raise errors.wrong_value(f"expected {wanted} input (got {input.ndim}D input)")
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
    """Batch normalization of (N, C) or (N, C, L)."""

    allowed = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalization of (N, C, H, W)."""

    allowed = (4,)
