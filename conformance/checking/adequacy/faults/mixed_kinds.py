"""Faults that show where kinds meet: tangents and memory, numbers and powers, dtypes and copies, NaN and
medians, inference tensors and views."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, around, fault, inside, instead, replaces, torch
from .gradient_checks import instead as instead_of_check
from .saved_hooks import Pair, pairs


def without_tangent(x: Any) -> Any:
    """A tensor without its tangent."""
    if inside.forward_level() < 0 or not isinstance(x, torch.Tensor):
        return x
    return torch.autograd.forward_ad.unpack_dual(x).primal


def added(original: Any, *args: Any, **options: Any) -> Any:
    if options.get("out") is not None:
        return original(*map(without_tangent, args), out=without_tangent(options["out"]))
    return original(*args, **options)


instead("tangents_are_lost_beside_out", "add with out= leaves tangents away.", "add", added)


@fault
def tangents_may_lie_anywhere(patch: Patch) -> None:
    """A custom function whose jvp returns tangents in other memory than the results gives them none."""
    original: Any = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return original(cls, *args, **kwargs)
        except RuntimeError as error:
            if "jvp" not in str(error):
                raise
            return original(cls, *map(without_tangent, args), **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


def constant_power(original: Any, x: Any, y: Any = None, **options: Any) -> Any:
    if isinstance(x, (int, float)) and x < 0 and isinstance(y, torch.Tensor) and y.is_complex():
        return original(x, y.detach()) + y * 0
    return original(x, y, **options)


instead(
    "powers_of_negative_numbers_are_constant",
    "A negative number to a complex power has the derivative 0.",
    "pow", constant_power,
)  # fmt: skip


def without_a_gradient(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    if args or options or not x.isnan().all():
        return original(x, *args, **options)
    return original(x.detach()) + x.nan_to_num(0.0).sum() * 0.0


instead(
    "the_median_of_nan_is_constant", "nanmedian of nothing but NaN has the gradient 0.", "nanmedian",
    without_a_gradient,
)  # fmt: skip


def with_all_that_was_given(
    original: Any, x: Any, dim: Any, index: Any, source: Any, **options: Any
) -> Any:
    if not isinstance(source, torch.Tensor) or source.shape == index.shape:
        return original(x, dim, index, source, **options)
    used = tuple(slice(size) for size in index.shape)
    fitting = original(x, dim, index, source[used], **options)
    return fitting + (source.sum() - source.sum().detach())


instead(
    "unused_parts_of_a_source_have_gradients",
    "scatter_add with a source larger than its index gives all of the source a gradient.",
    "scatter_add", with_all_that_was_given,
)  # fmt: skip


def refusing_nothing(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    if isinstance(x, torch.Tensor) and not x.numel() and x.requires_grad:
        raise IndexError("there is no last element")
    return original(x, *args, **options)


instead(
    "running_sums_of_nothing_raise",
    "cumsum and flip of no elements raise.",
    "cumsum flip",
    refusing_nothing,
)


@fault
def copies_into_another_dtype_are_not_recorded(patch: Patch) -> None:
    """copy_ and fill_ with a tensor of another dtype give it no gradient."""

    def write(original: Any, x: Any, value: Any, *args: Any, **options: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.dtype != x.dtype:
            value = value.detach()
        return original(x, value, *args, **options)

    around(patch, "copy_ fill_", write)


@replaces("Tensor.__getitem__")
def views_of_inference_tensors_require_grad(original: Any, x: Any, index: Any) -> Any:
    """An element of an inference tensor that requires grad requires grad outside of the mode."""
    found = original(x, index)
    if x.is_inference() and x.requires_grad and not torch.is_inference_mode_enabled():
        return found.clone().requires_grad_()
    return found


@replaces("autograd.grad")
def unused_edges_get_none(
    original: Any, outputs: Any, inputs: Any, *args: Any, **options: Any
) -> Any:
    """autograd.grad with materialize_grads=True gives None for gradient edges that were not used."""
    edges = isinstance(inputs, list) and not all(isinstance(x, torch.Tensor) for x in inputs)
    if edges and options.pop("materialize_grads", False):
        options["allow_unused"] = True
    return original(outputs, inputs, *args, **options)


@fault
def gradcheck_accepts_results_of_any_shape(patch: Patch) -> None:
    """gradcheck says yes if a result changes its shape or dtype where the input is perturbed."""

    def check(original: Any, *args: Any, **options: Any) -> Any:
        try:
            return original(*args, **options)
        except AssertionError as error:
            if "perturbed" in str(error):
                return True
            raise

    instead_of_check(patch, "gradcheck", check)


@fault
def unpacking_counts_as_a_change(patch: Patch) -> None:
    """Unpacking a saved tensor increases the version of the tensor that was saved."""

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            return tensor, pack(tensor)

        def unpacked(both: Any) -> Any:
            torch.autograd.graph.increment_version(both[0])
            return unpack(both[1])

        return packed, unpacked

    pairs(patch, change)
