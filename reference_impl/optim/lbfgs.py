"""L-BFGS: steps along a direction that past gradients tell of the curvature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.grad_mode import enable_grad, no_grad
from ..ops import FUNCTIONS
from ..tensor import Tensor
from .line_search import strong_wolfe
from .optimizer import Optimizer, check_range

__all__ = ["LBFGS"]


class LBFGS(Optimizer):
    """The limited-memory method of Broyden, Fletcher, Goldfarb and Shanno; it needs a closure.

    Raises:
        ValueError: several groups of parameters, or a negative learning rate.
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_range("learning rate", lr, word="")
        defaults = {
            "lr": lr, "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change,
            "history_size": history_size, "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self.params: list[Tensor] = self.param_groups[0]["params"]

    def gradient(self) -> Tensor:
        """The gradients of all parameters in one vector."""
        parts = [
            FUNCTIONS["zeros"](p.numel(), dtype=p.dtype) if p.grad is None else p.grad.reshape(-1)
            for p in self.params
        ]
        return FUNCTIONS["cat"](parts, 0)  # type: ignore[no-any-return]

    def move(self, length: float, direction: Tensor) -> None:
        """Go along a direction from where the parameters are."""
        at = 0
        for p in self.params:
            n = p.numel()
            p.add_(direction[at : at + n].view_as(p), alpha=length)
            at += n

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """At most ``max_iter`` steps; ``closure`` clears the gradients and computes the loss.

        Raises:
            TypeError: no closure.
            RuntimeError: an unknown line search.
        """
        if closure is None:
            raise TypeError(
                "LBFGS.step() missing 1 required positional argument: 'closure', a function that "
                "computes the loss and its gradients"
            )
        with no_grad():
            return self.run(enable_grad()(closure))

    def run(self, closure: Callable[[], Any]) -> Any:
        """The steps of one call."""
        group = self.param_groups[0]
        lr, most = group["lr"], group["max_eval"]
        state = self.state[self.params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = closure()
        loss = float(first_loss)
        evaluations = 1
        state["func_evals"] += 1
        grad = self.gradient()
        if bool(grad.abs().max() <= group["tolerance_grad"]):
            return first_loss
        d, t = state.get("d"), state.get("t")
        n = 0
        while n < group["max_iter"]:
            n += 1
            state["n_iter"] += 1
            d = self.direction(state, grad, d, t, group["history_size"])
            before = grad.clone()
            previous_loss = loss
            slope = float(grad.dot(d))
            t = min(1.0, 1.0 / float(grad.abs().sum())) * lr if state["n_iter"] == 1 else lr
            state.update(d=d, t=t, prev_flat_grad=before, prev_loss=previous_loss)
            if slope > -group["tolerance_change"]:
                break
            used = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                loss, grad, t, used = self.search(closure, t, d, loss, grad, slope)
                self.move(t, d)
                state["t"] = t
                done = bool(grad.abs().max() <= group["tolerance_grad"])
            else:
                self.move(t, d)
                done = False
                if n != group["max_iter"]:
                    loss = float(closure())
                    grad = self.gradient()
                    done = bool(grad.abs().max() <= group["tolerance_grad"])
                    used = 1
            evaluations += used
            state["func_evals"] += used
            if n == group["max_iter"] or evaluations >= most or done:
                break
            if bool(d.mul(t).abs().max() <= group["tolerance_change"]):
                break
            if abs(loss - previous_loss) < group["tolerance_change"]:
                break
        state.update(d=d, t=t)
        return first_loss

    def direction(
        self, state: dict[str, Any], grad: Tensor, d: Any, t: Any, history: int
    ) -> Tensor:
        """Minus the gradient, times the inverse of the curvature as known so far."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return grad.neg()
        y = grad.sub(state["prev_flat_grad"])
        s = d.mul(t)
        ys = y.dot(s)
        if float(ys) > 1e-10:
            if len(state["old_dirs"]) == history:
                for name in ("old_dirs", "old_stps", "ro"):
                    state[name].pop(0)
            state["old_dirs"].append(y)
            state["old_stps"].append(s)
            state["ro"].append(1.0 / ys)
            state["H_diag"] = ys / y.dot(y)
        pairs = list(zip(state["old_dirs"], state["old_stps"], state["ro"], strict=True))
        q = grad.neg()
        weights = state.setdefault("al", [None] * history)
        for i, (y, s, ro) in reversed(list(enumerate(pairs))):
            weights[i] = s.dot(q) * ro
            q.add_(y, alpha=-float(weights[i]))
        r = q.mul(state["H_diag"])
        for i, (y, s, ro) in enumerate(pairs):
            r.add_(s, alpha=float(weights[i] - y.dot(r) * ro))
        return r

    def search(
        self,
        closure: Callable[[], Any],
        t: float,
        d: Tensor,
        loss: float,
        grad: Tensor,
        slope: float,
    ) -> tuple[float, Tensor, float, int]:
        """A length that fulfils the strong Wolfe conditions; the parameters stay where they are."""
        held = [p.clone() for p in self.params]

        def look(length: float) -> tuple[float, Tensor]:
            self.move(length, d)
            value = float(closure())
            found = self.gradient()
            for p, old in zip(self.params, held, strict=True):
                p.copy_(old)
            return value, found

        change = self.param_groups[0]["tolerance_change"]
        return strong_wolfe(look, t, d, loss, grad, slope, change)
