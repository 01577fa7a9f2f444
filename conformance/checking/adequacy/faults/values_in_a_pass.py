"""Faults of how a pass carries values: cotangents, what was saved, shapes, and tangents beside them."""

from __future__ import annotations

from typing import Any

from ..breaking import (
    Call,
    Notes,
    Patch,
    around,
    around_pass,
    edge_of,
    fault,
    inside,
    miscompute,
    mistaken,
    torch,
)
from .second_order import cut_from_inputs


@fault
def products_and_stacks_are_seeded_with_ones(patch: Patch) -> None:
    """A pass from a product or a stack takes the gradient that it is given for ones."""

    def is_meant(root: Any) -> bool:
        node = edge_of(root)
        return node is not None and node.name().startswith(("Mul", "Stack"))

    def change(run: Any, options: Any) -> Any:
        options.seeds = [
            torch.ones_like(seed) if seed is not None and is_meant(root) else seed
            for root, seed in zip(options.roots, options.seeds, strict=True)
        ]
        return run(options)

    around_pass(patch, change)


@fault
def a_tensor_has_one_alias(patch: Patch) -> None:
    """detach() gives the same alias whenever it is called."""
    aliases = Notes()

    def make(original: Any) -> Any:
        def detach(self: Any) -> Any:
            return aliases.setdefault(self, original(self))

        return detach

    patch.wrap(torch.Tensor, "detach", make)


@fault
def factors_are_known_by_their_memory(patch: Patch) -> None:
    """A constant factor that shares the memory of the other factor is taken for it."""

    def multiply(o: Any, x: Any, y: Any, **k: Any) -> Any:
        if (
            isinstance(x, torch.Tensor)
            and isinstance(y, torch.Tensor)
            and x.requires_grad
            and x.shape == y.shape
            and x.data_ptr() == y.data_ptr()
        ):
            y = x
        return o(x, y, **k)

    around(patch, "mul", multiply)


@fault
def every_tensor_is_true(patch: Patch) -> None:
    """A tensor of one element is true whatever it holds."""
    patch.wrap(
        torch.Tensor,
        "__bool__",
        lambda original: lambda self: True if self.numel() == 1 else original(self),
    )


# --- what was saved, in a recorded pass ---

RECORDED = "mul sin cos log exp sqrt tanh"


def counted_as_constants(leaves: bool) -> Any:
    """Factors and operands that are leaves, or those that are results, are constants in a recorded
    pass."""

    def change(gradients: Any, cotangents: Any, call: Call) -> Any:
        if len(gradients) == 1:
            is_meant = call.args[0].is_leaf == leaves
            return cut_from_inputs(gradients, cotangents, call) if is_meant else gradients
        return [
            cotangents[0] * other.detach()
            if g is not None
            and isinstance(other, torch.Tensor)
            and other.is_leaf == leaves
            and g.shape == other.shape == cotangents[0].shape
            else g
            for g, other in zip(gradients, reversed(call.args[:2]), strict=True)
        ]

    return change


mistaken(
    "saved_results_of_others_are_constants",
    "In a recorded pass saved operands that are results count as constants.",
    RECORDED,
    counted_as_constants(leaves=False),
)
mistaken(
    "saved_leaves_are_constants",
    "In a recorded pass saved operands that are leaves count as constants.",
    RECORDED,
    counted_as_constants(leaves=True),
)
mistaken(
    "saved_results_are_constants",
    "In a recorded pass results that were saved for their own gradient count as constants.",
    "exp sqrt tanh sigmoid rsqrt reciprocal",
    cut_from_inputs,
)

# --- forward mode ---


def dual(value: Any) -> tuple[Any, Any]:
    """The primal and the tangent of an operand, which may be a number."""
    if not isinstance(value, torch.Tensor):
        return value, None
    return tuple(torch.autograd.forward_ad.unpack_dual(value))


@fault
def tangents_count_the_last_factor(patch: Patch) -> None:
    """The tangent of a product counts its second factor only."""

    def multiply(o: Any, x: Any, y: Any, **k: Any) -> Any:
        result = o(x, y, **k)
        if inside.forward_level() < 0:
            return result
        (primal, first), (_, second) = dual(x), dual(y)
        if first is None or second is None:
            return result
        with torch.no_grad():
            tangent = o(primal, second)
        return torch.autograd.forward_ad.make_dual(dual(result)[0], tangent)

    around(patch, "mul", multiply)


@fault
def saved_factors_lose_their_tangents(patch: Patch) -> None:
    """The factors that backward saved have no tangent when a pass uses them in forward mode."""

    def change(gradients: Any, cotangents: Any, call: Call) -> Any:
        if inside.forward_level() < 0:
            return gradients
        return [
            cotangents[0] * dual(other)[0]
            if g is not None and isinstance(other, torch.Tensor) and g.shape == other.shape
            else g
            for g, other in zip(gradients, reversed(call.args[:2]), strict=True)
        ]

    miscompute(patch, "mul", change)


@fault
def written_views_leave_the_tangent_of_their_base(patch: Patch) -> None:
    """In forward mode a write through a view does not reach the tangent of its base."""

    def write(o: Any, self: Any, *a: Any, **k: Any) -> Any:
        base = self._base if inside.forward_level() >= 0 else None
        tangent = None if base is None else dual(base)[1]
        if tangent is None:
            return o(self, *a, **k)
        before = tangent.clone()
        result = o(self, *a, **k)
        with torch.no_grad():
            dual(base)[1].copy_(before)
        return result

    around(patch, "mul_ add_ copy_ zero_", write)
