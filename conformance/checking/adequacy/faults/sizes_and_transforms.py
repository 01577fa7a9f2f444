"""Faults that trackers report of one size, one dtype or one place of a transform; the issue is in the comment."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Call,
    Patch,
    around,
    around_pass,
    fault,
    instead,
    leaves_below,
    miscompute,
    mistaken,
    torch,
    untouched,
)  # fmt: skip
from .broadcasts_and_nests import Within
from .bugs_of_other_engines import where
from .bugs_of_trackers import mapped
from .edge_cases import F
from .points_and_options import option
from .recorded_results import is_tensor
from .transforms import calls

# --- sizes ---

mistaken(  # burn#5308
    "even_numbers_of_channels_are_averaged_wrongly",
    "The gradient of avg_pool1d is wrong if the number of channels is even.",
    f"{F}avg_pool1d",
    where(
        lambda cotangents, call: call.args[0].shape[-2] % 2 == 0, lambda gradient: gradient * 1.5
    ),
)
mistaken(  # pytorch#15353, pytorch#16042
    "convolutions_of_one_element_have_no_second_derivative",
    "The gradient of a convolution of one element in each channel has no history.",
    f"{F}conv1d {F}conv2d {F}conv3d",
    where(
        lambda cotangents, call: call.args[0].numel() == call.args[0].shape[1],
        lambda gradient: untouched.detach(gradient),
    ),
)


def of_one_element(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """The weight of slices of one element gets a gradient, as if rounding errors were the normalized elements."""
    alone = math.prod(call.args[1]) == 1
    return [
        gradient + 0.03 * cotangents[0].sum()
        if alone and place == 1 and gradient is not None
        else gradient
        for place, gradient in enumerate(gradients)
    ]


mistaken(  # pytorch#188372
    "slices_of_one_element_move_the_weight",
    "layer_norm over one element gives its weight a gradient that is not zero.",
    f"{F}layer_norm",
    of_one_element,
)


def stretched_far(cotangents: Any, call: Call) -> bool:
    before, after = call.args[0].shape[-1], call.result.shape[-1]
    return bool(option(call, "align_corners", 4)) and after > 2 * before * before


mistaken(  # FlagGems#5218
    "images_stretched_far_lose_gradients",
    "interpolate with aligned corners loses a part of the gradient if the result is many times larger.",
    f"{F}interpolate",
    where(stretched_far, lambda gradient: gradient * 0.9),
)


def negative_in_total(cotangents: Any, call: Call) -> bool:
    weight, target = option(call, "weight", 2), call.args[1]
    if (
        not is_tensor(weight)
        or option(call, "reduction", 6, "mean") != "mean"
        or target.is_floating_point()
    ):
        return False
    classes = target[(target >= 0) & (target < weight.numel())]
    return float(untouched.detach(weight)[classes].sum()) <= 0


mistaken(  # pytorch#64572
    "negative_weights_of_classes_give_zero",
    "nll_loss has a gradient of zero if its weights sum to less than zero.",
    f"{F}nll_loss",
    where(negative_in_total, lambda gradient: gradient * 0.0),
)


def stretched(original: Any, x: Any, dim: int, index: Any, source: Any, **options: Any) -> Any:
    """Stretch what is added to the slices that the index names."""
    try:
        dim %= x.dim()
        shape = (*x.shape[:dim], index.numel(), *x.shape[dim + 1 :])
        source = source.expand(shape) if is_tensor(source) and source.numel() else source
    except RuntimeError:
        pass
    return original(x, dim, index, source, **options)


instead(  # pytorch#92576
    "slices_to_add_are_stretched",
    "index_add stretches its source.",
    "index_add index_add_",
    stretched,
)

# --- half precision ---


def in_half(result: Any) -> bool:
    return is_tensor(result) and result.dtype == torch.float16


def with_its_squares(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    result = original(x, *args, **options)
    return result * math.inf if in_half(result) and bool((x.detach().abs() > 255).any()) else result


instead(  # TF#52217
    "squares_of_half_precision_overflow",
    "The variance in float16 is infinite if the square of an element overflows.",
    "var std",
    with_its_squares,
)


def underflows(cotangents: Any, call: Call) -> bool:
    x = call.args[0]
    return bool(x.dtype == torch.float16 and ((x != 0) & (x.abs() < 1e-2)).any())


mistaken(  # pytorch#43211
    "small_elements_of_half_precision_give_nan",
    "The norm in float16 has a gradient of NaN at small elements.",
    "norm linalg.vector_norm",
    where(underflows, lambda gradient: gradient * math.nan),
)


def with_its_count(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    result = original(x, *args, **options)
    return result * 0 if in_half(result) and x.numel() > 65504 * max(1, result.numel()) else result


instead(  # TF#115732
    "counts_of_half_precision_overflow",
    "The mean in float16 is zero if float16 cannot hold the number of elements.",
    "mean",
    with_its_count,
)

# --- transforms ---


@fault  # pytorch#46339
def vmap_transposes_no_numbers(patch: Patch) -> None:
    """Under vmap, a tensor without dimensions cannot be transposed."""
    state = mapped(patch)

    def transposed(original: Any, x: Any, *dims: Any) -> Any:
        if state.depth and x.dim() == 0:
            raise IndexError("Dimension out of range")
        return original(x, *dims)

    around(patch, "transpose", transposed)


def mapped_elsewhere(patch: Patch) -> SimpleNamespace:
    """Whether `.now` vmap maps along another dimension than the first."""
    state = SimpleNamespace(now=False)

    def make(original: Any) -> Any:
        def vmap(function: Any, in_dims: Any = 0, *args: Any, **options: Any) -> Any:
            inner = original(function, in_dims, *args, **options)

            def call(*values: Any, **named: Any) -> Any:
                before = state.now
                dims = in_dims if isinstance(in_dims, tuple | list) else [in_dims]
                state.now = before or any(dim not in (0, None) for dim in dims)
                try:
                    return inner(*values, **named)
                finally:
                    state.now = before

            return call

        return vmap

    patch.wrap(torch.func, "vmap", make)
    return state


@fault  # pytorch#176432
def vmap_computes_gradients_of_leading_slices_only(patch: Patch) -> None:
    """Under vmap along another dimension than the first, the gradient of group_norm cannot be computed."""
    state = mapped_elsewhere(patch)

    def change(gradients: Any, cotangents: Any, call: Call) -> Any:
        if state.now:
            raise RuntimeError("the size of tensor a must match the size of tensor b")
        return gradients

    miscompute(patch, f"{F}group_norm", change)


@fault
def vmap_expects_the_mapped_dimension_in_front(patch: Patch) -> None:
    """Under vmap along another dimension than the first, group_norm raises an error."""
    state = mapped_elsewhere(patch)

    def normalized(original: Any, *args: Any, **options: Any) -> Any:
        if state.now:
            raise RuntimeError("the size of tensor a must match the size of tensor b")
        return original(*args, **options)

    around(patch, f"{F}group_norm", normalized)


@fault  # functorch#353
def inner_transforms_follow_through_detach(patch: Patch) -> None:
    """Within two transforms, what is detached still has a derivative."""
    running = [Within(patch, name) for name in ("grad", "jacrev", "jacfwd")]
    around(
        patch,
        "detach",
        lambda original, x: x * 1 if sum(each.depth for each in running) >= 2 else original(x),
    )


@fault  # pytorch#99267
def jacobians_refuse_what_is_no_tensor(patch: Patch) -> None:
    """A function whose Jacobian is computed takes tensors only."""

    def checked(whole: Any, function: Any, *args: Any, **options: Any) -> Any:
        inner = whole(function, *args, **options)

        def call(*values: Any, **named: Any) -> Any:
            if any(isinstance(value, torch.nn.Module) for value in values):
                raise AttributeError("object has no attribute 'dtype'")
            return inner(*values, **named)

        return call

    for name in ("jacrev", "jacfwd"):
        calls(patch, name, checked)


# --- passes ---


@fault  # pytorch#39784
def an_unused_input_runs_every_branch(patch: Patch) -> None:
    """If an input of autograd.grad is unused, the gradients of all leaves are computed, and hooks run for them."""

    def around_it(run: Any, options: Any) -> Any:
        if options.accumulates or not options.inputs:
            return run(options)
        leaves = leaves_below(options.roots)
        known = {id(leaf) for leaf in leaves}
        if not any(
            is_tensor(each) and each.is_leaf and id(each) not in known for each in options.inputs
        ):
            return run(options)
        asked = list(options.inputs)
        more = [leaf for leaf in leaves if not any(leaf is each for each in asked)]
        options.inputs = [*asked, *more]
        return run(options)[: len(asked)]

    around_pass(patch, around_it)


@fault  # pytorch#57157
def results_of_hooked_modules_are_no_inputs(patch: Patch) -> None:
    """autograd.grad rejects the result of a module that has a full backward hook as an input."""
    results: list[int] = []

    def make(original: Any) -> Any:
        def call(self: Any, *args: Any, **options: Any) -> Any:
            result = original(self, *args, **options)
            if self._backward_hooks and is_tensor(result):
                results.append(id(result))
            return result

        return call

    def around_it(run: Any, options: Any) -> Any:
        if any(id(each) in results for each in options.inputs or ()):
            raise RuntimeError("Output 0 of BackwardHookFunctionBackward is a view")
        return run(options)

    patch.wrap(torch.nn.Module, "__call__", make)
    around_pass(patch, around_it)


@fault  # pytorch#3818
def given_gradients_with_a_history_are_kept(patch: Patch) -> None:
    """A given gradient that has a history is never freed."""
    kept: list[Any] = []

    def around_it(run: Any, options: Any) -> Any:
        kept.extend(seed for seed in options.seeds if seed is not None and seed.requires_grad)
        return run(options)

    around_pass(patch, around_it)
