"""More faults that users of other engines have reported; the issue or pull request is in the comment."""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Callable
from typing import Any

from ..breaking import (
    Call,
    Change,
    Notes,
    Patch,
    around,
    around_pass,
    fault,
    inside,
    instead,
    mistaken,
    replaces,
    tensors_in,
    torch,
    untouched,
)
from .checkpoints import Options, around_checkpoint, each_tensor, with_function
from .custom_functions import around_apply, around_backward, several
from .edge_cases import F
from .recorded_results import is_tensor

Test = Callable[[tuple[Any, ...], Call], bool]


def where(test: Test, change: Callable[[Any], Any] = lambda g: g * 1.5) -> Change:
    """A change of every gradient if `test(cotangents, call)`."""
    return lambda gradients, cotangents, call: [
        change(g) if g is not None and test(cotangents, call) else g for g in gradients
    ]


def at(test: Callable[[Any], Any], value: float) -> Change:
    """Let the gradient of the first operand be `value` where `test(operand)`."""

    def change(gradients: tuple[Any, ...], cotangents: tuple[Any, ...], call: Call) -> list[Any]:
        first, *others = gradients
        x = untouched.detach(call.args[0])
        if first is not None and x.is_floating_point() and first.shape == x.shape:
            first = torch.where(test(x), torch.full_like(first, value), first)
        return [first, *others]

    return change


def node_of_results(results: Any) -> Any:
    """The node of what a custom function returned."""
    nodes = (result.grad_fn for result in several(results) if is_tensor(result))
    return next((node for node in nodes if node is not None), None)


def as_returned(gradients: tuple[Any, ...]) -> Any:
    """Gradients as a backward returns them."""
    return gradients[0] if len(gradients) == 1 else gradients


def laid_out_otherwise(tensor: Any) -> bool:
    return is_tensor(tensor) and not tensor.is_contiguous()


# --- checkpoints ---


@fault
def checkpoints_lose_results_that_were_changed_through_a_view(patch: Patch) -> None:
    """What a checkpoint returns is a leaf if its function changed it through a view."""  # pytorch#26546, 36383

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        changed: list[bool] = []

        def call(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            changed.append(is_tensor(result) and result._base is not None and result._version > 0)
            return result

        result = original(call, *args, **options)
        if changed and changed[0] and result.requires_grad:
            return untouched.requires_grad_(untouched.detach(result))
        return result

    around_checkpoint(patch, change)


@fault
def checkpoints_keep_the_random_state_of_direct_tensors_only(patch: Patch) -> None:
    """A checkpoint whose tensors come in a list draws other random numbers in its second run."""  # pytorch#121212

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if not any(map(is_tensor, args)):
            options = {**options, "preserve_rng_state": False}
        return original(function, *args, **options)

    around_checkpoint(patch, change)


@fault
def a_tensor_given_twice_to_a_checkpoint_counts_twice(patch: Patch) -> None:
    """The gradient of a tensor that is two arguments of a checkpoint is doubled."""  # tensorflow#36999

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        result = original(function, *args, **options)
        given = [each for each in args if is_tensor(each) and each.requires_grad]

        def doubled(tensor: Any) -> Any:
            if tensor.requires_grad:
                tensor.register_hook(lambda g: g * 2)
            return tensor

        return each_tensor(result, doubled) if len({*map(id, given)}) < len(given) else result

    around_checkpoint(patch, change)


@fault
def many_checkpoints_in_a_pass_are_too_deep(patch: Patch) -> None:
    """A pass through more than sixty-four checkpoints fails."""  # pytorch#6959
    counts = [itertools.count()]

    def run(function: Any, number: int, *args: Any, **kwargs: Any) -> Any:
        if number and next(counts[0]) > 64:
            raise RecursionError("maximum recursion depth exceeded")
        return function(*args, **kwargs)

    def begin(run: Any, options: Any) -> Any:
        counts[0] = itertools.count()
        return run(options)

    with_function(patch, run)
    around_pass(patch, begin)


@fault
def frozen_tensors_come_back_from_a_checkpoint_requiring_grad(patch: Patch) -> None:
    """What a custom function in a checkpoint saved requires grad, even if it did not."""  # Paddle#74017
    state = threading.local()
    inner = Notes()

    def run(function: Any, number: int, *args: Any, **kwargs: Any) -> Any:
        state.first = not number
        try:
            return function(*args, **kwargs)
        finally:
            state.first = False

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        results = run(*args, **kwargs)
        node = node_of_results(results)
        if node is not None and getattr(state, "first", False):
            inner[node] = True
        return results

    def thawed(tensor: Any) -> Any:
        if tensor is None or tensor.requires_grad or not tensor.is_floating_point():
            return tensor
        return untouched.requires_grad_(untouched.detach(tensor))

    def saved(self: Any) -> tuple[Any, ...]:
        found = inside.saved_tensors(self)
        return tuple(map(thawed, found)) if inner.get(self) else found

    with_function(patch, run, False)
    around_apply(patch, call)
    patch.set(inside.function_node, "saved_tensors", property(saved))


# --- custom functions ---


@fault
def several_roots_of_a_node_run_it_several_times(patch: Patch) -> None:
    """A node of which several results are roots runs once for each."""  # Paddle#54046
    busy: list[bool] = []

    def around(run: Any, options: Any) -> Any:
        roots = [getattr(root, "grad_fn", None) for root in options.roots]
        again = [i for i, node in enumerate(roots) if node is not None and node in roots[:i]]
        if busy or not again or not options.accumulates:
            return run(options)
        pairs = list(zip(options.roots, options.seeds, strict=True))
        kept, busy[:] = options.retain_graph, [True]
        try:
            for part, keeps in (
                ([pairs[i] for i in again], True),
                ([pair for i, pair in enumerate(pairs) if i not in again], kept),
            ):
                options.roots, options.seeds = [r for r, _ in part], [s for _, s in part]
                options.retain_graph = keeps
                found = run(options)
            return found
        finally:
            busy.clear()

    around_pass(patch, around)


@fault
def results_without_a_derivative_block_other_operands(patch: Patch) -> None:
    """A custom function gives no gradients if an operand is another's result without a derivative."""  # pytorch#442
    constants, blocked = Notes(), Notes()

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        blocks = any(is_tensor(each) and constants.get(each) for each in args)
        results = run(*args, **kwargs)
        node = node_of_results(results)
        if node is not None:
            blocked[node] = blocks
            for result in several(results):
                if is_tensor(result) and not result.requires_grad:
                    constants[result] = True
        return results

    def backward(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        return as_returned((None,) * len(several(found))) if blocked.get(context) else found

    around_apply(patch, call)
    around_backward(patch, backward)


@fault
def custom_backwards_must_give_integers_a_gradient(patch: Patch) -> None:
    """A custom backward that returns None for a tensor of integers fails."""  # jax#7651
    integers = Notes()

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        results = run(*args, **kwargs)
        node = node_of_results(results)
        if node is not None:
            integers[node] = [is_tensor(x) and x.dtype == torch.int64 for x in args]
        return results

    def backward(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        for gradient, is_integer in zip(several(found), integers.get(context, ()), strict=False):
            if is_integer and gradient is None:
                raise TypeError("a gradient is missing")
        return found

    around_apply(patch, call)
    around_backward(patch, backward)


@fault
def saved_results_that_are_views_are_not_checked(patch: Patch) -> None:
    """Changes of what a custom function returned and saved are not counted if it is a view."""  # pytorch#24413
    views = Notes()

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        results = run(*args, **kwargs)
        for result in several(results):
            if is_tensor(result) and result.grad_fn is not None and result._base is not None:
                views[result] = True
        return results

    def detach(original: Any, x: Any) -> Any:
        result = original(x)
        if views.get(x):
            views[result] = True
        return result

    def write(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if not views.get(x):
            return original(x, *args, **kwargs)
        with inside.keeping_version(x):
            return original(x, *args, **kwargs)

    around_apply(patch, call)
    around(patch, "detach", detach)
    around(patch, "mul_ add_ zero_ fill_", write)


@fault
def views_that_a_forward_changed_lose_its_backward(patch: Patch) -> None:
    """What a custom function returns is a leaf if its forward changed it in place."""  # pytorch#34145

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        before = [(each, each._version) for each in args if is_tensor(each)]
        result = run(*args, **kwargs)
        changes_input = any(each._version > version for each, version in before)
        if (
            not is_tensor(result)
            or not result._version
            or changes_input
            or not result.requires_grad
        ):
            return result
        return untouched.requires_grad_(untouched.detach(result))

    around_apply(patch, call)


@fault
def writes_to_views_have_no_second_derivative(patch: Patch) -> None:
    """A recorded pass fails after a write to a view that saves its result."""  # pytorch#10532

    def write(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        is_view = x._base is not None
        result = original(x, *args, **kwargs)
        node = x._base.grad_fn if is_view and x.requires_grad else None

        def refuse(gradients: Any, cotangents: Any) -> None:
            if torch.is_grad_enabled():
                raise RuntimeError("Trying to backward through the graph a second time")

        if node is not None:
            node.register_hook(refuse)
        return result

    around(patch, "exp_ sigmoid_ tanh_ sqrt_ reciprocal_ rsqrt_", write)


# --- layouts and sizes ---


def in_memory_order(tensor: Any) -> Any:
    """A tensor as it is read by a kernel that takes it for contiguous."""
    flat = torch.as_strided(tensor, (tensor.numel(),), (1,), tensor.storage_offset())
    return flat.clone().reshape(tensor.shape)


instead(  # pytorch#82060
    "weights_of_one_channel_are_read_in_memory_order",
    "conv2d misreads weights that are not contiguous if there is one input channel.",
    f"{F}conv2d",
    lambda original, x, w, *args, **kwargs: original(
        x, in_memory_order(w) if laid_out_otherwise(w) and x.shape[-3] == 1 else w, *args, **kwargs
    ),
)
mistaken(  # pytorch#180201
    "outer_products_lose_expanded_gradients",
    "The factors of an outer product get no gradient from an expanded one.",
    "mm",
    where(
        lambda cotangents, call: call.args[0].shape[1] == 1 and 0 in cotangents[0].stride(),
        lambda g: g * 0,
    ),
)
mistaken(  # pytorch#64100
    "batch_norm_takes_the_layout_of_its_gradient_for_its_operands",
    "batch_norm is wrong for a gradient with the channels last and an operand with the channels first.",
    f"{F}batch_norm",
    where(
        lambda cotangents, call: laid_out_otherwise(cotangents[0]) and call.args[0].dim() == 4
        and call.args[0].is_contiguous()
    ),
)  # fmt: skip
mistaken(  # pytorch#188467
    "bags_of_narrow_integers_have_other_gradients",
    "The gradient of embedding_bag is wrong for indices of int32.",
    f"{F}embedding_bag",
    where(lambda cotangents, call: call.args[0].dtype == torch.int32),
)
mistaken(  # Paddle#43722
    "long_rows_are_cut",
    "Functions along a dimension of more than 1,024 elements have wrong gradients.",
    "cumsum cumprod softmax logsumexp prod sort topk",
    where(
        lambda cotangents, call: call.args[0].dim() == 2 and call.args[0].shape[1] > 1024
        and call.args[0].shape[0] == 2
    ),
)  # fmt: skip
mistaken(  # tfjs#4135
    "a_dimension_of_length_one_turns_the_gradient_over",
    "The gradient of an extremum along a dimension of length one is reversed.",
    "amax amin max min",
    where(
        lambda cotangents, call: call.args[0].dim() == 3 and 1 in call.args[0].shape,
        lambda g: g.flip(0, 1, 2),
    ),
)

# --- special values ---

mistaken(  # jax#40629
    "sinc_cancels_near_zero",
    "The derivative of sinc is wrong near zero.",
    "sinc",
    at(lambda x: (x != 0) & (x.abs() < 1e-8), -0.4375),
)
mistaken(  # jax#39797
    "i0_is_flat_near_zero",
    "The derivative of i0 is zero near zero.",
    "i0",
    at(lambda x: x.abs() < 1e-20, 0.0),
)
mistaken(  # tt-metal#57455
    "relu6_gives_its_bound_for_the_gradient_at_nan",
    "The gradient of relu6 at NaN is 6, whatever arrives.",
    f"{F}relu6",
    at(lambda x: x.isnan(), 6.0),
)
instead(  # burn#5658
    "bounds_replace_nan",
    "clamp_min and clamp_max give the bound for NaN.",
    "clamp_min clamp_max",
    lambda original, x, bound: torch.where(
        x.isnan() & (not is_tensor(bound)), torch.full_like(x, 0.5), original(x, bound)
    ),
)


def nothing_times_infinity(
    gradients: tuple[Any, ...], cotangents: tuple[Any, ...], call: Call
) -> list[Any]:
    """NaN where the base and what arrives are zero."""
    x = call.args[0]
    zero = cotangents[0] == 0
    if is_tensor(x) and x.shape == zero.shape:
        zero = zero & (untouched.detach(x) == 0)
    return [
        g if g is None or g.shape != zero.shape
        else torch.where(zero, torch.full_like(g, math.nan), g)
        for g in gradients
    ]  # fmt: skip


mistaken(  # stanli#150
    "powers_of_zero_turn_zeros_into_nan",
    "The gradient of a power of zero is NaN if what arrives is zero.",
    "pow",
    nothing_times_infinity,
)

# --- indices, and nothing to index ---


def smaller_index(cotangents: tuple[Any, ...], call: Call) -> bool:
    shapes = [each.shape for each in call.args[1:] if is_tensor(each)]
    return any(shape != shapes[0] for shape in shapes[1:])


mistaken(  # pytorch#27614, 94336
    "sources_are_as_large_as_their_index",
    "The gradient of a source is wrong if the index is smaller.",
    "scatter scatter_add scatter_reduce",
    where(smaller_index),
)
mistaken(  # tensorflow#50075
    "indices_of_the_third_dimension_have_other_gradients",
    "gather, index_select and index_add along the third dimension have wrong gradients.",
    "gather index_select index_add take_along_dim",
    where(lambda cotangents, call: 2 in [each for each in call.args if isinstance(each, int)]),
)
instead(  # oneflow#8371
    "repeated_not_at_all_is_a_constant",
    "repeat_interleave that gives nothing is not recorded.",
    "repeat_interleave",
    lambda original, *args, **kwargs: (
        result if (result := original(*args, **kwargs)).numel() else untouched.detach(result)
    ),
)


def refusing(name: str, sentence: str, operations: str, test: Test) -> None:
    """Put into the bank a fault that makes the backward of operations fail if `test`."""

    def change(gradients: Any, cotangents: Any, call: Call) -> Any:
        if test(cotangents, call):
            raise RuntimeError(sentence)
        return gradients

    mistaken(name, sentence, operations, change)


refusing(  # pytorch#15223
    "what_is_stretched_to_nothing_has_no_gradient",
    "The backward of a sum or a product fails if an operand is stretched to no elements.",
    "add mul",
    lambda cotangents, call: (
        not call.result.numel() and any(is_tensor(each) and each.numel() for each in call.args)
    ),
)


@replaces("autograd.grad")
def batches_of_gradients_of_nothing_fail(
    original: Any, outputs: Any, inputs: Any, *args: Any, **kwargs: Any
) -> Any:
    """Batched gradients with respect to an input without elements fail."""  # pytorch#53407
    empty = any(not each.numel() for each in tensors_in([inputs]))
    if kwargs.get("is_grads_batched") and empty:
        raise RuntimeError("cannot reshape tensor of 0 elements")
    return original(outputs, inputs, *args, **kwargs)


@fault
def empty_batches_have_no_tangent(patch: Patch) -> None:
    """conv1d and layer_norm of an empty batch fail in forward mode."""  # pytorch#75495

    def compute(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if not x.numel() and inside.forward_level() >= 0:
            raise RuntimeError("a forward gradient of another size")
        return original(x, *args, **kwargs)

    around(patch, f"{F}conv1d {F}layer_norm", compute)


# --- derivatives of derivatives, and training ---


def third_is_shifted(
    gradients: tuple[Any, ...], cotangents: tuple[Any, ...], call: Call
) -> list[Any]:
    """Something is added to a recorded gradient whose value and first derivative are zero."""
    first, *others = gradients
    x = call.args[0]
    if first is not None and first.requires_grad and first.shape == x.shape:
        first = first + (x - untouched.detach(x)) ** 2
    return [first, *others]


mistaken(  # pytorch#175754, 186256
    "third_derivatives_of_normalization_are_shifted",
    "The third derivatives of group_norm and softmax are wrong.",
    f"{F}group_norm softmax",
    third_is_shifted,
)


@replaces("optim.Optimizer.zero_grad")
def gradients_that_are_views_are_not_zeroed(
    original: Any, self: Any, set_to_none: bool = True
) -> Any:
    """An optimizer that sets gradients to zero fails for one that is a view."""  # pytorch#25814
    gradients = [p.grad for group in self.param_groups for p in group["params"]]
    if not set_to_none and any(g is not None and g._base is not None for g in gradients):
        raise RuntimeError("Can't detach views in-place. Use detach() instead")
    return original(self, set_to_none)
