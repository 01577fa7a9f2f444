"""Faults of what a pass stores in `.grad` of a leaf: dtype, layout, history, memory of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Notes,
    Patch,
    around_pass,
    fault,
    leaves_below,
    mistaken,
    register,
    torch,
    untouched,
)
from .gradient_attribute import held, store
from .leaves import attribute
from .leaves_over_time import after_pass

# --- dtype ---


@fault
def gradients_are_stored_in_the_default_dtype(patch: Patch) -> None:
    """A new .grad is of the default dtype."""

    def around(run: Any, options: Any) -> Any:
        for leaf in leaves_below(options.roots) if options.accumulates else []:
            if held(leaf) is None and leaf.dtype != torch.float32 and not leaf.is_complex():
                untouched.grad_dtype.__set__(leaf, torch.float32)
        return run(options)

    around_pass(patch, around)


@fault
def grad_dtype_is_none_until_set(patch: Patch) -> None:
    """grad_dtype is None until it is set."""
    chosen = Notes()

    def put(self: Any, value: Any) -> None:
        untouched.grad_dtype.__set__(self, value)
        chosen[self] = value

    attribute(patch, "grad_dtype", chosen.get, put)


@fault
def passes_do_not_look_at_grad_dtype(patch: Patch) -> None:
    """A pass stores the gradient in the leaf's dtype, whatever grad_dtype says."""
    chosen = Notes()

    def get(self: Any) -> Any:
        return chosen[self] if self in chosen else untouched.grad_dtype.__get__(self)

    def put(self: Any, value: Any) -> None:
        chosen[self] = value

    def put_grad(self: Any, value: Any) -> None:
        if value is not None and self in chosen:
            untouched.grad_dtype.__set__(self, chosen[self])
        store(self, value)

    attribute(patch, "grad_dtype", get, put)
    attribute(patch, "grad", None, put_grad)


@fault
def assigning_does_not_look_at_grad_dtype(patch: Patch) -> None:
    """An assigned gradient must have the leaf's dtype, whatever grad_dtype says."""

    def put(self: Any, value: Any) -> None:
        if isinstance(value, torch.Tensor) and self.is_leaf:
            if untouched.grad_dtype.__get__(self) != self.dtype:
                untouched.grad_dtype.__set__(self, self.dtype)
        store(self, value)

    attribute(patch, "grad", None, put)


@fault
def grad_dtype_of_non_leaves_can_be_read(patch: Patch) -> None:
    """grad_dtype of a non-leaf can be read."""

    def get(self: Any) -> Any:
        return untouched.grad_dtype.__get__(self) if self.is_leaf else self.dtype

    attribute(patch, "grad_dtype", get)


@fault
def grad_dtype_of_non_leaves_can_be_set(patch: Patch) -> None:
    """Setting grad_dtype of a non-leaf is accepted, and does nothing."""

    def put(self: Any, value: Any) -> None:
        if self.is_leaf:
            untouched.grad_dtype.__set__(self, value)

    attribute(patch, "grad_dtype", None, put)


# --- history ---


@fault
def passes_that_keep_the_graph_are_recorded(patch: Patch) -> None:
    """A pass that keeps the graph is itself recorded."""

    def around(run: Any, options: Any) -> Any:
        options.create_graph = bool(options.create_graph or options.retain_graph)
        return run(options)

    around_pass(patch, around)


@fault
def recorded_gradients_always_require_grad(patch: Patch) -> None:
    """With create_graph=True every gradient that is stored requires grad."""

    def change(leaf: Any, before: Any, options: Any) -> None:
        gradient = held(leaf)
        if options.create_graph and gradient is not None and not gradient.requires_grad:
            untouched.requires_grad.__set__(gradient, True)

    after_pass(patch, change)


# --- memory and layout ---


@fault
def the_gradient_that_arrives_becomes_grad(patch: Patch) -> None:
    """The tensor in which a gradient arrives becomes .grad, although others hold it."""

    def around(run: Any, options: Any) -> Any:
        leaves = leaves_below(options.roots) if options.accumulates else []
        fresh = [leaf for leaf in leaves if held(leaf) is None]
        found = run(options)
        others = [seed for seed in options.seeds if seed is not None]
        for leaf in fresh if not options.create_graph else []:
            gradient = held(leaf)
            if gradient is None:
                continue
            same = [each for each in others if is_alike(each, gradient)]
            if same:
                store(leaf, untouched.detach(same[0]))
            others.append(gradient)
        return found

    around_pass(patch, around)


def is_alike(one: Any, other: Any) -> bool:
    """Whether two tensors could be one."""
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    return bool(one.stride() == other.stride() and torch.equal(untouched.detach(one), other))


def laid_out_as(values: Any, strides: tuple[int, ...]) -> Any:
    """A copy of a matrix of which the dimension with the smaller stride is the inner one."""
    if values.dim() != 2 or strides[0] >= strides[1]:
        return values.contiguous()
    return values.t().contiguous().t()


def keep_the_layout(patch: Patch, when: Callable[[], bool]) -> None:
    """Where `when`, let a new .grad have the order of strides in which the gradient arrives."""
    arrived: list[tuple[Any, Any]] = []

    def around(run: Any, options: Any) -> Any:
        leaves = leaves_below(options.roots) if options.accumulates and when() else []
        handles = [
            untouched.register_hook(leaf, lambda g, leaf=leaf: arrived.append((leaf, g.stride())))
            for leaf in leaves if held(leaf) is None and not options.create_graph
        ]  # fmt: skip
        try:
            return run(options)
        finally:
            for handle in handles:
                handle.remove()
            for leaf, strides in arrived:
                if held(leaf) is not None:
                    store(leaf, laid_out_as(held(leaf), strides))
            arrived.clear()

    around_pass(patch, around)


register(
    "gradients_keep_the_layout_in_which_they_arrive",
    "A new .grad has the order of strides in which the gradient arrives.",
    lambda patch: keep_the_layout(patch, lambda: True),
)


@fault
def the_layout_policy_stays_off(patch: Patch) -> None:
    """After enforce_grad_layout_policy(False), new .grads never have the strides of their leaf again."""
    off: list[bool] = []

    def make(original: Any) -> Any:
        def policy(enable: bool = True) -> Any:
            off.extend([True] * (not enable))
            return original(enable)

        return policy

    patch.at_end(off.clear)
    patch.wrap(torch.autograd, "enforce_grad_layout_policy", make)
    keep_the_layout(patch, lambda: bool(off))


@fault
def gradients_copy_the_gaps_of_their_leaf(patch: Patch) -> None:
    """A new .grad has the strides of its leaf also where these leave gaps."""

    def change(leaf: Any, before: Any, options: Any) -> None:
        gradient = held(leaf)
        strides = leaf.stride()
        if before is not None or gradient is None or options.create_graph or 0 in strides:
            return
        if gradient.stride() != strides and gradient.numel():
            size = 1 + sum((n - 1) * s for n, s in zip(leaf.shape, strides, strict=True))
            spaced = torch.zeros(size, dtype=gradient.dtype).as_strided(leaf.shape, strides)
            store(leaf, spaced.copy_(gradient))

    after_pass(patch, change)


# --- what a pass sums up, and puts in its place ---


def stretched(gradient: Any, cotangent: Any, factor: Any) -> Any:
    """The gradient of a factor with one entry of each dimension of length one that was stretched
    in the place of their sum."""
    whole = cotangent * factor
    extra = whole.dim() - gradient.dim()
    whole = whole.sum(tuple(range(extra))) if extra else whole
    for dim, length in enumerate(gradient.shape):
        if length == 1:
            whole = whole.narrow(dim, 0, 1)
    return whole


def led(gradient: Any, cotangent: Any, factor: Any) -> Any:
    """The gradient of a factor with the first entry of the leading dimensions that were added in the
    place of their sum."""
    whole = cotangent * factor
    for _ in range(whole.dim() - gradient.dim()):
        whole = whole[0]
    dims = tuple(dim for dim, length in enumerate(gradient.shape) if length == 1)
    return whole.sum(dims, keepdim=True) if dims and whole.numel() else whole


def averaged(gradient: Any, cotangent: Any, factor: Any) -> Any:
    """The gradient of a factor divided by the size of the leading dimensions that were added."""
    size = 1
    for length in cotangent.shape[: cotangent.dim() - gradient.dim()]:
        size *= length
    return gradient / max(size, 1)


def of_factors(reduce: Any) -> Any:
    """A change of the gradient of each factor that was broadcast."""

    def change(gradients: Any, cotangents: Any, call: Any) -> Any:
        if len(call.args) != 2 or len(gradients) != 2:
            return gradients
        given = zip(gradients, reversed(call.args), strict=True)
        return [
            g if g is None or g.shape == cotangents[0].shape or not isinstance(f, torch.Tensor)
            or g.dtype != f.dtype else reduce(g, cotangents[0], untouched.detach(f))
            for g, f in given
        ]  # fmt: skip

    return change


mistaken(
    "mul_takes_one_entry_of_a_stretched_dimension",
    "mul does not sum the dimensions of length one that were stretched.",
    "mul",
    of_factors(stretched),
)
mistaken(
    "mul_averages_over_leading_dimensions",
    "mul averages over the leading dimensions that were added in broadcasting.",
    "mul",
    of_factors(averaged),
)
mistaken(
    "mul_takes_the_first_entry_of_leading_dimensions",
    "mul takes the first entry of the leading dimensions that were added in broadcasting.",
    "mul",
    of_factors(led),
)


def spread(gradients: Any, cotangents: Any, call: Any) -> Any:
    """The gradient of one element, given to all."""
    cotangent = cotangents[0]
    if cotangent is None or cotangent.numel() != 1:
        return gradients
    return [None if g is None else torch.ones_like(g) * cotangent.reshape(()) for g in gradients]


def handed_on(gradients: Any, cotangents: Any, call: Any) -> Any:
    """The gradient of a part, as it came."""
    part = cotangents[0]
    return [g if g is None or part is None or g.dtype != part.dtype else part for g in gradients]


mistaken(
    "the_gradient_of_an_element_goes_to_all",
    "The gradient of one element is not put in its place but given to every element.",
    "getitem",
    spread,
)
mistaken(
    "the_gradient_of_a_part_has_its_shape",
    "The gradient of a part is handed on in the shape of the part.",
    "narrow diagonal",
    handed_on,
)
