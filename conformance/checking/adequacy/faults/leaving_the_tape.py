"""Faults of what leaves the graph: numbers, lists, arrays, deep copies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..breaking import Patch, around, fault, replaces, torch, untouched

REFUSED = "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."


def refuse_tracked(patch: Patch, names: str) -> None:
    """Let methods of a tensor refuse one that requires grad."""

    def make(original: Any) -> Any:
        def method(self: Any, *args: Any) -> Any:
            if self.requires_grad:
                raise RuntimeError(REFUSED)
            return original(self, *args)

        return method

    for name in names.split():
        patch.wrap(torch.Tensor, name, make)


# --- numbers and lists ---


@fault
def tolist_of_a_tensor_in_a_graph_is_refused(patch: Patch) -> None:
    """tolist() of a tensor that requires grad is refused."""
    refuse_tracked(patch, "tolist")


@fault
def numbers_of_a_tensor_in_a_graph_are_refused(patch: Patch) -> None:
    """float() and int() of a tensor that requires grad are refused."""
    refuse_tracked(patch, "__float__ __int__")


@fault
def truth_of_a_tensor_in_a_graph_is_refused(patch: Patch) -> None:
    """bool() of a tensor that requires grad is refused."""
    refuse_tracked(patch, "__bool__")


@replaces("Tensor.tolist")
def tolist_gives_tensors(original: Any, self: Any) -> Any:
    """tolist() of a tensor that requires grad gives a list of tensors."""
    if not self.requires_grad:
        return original(self)
    return list(self) if self.dim() else self


# --- arrays ---


def around_numpy(patch: Patch, function: Callable[..., Any]) -> None:
    """Let numpy(force=...) give `function(original, tensor, force)`."""

    def make(original: Any) -> Any:
        def numpy(self: Any, *, force: bool = False) -> Any:
            return function(original, self, force)

        return numpy

    patch.wrap(torch.Tensor, "numpy", make)


@fault
def numpy_is_refused_for_leaves_only(patch: Patch) -> None:
    """numpy() of a result that requires grad is allowed, and refused for leaves alone."""
    around_numpy(
        patch,
        lambda original, x, force: original(
            x if x.grad_fn is None else untouched.detach(x), force=force
        ),
    )


@fault
def numpy_may_convert_what_requires_grad(patch: Patch) -> None:
    """NumPy itself may convert a tensor that requires grad."""
    patch.wrap(
        torch.Tensor, "__array__",
        lambda original: lambda self, *args, **kwargs: original(
            untouched.detach(self), *args, **kwargs
        ),
    )  # fmt: skip


@fault
def numpy_by_force_copies(patch: Patch) -> None:
    """numpy(force=True) copies the values."""

    def numpy(original: Any, x: Any, force: bool) -> Any:
        found = original(x, force=force)
        return found.copy() if force else found

    around_numpy(patch, numpy)


@fault
def numpy_ignores_force(patch: Patch) -> None:
    """numpy(force=True) of a tensor that requires grad is refused all the same."""
    around_numpy(patch, lambda original, x, force: original(x))


@fault
def arrays_made_under_no_grad_are_zeros(patch: Patch) -> None:
    """Under no_grad, numpy() of a tensor that requires grad is an array of zeros."""

    def numpy(original: Any, x: Any, force: bool) -> Any:
        found = original(x, force=force)
        tracked = x.requires_grad and not force and not torch.is_grad_enabled()
        return np.zeros_like(found) if tracked else found

    around_numpy(patch, numpy)


@fault
def arrays_count_as_constants(patch: Patch) -> None:
    """A NumPy array beside a tensor that requires grad counts as a constant."""

    def operation(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        return original(x, torch.from_numpy(y) if isinstance(y, np.ndarray) else y, **kwargs)

    around(patch, "add sub mul div", operation)


@fault
def products_save_copies_of_constants(patch: Patch) -> None:
    """A product saves a copy of a factor that requires no grad."""

    def mul(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        constant = isinstance(y, torch.Tensor) and not y.requires_grad
        return original(x, untouched.clone(y) if constant else y, **kwargs)

    around(patch, "mul", mul)


# --- deep copies ---


def around_deepcopy(patch: Patch, owner: Any, function: Callable[..., Any]) -> None:
    """Let deepcopy of tensors of a class give `function(original, tensor, memo)`, but one that was
    copied already the same copy again."""

    def make(original: Any) -> Any:
        def deep(self: Any, memo: Any) -> Any:
            if id(self) not in memo:
                memo[id(self)] = function(original, self, memo)
            return memo[id(self)]

        return deep

    patch.wrap(owner, "__deepcopy__", make)


@fault
def deepcopy_shares_the_memory(patch: Patch) -> None:
    """deepcopy of a tensor shares its memory with the original."""

    def deep(original: Any, x: Any, memo: Any) -> Any:
        result = original(x, memo)
        result.data = untouched.data.__get__(x)
        return result

    around_deepcopy(patch, torch.Tensor, deep)


@fault
def deepcopy_copies_shared_memory_for_each(patch: Patch) -> None:
    """Within one deepcopy memory that two tensors share is copied for each."""
    around_deepcopy(patch, torch.Tensor, lambda original, x, memo: original(x, {}))


@fault
def deepcopy_of_a_parameter_takes_its_gradient(patch: Patch) -> None:
    """deepcopy of a parameter takes the gradient along, as that of a plain tensor does."""

    def deep(original: Any, x: Any, memo: Any) -> Any:
        result = original(x, memo)
        if x.grad is not None:
            result.grad = x.grad.clone()
        return result

    around_deepcopy(patch, torch.nn.Parameter, deep)


@fault
def deepcopy_of_a_parameter_is_a_tensor(patch: Patch) -> None:
    """deepcopy of a parameter gives a plain tensor."""
    around_deepcopy(
        patch, torch.nn.Parameter,
        lambda original, x, memo: untouched.requires_grad_(x.detach().clone(), x.requires_grad),
    )  # fmt: skip


@fault
def deepcopy_of_what_requires_grad_is_itself(patch: Patch) -> None:
    """deepcopy of a leaf that requires grad is the leaf itself."""

    def deep(original: Any, x: Any, memo: Any) -> Any:
        return x if x.is_leaf and x.requires_grad else original(x, memo)

    for owner in (torch.Tensor, torch.nn.Parameter):
        around_deepcopy(patch, owner, deep)
