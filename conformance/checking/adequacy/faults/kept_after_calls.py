"""Faults of calls that keep what they were given."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch
from .forward_levels import around_make
from .gradient_checks import Check, instead
from .mapped_functions import mapping


@replaces("Tensor.__deepcopy__")
def deep_copies_refer_to_their_source(original: Any, self: Any, memo: Any) -> Any:
    """A deep copy of a tensor refers to the tensor."""
    made = original(self, memo)
    made.source_by_mistake = self
    return made


@fault
def checked_inputs_stay_alive(patch: Patch) -> None:
    """gradcheck and gradgradcheck keep the inputs of their last call."""
    held: list[Any] = []

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        held[:] = [inputs]
        return check(func, inputs, *rest, **options)

    for name in ("gradcheck", "gradgradcheck"):
        instead(patch, name, change)
    patch.at_end(held.clear)


@fault
def inputs_of_modules_stay_alive(patch: Patch) -> None:
    """The engine keeps the arguments of the last call of a module."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            held[:] = args
            return original(self, *args, **kwargs)

        return call

    patch.wrap(torch.nn.Module, "__call__", make)
    patch.at_end(held.clear)


@fault
def mapped_arguments_stay_alive(patch: Patch) -> None:
    """vmap keeps the arguments of its last call."""
    held: list[Any] = []

    def change(run: Any, args: Any, in_dims: Any) -> Any:
        held[:] = args
        return run(*args)

    mapping(patch, change)
    patch.at_end(held.clear)


@fault
def what_became_dual_stays_alive(patch: Patch) -> None:
    """make_dual keeps the tensor that it was given."""
    held: list[Any] = []

    def change(whole: Any, tensor: Any, tangent: Any) -> Any:
        held[:] = [tensor]
        return whole.make(tensor, tangent)

    around_make(patch, change)
    patch.at_end(held.clear)
