"""Faults of higher order and of forward mode: the first derivative is right, the next is not."""

from __future__ import annotations

from typing import Any

from ..breaking import (
    Patch,
    around_pass,
    each,
    fault,
    for_each_engine,
    inside,
    leaves_below,
    miscompute,
    mistaken,
    places,
    replaces,
    torch,
)


@for_each_engine
def flat() -> Any:
    class Flat(torch.autograd.Function):
        """The identity, with a derivative that is scaled."""

        @staticmethod
        def forward(ctx: Any, value: Any, factor: float) -> Any:
            ctx.factor = factor
            return value.clone()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:  # type: ignore[override]
            return gradient * ctx.factor, None

    return Flat


def bent(factor: float) -> Any:
    """Gradients that are right, but whose own derivative is scaled."""
    return each(lambda g, call: flat().apply(g, factor) if g.requires_grad else g)


def cut_from_inputs(gradients: Any, cotangents: Any, call: Any) -> Any:
    """Gradients that depend on the cotangent, but no longer on the inputs.

    They are linear in the cotangent, so running the recorded gradient once with the cotangent's
    own path kept is the same as a gradient of it.
    """
    kept = []
    for gradient in gradients:
        if gradient is None or not gradient.requires_grad:
            kept.append(gradient)
            continue
        kept.append(only_cotangent().apply(gradient, cotangents[0]))
    return kept


@for_each_engine
def only_cotangent() -> Any:
    class OnlyCotangent(torch.autograd.Function):
        """A gradient whose derivative goes to the cotangent only, as if the inputs were constants."""

        @staticmethod
        def forward(ctx: Any, gradient: Any, cotangent: Any) -> Any:
            ctx.save_for_backward(gradient, cotangent)
            return gradient.clone()

        @staticmethod
        def backward(ctx: Any, again: Any) -> Any:  # type: ignore[override]
            gradient, cotangent = ctx.saved_tensors
            if gradient.shape != cotangent.shape:
                return torch.zeros_like(again), None
            ratio = torch.where(cotangent == 0, torch.zeros_like(gradient), gradient / cotangent)
            return torch.zeros_like(again), again * ratio

    return OnlyCotangent


for operation in (
    "mul", "exp", "sin", "cos", "tanh", "sigmoid", "log", "sqrt", "div", "pow", "square",
    "reciprocal", "rsqrt",
):  # fmt: skip
    mistaken(
        f"second_order_of_{operation}_forgets_its_input",
        f"The gradient of {operation} is recorded as if its input were a constant.",
        operation, cut_from_inputs,
    )  # fmt: skip

for operation in (
    "mul", "div", "exp", "log", "sin", "cos", "tan", "tanh", "sigmoid", "sqrt", "pow", "matmul",
    "sum", "mean", "prod", "norm", "cumsum", "cumprod", "softmax", "log_softmax", "logsumexp", "atan2",
    "where", "cat", "stack", "getitem", "expand", "reshape", "transpose", "index_select", "gather",
    "std", "var", "clamp", "abs", "maximum", "relu", "max", "sort", "rsqrt", "reciprocal", "erf",
    "log1p", "expm1", "asin", "acos", "atan", "sinh", "cosh", "square", "addmm", "bmm", "mm",
    "outer", "dot", "mv", "lerp", "addcmul", "addcdiv", "hypot", "xlogy", "nn.functional.conv2d",
    "nn.functional.mse_loss", "nn.functional.cross_entropy", "nn.functional.leaky_relu", "add",
    "sub", "neg", "rsub", "rdiv", "einsum", "trace", "tril", "flip", "repeat",
    "masked_fill", "scatter", "clone", "to", "log2", "log10", "exp2", "logaddexp", "float_power",
):  # fmt: skip
    mistaken(
            f"second_order_of_{operation.rpartition('.')[2]}_is_scaled",
            f"The gradient of {operation} is right, and its own derivative three times too large.",
            operation, bent(3.0),
    )  # fmt: skip


@fault
def third_order_is_wrong(patch: Patch) -> None:
    """First and second derivatives of a product are right, the third is not."""

    def change(gradients: Any, cotangents: Any, call: Any) -> Any:
        return [Bent.apply(g) if g is not None and g.requires_grad else g for g in gradients]

    class Bent(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, value: Any) -> Any:
            return value.clone()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:  # type: ignore[override]
            return flat().apply(gradient, 3.0)

    miscompute(patch, "mul pow sin exp", change)


@fault
def a_second_recorded_pass_forgets_the_seed(patch: Patch) -> None:
    """The gradient is recorded as if the cotangent were a constant."""

    def around(run: Any, options: Any) -> Any:
        if options.create_graph:
            options.seeds = [None if s is None else s.detach() for s in options.seeds]
        return run(options)

    around_pass(patch, around)


@fault
def recorded_gradients_forget_all_but_the_first_input(patch: Patch) -> None:
    """With create_graph=True only the first gradient can be differentiated."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates or not options.create_graph or len(found) < 2:
            return found
        return (found[0], *(None if g is None else g.detach() for g in found[1:]))

    around_pass(patch, around)


@fault
def gradient_penalty_overwrites(patch: Patch) -> None:
    """backward() through a recorded gradient clears what an earlier recorded pass accumulated."""
    seen: list[int] = []

    def around(run: Any, options: Any) -> Any:
        if options.accumulates and options.create_graph:
            for leaf in leaves_below(options.roots):
                if leaf.grad is not None and leaf.grad.requires_grad:
                    leaf.grad = None
        seen.append(1)
        return run(options)

    around_pass(patch, around)


# --- forward mode ---


@replaces("autograd.forward_ad.unpack_dual")
def tangents_are_lost_in_unpacking(original: Any, tensor: Any, **kwargs: Any) -> Any:
    """unpack_dual gives no tangent."""
    return torch.autograd.forward_ad.UnpackedDualTensor(original(tensor, **kwargs).primal, None)


def skewed(patch: Patch, operation: str, factor: float) -> None:
    """Scale the tangent that an operation gives in forward mode."""
    original_unpack, original_make = (
        torch.autograd.forward_ad.unpack_dual,
        torch.autograd.forward_ad.make_dual,
    )

    def make(original: Any) -> Any:
        def operate(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if inside.forward_level() < 0 or not isinstance(result, torch.Tensor):
                return result
            primal, tangent = original_unpack(result)
            return result if tangent is None else original_make(primal, tangent * factor)

        return operate

    for owner, name in places(operation):
        patch.wrap(owner, name, make)


for operation in (
    "mul", "div", "add", "sub", "sin", "exp", "matmul", "sum", "mean", "prod", "pow", "tanh", "where", "cat",
    "max", "cumsum", "norm", "expand", "reshape", "getitem", "relu", "softmax", "log", "sqrt",
    "maximum", "stack", "clamp", "abs", "sigmoid", "var", "std", "logsumexp", "index_select", "transpose",
):  # fmt: skip
    from ..breaking import register

    register(
        f"tangent_of_{operation}_is_scaled",
        f"In forward mode alone the tangent of {operation} is twice too large.",
        lambda patch, operation=operation: skewed(patch, operation, 2.0),
    )
