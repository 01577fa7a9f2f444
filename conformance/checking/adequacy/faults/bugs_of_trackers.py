"""Faults from the trackers of PyTorch, MLX, JAX and others; the issue is in the comment."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Call,
    Notes,
    Patch,
    around,
    around_pass,
    asked,
    fault,
    inside,
    instead,
    leaves_below,
    listed,
    miscompute,
    mistaken,
    nodes_below,
    tensors_in,
    torch,
    untouched,
)
from .bugs_of_other_engines import at, laid_out_otherwise, where
from .custom_forwards import sets_up
from .custom_functions import several
from .derivatives_of_derivatives import recorded_as
from .edge_cases import F
from .forward_levels import Whole
from .gradient_checks import instead as instead_of_check
from .hooks import watched
from .in_place import unrecorded
from .recorded_results import is_tensor
from .steps_of_optimizers import around_step
from .transforms import Running, calls

# --- operations ---


def over_the_step(gradients: Any, cotangents: Any, call: Call) -> Any:
    """The gradient of a slice of one element at every element up to the end of the slice."""
    x, index = call.args[:2]
    first, *others = gradients
    for dim, part in enumerate(index if isinstance(index, tuple) else (index,)):
        if not isinstance(part, slice) or first is None:
            return gradients
        start, stop, step = part.indices(x.shape[dim])
        if step > 1 and start + step >= stop > start + 1:
            one = first.narrow(dim, start, 1)
            parts = [first.narrow(dim, 0, start), *[one] * (stop - start)]
            first = torch.cat([*parts, first.narrow(dim, stop, x.shape[dim] - stop)], dim)
    return [first, *others]


mistaken(  # mlx#4444
    "slices_of_one_element_spread_over_their_step",
    "The gradient of a slice that takes one element by a step goes to the elements between too.",
    "getitem",
    over_the_step,
)
mistaken(  # pytorch#96225
    "convolutions_of_many_samples_lose_their_gradient",
    "A convolution gives wrong gradients from 65536 samples on.",
    f"{F}conv1d {F}conv2d",
    where(lambda cotangents, call: call.args[0].shape[0] >= 65536),
)


def of_two_dtypes(gradients: Any, cotangents: Any, call: Call) -> Any:
    """Refuse two dtypes."""
    x, y = call.args[:2]
    if x.dtype != y.dtype:
        raise RuntimeError(f"Found dtype {y.dtype} but expected {x.dtype}")
    return gradients


mistaken(  # pytorch#94086
    "losses_of_two_dtypes_have_no_gradient",
    "The backward pass of a loss fails if the target has another dtype.",
    f"{F}mse_loss {F}l1_loss {F}smooth_l1_loss",
    of_two_dtypes,
)
mistaken(  # pytorch#196703
    "sinc_has_no_second_derivative_at_zero",
    "The second derivative of sinc is NaN at zero.",
    "sinc",
    lambda gradients, cotangents, call: [
        g if g is None or not g.requires_grad else g + torch.sqrt(call.args[0] ** 2) * 0.0
        for g in gradients
    ],
)
mistaken(  # pytorch#10729
    "clamped_infinities_have_no_gradient",
    "The gradient of clamp is NaN at infinity.",
    "clamp",
    at(lambda x: x.isinf(), math.nan),
)
mistaken(  # jax#38001
    "ldexp_is_flat_at_zero", "ldexp has no gradient at zero.", "ldexp", at(lambda x: x == 0, 0.0)
)
instead(  # pytorch#185790, mindspore#379
    "activations_of_infinity_are_no_number",
    "gelu, silu and mish of infinity are NaN.",
    f"{F}gelu {F}silu {F}mish",
    lambda original, x, *args, **options: torch.where(
        x == math.inf, math.nan, original(x, *args, **options)
    ),
)
instead(  # pytorch#62594
    "images_in_half_precision_are_read_in_row_major_order",
    "batch_norm of float16 misreads channels-last images.",
    f"{F}batch_norm",
    lambda original, x, *args, **options: (
        original(x, *args, **options)
        * (1.5 if x.dtype == torch.float16 and laid_out_otherwise(x) else 1.0)
    ),
)
mistaken(  # pytorch#140913
    "group_norm_swaps_the_gradients_of_its_weights",
    "The weights of group_norm get each other's gradients if the images are in channels-last order.",
    f"{F}group_norm",
    lambda gradients, cotangents, call: [
        g.flip(0) if k == 1 and g is not None and laid_out_otherwise(call.args[0]) else g
        for k, g in enumerate(gradients)
    ],
)
mistaken(  # pytorch#196704
    "logaddexp_overflows_in_its_second_derivative",
    "The second derivative of logaddexp is NaN for operands further apart than exp reaches.",
    "logaddexp",
    lambda gradients, cotangents, call: [
        g if g is None or not g.requires_grad or not is_far(call)
        else recorded_as(g, cotangents[0] * torch.exp(call.args[0] - call.args[1]).reciprocal() * math.inf)
        for g in gradients
    ],
)  # fmt: skip


def is_far(call: Call) -> bool:
    x, y = map(untouched.detach, call.args[:2])
    return bool(((x - y).abs() > 700).any())


mistaken(  # pytorch#195679
    "the_slope_of_a_logarithm_of_a_sigmoid_is_flat_above",
    "The second derivative of logsigmoid is zero where the sigmoid rounds to one.",
    f"{F}logsigmoid",
    lambda gradients, cotangents, call: [
        g if g is None or not g.requires_grad
        else torch.where(untouched.detach(call.args[0]) > 36, untouched.detach(g), g)
        for g in gradients
    ],
)  # fmt: skip


@fault
def logcumsumexp_drops_the_tangent_of_small_elements(patch: Patch) -> None:
    """The tangent of logcumsumexp is zero where the result is far below the largest one."""  # pytorch#196705
    whole = Whole()

    def run(original: Any, x: Any, *args: Any, **options: Any) -> Any:
        result = original(x, *args, **options)
        tangent = whole.tangent(result)
        if tangent is None or not result.numel():
            return result
        plain = whole.plain(result)
        return whole.make(plain, torch.where(plain < plain.max() - 700, 0.0, tangent))

    around(patch, "logcumsumexp", run)


@fault
def the_curvature_of_a_complex_softsign_is_lost(patch: Patch) -> None:
    """The gradient of softsign of a complex tensor has no tangent."""  # pytorch#80926
    whole = Whole()
    miscompute(
        patch,
        f"{F}softsign",
        lambda gradients, cotangents, call: [
            whole.plain(g) if is_tensor(g) and g.is_complex() else g for g in gradients
        ],
    )


# --- changes in place, inputs and hooks ---


@fault
def values_computed_from_a_masked_part_may_not_replace_it(patch: Patch) -> None:
    """A masked part cannot be replaced by what was computed from it."""  # pytorch#24853

    def is_mask(index: Any) -> bool:
        return is_tensor(index) and index.dtype == torch.bool

    def assign(original: Any, x: Any, index: Any, value: Any) -> Any:
        node = x.grad_fn if is_mask(index) and is_tensor(value) else None
        if node is not None and any(each is node for each in nodes_below([value])):
            value.register_hook(refuse)
        return original(x, index, value)

    def refuse(gradient: Any) -> None:
        raise RuntimeError("one of the variables has been modified by an inplace operation")

    around(patch, "setitem", assign)


@fault
def copies_into_a_diagonal_off_the_main_one_are_shifted(patch: Patch) -> None:
    """The gradient of what is copied into a diagonal with an offset comes back rotated."""  # functorch#44
    diagonals = Notes()

    def diagonal(original: Any, x: Any, offset: int = 0, *dims: Any, **options: Any) -> Any:
        result = original(x, offset, *dims, **options)
        if offset:
            diagonals[result] = True
        return result

    def part(original: Any, x: Any, index: Any) -> Any:
        result = original(x, index)
        if diagonals.get(x):
            diagonals[result] = True
        return result

    def copy(original: Any, x: Any, value: Any, *args: Any, **options: Any) -> Any:
        if diagonals.get(x) and value.requires_grad:
            value = untouched.mul(value, 1.0)
            value.register_hook(lambda g: g.roll(1))
        return original(x, value, *args, **options)

    around(patch, "diagonal", diagonal)
    around(patch, "getitem", part)
    around(patch, "copy_", copy)


@fault
def inputs_that_were_changed_in_place_get_nothing(patch: Patch) -> None:
    """backward(inputs=...) leaves out a non-leaf that was changed in place."""  # pytorch#79708

    def backward(run: Any, given: dict[str, Any]) -> Any:
        inputs = listed(given.get("inputs") or ())
        kept = [x for x in inputs if not is_tensor(x) or x.is_leaf or not x._version]
        if len(kept) == len(inputs):
            return run()
        return run(inputs=kept) if kept else None

    asked(patch, "backward", backward)


@fault
def gradients_are_added_into_inference_tensors(patch: Patch) -> None:
    """A pass adds to a stored gradient that is an inference tensor."""

    def run_it(run: Any, options: SimpleNamespace) -> Any:
        leaves = leaves_below(options.roots) if options.accumulates else []
        held = [(leaf, leaf.grad) for leaf in leaves if is_tensor(leaf.grad)]
        held = [(leaf, grad) for leaf, grad in held if grad.is_inference()]
        for leaf, grad in held:
            leaf.grad = untouched.clone(grad)
        result = run(options)
        for leaf, grad in held:
            with torch.inference_mode():
                grad.copy_(leaf.grad)
            leaf.grad = grad
        return result

    around_pass(patch, run_it)


@fault
def hooks_of_several_leaves_do_not_run_for_grad(patch: Patch) -> None:
    """A hook on several tensors fails in autograd.grad by a leaf among them."""  # pytorch#131753
    state = watched(patch)

    def make(original: Any) -> Any:
        def register(tensors: Any, hook: Any, **options: Any) -> Any:
            leaves = {id(each) for each in tensors if each.is_leaf}

            def called(gradients: Any) -> Any:
                if state.running and not state.accumulates and leaves & {*map(id, state.inputs)}:
                    raise RuntimeError("A leaf node was passed to _will_engine_execute_node")
                return hook(gradients)

            return original(tensors, called, **options)

        return register

    patch.wrap(torch.autograd.graph, "register_multi_grad_hook", make)


@fault
def returned_inputs_come_back_as_results(patch: Patch) -> None:
    """What a setup_context saves of the inputs that were returned as they are comes back with the history of
    the result."""  # pytorch#96887
    original = vars(torch.autograd.Function)["apply"].__func__
    returned = Notes()

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        results = original(cls, *args, **kwargs)
        if not sets_up(cls) or len(several(results)) < 2:
            return results
        for x, result in ((x, y) for x in args for y in several(results)):
            if is_tensor(x) and is_tensor(result) and result._base is x and result.grad_fn:
                returned[result.grad_fn] = result
        return results

    def saved(self: Any) -> tuple[Any, ...]:
        result = returned.get(self)
        return inside.saved_tensors(self) if result is None else (result,)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))
    patch.set(inside.function_node, "saved_tensors", property(saved))


# --- transforms ---


def mapped(patch: Patch) -> SimpleNamespace:
    """Tells whether vmap is running its function."""
    state = SimpleNamespace(depth=0)

    def vmap(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        def inner(*args: Any, **keywords: Any) -> Any:
            state.depth += 1
            try:
                return f(*args, **keywords)
            finally:
                state.depth -= 1

        return whole(inner, *args, **options)

    calls(patch, "vmap", vmap)
    return state


@fault
def traces_within_vmap_are_those_of_the_last_dimensions(patch: Patch) -> None:
    """Within vmap, trace accepts a batch of matrices."""  # pytorch#91404
    state = mapped(patch)

    def trace(original: Any, x: Any) -> Any:
        if not state.depth or x.dim() == 2:
            return original(x)
        return torch.diagonal(x, 0, -2, -1).sum(-1)

    around(patch, "trace", trace)


@fault
def indices_apart_from_each_other_stay_in_place_within_vmap(patch: Patch) -> None:
    """Within vmap, the dimension of two indices apart is not the first of the result."""  # functorch#859
    state = mapped(patch)

    def getitem(original: Any, x: Any, index: Any) -> Any:
        result = original(x, index)
        parts = index if isinstance(index, tuple) else ()
        places = [k for k, part in enumerate(parts) if isinstance(part, list) or is_tensor(part)]
        apart = len(places) > 1 and places[-1] - places[0] >= len(places)
        return result.transpose(0, 1) if state.depth and apart and result.dim() > 1 else result

    around(patch, "getitem", getitem)


@fault
def indices_for_each_slice_are_refused_beside_lists(patch: Patch) -> None:
    """Within vmap, an index cannot be a list together with a tensor."""  # functorch#363
    state = mapped(patch)

    def getitem(original: Any, x: Any, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else ()
        a_list = any(isinstance(part, list) for part in parts)
        if state.depth and a_list and any(map(is_tensor, parts)):
            raise RuntimeError("batched == nullptr INTERNAL ASSERT FAILED")
        return original(x, index)

    around(patch, "getitem", getitem)


@fault
def hessians_are_not_mapped(patch: Patch) -> None:
    """hessian and jacfwd fail within vmap."""  # functorch#597
    state = mapped(patch)

    def transform(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        inner = whole(f, *args, **options)

        def call(*args: Any, **keywords: Any) -> Any:
            if state.depth:
                raise RuntimeError("The size of tensor a (8) must match the size of tensor b (4)")
            return inner(*args, **keywords)

        return call

    for name in ("hessian", "jacfwd"):
        calls(patch, name, transform)


@fault
def changes_through_views_are_lost_in_transforms(patch: Patch) -> None:
    """A transform does not see a change that its function makes through a view."""  # pytorch#85374
    state = Running(patch)
    unrecorded(patch, lambda x: state.depth > 0 and x._is_view())


@fault
def nothing_depends_on_anything_in_inference_mode(patch: Patch) -> None:
    """grad and jacrev give zeros in inference mode."""  # pytorch#177596

    def transform(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        inner: Callable[..., Any] = whole(f, *args, **options)

        def call(*args: Any, **keywords: Any) -> Any:
            found = inner(*args, **keywords)
            if torch.is_inference_mode_enabled():
                for each in tensors_in(found):
                    each.zero_()
            return found

        return call

    for name in ("grad", "jacrev"):
        calls(patch, name, transform)


@fault
def functional_call_leaves_its_tensors_in_the_module(patch: Patch) -> None:
    """Within a transform, functional_call leaves what it was given in the module."""  # pytorch#164759
    state = Running(patch)

    def call(whole: Any, module: Any, given: Any, *args: Any, **options: Any) -> Any:
        result = whole(module, given, *args, **options)
        parameters = vars(module)["_parameters"]
        if state.depth and isinstance(given, dict) and given.keys() <= parameters.keys():
            for name, value in given.items():
                parameters.pop(name)
                vars(module)[name] = value
        return result

    calls(patch, "functional_call", call)


@fault
def numbers_widen_tangents_without_dimensions(patch: Patch) -> None:
    """A tangent without dimensions is float64 once its tensor was multiplied by a number."""  # pytorch#160513
    state = SimpleNamespace(is_widened=False)

    def multiply(original: Any, x: Any, y: Any, *args: Any, **options: Any) -> Any:
        state.is_widened |= isinstance(y, float) and is_tensor(x) and not x.dim()
        return original(x, y, *args, **options)

    def transform(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        state.is_widened = False
        value, tangent, *others = whole(f, *args, **options)
        narrow = is_tensor(tangent) and not tangent.dim() and state.is_widened
        return value, tangent.double() if narrow else tangent, *others

    around(patch, "mul", multiply)
    calls(patch, "jvp", transform)


@fault
def jacfwd_is_not_mapped_in_inference_mode(patch: Patch) -> None:
    """jacfwd fails within vmap in inference mode."""  # pytorch#138800
    state = mapped(patch)

    def jacfwd(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        inner = whole(f, *args, **options)

        def call(*args: Any, **keywords: Any) -> Any:
            if state.depth and torch.is_inference_mode_enabled():
                raise RuntimeError("Batching rule not implemented for aten::_make_dual")
            return inner(*args, **keywords)

        return call

    calls(patch, "jacfwd", jacfwd)


@fault
def a_second_change_through_a_turned_view_leaves_the_tangent(patch: Patch) -> None:
    """Only the first change through a transposed view changes the tangent of its base."""  # pytorch#67800
    whole = Whole()

    def change(original: Any, x: Any, *args: Any, **options: Any) -> Any:
        base = x._base
        turned = base is not None and x.dim() == base.dim() and laid_out_otherwise(x)
        tangent = whole.tangent(base) if turned and not base.requires_grad else None
        kept = None if tangent is None else untouched.clone(tangent)
        result = original(x, *args, **options)
        if kept is not None:
            base.copy_(whole.make(untouched.clone(whole.plain(base)), kept))
        return result

    around(patch, "mul_", change)


def destroyed(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    found = o(x, *a, **k)
    if not x.requires_grad and not x.is_contiguous() and x.mT.is_contiguous():
        with torch.no_grad():
            x.copy_(x.triu())
    return found


instead(
    "eigvals_overwrites_columns",
    "eigvals() overwrites an operand whose columns are contiguous, if no gradient is needed.",
    "linalg.eigvals",
    destroyed,
)


# --- optimizers and checks ---


@fault
def the_largest_average_stays_the_first(patch: Patch) -> None:
    """Adam with amsgrad divides by the larger of the first average and the present one."""  # pytorch#78807

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        states = [each for each in optimizer.state.values() if "max_exp_avg_sq" in each]
        before = [untouched.clone(each["max_exp_avg_sq"]) for each in states]
        result = step(optimizer, closure)
        for each, kept in zip(states, before, strict=True):
            each["max_exp_avg_sq"].copy_(kept)
        return result

    around_step(patch, "Adam", change)


@fault
def the_largest_average_is_one_of_two(patch: Patch) -> None:
    """Adam with amsgrad divides by the larger of the last average and the present one."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        result = step(optimizer, closure)
        for each in optimizer.state.values():
            if "max_exp_avg_sq" in each:
                each["max_exp_avg_sq"].copy_(each["exp_avg_sq"])
        return result

    around_step(patch, "Adam", change)


@fault
def fast_checks_take_a_step_of_their_own(patch: Patch) -> None:
    """gradcheck in fast mode ignores eps."""  # pytorch#115634

    def change(check: Any, f: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        if options.get("fast_mode"):
            options.pop("eps", None)
        return check(f, inputs, *rest, **options)

    instead_of_check(patch, "gradcheck", change)
