"""Faults of hooks beside other features: changes in place, modules, anomaly detection, inference tensors."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import (
    Patch,
    around_pass,
    fault,
    inside,
    instead,
    leaves_below,
    replaces,
    torch,
    untouched,
)
from .anomaly_detection import looks_for_nan, refuse_nan
from .module_hooks import changed
from .packing import Raw, passing_by
from .saved_hooks import Pair, pairs


@replaces("Tensor.register_post_accumulate_grad_hook")
def steps_within_a_pass_are_not_counted(original: Any, self: Any, hook: Any) -> Any:
    """A change in place that a post-accumulate hook makes to its leaf is not counted."""

    def called(leaf: Any) -> None:
        with inside.keeping_version(leaf):
            hook(leaf)

    return original(self, called)


@replaces("Tensor.register_hook")
def handles_lose_their_hook_in_a_change(original: Any, self: Any, hook: Any) -> Any:
    """Once a tensor was changed in place, the handles of its earlier hooks remove nothing."""
    handle = original(self, hook)
    tensor, version, remove = weakref.ref(self), self._version, handle.remove

    def remove_unless_changed() -> None:
        now = tensor()
        if now is None or now._version == version:
            remove()

    handle.remove = remove_unless_changed
    return handle


@fault
def an_input_in_two_places_has_one_gradient(patch: Patch) -> None:
    """A full backward hook is given the gradient of a tensor in two places as the sum, at the first of them."""
    doubled: list[bool] = []

    def make(original: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            doubled[:] = [len(args) == 2 and args[0] is args[1]]
            return original(self, *args, **kwargs)

        return call

    def change(hook: Any) -> Any:
        def called(module: Any, inputs: Any, outputs: Any) -> Any:
            if doubled == [True] and len(inputs) == 2:
                inputs = inputs[0] + inputs[1], torch.zeros_like(inputs[1])
            return hook(module, inputs, outputs)

        return called

    patch.wrap(torch.nn.Module, "__call__", make)
    changed(patch, change)


@replaces("nn.Module.register_forward_pre_hook")
def several_arguments_from_a_pre_hook_are_one(
    original: Any, self: Any, hook: Any, **options: Any
) -> Any:
    """A tuple of several arguments that a forward pre-hook returns is passed on as one argument."""

    def called(module: Any, args: Any) -> Any:
        found = hook(module, args)
        return (found,) if isinstance(found, tuple) and len(found) > 1 else found

    return original(self, hook if options else called, **options)


@fault
def tensors_without_dimensions_are_not_packed(patch: Patch) -> None:
    """A saved tensor without dimensions does not go through the hooks for saved tensors."""
    passing_by(patch, lambda right, tensor: Raw(tensor) if tensor.dim() == 0 else right(tensor))


@fault
def parameters_are_not_packed(patch: Patch) -> None:
    """A saved parameter of a module does not go through the hooks for saved tensors."""

    def pack(right: Any, tensor: Any) -> Any:
        return Raw(tensor) if isinstance(tensor, torch.nn.Parameter) else right(tensor)

    passing_by(patch, pack)


@fault
def results_of_functions_are_not_packed(patch: Patch) -> None:
    """A result that a custom function saves does not go through the hooks for saved tensors."""

    def pack(right: Any, tensor: Any) -> Any:
        own = isinstance(tensor.grad_fn, inside.function_node)
        return Raw(untouched.detach(tensor)) if own else right(tensor)

    passing_by(patch, pack)


@fault
def tensors_that_two_operations_save_are_packed_once(patch: Patch) -> None:
    """A tensor that two operations save goes through the pack hook for the first of them only."""

    def change(pack: Any, unpack: Any) -> Pair:
        packed: dict[Any, Any] = {}

        def once(tensor: Any) -> Any:
            key = tensor.data_ptr(), tensor._version, tuple(tensor.shape)
            if key not in packed:
                packed[key] = pack(tensor)
            return packed[key]

        return once, unpack

    pairs(patch, change)


@fault
def nothing_is_packed_under_anomaly_detection(patch: Patch) -> None:
    """Under anomaly detection, what is saved does not go through the hooks for saved tensors."""
    passing_by(
        patch,
        lambda right, tensor: Raw(tensor) if torch.is_anomaly_enabled() else right(tensor),
    )


@fault
def sums_of_infinities_are_anomalies(patch: Patch) -> None:
    """Anomaly detection rejects a pass whose gradients add up to NaN in a leaf."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        gradients = [leaf.grad for leaf in leaves_below(options.roots) if leaf.grad is not None]
        if looks_for_nan() and any(bool(gradient.isnan().any()) for gradient in gradients):
            refuse_nan()
        return found

    around_pass(patch, around)


@fault
def functions_save_clones_of_inference_tensors(patch: Patch) -> None:
    """A custom function that saves an inference tensor saves a clone of it, without an error."""

    def make(original: Any) -> Any:
        def save(self: Any, *tensors: Any) -> None:
            original(
                self,
                *(
                    t.clone() if isinstance(t, torch.Tensor) and t.is_inference() else t
                    for t in tensors
                ),
            )

        return save

    patch.wrap(inside.function_context, "save_for_backward", make)


def written(original: Any, *args: Any, **kwargs: Any) -> Any:
    """The result in `out`, whatever tensor that is."""
    target = kwargs.get("out")
    if target is None or not target.is_inference():
        return original(*args, **kwargs)
    with torch.inference_mode():
        return original(*args, **kwargs)


instead(
    "out_may_be_an_inference_tensor",
    "A result is written into an inference tensor that is given as out=, outside of the mode too.",
    "add",
    written,
)


@replaces("Tensor.detach")
def detached_inference_tensors_are_ordinary(original: Any, self: Any) -> Any:
    """Outside of inference mode, detach() of an inference tensor gives an ordinary tensor."""
    outside = self.is_inference() and not torch.is_inference_mode_enabled()
    return untouched.clone(self) if outside else original(self)


@fault
def gradients_that_leaves_share_are_separated(patch: Patch) -> None:
    """A pass copies an assigned gradient that two leaves share before it adds to it."""
    assigned: dict[int, int] = {}
    grad = untouched.grad

    def put(self: Any, value: Any) -> None:
        assigned[id(value)] = assigned.get(id(value), 0) + 1
        grad.__set__(self, value)

    def around(run: Any, options: Any) -> Any:
        for leaf in leaves_below(options.roots) if options.accumulates else ():
            held = leaf.grad
            if held is not None and not held.requires_grad and assigned.get(id(held), 0) > 1:
                grad.__set__(leaf, held.clone())
        return run(options)

    own = property(lambda self: grad.__get__(self), put, lambda self: grad.__delete__(self))
    patch.set(torch.Tensor, "grad", own)
    around_pass(patch, around)
