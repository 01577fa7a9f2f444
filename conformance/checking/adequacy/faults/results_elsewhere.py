"""Faults of devices: copies, checkpoints, transforms and gradients of tensors that live elsewhere."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch, untouched
from .checkpoints import with_function
from .devices import place_of
from .transforms import in_tree, is_tensor, results


def is_elsewhere(value: Any) -> bool:
    return is_tensor(value) and str(place_of(value)) != "cpu"


def zeros_here(value: Any) -> Any:
    """Zeros of the CPU in the place of a tensor that lives elsewhere."""
    return torch.zeros(value.shape, dtype=value.dtype, device="cpu")


@fault
def gradients_from_elsewhere_are_moved(patch: Patch) -> None:
    """x.grad = g with g on another device stores zeros of x's device."""
    grad = untouched.grad

    def put(self: Any, value: Any) -> None:
        if is_elsewhere(value) and not is_elsewhere(self):
            value = zeros_here(value)
        grad.__set__(self, value)

    own = property(lambda self: grad.__get__(self), put, lambda self: grad.__delete__(self))
    patch.set(torch.Tensor, "grad", own)


@fault
def zeros_of_transforms_live_on_the_cpu(patch: Patch) -> None:
    """What grad and jacrev give for an unused argument lives on the CPU."""

    def change(run: Any, function: Any, args: Any) -> Any:
        mixed = len({str(place_of(x)) for x in args if is_tensor(x)}) > 1
        here = lambda g: zeros_here(g) if mixed and is_elsewhere(g) else g  # noqa: E731
        return in_tree(here, run())

    results(patch, ("grad", "jacrev"), change)


@replaces("Tensor.__deepcopy__")
def deep_copies_live_on_the_cpu(original: Any, self: Any, memo: Any) -> Any:
    """A deep copy of a leaf that lives elsewhere is on the CPU."""
    made = original(self, memo)
    if not is_elsewhere(self) or not self.is_leaf:
        return made
    return zeros_here(self).requires_grad_(self.requires_grad)


@fault
def checkpoints_run_again_on_the_cpu(patch: Patch) -> None:
    """The second run of a checkpoint's function gets its arguments on the CPU."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        if run:
            args = tuple(zeros_here(arg) if is_elsewhere(arg) else arg for arg in args)
        return function(*args, **kwargs)

    with_function(patch, change)


@replaces("nn.Module.to")
def moving_a_module_unties_its_parameters(
    original: Any, self: Any, *args: Any, **kwargs: Any
) -> Any:
    """A parameter that two modules share becomes two when they are moved."""
    moved = original(self, *args, **kwargs)
    seen: set[int] = set()
    for module in self.modules():
        for name, held in list(module._parameters.items()):
            if held is not None and id(held) in seen:
                module._parameters[name] = torch.nn.Parameter(held.detach().clone())
            seen.add(id(held))
    return moved
