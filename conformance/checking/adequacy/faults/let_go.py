"""Faults from trackers: what operations and callbacks keep, and features that fail only together; the issue is in
the comment."""

from __future__ import annotations

from typing import Any

from ..breaking import Notes, Patch, around, fault, inside, instead, miscompute, replaces, torch
from .bugs_of_other_engines import in_memory_order, laid_out_otherwise
from .bugs_of_trackers import mapped
from .checkpoints import Options, around_checkpoint
from .custom_forwards import for_each_call, sets_up
from .edge_cases import F
from .hooks import changed_hook
from .recorded_results import is_tensor
from .transforms import calls

# --- lifetimes ---


@fault  # pytorch#3835
def recorded_gradients_of_convolutions_stay_alive(patch: Patch) -> None:
    """A convolution keeps the gradients that it computes while recording."""
    held: list[Any] = []

    def keep(gradients: Any, cotangents: Any, call: Any) -> Any:
        if torch.is_grad_enabled():
            held[:] = gradients
        return gradients

    miscompute(patch, f"{F}conv1d {F}conv2d", keep)
    patch.at_end(held.clear)


@fault
def results_of_softplus_live_in_their_level(patch: Patch) -> None:
    """softplus keeps the result that it computes in forward mode."""
    held: list[Any] = []

    def keep(original: Any, *args: Any, **options: Any) -> Any:
        result = original(*args, **options)
        if inside.forward_level() >= 0:
            held[:] = [result]
        return result

    around(patch, f"{F}softplus", keep)
    patch.at_end(held.clear)


@fault  # pytorch#3679
def writes_that_save_their_result_keep_the_base(patch: Patch) -> None:
    """The node of a base that was changed through a view refers to it, where the change saves its result."""

    def write(original: Any, x: Any, *args: Any) -> Any:
        result = original(x, *args)
        base = x._base
        if base is not None and base.grad_fn is not None:
            base.grad_fn.metadata["base"] = base
        return result

    around(patch, "exp_ sigmoid_ tanh_ sqrt_ reciprocal_ rsqrt_", write)


@fault  # pytorch#188034
def what_setup_context_returns_stays_alive(patch: Patch) -> None:
    """The engine keeps what setup_context returned."""
    held: list[Any] = []

    def change(cls: Any, args: Any, kwargs: Any) -> Any:
        if not sets_up(cls):
            return {}
        setup = cls.setup_context

        def noted(*given: Any, **named: Any) -> Any:
            held.append(setup(*given, **named))

        return {"setup_context": noted}

    for_each_call(patch, change)
    patch.at_end(held.clear)


@fault
def gradients_that_hooks_gave_stay_alive(patch: Patch) -> None:
    """The engine keeps what a hook of a tensor returned."""
    held: list[Any] = []

    def change(hook: Any, tensor: Any) -> Any:
        def noted(gradient: Any) -> Any:
            found = hook(gradient)
            held.append(found)
            return found

        return noted

    changed_hook(patch, change)
    patch.at_end(held.clear)


# --- together ---


@fault  # functorch#417
def vectors_in_batches_of_batches_have_no_products(patch: Patch) -> None:
    """Under two vmaps, the product of a vector and a matrix raises an error."""
    state = mapped(patch)

    def matmul(original: Any, x: Any, y: Any, *args: Any, **options: Any) -> Any:
        if state.depth > 1 and x.dim() == 1 and y.dim() == 2:
            raise RuntimeError("self_bdim.has_value() INTERNAL ASSERT FAILED")
        return original(x, y, *args, **options)

    around(patch, "matmul", matmul)


@fault  # torch_musa#150
def checkpoints_draw_again_on_other_devices(patch: Patch) -> None:
    """A checkpoint of arguments on another device than the CPU does not restore the random state."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if any(is_tensor(x) and x.device.type != "cpu" for x in args):
            options = {**options, "preserve_rng_state": False}
        return original(function, *args, **options)

    around_checkpoint(patch, change)


@replaces("nn.utils.clip_grad_norm_")  # Megatron-LM#5529
def no_gradients_have_no_largest_norm(
    original: Any, parameters: Any, max_norm: Any, norm_type: Any = 2.0, *args: Any, **options: Any
) -> Any:
    """Clipping by the infinity norm raises an error if there are no gradients."""
    listed = [parameters] if is_tensor(parameters) else list(parameters)
    if norm_type == float("inf") and all(p.grad is None for p in listed):
        raise ValueError("max() arg is an empty sequence")
    return original(listed, max_norm, norm_type, *args, **options)


instead(  # pytorch#131736
    "second_operands_are_compared_in_the_order_of_memory",
    "Comparisons misread a second operand that is not contiguous.",
    "eq ne logical_or",
    lambda original, x, y, *args, **options: original(
        x, in_memory_order(y) if is_tensor(y) and laid_out_otherwise(y) else y, *args, **options
    ),
)


@fault
def operands_mapped_at_different_levels_are_refused(patch: Patch) -> None:
    """logaddexp raises an error if its operands are mapped by different vmaps."""
    levels = Notes()
    depth = [0]

    def vmap(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        def inner(*args: Any, **keywords: Any) -> Any:
            depth[0] += 1
            for x in filter(is_tensor, args):
                levels[x] = depth[0]
            try:
                return f(*args, **keywords)
            finally:
                depth[0] -= 1

        return whole(inner, *args, **options)

    def logaddexp(original: Any, x: Any, y: Any, *args: Any, **options: Any) -> Any:
        if depth[0] > 1 and levels.get(x) != levels.get(y):
            raise RuntimeError("the batch dimensions have different levels")
        return original(x, y, *args, **options)

    calls(patch, "vmap", vmap)
    around(patch, "logaddexp", logaddexp)


@replaces("nn.utils.clip_grad_value_")
def gradients_that_are_missing_cannot_be_clipped(
    original: Any, parameters: Any, *args: Any, **options: Any
) -> Any:
    """clip_grad_value_ raises an error if a parameter has no gradient."""
    listed = [parameters] if is_tensor(parameters) else list(parameters)
    if any(p.grad is None for p in listed):
        raise RuntimeError("a gradient is missing")
    return original(listed, *args, **options)


def by_the_first(original: Any, LU: Any, pivots: Any, B: Any, **options: Any) -> Any:
    """lu_solve that counts the matrices of a batch by the stride of a dimension of size one."""
    if LU.dim() > 3 and LU.shape[-3] == 1:
        LU, pivots = LU[:1].expand(LU.shape), pivots[:1].expand(pivots.shape)
    return original(LU, pivots, B, **options)


instead(
    "all_systems_are_solved_by_the_factors_of_the_first",
    "With several right-hand sides for each of a batch of matrices, lu_solve takes the first one's factors.",
    "linalg.lu_solve",
    by_the_first,
)
