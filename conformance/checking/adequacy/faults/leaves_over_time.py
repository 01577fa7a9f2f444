"""Faults of leaves whose state changes: their flag, their gradient, what they are said to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around_pass,
    fault,
    leaves_below,
    replaces,
    retaining,
    torch,
    untouched,
)
from .leaves import assign, attribute, read

ASKED = "you can only change requires_grad flags of leaf variables."

SetFlag = Callable[[Any, bool, Callable[[bool], Any]], None]
AfterPass = Callable[[Any, Any, Any], None]


def flag_is_set(patch: Patch, change: SetFlag) -> None:
    """Let `change(tensor, value, put)` stand for setting the flag, by attribute or by method."""

    def put(self: Any, value: bool) -> None:
        change(self, value, lambda chosen: untouched.requires_grad.__set__(self, chosen))

    def make(original: Any) -> Any:
        def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
            change(self, requires_grad, lambda chosen: original(self, chosen))
            return self

        return requires_grad_

    attribute(patch, "requires_grad", put=put)
    patch.wrap(torch.Tensor, "requires_grad_", make)


def after_pass(patch: Patch, change: AfterPass) -> None:
    """Call `change(leaf, before, options)` for every leaf after a backward pass, `before` being what
    its .grad was."""

    def around(run: Any, options: Any) -> Any:
        leaves = leaves_below(options.roots) if options.accumulates else []
        before = [untouched.grad.__get__(leaf) for leaf in leaves]
        found = run(options)
        for leaf, old in zip(leaves, before, strict=True):
            change(leaf, old, options)
        return found

    around_pass(patch, around)


def remembered(patch: Patch, name: str) -> None:
    """Let an attribute be what it was when it was read first."""
    seen = Notes()

    def get(self: Any) -> Any:
        if self not in seen:
            seen[self] = original(self)
        return seen[self]

    original = read(name)
    patch.set(torch.Tensor, name, property(get))


# --- the flag ---


@fault
def asking_a_non_leaf_to_require_grad_is_refused(patch: Patch) -> None:
    """requires_grad_() on a non-leaf is refused."""

    def change(tensor: Any, value: bool, put: Any) -> None:
        if value and tensor.grad_fn is not None:
            raise RuntimeError(ASKED)
        put(value)

    flag_is_set(patch, change)


@fault
def switching_the_flag_off_clears_the_gradient(patch: Patch) -> None:
    """Setting requires_grad to False drops the gradient."""

    def change(tensor: Any, value: bool, put: Any) -> None:
        put(value)
        if not value:
            untouched.grad.__set__(tensor, None)

    flag_is_set(patch, change)


@fault
def the_flag_cannot_be_set_within_no_grad(patch: Patch) -> None:
    """Setting requires_grad within no_grad has no effect."""

    def change(tensor: Any, value: bool, put: Any) -> None:
        if torch.is_grad_enabled():
            put(value)

    flag_is_set(patch, change)


@fault
def whether_it_is_a_leaf_is_remembered(patch: Patch) -> None:
    """is_leaf is what it was when it was read first."""
    remembered(patch, "is_leaf")


@fault
def the_node_is_remembered(patch: Patch) -> None:
    """grad_fn is what it was when it was read first."""
    remembered(patch, "grad_fn")


# --- the gradient ---


@replaces("Tensor.detach")
def what_is_detached_takes_the_gradient_along(original: Any, self: Any) -> Any:
    """detach() of a leaf gives a tensor with the leaf's .grad."""
    detached: Any = original(self)
    if self.is_leaf and untouched.grad.__get__(self) is not None:
        untouched.grad.__set__(detached, untouched.grad.__get__(self))
    return detached


@fault
def a_tensor_may_be_its_own_gradient(patch: Patch) -> None:
    """x.grad = x is accepted."""

    def put(self: Any, value: Any) -> None:
        copied = untouched.clone(untouched.detach(value)) if value is self else value
        assign(untouched.grad, self, copied)

    attribute(patch, "grad", put=put)


@fault
def the_gradient_cannot_be_deleted(patch: Patch) -> None:
    """`del x.grad` is refused."""
    patch.set(torch.Tensor, "grad", property(untouched.grad.__get__, untouched.grad.__set__))


@fault
def the_gradient_requires_grad_if_the_seed_does(patch: Patch) -> None:
    """After a plain backward pass .grad requires grad where the given gradient did."""

    def change(leaf: Any, before: Any, options: Any) -> None:
        tracked = any(seed is not None and seed.requires_grad for seed in options.seeds)
        gradient = untouched.grad.__get__(leaf)
        if gradient is not None and tracked and not options.create_graph:
            untouched.requires_grad.__set__(gradient, True)

    after_pass(patch, change)


@fault
def gradients_are_always_contiguous(patch: Patch) -> None:
    """The gradient of a transposed leaf is contiguous."""

    def change(leaf: Any, before: Any, options: Any) -> None:
        gradient = untouched.grad.__get__(leaf)
        if before is None and gradient is not None and not options.create_graph:
            untouched.grad.__set__(leaf, gradient.contiguous())

    after_pass(patch, change)


@fault
def gradients_of_zeros_are_not_stored(patch: Patch) -> None:
    """A gradient that is zero throughout leaves .grad None."""

    def change(leaf: Any, before: Any, options: Any) -> None:
        gradient = untouched.grad.__get__(leaf)
        if before is None and gradient is not None and gradient.numel() and not gradient.any():
            untouched.grad.__set__(leaf, None)

    after_pass(patch, change)


@fault
def sums_over_passes_are_rounded_to_float32(patch: Patch) -> None:
    """A second pass accumulates in float32."""

    def change(leaf: Any, before: Any, options: Any) -> None:
        gradient = untouched.grad.__get__(leaf)
        if before is not None and gradient is not None and gradient.dtype == torch.float64:
            values = untouched.detach(gradient)
            values.copy_(values.float())

    after_pass(patch, change)


# --- what non-leaves retain ---


@replaces("Tensor.retain_grad")
def retain_grad_of_a_leaf_is_refused(original: Any, self: Any) -> None:
    """retain_grad() of a leaf raises."""
    if self.is_leaf:
        raise RuntimeError("retain_grad() is for tensors that are no leaves")
    original(self)


@replaces("Tensor.retain_grad")
def retain_grad_within_no_grad_is_ignored(original: Any, self: Any) -> None:
    """retain_grad() within no_grad has no effect."""
    if torch.is_grad_enabled():
        original(self)


@fault
def retain_grad_lasts_for_one_pass(patch: Patch) -> None:
    """A retained gradient is filled by the first pass only."""
    filled = Marked()
    retained = retaining(patch)

    def around(run: Any, options: Any) -> Any:
        late = [(tensor, untouched.grad.__get__(tensor)) for tensor in retained if tensor in filled]
        kept = [(tensor, None if g is None else untouched.clone(g)) for tensor, g in late]
        found = run(options)
        for tensor, gradient in kept:
            untouched.grad.__set__(tensor, gradient)
        filled.update(tensor for tensor in retained if untouched.grad.__get__(tensor) is not None)
        return found

    around_pass(patch, around)
