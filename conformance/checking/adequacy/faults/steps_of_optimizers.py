"""Faults of an optimizer's options, and of what a step leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import GeneratorType
from typing import Any

from ..breaking import Patch, fault, register, replaces, torch
from .optimizers import parameters_of


def around_step(patch: Patch, kind: str, change: Callable[[Any, Any, Any], Any]) -> None:
    """Step by `change(step, optimizer, closure)`."""

    def make(original: Any) -> Any:
        return lambda self, closure=None: change(original, self, closure)

    patch.wrap(getattr(torch.optim, kind), "step", make)


@contextmanager
def other_options(optimizer: Any, name: str, value: Callable[[Any], Any]) -> Iterator[None]:
    """A block in which an option of each group is `value(group)`."""
    before = [group[name] for group in optimizer.param_groups]
    for group in optimizer.param_groups:
        group[name] = value(group)
    try:
        yield
    finally:
        for group, kept in zip(optimizer.param_groups, before, strict=True):
            group[name] = kept


def after_step(name: str, sentence: str, change: Callable[[Any, Any], Any]) -> None:
    """Put into the bank a fault: after a step of SGD, `change(group, parameter)` for each gradient."""

    def stepped(step: Any, optimizer: Any, closure: Any) -> Any:
        result = step(optimizer, closure)
        with torch.no_grad():
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        change(group, parameter)
        return result

    register(name, sentence, lambda patch: around_step(patch, "SGD", stepped))


def add_decay(group: Any, parameter: Any) -> None:
    if group["weight_decay"]:
        parameter.grad.add_(parameter, alpha=group["weight_decay"])


def add_momentum(group: Any, parameter: Any) -> None:
    if group["nesterov"]:
        parameter.grad.mul_(1 + group["momentum"])


def turn(group: Any, parameter: Any) -> None:
    if group["maximize"]:
        parameter.grad.neg_()


after_step(
    "weight_decay_is_added_to_the_gradient",
    "SGD adds the weight decay to .grad in place.",
    add_decay,
)
after_step(
    "nesterovs_momentum_is_added_to_the_gradient",
    "SGD with nesterov=True adds the momentum to .grad in place.",
    add_momentum,
)
after_step("maximize_turns_the_gradient", "SGD with maximize=True negates .grad in place.", turn)


@fault
def weight_decay_goes_past_the_momentum(patch: Patch) -> None:
    """SGD with momentum shrinks the parameter itself by its weight decay."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        with torch.no_grad():
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    if group["momentum"] and parameter.grad is not None:
                        parameter.mul_(1 - group["lr"] * group["weight_decay"])
        past = lambda group: 0 if group["momentum"] else group["weight_decay"]  # noqa: E731
        with other_options(optimizer, "weight_decay", past):
            return step(optimizer, closure)

    around_step(patch, "SGD", change)


@fault
def adam_is_never_maximized(patch: Patch) -> None:
    """Adam ignores maximize."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        with other_options(optimizer, "maximize", lambda group: False):
            return step(optimizer, closure)

    around_step(patch, "Adam", change)


@fault
def adam_ignores_weight_decay(patch: Patch) -> None:
    """Adam, other than AdamW, ignores weight_decay."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        if type(optimizer) is not torch.optim.Adam:
            return step(optimizer, closure)
        with other_options(optimizer, "weight_decay", lambda group: 0):
            return step(optimizer, closure)

    around_step(patch, "Adam", change)


@fault
def adam_ignores_its_closure(patch: Patch) -> None:
    """Adam does not call the closure that its step is given."""
    around_step(patch, "Adam", lambda step, optimizer, closure: step(optimizer))


@fault
def adam_counts_steps_without_a_gradient(patch: Patch) -> None:
    """Adam counts the steps of the optimizer, not those of each parameter."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        steps = vars(optimizer).setdefault("steps_by_mistake", [0])
        for parameter in parameters_of(optimizer):
            state = optimizer.state.get(parameter)
            if state and isinstance(state["step"], torch.Tensor):
                state["step"].fill_(float(steps[0]))
            elif state:
                state["step"] = float(steps[0])
        steps[0] += 1
        return step(optimizer, closure)

    around_step(patch, "Adam", change)


@fault
def every_group_is_maximized_as_the_first(patch: Patch) -> None:
    """SGD takes maximize and nesterov from its first group."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        first = optimizer.param_groups[0]
        with (
            other_options(optimizer, "maximize", lambda group: first["maximize"]),
            other_options(optimizer, "nesterov", lambda group: first["nesterov"]),
        ):
            return step(optimizer, closure)

    around_step(patch, "SGD", change)


@replaces("nn.utils.clip_grad_norm_")
def parameters_that_come_one_by_one_are_used_up(
    original: Any, parameters: Any, *args: Any, **kwargs: Any
) -> Any:
    """clip_grad_norm_ measures the parameters that a generator gives, and then has none to clip."""
    if not isinstance(parameters, GeneratorType):
        return original(parameters, *args, **kwargs)
    listed = list(parameters)
    gradients = [None if p.grad is None else p.grad.clone() for p in listed]
    norm = original(listed, *args, **kwargs)
    for parameter, gradient in zip(listed, gradients, strict=True):
        parameter.grad = gradient
    return norm
