"""What all optimisers share."""

from __future__ import annotations

import copy
import warnings
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from .. import errors
from ..autograd.grad_mode import enable_grad, set_grad_enabled
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor

__all__ = ["Optimizer", "check_betas", "check_range"]


def check_range(what: str, value: Any, word: str = " value") -> None:
    """Refuse an option that is negative.

    Raises:
        ValueError: it is.
        TypeError: it is no number.
    """
    if isinstance(value, str):
        raise errors.wrong_type(f"Invalid {what}{word}: expected a number, got {value!r}")
    if not value >= 0.0:
        raise errors.wrong_value(f"Invalid {what}{word}: {value}")


def check_betas(betas: tuple[float, float]) -> None:
    """Refuse decay rates outside [0, 1).

    Raises:
        ValueError: one of them is.
    """
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise errors.wrong_value(f"Invalid beta parameter at index {i}: {beta}")


class Optimizer:
    """Holds groups of parameters with their options, and steps them.

    Raises:
        TypeError: a bare tensor instead of a sequence.
        ValueError: no parameters, one that is not a leaf, or one in two groups.
    """

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise errors.wrong_type(
                "optimizer(): params must be an iterable of Tensors or of dicts; got one "
                "Tensor. Put it into a list."
            )
        self.defaults = defaults
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise errors.wrong_value("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own. The dict itself becomes the group.

        Raises:
            TypeError: not a dict, or something that is no tensor.
            ValueError: a tensor that is not a leaf or is in another group already.
        """
        if not isinstance(param_group, dict):
            raise errors.wrong_type(f"param_group must be a dict, but got {type(param_group)}")
        if "params" not in param_group:
            raise errors.wrong_value("a parameter group must have the key 'params'", KeyError)
        given = param_group["params"]
        if isinstance(given, set):
            raise errors.wrong_type(
                "optimizer(): params must have an order that stays the same between runs; got "
                "a set. Use a list instead."
            )
        params = [given] if isinstance(given, Tensor) else list(given)
        named = [isinstance(p, tuple) for p in params]
        if any(named):
            if not all(named):
                raise errors.wrong_value(
                    "optimizer(): all parameters must have names, or none; some names are missing"
                )
            param_group["param_names"] = [name for name, _ in params]
            params = [p for _, p in params]
        for p in params:
            if not isinstance(p, Tensor):
                raise errors.wrong_type(
                    f"optimizer(): each parameter must be a Tensor; got {type(p).__name__}"
                )
            if not (self.defaults.get("differentiable") or p.is_leaf or p.retains_grad):
                raise errors.not_a_leaf("can't optimize a non-leaf Tensor", ValueError)
        if len(params) != len({id(p) for p in params}):
            warnings.warn(
                "optimizer(): a parameter stands twice in one group, so each step would be "
                f"applied to it twice; got {len(params)} parameters, "
                f"{len({id(p) for p in params})} of them distinct",
                UserWarning,
                stacklevel=3,
            )
        held = {id(p) for g in self.param_groups for p in g["params"]}
        if any(id(p) in held for p in params):
            raise errors.wrong_value(
                "optimizer(): a parameter of the new group is in another group already; each "
                "belongs to one"
            )
        param_group["params"] = params
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        self.param_groups.append(param_group)

    def state_dict(self) -> dict[str, Any]:
        """The state and the options, where parameters are numbers in the order of the groups."""
        numbers: dict[int, int] = {}
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(id(p), len(numbers))
        groups = [
            {**group, "params": [numbers[id(p)] for p in group["params"]]}
            for group in self.param_groups
        ]
        return {
            "state": {numbers[id(p)]: kept for p, kept in self.state.items()},
            "param_groups": groups,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over copies of the state and of the options of another optimizer, whose parameters are
        matched by their places in the groups.

        Raises:
            ValueError: another number of groups, or of parameters in one.
        """
        saved = copy.deepcopy(state_dict["param_groups"])
        if len(saved) != len(self.param_groups):
            raise errors.wrong_value(
                "loaded state dict has a different number of parameter groups: got "
                f"{len(saved)}, expected {len(self.param_groups)}"
            )
        sizes = [[len(g["params"]) for g in groups] for groups in (saved, self.param_groups)]
        if sizes[0] != sizes[1]:
            raise errors.wrong_value(
                "loaded state dict contains a parameter group that doesn't match the size of "
                f"optimizer's group: got {sizes[0]}, expected {sizes[1]}"
            )
        state: defaultdict[Any, Any] = defaultdict(dict)
        for theirs, mine in zip(saved, self.param_groups, strict=True):
            for number, p in zip(theirs["params"], mine["params"], strict=True):
                if number in state_dict["state"]:
                    kept = state_dict["state"][number]
                    state[p] = {name: fitted(name, value, p) for name, value in kept.items()}
            theirs["params"] = mine["params"]
            if "param_names" in mine:
                theirs.setdefault("param_names", mine["param_names"])
        self.state, self.param_groups = state, saved

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
        """Update every parameter that has a gradient; the loss where ``closure`` computes it.

        The step is recorded if the optimizer was made with ``differentiable``.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with set_grad_enabled(bool(self.defaults.get("differentiable"))):
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        grad = -p.grad if group.get("maximize") else p.grad
                        self.update(p, grad, group, self.state)
        return loss

    def update(self, p: Tensor, grad: Tensor, group: dict[str, Any], states: Any) -> None:
        """Update one parameter in place; ``states[p]`` is what is remembered for it."""
        raise NotImplementedError


def fitted(name: str, value: Any, p: Tensor) -> Any:
    """A copy of what is remembered for a parameter, in its dtype unless it counts steps."""
    if not isinstance(value, Tensor):
        return copy.deepcopy(value)
    value = value.detach().clone()
    return value if name == "step" else value.to(device=p.device, dtype=p.dtype)


def counted(state: dict[str, Any]) -> float:
    """The number of this step, one more than the last."""
    state["step"] += 1
    return float(state["step"].item())


def start(like: Tensor, *names: str) -> dict[str, Any]:
    """The state before the first step: its number, and zeros of these names."""
    zeros: Any = FUNCTIONS["zeros_like"]
    return {"step": FUNCTIONS["tensor"](0.0), **{name: zeros(like) for name in names}}
