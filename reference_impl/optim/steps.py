"""SGD, Adam and AdamW."""

from __future__ import annotations

import math
from typing import Any

from .. import errors
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor
from .optimizer import Optimizer, check_betas, check_range, counted, start

__all__ = ["SGD", "Adam", "AdamW"]


class SGD(Optimizer):
    """p -= lr * grad, with momentum, dampening, Nesterov and weight decay.

    Raises:
        ValueError: a negative option, or Nesterov momentum without momentum or with dampening.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("momentum", momentum)
        check_range("weight_decay", weight_decay)
        if nesterov and (momentum <= 0 or dampening):
            raise errors.wrong_value(
                "SGD(): nesterov=True needs momentum > 0 and dampening = 0; got "
                f"momentum={momentum} and dampening={dampening}"
            )
        defaults = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: dict[str, Any], states: Any) -> None:
        """Take one step of one parameter, given its gradient and what is kept between steps."""
        if group["weight_decay"]:
            grad = grad.add(p, alpha=group["weight_decay"])
        if group["momentum"]:
            state = states[p]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = grad.detach().clone()
            else:
                buffer.mul_(group["momentum"]).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(buffer, alpha=group["momentum"]) if group["nesterov"] else buffer
        p.add_(grad, alpha=-group["lr"])


class Adam(Optimizer):
    """Steps scaled by running estimates of the gradient's first and second moment.

    Raises:
        ValueError: a negative option, or decay rates outside [0, 1).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("epsilon", eps)
        check_betas(betas)
        check_range("weight_decay", weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: dict[str, Any], states: Any) -> None:
        """Take one step of one parameter, given its gradient and what is kept between steps."""
        state = states[p]
        if not state:
            state.update(start(p, "exp_avg", "exp_avg_sq"))
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = FUNCTIONS["zeros_like"](p)
        b1, b2 = group["betas"]
        step = counted(state)
        if group["weight_decay"]:
            if group["decoupled_weight_decay"]:
                p.mul_(1 - group["lr"] * group["weight_decay"])
            else:
                grad = grad.add(p, alpha=group["weight_decay"])
        first, second = state["exp_avg"], state["exp_avg_sq"]
        if p.is_complex():  # real and imaginary parts are steered one by one
            as_real = FUNCTIONS["view_as_real"]
            p, grad, first, second = (as_real(t) for t in (p, grad, first, second))
        first.lerp_(grad, 1 - b1)
        second.mul_(b2).addcmul_(grad, grad, value=1 - b2)
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            largest = FUNCTIONS["view_as_real"](largest) if largest.is_complex() else largest
            before = largest.clone() if group["differentiable"] else largest
            second = largest.copy_(before.maximum(second))
        denominator = (second.sqrt() / math.sqrt(1 - b2**step)).add_(group["eps"])
        if group["differentiable"]:
            first = first.clone()  # the next step changes it, and this one's gradient needs it
        p.addcdiv_(first, denominator, value=-group["lr"] / (1 - b1**step))


class AdamW(Adam):
    """Adam with the weight decay applied to the parameter itself.

    Raises:
        ValueError: a negative option, or decay rates outside [0, 1).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(
            params, lr, betas, eps, weight_decay, amsgrad, **options, decoupled_weight_decay=True
        )
