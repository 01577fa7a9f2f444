"""Learning rates that go up and down, with the momentum going the other way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .lr_scheduler import LRScheduler, for_each
from .optimizer import Optimizer

__all__ = ["CyclicLR", "OneCycleLR"]


def momentum_key(optimizer: Optimizer) -> str:
    """The option of an optimiser that holds its momentum.

    Raises:
        ValueError: it has none.
    """
    for key in ("momentum", "betas"):
        if key in optimizer.defaults:
            return key
    raise ValueError(
        "optimizer must support momentum or beta1 with `cycle_momentum` option enabled; "
        f"{type(optimizer).__name__} has neither, so pass cycle_momentum=False"
    )


def set_momentum(group: dict[str, Any], value: float, use_beta1: bool) -> None:
    """Set the momentum of a group, or the first of its betas."""
    if use_beta1:
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


def by_epoch(gamma: float, x: float) -> float:
    """A constant to the power of the epoch."""
    return math.pow(gamma, x)


MODES: dict[str, tuple[Callable[[float, float], float], str]] = {
    "triangular": (lambda gamma, x: 1.0, "cycle"),
    "triangular2": (lambda gamma, x: 1 / (2.0 ** (x - 1)), "cycle"),
    "exp_range": (by_epoch, "iterations"),
}
"""How high each triangle is, by the number of the cycle or of the step."""


class CyclicLR(LRScheduler):
    """The rate goes from ``base_lr`` to ``max_lr`` and back, in triangles.

    Raises:
        ValueError: an unknown mode, or an optimiser without momentum and ``cycle_momentum``.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.8,
        max_momentum: Any = 0.9,
        last_epoch: int = -1,
    ) -> None:
        if mode not in MODES and scale_fn is None:
            raise ValueError(f"mode is invalid and scale_fn is None: known are {sorted(MODES)}")
        for group, lr in zip(
            optimizer.param_groups, for_each(base_lr, optimizer, "values for base_lr"), strict=True
        ):
            if last_epoch == -1:
                group["lr"] = lr
        self.max_lrs = for_each(max_lr, optimizer, "values for max_lr")
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        self.mode, self.gamma = mode, gamma
        self.scale_fn = scale_fn
        self.scale_mode = MODES[mode][1] if scale_fn is None else scale_mode
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = momentum_key(optimizer) == "betas"
            self.base_momentums = for_each(base_momentum, optimizer, "values for base_momentum")
            self.max_momentums = for_each(max_momentum, optimizer, "values for max_momentum")
            for group, low, high in zip(
                optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                if last_epoch == -1:
                    set_momentum(group, high, self.use_beta1)
                group["max_momentum"], group["base_momentum"] = high, low
        super().__init__(optimizer, last_epoch)

    def height(self) -> float:
        """How far up the triangle this step is, from 0 to 1 and scaled."""
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        x = 1.0 + self.last_epoch / self.total_size - cycle
        part = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        at = cycle if self.scale_mode == "cycle" else self.last_epoch
        scale = MODES[self.mode][0](self.gamma, at) if self.scale_fn is None else self.scale_fn(at)
        return part * scale

    def get_lr(self) -> list[Any]:
        height = self.height()
        if self.cycle_momentum:
            for group, low, high in zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            ):
                set_momentum(group, high - (high - low) * height, self.use_beta1)
        pairs = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * height for low, high in pairs]

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimiser and the user's own function."""
        held = super().state_dict()
        held["_scale_fn_custom"] = held.pop("scale_fn")
        return held

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        held = dict(state_dict)
        self.scale_fn = held.pop("_scale_fn_custom", None)
        super().load_state_dict(held)


def cosine(start: float, end: float, part: float) -> float:
    """From start to end along half a cosine."""
    return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def straight(start: float, end: float, part: float) -> float:
    """From start to end along a line."""
    return (end - start) * part + start


ANNEALING = {"cos": cosine, "linear": straight}


def phase(end_step: float, rates: tuple[str, str], momenta: tuple[str, str]) -> dict[str, Any]:
    """One stretch of the cycle: where it ends, and from which option to which it goes."""
    return {
        "end_step": end_step,
        "start_lr": rates[0],
        "end_lr": rates[1],
        "start_momentum": momenta[0],
        "end_momentum": momenta[1],
    }


class OneCycleLR(LRScheduler):
    """One cycle: up to ``max_lr``, and then down far below where it began.

    Raises:
        ValueError: the number of steps is not told or no whole number above zero, an unknown
            annealing, ``pct_start`` outside [0, 1], more steps than the cycle has, or an optimiser
            without momentum and ``cycle_momentum``.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Any,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Any = 0.85,
        max_momentum: Any = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError(
                    "You must define either total_steps OR (epochs AND steps_per_epoch)"
                )
            total_steps = epochs * steps_per_epoch
        if not isinstance(total_steps, int) or total_steps <= 0:
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ANNEALING:
            raise ValueError(
                f"anneal_strategy must be one of {sorted(ANNEALING)}; got {anneal_strategy}"
            )
        self.total_steps = total_steps
        self._schedule_phases = self.phases(total_steps, pct_start, three_phase)
        self._anneal_func_type = anneal_strategy
        rates = for_each(max_lr, optimizer, "values for max_lr")
        if last_epoch == -1:
            for group, high in zip(optimizer.param_groups, rates, strict=True):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = momentum_key(optimizer) == "betas"
            highs = for_each(max_momentum, optimizer, "values for max_momentum")
            lows = for_each(base_momentum, optimizer, "values for base_momentum")
            if last_epoch == -1:
                for group, high, low in zip(optimizer.param_groups, highs, lows, strict=True):
                    set_momentum(group, high, self.use_beta1)
                    group["max_momentum"], group["base_momentum"] = high, low
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def phases(total: int, up: float, three: bool) -> list[dict[str, Any]]:
        """The stretches of the cycle."""
        falling, rising = ("max_momentum", "base_momentum"), ("base_momentum", "max_momentum")
        first = phase(float(up * total) - 1, ("initial_lr", "max_lr"), falling)
        if not three:
            return [first, phase(total - 1, ("max_lr", "min_lr"), rising)]
        return [
            first,
            phase(float(2 * up * total) - 2, ("max_lr", "initial_lr"), rising),
            phase(total - 1, ("initial_lr", "min_lr"), ("max_momentum", "max_momentum")),
        ]

    def get_lr(self) -> list[Any]:
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        begin: float = 0
        for now in self._schedule_phases:
            if step <= now["end_step"]:
                break
            if now is not self._schedule_phases[-1]:
                begin = now["end_step"]
        anneal = ANNEALING[self._anneal_func_type]
        part = (step - begin) / (now["end_step"] - begin)
        out = []
        for group in self.optimizer.param_groups:
            out.append(anneal(group[now["start_lr"]], group[now["end_lr"]], part))
            if self.cycle_momentum:
                ends = group[now["start_momentum"]], group[now["end_momentum"]]
                set_momentum(group, anneal(*ends, part), self.use_beta1)
        return out
