"""The update rules."""

from __future__ import annotations

import math
from typing import Any

from ..tensor import Tensor
from .optimizer import Optimizer

__all__ = ["SGD", "Adam", "AdamW"]


class SGD(Optimizer):
    """p -= lr * grad, with momentum, dampening, Nesterov and weight decay."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if lr < 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if nesterov and (momentum <= 0 or dampening):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
            },
        )

    def update(self, p: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"]:
            grad = grad + p * group["weight_decay"]
        if group["momentum"]:
            state = self.state.setdefault(p, {})
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = grad.detach().clone()
            else:
                buffer.mul_(group["momentum"]).add_(grad, alpha=1 - group["dampening"])
            grad = grad + buffer * group["momentum"] if group["nesterov"] else buffer
        p.add_(grad, alpha=-group["lr"])


class Adam(Optimizer):
    """Steps scaled by running estimates of the gradient's first and second moment."""

    decoupled = False

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        if lr < 0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not all(0 <= b < 1 for b in betas):
            raise ValueError(f"Invalid beta parameters: {betas}")
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "amsgrad": amsgrad,
                "maximize": maximize,
            },
        )

    def update(self, p: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        b1, b2 = group["betas"]
        if group["maximize"]:
            grad = -grad
        if group["weight_decay"]:
            if self.decoupled:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                grad = grad + p * group["weight_decay"]
        state = self.state.setdefault(p, {})
        if not state:
            state.update(step=0, exp_avg=p.detach() * 0, exp_avg_sq=(p.detach() * 0).abs())
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = state["exp_avg_sq"].clone()
        state["step"] += 1
        state["exp_avg"].mul_(b1).add_(grad, alpha=1 - b1)
        state["exp_avg_sq"].mul_(b2).add_((grad * grad.conj()).real, alpha=1 - b2)
        second = state["exp_avg_sq"]
        if group["amsgrad"]:
            second = state["max_exp_avg_sq"] = state["max_exp_avg_sq"].maximum(second)
        scale = math.sqrt(1 - b2 ** state["step"])
        denom = second.sqrt() / scale + group["eps"]
        p.addcdiv_(state["exp_avg"], denom, value=-group["lr"] / (1 - b1 ** state["step"]))


class AdamW(Adam):
    """Adam with the weight decay applied to the parameter itself."""

    decoupled = True

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
