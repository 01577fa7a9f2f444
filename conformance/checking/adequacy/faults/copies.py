"""Faults of clones, deep copies, conversions and what leaves the engine."""

from __future__ import annotations

import copy
from typing import Any

from ..breaking import Patch, fault, replaces, torch


@fault
def zeros_like_requires_grad_as_its_model(patch: Patch) -> None:
    """zeros_like(x) requires grad if x does."""

    def make(original: Any) -> Any:
        def like(model: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(model, *args, **kwargs)
            if "requires_grad" not in kwargs and result.is_floating_point():
                result.requires_grad_(model.requires_grad)
            return result

        return like

    for name in ("zeros_like", "ones_like", "full_like", "empty_like"):
        patch.wrap(torch, name, make)


@fault
def new_tensors_require_grad_as_their_model(patch: Patch) -> None:
    """x.new_zeros(...) requires grad if x does."""

    def make(original: Any) -> Any:
        def new(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if "requires_grad" not in kwargs and result.is_floating_point():
                result.requires_grad_(self.requires_grad)
            return result

        return new

    for name in ("new_zeros", "new_ones", "new_full", "new_tensor", "new_empty"):
        patch.wrap(torch.Tensor, name, make)


@replaces("tensor")
def tensor_of_a_tensor_stays_in_the_graph(
    original: Any, data: Any, *args: Any, **kwargs: Any
) -> Any:
    """torch.tensor(x) is differentiable with respect to x."""
    if isinstance(data, torch.Tensor) and data.requires_grad and not args and not kwargs:
        return data.clone()
    return original(data, *args, **kwargs)


@replaces("as_tensor")
def as_tensor_copies(original: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
    """as_tensor(x) of a tensor is another tensor."""
    result = original(data, *args, **kwargs)
    return result.detach().clone() if result is data else result


@fault
def numpy_is_allowed_in_a_graph(patch: Patch) -> None:
    """numpy() of a tensor that requires grad is allowed."""
    patch.wrap(
        torch.Tensor,
        "numpy",
        lambda original: lambda self, **kwargs: original(self.detach(), **kwargs),
    )


@fault
def numpy_copies(patch: Patch) -> None:
    """numpy() copies instead of sharing memory."""
    patch.wrap(
        torch.Tensor,
        "numpy",
        lambda original: lambda self, **kwargs: original(self, **kwargs).copy(),
    )


@fault
def from_numpy_copies(patch: Patch) -> None:
    """from_numpy copies instead of sharing memory."""
    patch.wrap(torch, "from_numpy", lambda original: lambda array: original(array).clone())


@replaces("Tensor.__deepcopy__")
def deepcopy_of_a_non_leaf_is_accepted(original: Any, self: Any, memo: Any) -> Any:
    """deepcopy of a non-leaf gives a leaf instead of being refused."""
    if not self.is_leaf:
        return self.detach().clone().requires_grad_()
    return original(self, memo)


@replaces("Tensor.__deepcopy__")
def deepcopy_drops_the_gradient(original: Any, self: Any, memo: Any) -> Any:
    """deepcopy of a leaf loses its .grad."""
    result = original(self, memo)
    result.grad = None
    return result


@replaces("Tensor.__deepcopy__")
def deepcopy_shares_the_gradient(original: Any, self: Any, memo: Any) -> Any:
    """deepcopy of a leaf shares its .grad with the original."""
    result = original(self, memo)
    result.grad = self.grad
    return result


@fault
def deepcopy_drops_requires_grad(patch: Patch) -> None:
    """deepcopy of a leaf no longer requires grad."""
    patch.wrap(
        torch.Tensor, "__deepcopy__",
        lambda original: lambda self, memo: original(self, memo).requires_grad_(False),
    )  # fmt: skip


@fault
def copy_copies_the_values(patch: Patch) -> None:
    """A module's deepcopy shares parameters that it should copy."""
    Parameter: Any = torch.nn.Parameter
    patch.set(Parameter, "__deepcopy__", lambda self, memo: copy.copy(self))


@replaces("load")
def loading_drops_requires_grad(original: Any, *args: Any, **kwargs: Any) -> Any:
    """A leaf that was saved and loaded no longer requires grad."""
    found = original(*args, **kwargs)
    return found.detach() if type(found) is torch.Tensor else found


@fault
def clone_is_detached(patch: Patch) -> None:
    """clone() is not differentiable."""
    for owner in (torch, torch.Tensor):
        patch.wrap(owner, "clone", lambda original: lambda x, **kw: original(x.detach(), **kw))


@fault
def clone_shares_storage(patch: Patch) -> None:
    """clone() shares storage with the original."""
    for owner in (torch, torch.Tensor):
        patch.wrap(owner, "clone", lambda original: lambda x, **kw: x.view_as(x))


@replaces("Tensor.requires_grad_")
def methods_in_place_return_nothing(original: Any, self: Any, requires_grad: bool = True) -> None:
    """requires_grad_() returns None instead of the tensor."""
    original(self, requires_grad)


@fault
def conversion_cuts_the_graph(patch: Patch) -> None:
    """to(dtype) gives a leaf instead of a result of the tensor."""

    def make(original: Any) -> Any:
        def convert(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            return result if result is self else result.detach()

        return convert

    for name in ("to", "double", "float", "type"):
        patch.wrap(torch.Tensor, name, make)


@fault
def conversion_to_the_same_dtype_copies(patch: Patch) -> None:
    """to(dtype) of a tensor that has the dtype already gives another tensor."""

    def make(original: Any) -> Any:
        def convert(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            return result.clone() if result is self else result

        return convert

    for name in ("to", "double", "float"):
        patch.wrap(torch.Tensor, name, make)


@replaces("Tensor.item")
def item_of_a_tensor_in_a_graph_is_refused(original: Any, self: Any) -> Any:
    """item() of a tensor that requires grad is refused."""
    if self.requires_grad:
        raise RuntimeError("Can't call item() on torch.Tensor that requires grad.")
    return original(self)


@replaces("Tensor.__gt__")
def comparisons_require_grad_of_their_own(original: Any, self: Any, other: Any) -> Any:
    """Comparison gives floating-point zeros and ones that stay in the graph."""
    result = original(self, other)
    return self * 0 + result if self.requires_grad else result
