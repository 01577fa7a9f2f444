"""Faults from trackers: tangents and second derivatives under vmap, normalizations of mixed dtypes, and features that
fail only beside another; the issue is in the comment."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Call,
    Patch,
    around,
    around_pass,
    fault,
    miscompute,
    mistaken,
    replaces,
    torch,
    untouched,
)
from .bugs_of_trackers import mapped
from .custom_functions import around_apply
from .derivatives_of_derivatives import recorded_as
from .edge_cases import F
from .recorded_results import is_tensor
from .transforms import calls

# --- operations ---


def on_the_way_back(gradients: Any, refuse: Any) -> list[Any]:
    """The gradients, whose own backward first calls `refuse`."""

    def guarded(gradient: Any) -> Any:
        if gradient is None or not gradient.requires_grad:
            return gradient
        result = recorded_as(gradient, gradient * 1.0)
        result.grad_fn.register_prehook(lambda _: refuse())
        return result

    return [guarded(each) for each in gradients]


def refused(why: str) -> None:
    """Raise an error."""
    raise RuntimeError(why)


def within_batches(patch: Patch) -> Any:
    """How deep vmap or a batch of gradients is entered, as `depth`."""
    state = mapped(patch)

    def make(original: Any) -> Any:
        def grad(*args: Any, **kwargs: Any) -> Any:
            state.depth += bool(kwargs.get("is_grads_batched"))
            try:
                return original(*args, **kwargs)
            finally:
                state.depth -= bool(kwargs.get("is_grads_batched"))

        return grad

    patch.wrap(torch.autograd, "grad", make)
    return state


@fault  # pytorch#191678
def max_pooling_asks_for_the_layout_twice(patch: Patch) -> None:
    """Under vmap, the backward of a backward of max pooling raises an error if the operand is not contiguous."""
    state = within_batches(patch)

    def change(gradients: Any, _cotangents: Any, call: Call) -> Any:
        if call.args[0].is_contiguous():
            return gradients

        def check() -> None:
            if state.depth:
                refused("asked for the layout")

        return on_the_way_back(gradients, check)

    names = "max_pool1d max_pool2d max_pool3d adaptive_max_pool2d"
    miscompute(patch, " ".join(F + name for name in names.split()), change)


def within_tangents(patch: Patch, counts: Any) -> SimpleNamespace:
    """How many calls of jvp for which `counts(primals, tangents)` is true are running, as `depth`."""
    state = SimpleNamespace(depth=0)

    def jvp(whole: Any, f: Any, primals: Any, tangents: Any, **options: Any) -> Any:
        one = bool(counts(primals, tangents))

        def inner(*args: Any) -> Any:
            state.depth += one
            try:
                return f(*args)
            finally:
                state.depth -= one

        return whole(inner, primals, tangents, **options)

    calls(patch, "jvp", jvp)
    return state


@fault  # pytorch#92985
def extremes_have_no_forward_jacobian(patch: Patch) -> None:
    """Under vmap, the tangent of amax and amin raises an error."""
    pushed, state = within_tangents(patch, lambda *_: True), mapped(patch)

    def run(original: Any, *args: Any, **kwargs: Any) -> Any:
        if state.depth and pushed.depth:
            refused("no memory for the tangent")
        return original(*args, **kwargs)

    around(patch, "amax amin", run)


def beside_wider_parameters(call: Call) -> bool:
    """Whether a normalization has parameters or estimates of another dtype."""
    others = [each for each in [*call.args[1:], *call.kwargs.values()] if is_tensor(each)]
    return any(each.dtype != call.args[0].dtype for each in others)


NORMS = " ".join(F + name for name in ("batch_norm", "layer_norm", "group_norm", "instance_norm"))

mistaken(  # pytorch#156513
    "a_wider_weight_spoils_the_gradient_in_half_precision",
    "The gradient of a half-precision input of a normalization with float32 parameters is wrong.",
    NORMS,
    lambda gradients, _, call: (
        [each * 1.5 if k == 0 and each is not None else each for k, each in enumerate(gradients)]
        if beside_wider_parameters(call)
        else gradients
    ),
)


@fault  # pytorch#192617
def mapped_normalizations_refuse_wider_parameters(patch: Patch) -> None:
    """Under vmap, the gradient of a normalization of mixed dtypes raises an error."""
    state = within_batches(patch)

    def change(gradients: Any, _cotangents: Any, call: Call) -> Any:
        if state.depth and beside_wider_parameters(call):
            refused("mixed dtypes")
        return gradients

    miscompute(patch, NORMS, change)


@fault  # pytorch#192617
def mapped_normalizations_give_the_wider_dtype(patch: Patch) -> None:
    """Under vmap, a half-precision normalization with float32 parameters gives float32."""
    state = mapped(patch)

    def run(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        wide = any(is_tensor(each) and each.dtype != x.dtype for each in [*args, *kwargs.values()])
        return result.to(torch.float32) if state.depth and wide else result

    around(patch, NORMS, run)


@fault  # pytorch#182283
def powers_of_true_have_no_gradient(patch: Patch) -> None:
    """The backward of a power whose base or exponent is a bool raises an error."""

    def change(gradients: Any, _cotangents: Any, call: Call) -> Any:
        if any(isinstance(each, bool) for each in call.args):
            refused("a bool has no logarithm")
        return gradients

    miscompute(patch, "pow rpow", change)


@fault  # pytorch#5647
def float64_numbers_are_refused_in_front(patch: Patch) -> None:
    """A float64 tensor without dimensions is refused in front of a float32 tensor."""

    def run(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        y: Any = args[0] if args else None
        if is_tensor(x) and is_tensor(y) and y.ndim and not x.ndim and x.dtype != y.dtype:
            refused("expected float64")
        return original(x, *args, **kwargs)

    around(patch, "add sub mul div", run)


@fault  # pytorch#9977
def stacks_beside_constants_have_no_second_derivative(patch: Patch) -> None:
    """The backward of a backward of stack raises an error if one of the tensors requires no grad."""

    def change(gradients: Any, _cotangents: Any, call: Call) -> Any:
        if len({each.requires_grad for each in call.args[0]}) < 2:
            return gradients
        return on_the_way_back(gradients, lambda: refused("no gradient for a constant"))

    miscompute(patch, "stack", change)


@fault  # pytorch#60539, pytorch#70177
def large_tensors_are_refused_in_inference_mode(patch: Patch) -> None:
    """In inference mode, some functions of a large tensor raise an error."""

    def run(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if torch.is_inference_mode_enabled() and is_tensor(x) and x.numel() > 1 << 16:
            refused("an inference tensor is changed in place")
        return original(x, *args, **kwargs)

    around(patch, "sin exp mul add", run)


# --- tangents ---


@fault  # pytorch#80507, pytorch#81049
def tangents_in_another_layout_have_no_views(patch: Patch) -> None:
    """Within jvp, views raise an error if a tangent has other strides than its operand."""
    state = within_tangents(
        patch,
        lambda primals, tangents: any(
            x.stride() != t.stride() for x, t in zip(primals, tangents, strict=True)
        ),
    )

    def run(original: Any, *args: Any, **kwargs: Any) -> Any:
        if state.depth:
            refused("the tangent is laid out otherwise")
        return original(*args, **kwargs)

    around(patch, "transpose t permute narrow select squeeze unsqueeze", run)


@fault  # functorch#592, functorch#607
def tangents_within_functions_are_zero(patch: Patch) -> None:
    """jvp within the forward of a custom function gives zero."""
    state = SimpleNamespace(depth=0)

    def apply(run: Any, *args: Any, **kwargs: Any) -> Any:
        state.depth += 1
        try:
            return run(*args, **kwargs)
        finally:
            state.depth -= 1

    def jvp(original: Any, *args: Any, **kwargs: Any) -> Any:
        value, tangent, *rest = original(*args, **kwargs)
        return (value, tangent * 0.0 if state.depth else tangent, *rest)

    around_apply(patch, apply)
    calls(patch, "jvp", jvp)


# --- hooks, modules and passes ---


@fault  # pytorch#131191
def packing_hooks_are_refused_around_transforms(patch: Patch) -> None:
    """vmap, jvp and jacfwd raise an error within saved_tensors_hooks."""
    state, hooks = SimpleNamespace(depth=0), torch.autograd.graph.saved_tensors_hooks

    def counted(step: int) -> Any:
        def make(original: Any) -> Any:
            def method(self: Any, *args: Any) -> Any:
                state.depth += step
                return original(self, *args)

            return method

        return make

    patch.wrap(hooks, "__enter__", counted(1))
    patch.wrap(hooks, "__exit__", counted(-1))

    def check() -> None:
        if state.depth:
            refused("transforms do not support saved-tensor hooks")

    def later(original: Any, *args: Any, **kwargs: Any) -> Any:
        inner = original(*args, **kwargs)

        def call(*values: Any, **named: Any) -> Any:
            check()
            return inner(*values, **named)

        return call

    def now(original: Any, *args: Any, **kwargs: Any) -> Any:
        check()
        return original(*args, **kwargs)

    calls(patch, "vmap", later)
    calls(patch, "jacfwd", later)
    calls(patch, "jvp", now)


@replaces("Tensor.register_hook")
def hooks_need_names(original: Any, self: Any, hook: Any, *args: Any, **kwargs: Any) -> Any:
    """A callable without `__name__` is refused as a hook of a tensor."""
    if not hasattr(hook, "__name__"):
        raise AttributeError("the hook has no attribute '__name__'")
    return original(self, hook, *args, **kwargs)


@replaces("func.functional_call")
def parameters_are_not_replaced_in_lists(
    original: Any, module: Any, *args: Any, **kwargs: Any
) -> Any:
    """Within functional_call, parameters() gives the module's own parameters."""
    own = list(module.parameters())
    module.__dict__["parameters"] = lambda recurse=True: iter(own)
    try:
        return original(module, *args, **kwargs)
    finally:
        module.__dict__.pop("parameters", None)


@fault  # xla#2576
def parts_are_refused_as_roots_with_history(patch: Patch) -> None:
    """grad of several views with create_graph raises an error."""

    def run(run: Any, options: Any) -> Any:
        roots = options.roots
        if options.create_graph and len(roots) > 1 and all(each._is_view() for each in roots):
            refused("no storage")
        return run(options)

    around_pass(patch, run)


@fault  # pytorch#128264
def functions_of_derivatives_are_zero_in_inference_mode(patch: Patch) -> None:
    """In inference mode, the functions of autograd.functional give zeros."""

    def zero(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(zero, value))
        return untouched.zeros_like(value)

    def make(original: Any) -> Any:
        def function(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            return zero(result) if torch.is_inference_mode_enabled() else result

        return function

    for name in ("jacobian", "hessian", "vjp", "jvp", "vhp", "hvp"):
        patch.wrap(torch.autograd.functional, name, make)
