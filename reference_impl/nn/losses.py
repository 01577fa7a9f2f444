"""Losses as modules."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from . import functional as F
from .loss_functions import old_flags
from .module import Module

__all__ = ["CrossEntropyLoss", "MSELoss", "NLLLoss"]


class _Loss(Module):
    """A loss with a reduction."""

    fn: Any = None

    def __init__(
        self,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
        **options: Any,
    ) -> None:
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = old_flags(size_average, reduce)
        self.reduction = reduction
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return type(self).fn(input, target, reduction=self.reduction, **self.options)  # type: ignore[no-any-return]


class MSELoss(_Loss):
    """The mean of squared differences."""

    fn = staticmethod(F.mse_loss)


class L1Loss(_Loss):
    """The mean of absolute differences."""

    fn = staticmethod(F.l1_loss)


class SmoothL1Loss(_Loss):
    """Squared near zero, absolute beyond."""

    fn = staticmethod(F.smooth_l1_loss)


class BCELoss(_Loss):
    """Minus the log-likelihood of probabilities."""

    fn = staticmethod(F.binary_cross_entropy)


class BCEWithLogitsLoss(_Loss):
    """Minus the log-likelihood, given scores."""

    fn = staticmethod(F.binary_cross_entropy_with_logits)


class _Classes(_Loss):
    """A loss over classes with optional weights."""

    def __init__(
        self, weight: Tensor | None = None, *, reduction: str = "mean", **options: Any
    ) -> None:
        super().__init__(reduction=reduction, weight=weight, **options)


class NLLLoss(_Classes):
    """Minus the log-probability of the target class."""

    fn = staticmethod(F.nll_loss)


class CrossEntropyLoss(_Classes):
    """Minus the log-probability of the target, given scores."""

    fn = staticmethod(F.cross_entropy)
