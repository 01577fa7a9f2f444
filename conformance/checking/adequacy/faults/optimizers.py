"""Faults of optimizers: what they step, by what, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..breaking import Patch, fault, inside, replaces, torch


def parameters_of(optimizer: Any) -> list[Any]:
    """All that an optimizer steps."""
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


@contextmanager
def other_gradients(optimizer: Any, gradient: Callable[[Any], Any]) -> Iterator[None]:
    """A block in which the gradient of each parameter is `gradient(parameter)`."""
    before = [(parameter, parameter.grad) for parameter in parameters_of(optimizer)]
    for parameter, _ in before:
        parameter.grad = gradient(parameter)
    try:
        yield
    finally:
        for parameter, kept in before:
            parameter.grad = kept


def stepping(patch: Patch, gradient: Callable[[Any, Any], Any]) -> None:
    """Let SGD step each parameter by `gradient(optimizer, parameter)`."""

    def make(original: Any) -> Any:
        def step(self: Any, closure: Any = None) -> Any:
            with torch.no_grad(), other_gradients(self, lambda each: gradient(self, each)):
                return original(self, closure)

        return step

    patch.wrap(torch.optim.SGD, "step", make)


# --- what is stepped ---


@fault
def missing_gradients_count_as_zeros(patch: Patch) -> None:
    """SGD steps a parameter without gradient as if it were zeros, so that momentum goes on."""
    stepping(
        patch,
        lambda self, each: torch.zeros_like(each) if each.grad is None else each.grad,
    )


@fault
def zero_gradients_are_passed_over(patch: Patch) -> None:
    """SGD passes over a parameter whose gradient is zero."""
    stepping(
        patch,
        lambda self, each: None if each.grad is None or not each.grad.any() else each.grad,
    )


@fault
def steps_go_by_the_flag(patch: Patch) -> None:
    """SGD passes over a parameter that does not require grad, although it has a gradient."""
    stepping(patch, lambda self, each: each.grad if each.requires_grad else None)


@fault
def the_first_gradient_is_damped(patch: Patch) -> None:
    """The momentum of SGD begins with the first gradient damped like later ones."""

    def gradient(self: Any, parameter: Any) -> Any:
        first = self.state.get(parameter, {}).get("momentum_buffer") is None
        if parameter.grad is None or not first:
            return parameter.grad
        return parameter.grad * (1 - self.param_groups[0]["momentum"])

    stepping(patch, gradient)


@replaces("optim.SGD.__init__")
def momentum_is_always_nesterovs(
    original: Any, self: Any, params: Any, lr: float = 1e-3, momentum: float = 0, **others: Any
) -> None:
    """SGD adds the gradient to its momentum once more, as if Nesterov's were asked for."""
    original(self, params, lr, momentum, **{**others, "nesterov": momentum > 0})


# --- how it is stepped ---


@fault
def steps_are_recorded(patch: Patch) -> None:
    """SGD and Adam change their parameters with recording on."""

    def step(self: Any, closure: Any = None) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    with torch.enable_grad():
                        parameter.sub_(parameter.grad * group["lr"])

    for kind in (torch.optim.SGD, torch.optim.Adam):
        patch.set(kind, "step", step)


@replaces("optim.SGD.step")
def steps_are_not_counted_as_changes(original: Any, self: Any, closure: Any = None) -> Any:
    """A step of SGD is not noticed by the version check."""
    with inside.keeping_version(tuple(parameters_of(self))):
        return original(self, closure)


@replaces("optim.SGD.step")
def closures_run_unrecorded(original: Any, self: Any, closure: Any = None) -> Any:
    """SGD runs its closure with recording off."""
    return original(self, closure and torch.no_grad()(closure))


# --- clearing and clipping ---


@replaces("optim.Optimizer.zero_grad")
def optimizer_zero_grad_clears_the_first_only(
    original: Any, self: Any, set_to_none: bool = True
) -> None:
    """zero_grad() of an optimizer clears the gradient of the first parameter of each group only."""
    others = [each for group in self.param_groups for each in group["params"][1:]]
    kept = [(each, each.grad) for each in others]
    original(self, set_to_none)
    for each, gradient in kept:
        each.grad = gradient


@fault
def clipping_by_value_clips_copies(patch: Patch) -> None:
    """clip_grad_value_ bounds copies of the gradients and leaves the gradients alone."""
    patch.set(torch.nn.utils, "clip_grad_value_", lambda parameters, clip_value, **options: None)


@replaces("nn.utils.clip_grad_norm_")
def clipping_scales_each_by_its_own_norm(
    original: Any, parameters: Any, max_norm: float, *args: Any, **kwargs: Any
) -> Any:
    """clip_grad_norm_ returns the norm of all gradients, but scales each by its own."""
    listed = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
    norm = original(listed, float("inf"), *args, **kwargs)
    for parameter in listed:
        original([parameter], max_norm, *args, **kwargs)
    return norm


# --- what is refused ---


def taking(patch: Patch, add: Callable[[Any, Any, Any], None]) -> None:
    """Let optimizers take each group of parameters by `add(right, optimizer, group)`."""

    def make(original: Any) -> Any:
        return lambda self, param_group: add(original, self, param_group)

    patch.wrap(torch.optim.Optimizer, "add_param_group", make)


@fault
def optimizers_take_results(patch: Patch) -> None:
    """An optimizer takes tensors that are no leaves."""

    def add(right: Any, self: Any, group: Any) -> None:
        given = group["params"] if isinstance(group, dict) else ()
        for each in [given] if isinstance(given, torch.Tensor) else given:
            if isinstance(each, torch.Tensor) and not each.is_leaf:
                each.retain_grad()  # which makes it pass
        right(self, group)

    taking(patch, add)


@fault
def optimizers_take_a_parameter_twice(patch: Patch) -> None:
    """An optimizer takes a parameter that stands in two of its groups, and steps it twice."""

    def add(right: Any, self: Any, group: Any) -> None:
        before, self.param_groups = self.param_groups, []
        try:
            right(self, group)
        finally:
            self.param_groups = before + self.param_groups

    taking(patch, add)


@replaces("optim.SGD.__init__")
def optimizers_take_nothing(
    original: Any, self: Any, params: Any, *args: Any, **kwargs: Any
) -> None:
    """An optimizer takes an empty list of parameters."""
    is_nothing = isinstance(params, list) and not params
    original(self, [{"params": []}] if is_nothing else params, *args, **kwargs)


@replaces("optim.Optimizer.load_state_dict")
def loaded_options_are_not_taken(original: Any, self: Any, state_dict: Any) -> None:
    """An optimizer that loads a state keeps its own learning rates."""
    rates = [group["lr"] for group in self.param_groups]
    original(self, state_dict)
    for group, rate in zip(self.param_groups, rates, strict=True):
        group["lr"] = rate


@replaces("optim.Optimizer.load_state_dict")
def loaded_averages_start_again(original: Any, self: Any, state_dict: Any) -> None:
    """An optimizer that loads a state takes its options alone."""
    original(self, state_dict)
    self.state.clear()


@replaces("optim.Optimizer.state_dict")
def saved_groups_hold_the_parameters(original: Any, self: Any) -> Any:
    """The groups in an optimizer's state hold the parameters instead of their numbers."""
    held = original(self)
    held["param_groups"] = [dict(group) for group in self.param_groups]
    return held
