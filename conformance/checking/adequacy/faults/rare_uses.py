"""Faults of uses that are rare: several results of a checkpoint, chunks of random numbers, a tensor in two
places of one hook."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch
from .checkpoints import around_checkpoint, is_reentrant, plain, with_function
from .transforms import calls


@fault
def random_numbers_are_drawn_for_each_chunk(patch: Patch) -> None:
    """With randomness='same', each chunk of vmap draws its own numbers."""

    def change(vmap: Any, f: Any, *args: Any, **options: Any) -> Any:
        if options.get("chunk_size") is not None and options.get("randomness") == "same":
            options["randomness"] = "different"
        return vmap(f, *args, **options)

    calls(patch, "vmap", change)


@fault
def generated_rules_differentiate_by_the_first_input(patch: Patch) -> None:
    """With generate_vmap_rule, all inputs but the first are constants."""
    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if cls.generate_vmap_rule and len(args) > 1:
            args = args[0], *(x.detach() if isinstance(x, torch.Tensor) else x for x in args[1:])
        return original(cls, *args, **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


@replaces("autograd.functional.hessian")
def blocks_of_a_hessian_in_forward_mode_are_transposed(
    original: Any, func: Any, inputs: Any, **options: Any
) -> Any:
    """With outer_jacobian_strategy='forward-mode', the blocks of a Hessian come in the wrong order."""
    found = original(func, inputs, **options)
    forward = options.get("outer_jacobian_strategy") == "forward-mode"
    several = not any(isinstance(value, torch.Tensor) for value in (found, found[0]))
    return tuple(zip(*found, strict=True)) if forward and several else found


@fault
def a_reentrant_checkpoint_needs_every_result(patch: Patch) -> None:
    """A pass through one of several results of a reentrant checkpoint gives the input no gradient."""

    class Join(torch.autograd.Function):  # type: ignore[misc, name-defined, unused-ignore]
        @staticmethod
        def forward(ctx: Any, *results: Any) -> Any:
            ctx.set_materialize_grads(False)
            return tuple(result * 1.0 for result in results)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            missing = any(gradient is None for gradient in gradients)
            return (None,) * len(gradients) if missing else gradients

    def change(original: Any, function: Any, args: Any, options: Any) -> Any:
        found = original(function, *args, **options)
        several = is_reentrant(options) and isinstance(found, tuple)
        if not several or not all(isinstance(x, torch.Tensor) and x.requires_grad for x in found):
            return found
        return Join.apply(*found)

    around_checkpoint(patch, change)


@fault
def a_checkpoint_runs_recorded_twice(patch: Patch) -> None:
    """From its fourth run on, the function of a checkpoint runs under no_grad."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        if run < 3:
            return function(*args, **kwargs)
        with torch.no_grad():
            return function(*args, **kwargs)

    with_function(patch, change, False)


@fault
def results_of_second_runs_stay_alive(patch: Patch) -> None:
    """What the second run of a checkpoint's function returned last is kept."""
    held: list[Any] = []

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        found = function(*args, **kwargs)
        if run:
            held[:] = [found]
        return found

    with_function(patch, change)
    patch.at_end(held.clear)


def gathered(patch: Patch, change: Any) -> None:
    """Let hooks of several tensors be registered as `change(original, tensors, hook, mode)` does."""

    def make(original: Any) -> Any:
        def register(tensors: Any, hook: Any, *, mode: str = "all") -> Any:
            return change(original, list(tensors), hook, mode)

        return register

    patch.wrap(torch.autograd.graph, "register_multi_grad_hook", make)


@fault
def a_tensor_in_two_places_of_a_hook_counts_once(patch: Patch) -> None:
    """A hook of several tensors is given one gradient for a tensor that stands there twice."""

    def change(original: Any, tensors: Any, hook: Any, mode: str) -> Any:
        kept = {id(tensor): tensor for tensor in tensors}
        return original(list(kept.values()), hook, mode=mode)

    gathered(patch, change)


@fault
def results_of_one_operation_have_one_gradient(patch: Patch) -> None:
    """A hook of several tensors is given None for all results of an operation but the first."""

    def change(original: Any, tensors: Any, hook: Any, mode: str) -> Any:
        nodes = [tensor.grad_fn for tensor in tensors]
        again = [node is not None and node in nodes[:k] for k, node in enumerate(nodes)]

        def called(gradients: Any) -> None:
            if mode == "all":
                pairs = zip(again, gradients, strict=True)
                gradients = [None if later else gradient for later, gradient in pairs]
            hook(gradients)

        return original(tensors, called, mode=mode)

    gathered(patch, change)


@fault
def a_checkpoint_within_another_is_a_plain_call(patch: Patch) -> None:
    """Within the function of a checkpoint, another checkpoint calls its function, and keeps what that saves."""
    depth: list[bool] = []

    def change(original: Any, function: Any, args: Any, options: Any) -> Any:
        if depth:
            return plain(function, args, options)

        def call(*args: Any, **kwargs: Any) -> Any:
            depth.append(True)
            try:
                return function(*args, **kwargs)
            finally:
                depth.pop()

        return original(call, *args, **options)

    around_checkpoint(patch, change)
