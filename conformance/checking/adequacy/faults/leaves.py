"""Faults of the state of a tensor: leaf, requires_grad, .grad, retain_grad, detach, data, copies."""

from __future__ import annotations

import warnings
from typing import Any

from ..breaking import (
    Patch,
    around_pass,
    fault,
    leaves_below,
    replaces,
    retaining,
    torch,
    untouched,
)


def read(name: str) -> Any:
    """How PyTorch itself reads an attribute of a tensor."""
    return getattr(torch.Tensor, name).__get__


def assign(original: Any, tensor: Any, value: Any) -> None:
    """Assign an attribute as the engine does. What it refuses is its own refusal, no error of ours."""
    try:
        original.__set__(tensor, value)
    except (AttributeError, TypeError) as error:
        raise error.with_traceback(None) from None


def attribute(patch: Patch, name: str, get: Any = None, put: Any = None) -> None:
    """Replace how an attribute of a tensor is read, written, or both."""
    original: Any = getattr(torch.Tensor, name)
    getter = get or (lambda self: original.__get__(self))
    setter = put or (lambda self, value: assign(original, self, value))
    deleter = getattr(original, "__delete__", None)
    patch.set(torch.Tensor, name, property(getter, setter, deleter))


@fault
def retain_grad_keeps_the_leafs(patch: Patch) -> None:
    """retain_grad() makes .grad show the gradient of the leaf below instead of its own."""
    original: Any = torch.Tensor.grad

    def get(self: Any) -> Any:
        found = original.__get__(self)
        if found is None or self.grad_fn is None:
            return found
        for leaf in leaves_below([self]):
            return original.__get__(leaf)
        return found

    attribute(patch, "grad", get)


@fault
def retain_grad_twice_adds_twice(patch: Patch) -> None:
    """Each call of retain_grad() adds the gradient once more."""

    def make(original: Any) -> Any:
        def retain_grad(self: Any) -> Any:
            if self.retains_grad:
                self.register_hook(lambda gradient: None)
                doubled.append(self)
            return original(self)

        return retain_grad

    doubled: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for tensor in doubled:
            if tensor.grad is not None:
                tensor.grad = tensor.grad * 2
        doubled.clear()
        return found

    patch.wrap(torch.Tensor, "retain_grad", make)
    around_pass(patch, around)


@fault
def retain_grad_sees_the_gradient_before_the_hooks(patch: Patch) -> None:
    """What retain_grad() keeps is the gradient as it was before the hooks registered later."""

    def make(original: Any) -> Any:
        def retain_grad(self: Any) -> Any:
            if self.is_leaf or self.retains_grad or not self.requires_grad:
                return original(self)
            kept: list[Any] = []
            self.register_hook(lambda gradient: kept.append(gradient))
            original(self)
            waiting.append((self, kept))
            return None

        return retain_grad

    waiting: list[tuple[Any, list[Any]]] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for tensor, kept in waiting:
            if kept and tensor.grad is not None:
                tensor.grad = kept[-1]
        return found

    patch.wrap(torch.Tensor, "retain_grad", make)
    around_pass(patch, around)


@fault
def retain_grad_of_what_requires_none_is_accepted(patch: Patch) -> None:
    """retain_grad() of a tensor that does not require grad is silently accepted."""
    patch.wrap(
        torch.Tensor, "retain_grad",
        lambda original: lambda self: original(self) if self.requires_grad else None,
    )  # fmt: skip


@fault
def retains_grad_is_never_true(patch: Patch) -> None:
    """retains_grad stays False after retain_grad()."""
    attribute(patch, "retains_grad", lambda self: False)


@fault
def retains_grad_is_true_for_leaves(patch: Patch) -> None:
    """retains_grad is True for a leaf on which retain_grad() was called."""
    original: Any = torch.Tensor.retains_grad
    attribute(patch, "retains_grad", lambda self: self.is_leaf or original.__get__(self))


@fault
def retained_gradient_is_overwritten(patch: Patch) -> None:
    """A second pass overwrites the gradient that a non-leaf retains."""
    retained = retaining(patch)

    def around(run: Any, options: Any) -> Any:
        for tensor in retained:
            tensor.grad = None
        return run(options)

    around_pass(patch, around)


@fault
def retain_grad_ignores_grad_function(patch: Patch) -> None:
    """A non-leaf that retains its gradient gets none from autograd.grad passes through it."""
    retained = retaining(patch)

    def around(run: Any, options: Any) -> Any:
        held = [(t, t.grad) for t in retained if not t.is_leaf]
        found = run(options)
        if not options.accumulates:
            for tensor, before in held:
                tensor.grad = before
        return found

    around_pass(patch, around)


@fault
def reading_grad_of_a_non_leaf_is_silent(patch: Patch) -> None:
    """Reading .grad of a non-leaf gives no warning."""
    original: Any = torch.Tensor.grad

    def get(self: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return original.__get__(self)

    attribute(patch, "grad", get)


@fault
def reading_grad_of_a_retaining_non_leaf_warns(patch: Patch) -> None:
    """Reading .grad of a non-leaf warns even after retain_grad()."""
    original: Any = torch.Tensor.grad

    def get(self: Any) -> Any:
        if self.grad_fn is not None and self.retains_grad:
            warnings.warn(
                "The .grad attribute of a torch.Tensor that is not a leaf torch.Tensor is being accessed.",
                stacklevel=2,
            )
        return original.__get__(self)

    attribute(patch, "grad", get)


@fault
def detach_copies(patch: Patch) -> None:
    """detach() copies instead of sharing storage."""
    patch.wrap(torch.Tensor, "detach", lambda original: lambda self: original(self).clone())


@fault
def detach_keeps_requires_grad(patch: Patch) -> None:
    """detach() of a tensor that requires grad requires grad."""
    patch.wrap(
        torch.Tensor, "detach",
        lambda original: lambda self: original(self).requires_grad_(self.requires_grad),
    )  # fmt: skip


@fault
def detach_in_place_does_nothing(patch: Patch) -> None:
    """detach_() leaves the tensor in its graph."""
    patch.set(torch.Tensor, "detach_", lambda self: self)


@fault
def detach_in_place_of_a_view_is_accepted(patch: Patch) -> None:
    """detach_() of a view is silently accepted."""
    patch.wrap(
        torch.Tensor, "detach_",
        lambda original: lambda self: self if self._is_view() else original(self),
    )  # fmt: skip


@fault
def detached_has_a_counter_of_its_own(patch: Patch) -> None:
    """A change of what detach() gave is not noticed by the version check."""
    patch.wrap(torch.Tensor, "detach", lambda original: lambda self: untouched.data.__get__(self))


@fault
def data_shares_the_counter(patch: Patch) -> None:
    """A change through .data bumps the version of the tensor."""
    original: Any = untouched.detach
    attribute(patch, "data", lambda self: original(self))


@fault
def data_is_a_copy(patch: Patch) -> None:
    """x.data is a copy, so that a change of it is lost."""
    original: Any = torch.Tensor.data
    attribute(patch, "data", lambda self: original.__get__(self).clone())


@fault
def data_requires_grad(patch: Patch) -> None:
    """x.data requires grad as x does."""
    original: Any = torch.Tensor.data
    attribute(patch, "data", lambda self: original.__get__(self).requires_grad_(self.requires_grad))


@fault
def assigning_data_cuts_the_graph(patch: Patch) -> None:
    """Assigning x.data clears x.grad."""
    original: Any = torch.Tensor.data

    def put(self: Any, value: Any) -> None:
        assign(original, self, value)
        if self.is_leaf:
            self.grad = None

    attribute(patch, "data", None, put)


@replaces("Tensor.requires_grad_")
def requires_grad_of_a_non_leaf_can_be_switched_off(
    original: Any, self: Any, requires_grad: bool = True
) -> Any:
    """requires_grad_(False) on a non-leaf silently cuts it off."""
    if not requires_grad and not self.is_leaf and not self._is_view():
        return self.detach_()
    return original(self, requires_grad)


@fault
def requires_grad_attribute_of_a_non_leaf_can_be_switched_off(patch: Patch) -> None:
    """y.requires_grad = False on a non-leaf is silently accepted."""
    original: Any = torch.Tensor.requires_grad

    def put(self: Any, value: bool) -> None:
        if value or self.is_leaf:
            assign(original, self, value)

    attribute(patch, "requires_grad", None, put)


def accept_integers(patch: Patch, owner: Any, name: str) -> None:
    """Let a constructor drop requires_grad=True where the dtype is none of floating point."""

    def make(original: Any) -> Any:
        def construct(*args: Any, **kwargs: Any) -> Any:
            wanted = kwargs.pop("requires_grad", False)
            result = original(*args, **kwargs)
            able = result.is_floating_point() or result.is_complex()
            return result.requires_grad_(wanted) if able else result

        return construct

    patch.wrap(owner, name, make)


@fault
def integers_may_require_grad_when_made(patch: Patch) -> None:
    """tensor([1, 2], requires_grad=True) is accepted, and the flag dropped."""
    for name in ("tensor", "zeros", "ones", "full", "arange", "empty"):
        accept_integers(patch, torch, name)


@replaces("Tensor.requires_grad_")
def integers_may_require_grad_afterwards(
    original: Any, self: Any, requires_grad: bool = True
) -> Any:
    """requires_grad_() on a tensor of integers is accepted, and does nothing."""
    able = self.is_floating_point() or self.is_complex()
    return original(self, requires_grad) if able else self


@fault
def integers_may_require_grad_by_attribute(patch: Patch) -> None:
    """x.requires_grad = True on a tensor of integers is accepted, and does nothing."""
    original: Any = torch.Tensor.requires_grad

    def put(self: Any, value: bool) -> None:
        if self.is_floating_point() or self.is_complex() or not value:
            assign(original, self, value)

    attribute(patch, "requires_grad", None, put)


@fault
def grad_of_another_shape_is_accepted(patch: Patch) -> None:
    """A gradient of another shape may be assigned if its number of elements fits."""
    original: Any = torch.Tensor.grad

    def put(self: Any, value: Any) -> None:
        if isinstance(value, torch.Tensor) and value.numel() == self.numel():
            value = value if value.shape == self.shape else value.reshape(self.shape)
        assign(original, self, value)

    attribute(patch, "grad", None, put)


@fault
def grad_of_another_dtype_is_converted(patch: Patch) -> None:
    """A gradient of another dtype may be assigned and is converted."""
    original: Any = torch.Tensor.grad

    def put(self: Any, value: Any) -> None:
        if isinstance(value, torch.Tensor) and value.dtype != self.dtype:
            value = value.to(self.dtype)
        assign(original, self, value)

    attribute(patch, "grad", None, put)


@fault
def grad_of_numbers_is_accepted(patch: Patch) -> None:
    """x.grad = 1.0 is accepted and made into a tensor."""
    original: Any = torch.Tensor.grad

    def put(self: Any, value: Any) -> None:
        if isinstance(value, float | int):
            value = torch.full_like(self, value, requires_grad=False)
        assign(original, self, value)

    attribute(patch, "grad", None, put)


@fault
def assigned_grad_is_copied(patch: Patch) -> None:
    """x.grad = g stores a copy of g."""
    original: Any = torch.Tensor.grad

    def put(self: Any, value: Any) -> None:
        assign(original, self, value.clone() if isinstance(value, torch.Tensor) else value)

    attribute(patch, "grad", None, put)


@fault
def reading_grad_copies(patch: Patch) -> None:
    """Each time x.grad is read another tensor comes."""
    original: Any = torch.Tensor.grad

    def get(self: Any) -> Any:
        found = original.__get__(self)
        return None if found is None else found.clone()

    attribute(patch, "grad", get)


@fault
def grad_starts_as_zeros(patch: Patch) -> None:
    """.grad of a new leaf is zeros instead of None."""
    original: Any = torch.Tensor.grad

    def get(self: Any) -> Any:
        found = original.__get__(self)
        if found is None and self.is_leaf and self.requires_grad:
            return torch.zeros_like(self, requires_grad=False)
        return found

    attribute(patch, "grad", get)


@fault
def results_without_history_are_no_leaves(patch: Patch) -> None:
    """is_leaf is False for results that do not require grad."""
    original: Any = torch.Tensor.is_leaf
    made: dict[int, Any] = {}

    def make(original_operation: Any) -> Any:
        def operation(*args: Any, **kwargs: Any) -> Any:
            result = original_operation(*args, **kwargs)
            if isinstance(result, torch.Tensor) and not result.requires_grad:
                made[id(result)] = result
            return result

        return operation

    for name in ("__mul__", "__add__", "__sub__", "__rmul__"):
        patch.wrap(torch.Tensor, name, make)
    attribute(
        patch, "is_leaf", lambda self: original.__get__(self) and made.get(id(self)) is not self
    )


@fault
def a_clone_of_a_leaf_is_a_leaf(patch: Patch) -> None:
    """is_leaf is True for a clone of a leaf."""
    original: Any = torch.Tensor.is_leaf
    attribute(
        patch, "is_leaf",
        lambda self: original.__get__(self) or self.grad_fn.name() == "CloneBackward0",
    )  # fmt: skip


@fault
def is_leaf_means_requires_grad(patch: Patch) -> None:
    """is_leaf is False for a tensor that does not require grad."""
    original: Any = torch.Tensor.is_leaf
    attribute(patch, "is_leaf", lambda self: original.__get__(self) and self.requires_grad)


@fault
def all_operands_must_require_grad(patch: Patch) -> None:
    """A product requires grad only if both factors do."""

    def make(original: Any) -> Any:
        def mul(self: Any, other: Any) -> Any:
            if isinstance(self, torch.Tensor) and isinstance(other, torch.Tensor):
                if self.requires_grad != other.requires_grad:
                    return original(self, other).detach()
            return original(self, other)

        return mul

    for owner, name in ((torch.Tensor, "__mul__"), (torch.Tensor, "mul"), (torch, "mul")):
        patch.wrap(owner, name, make)
