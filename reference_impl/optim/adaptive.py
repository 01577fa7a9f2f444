"""Optimisers that scale each step by what the gradients were so far."""

from __future__ import annotations

from typing import Any

from ..ops import FUNCTIONS
from ..tensor import Tensor
from .optimizer import Optimizer, check_betas, check_range, counted, start

__all__ = ["ASGD", "Adadelta", "Adagrad", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop"]

Group = dict[str, Any]


def decayed(p: Tensor, grad: Tensor, group: Group) -> Tensor:
    """The gradient with that of the weight decay."""
    return grad.add(p, alpha=group["weight_decay"]) if group["weight_decay"] else grad


class RMSprop(Optimizer):
    """Steps divided by a running root mean square of the gradients.

    Raises:
        ValueError: a negative option.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("epsilon", eps)
        check_range("momentum", momentum)
        check_range("weight_decay", weight_decay)
        check_range("alpha", alpha)
        defaults = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state = states[p]
        if not state:
            state.update(start(p, "square_avg"))
            if group["momentum"] > 0:
                state.update(momentum_buffer=FUNCTIONS["zeros_like"](p))
            if group["centered"]:
                state.update(grad_avg=FUNCTIONS["zeros_like"](p))
        counted(state)
        grad = decayed(p, grad, group)
        alpha, squares = group["alpha"], state["square_avg"]
        squares.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].lerp_(grad, 1 - alpha)
            root = squares.addcmul(mean, mean, value=-1).sqrt_()
        else:
            root = squares.sqrt()
        root = root.add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"].mul_(group["momentum"]).addcdiv_(grad, root)
            p.add_(buffer, alpha=-group["lr"])
        else:
            p.addcdiv_(grad, root, value=-group["lr"])


class Adagrad(Optimizer):
    """Steps divided by the root of the sum of all squared gradients.

    Raises:
        ValueError: a negative option.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("lr_decay", lr_decay)
        check_range("weight_decay", weight_decay)
        check_range("initial_accumulator_value", initial_accumulator_value)
        check_range("epsilon", eps)
        defaults = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                first = group["initial_accumulator_value"]
                self.state[p] = {**start(p), "sum": FUNCTIONS["full_like"](p, first)}

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state = states[p]
        step = counted(state)
        grad = decayed(p, grad, group)
        rate = group["lr"] / (1 + (step - 1) * group["lr_decay"])
        total = state["sum"].addcmul_(grad, grad, value=1)
        p.addcdiv_(grad, total.sqrt().add_(group["eps"]), value=-rate)


class Adadelta(Optimizer):
    """Steps as large as recent steps were, relative to recent gradients.

    Raises:
        ValueError: a negative option, or ``rho`` above 1.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("rho", rho, 1.0)
        check_range("epsilon", eps)
        check_range("weight_decay", weight_decay)
        defaults = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize,
            "capturable": capturable, "foreach": foreach, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state = states[p]
        if not state:
            state.update(start(p, "square_avg", "acc_delta"))
        counted(state)
        grad = decayed(p, grad, group)
        rho, eps = group["rho"], group["eps"]
        squares, moved = state["square_avg"], state["acc_delta"]
        squares.mul_(rho).addcmul_(grad, grad, value=1 - rho)
        delta = moved.add(eps).sqrt_().div_(squares.add(eps).sqrt_()).mul_(grad)
        moved.mul_(rho).addcmul_(delta, delta, value=1 - rho)
        p.add_(delta, alpha=-group["lr"])


class Adamax(Optimizer):
    """Adam with the largest recent gradient in the place of the second moment.

    Raises:
        ValueError: a negative option, or decay rates outside [0, 1).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("epsilon", eps)
        check_betas(betas)
        check_range("weight_decay", weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state = states[p]
        if not state:
            state.update(start(p, "exp_avg", "exp_inf"))
        step = counted(state)
        grad = decayed(p, grad, group)
        b1, b2 = group["betas"]
        first = state["exp_avg"].lerp_(grad, 1 - b1)
        largest = state["exp_inf"]
        largest.copy_(largest.mul_(b2).maximum(grad.abs().add_(group["eps"])))
        p.addcdiv_(first, largest, value=-group["lr"] / (1 - b1**step))


class NAdam(Optimizer):
    """Adam with Nesterov momentum.

    Raises:
        ValueError: a negative option, or decay rates outside [0, 1).
    """

    def __init__(
        self,
        params: Any,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("epsilon", eps)
        check_betas(betas)
        check_range("weight_decay", weight_decay)
        check_range("momentum_decay", momentum_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "momentum_decay": momentum_decay, "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state = states[p]
        if not state:
            state.update(start(p))
            state["mu_product"] = FUNCTIONS["tensor"](1.0)
            state["exp_avg"], state["exp_avg_sq"] = (FUNCTIONS["zeros_like"](p) for _ in range(2))
        step = counted(state)
        if group["weight_decay"] and group["decoupled_weight_decay"]:
            p.mul_(1 - group["lr"] * group["weight_decay"])
        else:
            grad = decayed(p, grad, group)
        b1, b2 = group["betas"]
        decay = group["momentum_decay"]
        mu, mu_next = (b1 * (1.0 - 0.5 * 0.96 ** (n * decay)) for n in (step, step + 1))
        product = state["mu_product"].mul_(mu).item()
        first, second = state["exp_avg"], state["exp_avg_sq"]
        first.lerp_(grad, 1 - b1)
        second.mul_(b2).addcmul_(grad, grad, value=1 - b2)
        root = second.div(1 - b2**step).sqrt_().add_(group["eps"])
        p.addcdiv_(grad, root, value=-group["lr"] * (1.0 - mu) / (1.0 - product))
        p.addcdiv_(first, root, value=-group["lr"] * mu_next / (1.0 - product * mu_next))


class RAdam(Optimizer):
    """Adam that does not scale its steps while the second moment is too uncertain.

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
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("epsilon", eps)
        check_betas(betas)
        check_range("weight_decay", weight_decay)
        defaults = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state = states[p]
        if not state:
            state.update(start(p, "exp_avg", "exp_avg_sq"))
        step = counted(state)
        if group["weight_decay"] and group["decoupled_weight_decay"]:
            p.mul_(1 - group["lr"] * group["weight_decay"])
        else:
            grad = decayed(p, grad, group)
        b1, b2 = group["betas"]
        first, second = state["exp_avg"], state["exp_avg_sq"]
        first.lerp_(grad, 1 - b1)
        second.mul_(b2).addcmul_(grad, grad, value=1 - b2)
        correction = 1 - b2**step
        corrected = first / (1 - b1**step)
        longest = 2 / (1 - b2) - 1
        length = longest - 2 * step * b2**step / correction
        if length > 5.0:
            above = (length - 4) * (length - 2) * longest
            rectified = (above / ((longest - 4) * (longest - 2) * length)) ** 0.5
            scale = correction**0.5 / second.sqrt().add_(group["eps"])
            p.add_(corrected * group["lr"] * scale * rectified, alpha=-1.0)
        else:
            p.add_(corrected * group["lr"], alpha=-1.0)


class ASGD(Optimizer):
    """SGD that also keeps the average of where it was, in ``state[p]["ax"]``.

    Raises:
        ValueError: a negative option.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        check_range("weight_decay", weight_decay)
        defaults = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state, tensor = states[p], FUNCTIONS["tensor"]
        if not state:
            state.update(start(p))
            state["eta"], state["mu"] = tensor(group["lr"]), tensor(1.0)
            state["ax"] = FUNCTIONS["zeros_like"](p)
        step = counted(state)
        grad = decayed(p, grad, group)
        eta, mu = state["eta"].item(), state["mu"].item()
        p.mul_(1 - group["lambd"] * eta)
        p.add_(grad, alpha=-eta)
        if mu != 1:
            state["ax"].add_(p.sub(state["ax"]).mul_(mu))
        else:
            state["ax"].copy_(p)
        state["eta"] = tensor(
            group["lr"] / (1 + group["lambd"] * group["lr"] * step) ** group["alpha"]
        )
        state["mu"] = tensor(1 / max(1, step - group["t0"]))


class Rprop(Optimizer):
    """Steps of a length that grows while the sign of the gradient stays, and shrinks otherwise.

    Raises:
        ValueError: a negative learning rate, or factors that do not lie around 1.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_range("learning rate", lr, word="")
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, defaults)

    def update(self, p: Tensor, grad: Tensor, group: Group, states: Any) -> None:
        state = states[p]
        if not state:
            state.update(start(p, "prev"))
            state["step_size"] = FUNCTIONS["full_like"](p, group["lr"])
        counted(state)
        where = FUNCTIONS["where"]
        shrink, grow = group["etas"]
        agrees = grad.mul(state["prev"]).sign()
        one = FUNCTIONS["ones_like"](p)
        change = where(agrees > 0, one * grow, where(agrees < 0, one * shrink, one))
        state["step_size"].mul_(change).clamp_(*group["step_sizes"])
        grad = where(agrees < 0, FUNCTIONS["zeros_like"](grad), grad)
        p.addcmul_(grad.sign(), state["step_size"], value=-1)
        state["prev"].copy_(grad)
