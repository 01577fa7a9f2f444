"""Learning rates that change from epoch to epoch.

Most rules tell the next rate from the present one, so that several schedulers can share an
optimiser.
"""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections import Counter
from types import FunctionType
from typing import Any

from .optimizer import Optimizer

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts",
    "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR",
    "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR",
]  # fmt: skip


class LRScheduler:
    """Sets the rates of an optimiser's groups, once when it is made and then at each ``step()``.

    Attributes:
        last_epoch: how many steps were taken.
        base_lrs: the rates that the groups began with.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        self.taken = optimizer.steps_taken
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming an "
                    "optimizer"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._is_initial = self._get_lr_called_within_step = False  # users find them in the state
        self.step()

    def get_lr(self) -> list[Any]:
        """The rates of this epoch."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last."""
        return self._last_lr

    def rates(self) -> list[Any]:
        """The present rates."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def scaled(self, factor: float) -> list[Any]:
        """The present rates times a factor."""
        return [lr * factor for lr in self.rates()]

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, after the optimiser's own steps."""
        if self._step_count == 1 and self.optimizer.steps_taken == self.taken:
            warnings.warn(
                "the scheduler's step() came before the first step() of its optimizer, so "
                "the first learning rate was never used. Call optimizer.step(), then "
                "scheduler.step().",
                UserWarning,
                stacklevel=2,
            )
        self._step_count += 1
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self.set_rates()

    def set_rates(self) -> None:
        """Give the groups the rates of this epoch."""
        for group, lr in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"] = lr
        self._last_lr = self.rates()

    def state_dict(self) -> dict[str, Any]:
        """Everything but what belongs to the optimiser."""
        return without(self.__dict__, "optimizer", "taken")

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what ``state_dict`` gave."""
        self.__dict__.update(state_dict)


def without(attributes: dict[str, Any], *names: str) -> dict[str, Any]:
    """Attributes but for some."""
    return {k: v for k, v in attributes.items() if k not in names}


def for_each(value: Any, optimizer: Optimizer, what: str) -> list[Any]:
    """One value for each group.

    Raises:
        ValueError: a list of another length.
    """
    if not isinstance(value, (list, tuple)):
        return [value] * len(optimizer.param_groups)
    if len(value) != len(optimizer.param_groups):
        raise ValueError(f"Expected {len(optimizer.param_groups)} {what}, but got {len(value)}")
    return list(value)


class OfFunctions(LRScheduler):
    """Rates by a function for each group. Of a function nothing is saved, of a callable object its
    attributes."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        self.lr_lambdas = for_each(lr_lambda, optimizer, "lr_lambdas")
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        held = [
            None if isinstance(fn, FunctionType) else fn.__dict__.copy() for fn in self.lr_lambdas
        ]
        return {**without(super().state_dict(), "lr_lambdas"), "lr_lambdas": held}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        super().load_state_dict(without(state_dict, "lr_lambdas"))
        for fn, held in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if held is not None:
                fn.__dict__.update(held)


class LambdaLR(OfFunctions):
    """The first rate times a function of the epoch."""

    def get_lr(self) -> list[Any]:
        pairs = zip(self.lr_lambdas, self.base_lrs, strict=True)
        return [base * fn(self.last_epoch) for fn, base in pairs]


class MultiplicativeLR(OfFunctions):
    """The rate times a function of the epoch, each time."""

    def get_lr(self) -> list[Any]:
        if self.last_epoch <= 0:
            return self.rates()
        pairs = zip(self.lr_lambdas, self.rates(), strict=True)
        return [lr * fn(self.last_epoch) for fn, lr in pairs]


class StepLR(LRScheduler):
    """The rate times ``gamma`` every ``step_size`` epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        due = self.last_epoch > 0 and self.last_epoch % self.step_size == 0
        return self.scaled(self.gamma) if due else self.rates()


class MultiStepLR(LRScheduler):
    """The rate times ``gamma`` at each milestone."""

    def __init__(
        self, optimizer: Optimizer, milestones: Any, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        times = self.milestones.get(self.last_epoch, 0)
        return self.scaled(self.gamma**times) if times else self.rates()


class ExponentialLR(LRScheduler):
    """The rate times ``gamma``, every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        return self.scaled(self.gamma) if self.last_epoch > 0 else self.rates()


class ConstantLR(LRScheduler):
    """The rate times ``factor`` until ``total_iters`` epochs are over."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 <= factor <= 1.0:
            raise ValueError(f"[ConstantLR] factor must lie in [0, 1]; got {factor}")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        if self.last_epoch == 0:
            return self.scaled(self.factor)
        over = self.last_epoch == self.total_iters
        return self.scaled(1.0 / self.factor) if over else self.rates()


class LinearLR(LRScheduler):
    """The rate times a factor that changes evenly over ``total_iters`` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1.0:
            raise ValueError(f"[LinearLR] start_factor must lie in (0, 1]; got {start_factor}")
        if not 0 <= end_factor <= 1.0:
            raise ValueError(f"[LinearLR] end_factor must lie in [0, 1]; got {end_factor}")
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        epoch, total = self.last_epoch, self.total_iters
        if epoch == 0:
            return self.scaled(self.start_factor)
        if epoch > total:
            return self.rates()
        gain = self.end_factor - self.start_factor
        return self.scaled(1.0 + gain / (total * self.start_factor + (epoch - 1) * gain))


class PolynomialLR(LRScheduler):
    """The rate falls to zero over ``total_iters`` epochs, as a power of what is left."""

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        epoch, total = self.last_epoch, self.total_iters
        if epoch == 0 or epoch > total:
            return self.rates()
        return self.scaled(((1.0 - epoch / total) / (1.0 - (epoch - 1) / total)) ** self.power)


class CosineAnnealingLR(LRScheduler):
    """The rate follows half a cosine down to ``eta_min`` in ``T_max`` epochs, and up again."""

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        epoch, low, period = self.last_epoch, self.eta_min, self.T_max
        if epoch == 0:
            return self.rates()
        if self._step_count == 1:
            part = (1 + math.cos(epoch * math.pi / period)) / 2
            return [low + (base - low) * part for base in self.base_lrs]
        if (epoch - 1 - period) % (2 * period) == 0:
            part = (1 - math.cos(math.pi / period)) / 2
            pairs = zip(self.base_lrs, self.rates(), strict=True)
            return [lr + (base - low) * part for base, lr in pairs]
        now = 1 + math.cos(math.pi * epoch / period)
        before = 1 + math.cos(math.pi * (epoch - 1) / period)
        return [now / before * (lr - low) + low for lr in self.rates()]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down, again and again, each ``T_mult`` times as long as the last."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min = T_mult, eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        part = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * part for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Go on to the next epoch, or to any point in time, such as 2.5."""
        at: float = self.last_epoch + 1 if epoch is None else epoch
        if at < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        self.last_epoch = math.floor(at)
        self.T_i = self.T_0
        while at >= self.T_i:
            at -= self.T_i
            self.T_i *= self.T_mult
        self.T_cur = at
        self.set_rates()


class OfSchedulers:
    """What is made of several schedulers."""

    _schedulers: list[Any]
    _last_lr: list[Any]

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last."""
        return self._last_lr

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser, the states of the schedulers among it."""
        held = without(self.__dict__, "optimizer", "_schedulers")
        return {**held, "_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what ``state_dict`` gave."""
        self.__dict__.update(without(state_dict, "_schedulers"))
        for scheduler, held in zip(self._schedulers, state_dict["_schedulers"], strict=True):
            scheduler.load_state_dict(held)


class ChainedScheduler(OfSchedulers):
    """Several schedulers of one optimiser, stepped together."""

    def __init__(self, schedulers: Any, optimizer: Optimizer | None = None) -> None:
        self._schedulers = list(schedulers)
        self.optimizer = optimizer or self._schedulers[0].optimizer
        self._last_lr = [g["lr"] for g in self.optimizer.param_groups]

    def step(self) -> None:
        """Step them all."""
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = [g["lr"] for g in self.optimizer.param_groups]


class SequentialLR(OfSchedulers):
    """One scheduler after another, from milestone to milestone."""

    def __init__(
        self, optimizer: Optimizer, schedulers: Any, milestones: list[int], last_epoch: int = -1
    ) -> None:
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "[SequentialLR] a milestone stands between each two schedulers; got "
                f"{len(schedulers)} schedulers and {len(milestones)} milestones"
            )
        self.optimizer, self._schedulers, self._milestones = optimizer, schedulers, milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        for scheduler in schedulers:
            scheduler.last_epoch -= 1
        schedulers[0]._step_count = 0
        schedulers[0].step()
        self._last_lr = schedulers[0].get_last_lr()

    def step(self) -> None:
        """Step the scheduler whose turn it is."""
        self.last_epoch += 1
        which = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[which]
        if which > 0 and self._milestones[which - 1] == self.last_epoch:
            for group in self.optimizer.param_groups:
                group["lr"] = group["initial_lr"]
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ReduceLROnPlateau:
    """The rate times ``factor`` once a metric has not improved for more than ``patience`` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        self.optimizer, self.factor, self.default_min_lr = optimizer, factor, min_lr
        self.min_lrs = for_each(min_lr, optimizer, "min_lrs")
        self.patience, self.cooldown, self.eps, self.last_epoch = patience, cooldown, eps, 0
        self._last_lr = [g["lr"] for g in optimizer.param_groups]
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.best = self.mode_worse
        self.cooldown_counter = self.num_bad_epochs = 0

    def is_better(self, a: float, best: float) -> bool:
        """Whether a metric is better than the best so far, by more than the threshold."""
        sign = 1 if self.mode == "max" else -1
        change = sign * self.threshold
        bar = best * (1.0 + change) if self.threshold_mode == "rel" else best + change
        return a > bar if sign > 0 else a < bar

    def step(self, metrics: Any, epoch: int | None = None) -> None:
        """Take note of this epoch's metric."""
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                reduced = max(group["lr"] * self.factor, least)
                if group["lr"] - reduced > self.eps:
                    group["lr"] = reduced
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [g["lr"] for g in self.optimizer.param_groups]

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last."""
        return self._last_lr

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser."""
        return without(self.__dict__, "optimizer")

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what ``state_dict`` gave."""
        self.__dict__.update(state_dict)
