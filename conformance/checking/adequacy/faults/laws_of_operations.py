"""Faults of what the laws say about every operation, and of functions whose results have no gradient."""

from __future__ import annotations

import threading
import warnings
from typing import Any

from ..breaking import Patch, around, fault, instead, replaces, torch

instead(
    "searchsorted_counts_from_one",
    "searchsorted counts places from one.",
    "searchsorted",
    lambda original, *args, **kwargs: original(*args, **kwargs) + 1,
)
instead(
    "bucketize_counts_from_one",
    "bucketize counts places from one.",
    "bucketize",
    lambda original, *args, **kwargs: original(*args, **kwargs) + 1,
)
instead(
    "one_hot_marks_the_next_class",
    "one_hot marks the class after the one that is given.",
    "nn.functional.one_hot",
    lambda original, *args, **kwargs: original(*args, **kwargs).roll(1, -1),
)


@fault
def cotangents_are_scaled_to_one(patch: Patch) -> None:
    """grad divides the gradient of the result by its largest element and the result by its inverse,
    also where all elements are zero."""

    def scaled(original: Any, outputs: Any, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        seeds = args[0] if args else None
        if not isinstance(seeds, list | tuple) or len(seeds) != 1 or args[1:]:
            return original(outputs, inputs, *args, **kwargs)
        largest = seeds[0].detach().abs().max()
        found = original(outputs, inputs, [seeds[0] / largest], **kwargs)
        return tuple(None if gradient is None else gradient * largest for gradient in found)

    around(patch, "autograd.grad", scaled)


@fault
def every_saved_tensor_is_unpacked_from_the_last(patch: Patch) -> None:
    """The unpack hook receives what was packed last, whichever tensor is needed."""

    def mixed(original: Any, pack: Any, unpack: Any) -> Any:
        last: list[Any] = []

        def packed(tensor: Any) -> Any:
            last[:] = [pack(tensor)]
            return last[0]

        return original(packed, lambda _: unpack(last[0]))

    around(patch, "autograd.graph.saved_tensors_hooks", mixed)


@replaces("Tensor.backward")
def other_threads_run_no_backward_pass(original: Any, *args: Any, **kwargs: Any) -> Any:
    """backward() does nothing in another thread."""
    here = threading.current_thread() is threading.main_thread()
    return original(*args, **kwargs) if here else None


@fault
def checkpoints_detach_their_arguments(patch: Patch) -> None:
    """A checkpointed function runs on detached arguments, so that no gradient reaches them."""

    def detached(original: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
        plain = [x.detach() if isinstance(x, torch.Tensor) else x for x in args]
        return original(function, *plain, **kwargs)

    around(patch, "utils.checkpoint.checkpoint", detached)


@fault
def jvp_reads_its_inputs_in_memory_order(patch: Patch) -> None:
    """func.jvp reads an input that is not contiguous in the order of memory."""

    def read(x: Any) -> Any:
        if not isinstance(x, torch.Tensor) or x.is_contiguous():
            return x
        strides = torch.empty(x.shape).stride()
        return torch.as_strided(x, x.shape, strides, x.storage_offset())

    def pushed(original: Any, function: Any, primals: Any, *args: Any, **kwargs: Any) -> Any:
        return original(function, tuple(read(x) for x in primals), *args, **kwargs)

    around(patch, "func.jvp", pushed)


@fault
def gradients_have_tangents_only_if_recorded(patch: Patch) -> None:
    """Without create_graph, the gradients that grad returns have no tangents."""

    def plain(gradient: Any) -> Any:
        if gradient is None:
            return None
        try:
            return torch.autograd.forward_ad.unpack_dual(gradient).primal
        except RuntimeError:  # outside of any level
            return gradient

    def grad(original: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        return found if kwargs.get("create_graph") else tuple(plain(each) for each in found)

    around(patch, "autograd.grad", grad)


@fault
def stacked_parameters_have_a_history(patch: Patch) -> None:
    """stack_module_state returns parameters that are part of the history of the modules' own."""

    def stacked(original: Any, models: Any) -> Any:
        parameters, buffers = original(models)
        every = [dict(model.named_parameters()) for model in models]
        return {name: torch.stack([each[name] for each in every]) for name in parameters}, buffers

    around(patch, "func.stack_module_state", stacked)


@fault
def any_modules_are_stacked(patch: Patch) -> None:
    """stack_module_state takes modules that differ, and no modules at all."""

    def stacked(original: Any, models: Any) -> Any:
        try:
            return original(models)
        except RuntimeError:
            return {}, {}

    around(patch, "func.stack_module_state", stacked)


@fault
def expansions_are_filled_silently(patch: Patch) -> None:
    """masked_fill_ of a tensor whose elements share memory gives no warning."""

    def filled(original: Any, *args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return original(*args, **kwargs)

    around(patch, "masked_fill_", filled)
