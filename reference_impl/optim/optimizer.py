"""What all optimisers share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..autograd.grad_mode import enable_grad, no_grad
from ..tensor import Tensor

__all__ = ["Optimizer"]


class Optimizer:
    """Holds groups of parameters with their options, and steps them.

    Raises:
        TypeError: a bare tensor instead of a sequence.
        ValueError: no parameters, or one that is not a leaf.
    """

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                "but got a Tensor"
            )
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        self.defaults = defaults
        self.state: dict[Tensor, dict[str, Any]] = {}
        self.param_groups: list[dict[str, Any]] = []
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, group: dict[str, Any]) -> None:
        """Add parameters with options of their own."""
        params = group["params"]
        params = [params] if isinstance(params, Tensor) else list(params)
        for p in params:
            if not isinstance(p, Tensor):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is "
                    f"{type(p).__name__}"
                )
            if not p.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        self.param_groups.append({**self.defaults, **group, "params": params})

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients: to None, or to zeros in place."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    if set_to_none:
                        p.grad = None
                    else:
                        p.grad.detach_() if p.grad.grad_fn is not None else p.grad.requires_grad_(
                            False
                        )
                        p.grad.zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self.update(p, p.grad, group)
        return loss

    def update(self, p: Tensor, grad: Tensor, group: dict[str, Any]) -> None:
        """Update one parameter in place."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """Options and state, parameters by number."""
        numbers = {p: i for i, p in enumerate(p for g in self.param_groups for p in g["params"])}
        return {
            "state": {numbers[p]: dict(s) for p, s in self.state.items()},
            "param_groups": [
                {**g, "params": [numbers[p] for p in g["params"]]} for g in self.param_groups
            ],
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over options and state."""
        params = [p for g in self.param_groups for p in g["params"]]
        self.state = {params[i]: dict(s) for i, s in state_dict["state"].items()}
        for own, other in zip(self.param_groups, state_dict["param_groups"], strict=True):
            own.update({k: v for k, v in other.items() if k != "params"})


Params = Iterable[Tensor]
