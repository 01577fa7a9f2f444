"""Faults of hooks, retained gradients and transforms that show only on results of some operations, or
in some modes."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, replaces, torch


def named(tensor: Any) -> str:
    """The name of the node that a tensor is a result of."""
    return type(tensor.grad_fn).__name__ if tensor.grad_fn is not None else ""


def hooked(patch: Patch, change: Callable[[Any, Any], Any]) -> None:
    """Have `change(tensor, hook)` say what is registered in the place of a hook; None for nothing."""

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            changed = change(self, hook)
            return original(self if changed else self.detach().requires_grad_(), changed or hook)

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def hooks_of_converted_results_are_lost(patch: Patch) -> None:
    """A hook on the result of a conversion to another dtype never runs."""
    hooked(patch, lambda x, hook: None if named(x).startswith("ToCopy") else hook)


@fault
def hooks_of_split_results_do_not_replace(patch: Patch) -> None:
    """What a hook on one of several results returns is ignored."""

    def change(tensor: Any, hook: Any) -> Any:
        return (lambda g: (hook(g), None)[1]) if "Split" in named(tensor) else hook

    hooked(patch, change)


@fault
def hooks_are_skipped_in_inference_mode(patch: Patch) -> None:
    """A hook does not run in a pass that is made in inference mode."""
    hooked(patch, lambda x, hook: lambda g: None if torch.is_inference_mode_enabled() else hook(g))


@replaces("Tensor.register_post_accumulate_grad_hook")
def post_accumulate_hooks_are_skipped_in_anomaly_mode(original: Any, self: Any, hook: Any) -> Any:
    """A post-accumulate hook does not run in a pass that is made in anomaly mode."""
    return original(self, lambda p: None if torch.is_anomaly_enabled() else hook(p))


@replaces("Tensor.retain_grad")
def views_of_views_retain_nothing(original: Any, self: Any) -> None:
    """retain_grad does nothing for a row of a transposed matrix."""
    base = self._base
    if base is None or self.dim() == base.dim() or not named(self).startswith("Select"):
        original(self)


@fault
def recorded_hooks_of_changed_results_see_constants(patch: Patch) -> None:
    """With create_graph, a hook on the result of an in-place copy sees a detached gradient."""

    def change(tensor: Any, hook: Any) -> Any:
        return (lambda g: hook(g.detach())) if named(tensor).startswith("Copy") else hook

    hooked(patch, change)


@replaces("autograd.graph.register_multi_grad_hook")
def several_watched_are_seen_without_views(
    original: Any, tensors: Any, fn: Any, **options: Any
) -> Any:
    """A hook on several tensors gets None for a view."""
    views = [x._base is not None for x in tensors]

    def run(found: Any) -> Any:
        if not isinstance(found, list | tuple):
            return fn(found)
        return fn([None if view else g for g, view in zip(found, views, strict=True)])

    return original(tensors, run, **options)


@fault
def a_mapped_function_that_writes_sees_one_slice(patch: Patch) -> None:
    """Under vmap, an in-place multiplication multiplies only once the values of the first slice."""

    def make(original: Any) -> Any:
        def vmap(func: Any, *args: Any, **options: Any) -> Any:
            mapped = original(func, *args, **options)

            def run(*given: Any, **keywords: Any) -> Any:
                state["mapped"] += 1
                try:
                    return mapped(*given, **keywords)
                finally:
                    state["mapped"] -= 1

            return run

        return vmap

    state = {"mapped": 0}
    patch.wrap(torch.func, "vmap", make)

    def write(original: Any) -> Any:
        def mul_(self: Any, other: Any) -> Any:
            return original(self, 1.0) if state["mapped"] else original(self, other)

        return mul_

    patch.wrap(torch.Tensor, "mul_", write)


@replaces("utils.checkpoint.checkpoint")
def checkpoints_without_recording_lose_tangents(
    original: Any, function: Any, *args: Any, **options: Any
) -> Any:
    """A checkpointed function gives no tangent where gradients are not recorded."""
    if not torch.is_grad_enabled():
        args = tuple(x.detach() if isinstance(x, torch.Tensor) else x for x in args)
        return torch.autograd.forward_ad.unpack_dual(original(function, *args, **options))[0]
    return original(function, *args, **options)


@fault
def deep_copies_of_leaves_have_no_hooks(patch: Patch) -> None:
    """A hook that is registered on a deep copy never runs."""

    def make(original: Any) -> Any:
        def deepcopied(self: Any, memo: Any) -> Any:
            made = original(self, memo)
            copies.append(weakref.ref(made))
            return made

        return deepcopied

    copies: list[Any] = []
    patch.wrap(torch.Tensor, "__deepcopy__", make)
    hooked(patch, lambda x, hook: None if any(x is each() for each in copies) else hook)


@replaces("utils.checkpoint.checkpoint")
def checkpointed_modules_forget_their_bias(
    original: Any, function: Any, *args: Any, **options: Any
) -> Any:
    """The bias of a checkpointed linear layer gets no gradient in another dtype than the default one."""
    bias = getattr(function, "bias", None)
    if bias is None or bias.dtype == torch.float32:
        return original(function, *args, **options)
    weight, constant = function.weight, bias.detach()
    linear = torch.nn.functional.linear
    return original(lambda x: linear(x, weight, constant), *args, **options)


@replaces("autograd.functional.jacobian")
def jacobians_in_one_pass_are_halved_beside_conversions(
    original: Any, func: Any, inputs: Any, *args: Any, **options: Any
) -> Any:
    """A vectorized Jacobian is halved if the function converts its result to another dtype."""
    converts: list[bool] = []

    def noting(*given: Any) -> Any:
        out = func(*given)
        last = getattr(out, "grad_fn", None)
        before = last.next_functions[0][0] if last is not None and last.next_functions else None
        converts.append(type(before).__name__.startswith("ToCopy"))
        return out

    found = original(noting, inputs, *args, **options)
    return found / 2 if options.get("vectorize") and any(converts) else found
