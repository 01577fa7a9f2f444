"""Averages of a model's parameters along training."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from ..autograd.grad_mode import no_grad
from ..nn import Module
from ..ops import FUNCTIONS
from ..tensor import Tensor
from .lr_scheduler import LRScheduler
from .optimizer import Optimizer

__all__ = [
    "SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn",
    "update_bn",
]  # fmt: skip

Average = Callable[[Tensor, Tensor, Any], Any]


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """The exponential average: the old one times ``decay``, the new value times the rest.

    Raises:
        ValueError: the decay lies outside [0, 1].
    """
    check_decay(decay)

    def average(held: Tensor, value: Tensor, count: Any) -> Any:
        return decay * held + (1 - decay) * value

    return average


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Any, Any, Any], None]:
    """As ``get_ema_avg_fn``, of lists and in place.

    Raises:
        ValueError: the decay lies outside [0, 1].
    """
    check_decay(decay)

    def average(held: Any, values: Any, count: Any) -> None:
        for old, value in zip(held, values, strict=True):
            if old.is_floating_point() or old.is_complex():
                old.lerp_(value, 1 - decay)
            else:
                old.copy_(old * decay + value * (1 - decay))

    return average


def get_swa_avg_fn() -> Average:
    """The plain average of all values so far."""

    def average(held: Tensor, value: Tensor, count: Any) -> Any:
        return held + (value - held) / (count + 1)

    return average


def check_decay(decay: float) -> None:
    """Refuse a decay outside [0, 1].

    Raises:
        ValueError: it is.
    """
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. It must lie in [0, 1].")


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of those that the model had.

    Attributes:
        n_averaged: how many were averaged.
    """

    n_averaged: Tensor

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Average | None = None,
        multi_avg_fn: Callable[[Any, Any, Any], None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", FUNCTIONS["tensor"](0, device=device))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.module(*args, **kwargs)

    def averaged(self, module: Module) -> list[Tensor]:
        """What of a module is averaged."""
        found: list[Tensor] = list(module.parameters())
        return found + list(module.buffers()) if self.use_buffers else found

    def update_parameters(self, model: Module) -> None:
        """Take the present parameters into the averages."""
        held = [t.detach() for t in self.averaged(self.module)]
        values = [
            t.detach().to(old.device) for t, old in zip(self.averaged(model), held, strict=True)
        ]
        if not self.n_averaged:
            for old, value in zip(held, values, strict=True):
                old.copy_(value)
        elif self.multi_avg_fn is not None:
            self.multi_avg_fn(held, values, self.n_averaged)
        else:
            average = self.avg_fn or get_swa_avg_fn()
            for old, value in zip(held, values, strict=True):
                old.copy_(average(old, value, self.n_averaged))
        if not self.use_buffers:
            for old, value in zip(self.module.buffers(), model.buffers(), strict=True):
                old.detach().copy_(value.detach())
        self.n_averaged += 1


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Estimate the running statistics of a model's batch normalisations anew, by one run over data."""
    momenta: dict[Module, Any] = {}
    for module in model.modules():
        if hasattr(module, "num_batches_tracked") and hasattr(module, "momentum"):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    with no_grad():
        for batch in loader:
            first = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(first if device is None else first.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Anneals the rates to ``swa_lr`` over ``anneal_epochs``, where they stay.

    Raises:
        ValueError: an unknown annealing, or a negative number of epochs.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must by one of 'cos' or 'linear'; got {anneal_strategy}"
            )
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        targets = swa_lr if isinstance(swa_lr, (list, tuple)) else [swa_lr]
        many = len(optimizer.param_groups)
        for lr, group in zip(targets * many, optimizer.param_groups, strict=False):
            group["swa_lr"] = lr
        self._anneal_strategy, self.anneal_epochs = anneal_strategy, anneal_epochs
        super().__init__(optimizer, last_epoch)

    def share(self, step: int) -> float:
        """How much of the way is gone after a step."""
        part = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * part)) / 2 if self._anneal_strategy == "cos" else part

    def get_lr(self) -> list[Any]:
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self.share(max(0, step - 1)), self.share(step)
        out = []
        for group in self.optimizer.param_groups:
            first = (
                group["swa_lr"]
                if before == 1
                else ((group["lr"] - before * group["swa_lr"]) / (1 - before))
            )
            out.append(group["swa_lr"] * now + first * (1 - now))
        return out
