"""Faults of `.grad`: how it is read, assigned and cleared."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Marked, Notes, Patch, fault, register, torch, untouched
from .leaves import assign, attribute

Put = Callable[[Any, Any], None]


def held(tensor: Any) -> Any:
    """The gradient of a tensor as the engine has it, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return untouched.grad.__get__(tensor)


def store(tensor: Any, value: Any) -> None:
    """Assign a gradient as the engine does."""
    assign(untouched.grad, tensor, value)


# --- reading ---


@fault
def gradients_without_dimensions_are_bare_arrays(patch: Patch) -> None:
    """.grad of a leaf without dimensions is a bare array."""

    def get(self: Any) -> Any:
        found = untouched.grad.__get__(self)
        bare = found is not None and self.is_leaf and not self.dim() and not found.requires_grad
        return found.numpy() if bare else found

    attribute(patch, "grad", get)


@fault
def gradients_lose_their_dimensions_of_length_one(patch: Patch) -> None:
    """.grad of a leaf lacks the dimensions of length one that stand beside longer ones."""
    shown = Notes()

    def get(self: Any) -> Any:
        found = untouched.grad.__get__(self)
        if found is None or found.numel() < 2 or 1 not in found.shape or not self.is_leaf:
            return found
        if found not in shown:
            shown[found] = found.squeeze()
        return shown[found]

    attribute(patch, "grad", get)


@fault
def reading_grad_of_a_non_leaf_warns_once(patch: Patch) -> None:
    """Reading .grad of a non-leaf warns the first time only."""
    read = Marked()

    def get(self: Any) -> Any:
        if self in read:
            return held(self)
        read.add(self)
        return untouched.grad.__get__(self)

    attribute(patch, "grad", get)


@fault
def reading_grad_of_a_non_leaf_is_refused(patch: Patch) -> None:
    """Reading .grad of a non-leaf that does not retain it is refused."""

    def get(self: Any) -> Any:
        if self.grad_fn is not None and held(self) is None and not self.retains_grad:
            raise RuntimeError("only leaves have a gradient")
        return untouched.grad.__get__(self)

    attribute(patch, "grad", get)


@fault
def reading_grad_of_what_requires_none_warns(patch: Patch) -> None:
    """Reading .grad of a tensor that does not require grad warns."""

    def get(self: Any) -> Any:
        if not self.requires_grad:
            warnings.warn("The .grad attribute of a tensor without one is accessed.", stacklevel=2)
        return untouched.grad.__get__(self)

    attribute(patch, "grad", get)


@fault
def reading_grad_wraps_it_anew(patch: Patch) -> None:
    """Each reading of .grad makes a new tensor of the same memory."""

    def get(self: Any) -> Any:
        found = untouched.grad.__get__(self)
        return found if found is None or found.requires_grad else untouched.detach(found)

    attribute(patch, "grad", get)


# --- clearing ---


def cleared(patch: Patch, clear: Callable[[Any], None]) -> None:
    """Let `clear(tensor)` stand for assigning None to .grad, and for deleting it."""

    def put(self: Any, value: Any) -> None:
        if value is None:
            clear(self)
        else:
            store(self, value)

    patch.set(torch.Tensor, "grad", property(untouched.grad.__get__, put, clear))


@fault
def clearing_grad_fills_it_with_zeros(patch: Patch) -> None:
    """Assigning None to .grad fills it with zeros and keeps it."""

    def clear(self: Any) -> None:
        gradient = held(self)
        if gradient is not None:
            with torch.no_grad():
                gradient.zero_()

    cleared(patch, clear)


@fault
def none_is_refused_as_grad(patch: Patch) -> None:
    """Assigning None to .grad is refused."""

    def put(self: Any, value: Any) -> None:
        if value is None:
            raise TypeError("assigned grad expected to be a Tensor but got None")
        store(self, value)

    delete = lambda self: store(self, None)  # noqa: E731 - a property wants a function
    patch.set(torch.Tensor, "grad", property(untouched.grad.__get__, put, delete))


# --- assigning ---


def assigned(name: str, sentence: str, change: Callable[[Any, Any], Any]) -> None:
    """Put into the bank a fault that assigns `change(tensor, value)` to .grad."""

    def put(self: Any, value: Any) -> None:
        store(self, None if value is None else change(self, value))

    register(name, sentence, lambda patch: attribute(patch, "grad", None, put))


def broadcast(tensor: Any, value: Any) -> Any:
    """A gradient broadcast to the shape of its tensor, if it can be."""
    pairs = zip(reversed(value.shape), reversed(tensor.shape), strict=False)
    fits = value.dim() <= tensor.dim() and all(n in (1, m) for n, m in pairs)
    return value.expand(tensor.shape).clone() if fits else value


def refused_if(refuses: Callable[[Any, Any], bool], error: str) -> Callable[[Any, Any], Any]:
    """Gradients of tensors are refused if `refuses(tensor, gradient)`."""

    def check(tensor: Any, value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value is not tensor and refuses(tensor, value):
            raise RuntimeError(error)
        return value

    return check


def of_tensors(change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A change of the tensors that are assigned."""
    return lambda tensor, value: change(tensor, value) if isinstance(value, torch.Tensor) else value


def is_kept_by(wide: Any, narrow: Any) -> bool:
    """Whether all values of a dtype have their place in another."""
    return bool(torch.promote_types(wide, narrow) == wide)


assigned(
    "a_gradient_is_broadcast_when_assigned",
    "A gradient of another shape may be assigned if it broadcasts.",
    of_tensors(broadcast),
)
assigned(
    "a_gradient_of_another_floating_dtype_may_be_assigned",
    "A gradient of another dtype may be assigned if it is of floating point.",
    of_tensors(lambda x, value: value.to(x.dtype) if value.is_floating_point() else value),
)
assigned(
    "a_gradient_of_a_narrower_dtype_may_be_assigned",
    "A gradient of another dtype is converted when it is assigned, where nothing is lost.",
    of_tensors(lambda x, value: value.to(x.dtype) if is_kept_by(x.dtype, value.dtype) else value),
)
assigned(
    "lists_and_numbers_are_made_into_gradients",
    "A list, a tuple or a number that is assigned to .grad is made into a tensor.",
    lambda x, value: (
        torch.zeros_like(untouched.detach(x)) + torch.tensor(value, dtype=x.dtype)
        if isinstance(value, list | tuple | float | int) else value
    ),
)  # fmt: skip
assigned(
    "arrays_are_made_into_gradients",
    "An array that is assigned to .grad is made into a tensor.",
    lambda x, value: (
        torch.tensor(value.tolist(), dtype=x.dtype)
        if hasattr(value, "__array_interface__") and not isinstance(value, torch.Tensor) else value
    ),
)  # fmt: skip
assigned(
    "a_gradient_with_the_values_of_its_tensor_is_refused",
    "A gradient with the tensor's values is taken for the tensor itself.",
    refused_if(
        lambda x, value: value.shape == x.shape and value.dtype == x.dtype
        and value.device == x.device and bool((value == untouched.detach(x)).all()),
        "can't assign Variable as its own grad",
    ),
)  # fmt: skip
assigned(
    "grad_may_be_assigned_only_where_required",
    "Assigning .grad of a tensor that does not require grad is refused.",
    refused_if(lambda x, value: not x.requires_grad, "a tensor that requires no grad has none"),
)
assigned(
    "a_gradient_on_another_device_may_be_assigned",
    "A gradient on another device may be assigned.",
    of_tensors(
        lambda x, value: value if value.device == x.device
        else torch.zeros_like(untouched.detach(x))
    ),
)  # fmt: skip
