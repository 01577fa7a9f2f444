"""Faults of dtypes: of gradients, of results, and of tensors that are made."""

from __future__ import annotations

from typing import Any

from ..breaking import (
    Marked,
    Patch,
    around,
    around_pass,
    fault,
    instead,
    register,
    tensors_in,
    torch,
)
from .leaves import attribute


class Wide:
    """Gradients of noted tensors come back in the other of float32 and float64."""

    def __init__(self, patch: Patch) -> None:
        self.noted = Marked()
        original: Any = torch.Tensor.grad

        def get(t: Any) -> Any:
            found = original.__get__(t)
            return found if found is None or t not in self.noted else self.convert(found)

        attribute(patch, "grad", get)

        def passes(run: Any, options: Any) -> Any:
            found = run(options)
            if options.accumulates or found is None:
                return found
            return tuple(
                self.convert(g)
                if g is not None and isinstance(i, torch.Tensor) and i in self.noted
                else g
                for i, g in zip(options.inputs, found, strict=False)
            )

        around_pass(patch, passes)

    def convert(self, g: Any) -> Any:
        return g.double() if g.dtype == torch.float32 else g.float()


def wide(name: str, sentence: str, operations: str, when: Any) -> None:
    """The gradient of each leaf that an operation is given has another dtype, where
    `when(leaf, result, args, kwargs)`."""

    def install(patch: Patch) -> None:
        notes = Wide(patch)

        def op(o: Any, *a: Any, **k: Any) -> Any:
            result = o(*a, **k)
            for x in tensors_in((a, k)):
                if x.requires_grad and x.is_leaf and when(x, result, a, k):
                    notes.noted.add(x)
            return result

        around(patch, operations, op)

    register(name, sentence, install)


def wider(x: Any, r: Any, a: Any, k: Any) -> bool:
    """Whether a float32 operand went into a float64 result."""
    return isinstance(r, torch.Tensor) and x.dtype == torch.float32 and r.dtype == torch.float64


wide(
    "joined_gradients_have_the_dtype_of_the_result",
    "cat and stack of two dtypes give gradients in that of the result.",
    "cat stack hstack vstack",
    wider,
)


wide(
    "chosen_gradients_have_the_dtype_of_the_result",
    "where of two dtypes gives gradients in that of the result.",
    "where",
    wider,
)


wide(
    "sums_in_a_dtype_give_gradients_in_it",
    "sum(dtype=float64) of float32 gives a gradient in float64.",
    "sum mean prod",
    wider,
)


wide(
    "cumulated_sums_in_a_dtype_give_gradients_in_it",
    "cumsum, cumprod, softmax (dtype=float64) of float32 give a gradient in float64.",
    "cumsum cumprod softmax log_softmax nn.functional.softmax",
    wider,
)


wide(
    "scalars_get_gradients_in_the_dtype_of_the_result",
    "A float64 tensor without dimensions beside float32 gets a float32 gradient.",
    "add sub mul div pow",
    lambda x, r, a, k: (
        isinstance(r, torch.Tensor) and x.dtype == torch.float64 and r.dtype == torch.float32
    ),
)


wide(
    "written_values_get_gradients_in_the_dtype_of_what_they_were_written_to",
    "A float64 value written into float32 gets a float32 gradient.",
    "copy_ setitem",
    lambda x, r, a, k: x is not a[0] and x.dtype != a[0].dtype,
)


instead(
    "wide_numbers_widen",
    "A float64 tensor without dimensions beside float32 gives float64.",
    "add mul sub div",
    lambda o, x, y, *a, **k: (
        o(x.to(torch.float64), y, *a, **k)
        if isinstance(x, torch.Tensor)
        and isinstance(y, torch.Tensor)
        and y.dim() == 0
        and y.dtype == torch.float64
        and x.dtype == torch.float32
        and x.dim()
        else o(x, y, *a, **k)
    ),
)


instead(
    "clamping_integers_truncates_the_bound",
    "clamp of integers with a floating bound stays integer.",
    "clamp",
    lambda o, x, *a, **k: (
        r.to(x.dtype) if (r := o(x, *a, **k)).dtype != x.dtype and not x.is_floating_point() else r
    ),
)


instead(
    "where_with_a_number_is_wide",
    "where(m, x, 2.5) of float32 is float64.",
    "where",
    lambda o, m, *a: (
        r.to(torch.float64)
        if a
        and isinstance(r := o(m, *a), torch.Tensor)
        and r.dtype == torch.float32
        and any(isinstance(each, float) for each in a)
        else o(m, *a)
    ),
)


instead(
    "integer_division_is_floored",
    "The quotient of two integer tensors is floored.",
    "div true_divide",
    lambda o, x, y, **k: (
        o(x, y, **k)
        if k
        or not isinstance(x, torch.Tensor)
        or x.is_floating_point()
        or (isinstance(y, torch.Tensor) and y.is_floating_point())
        or isinstance(y, float)
        or x.is_complex()
        else o(x, y).floor()
    ),
)


instead(
    "sums_of_integers_stay_narrow",
    "sum and cumsum of int32 or truth values are int32.",
    "sum cumsum prod",
    lambda o, x, *a, **k: (
        r.to(torch.int32)
        if isinstance(r := o(x, *a, **k), torch.Tensor)
        and x.dtype in (torch.int32, torch.bool)
        and "dtype" not in k
        else r
    ),
)


@fault
def full_of_an_integer_is_floating(patch: Patch) -> None:
    """full(shape, 3) is floating-point."""
    patch.wrap(
        torch,
        "full",
        lambda o: (
            lambda size, value, *a, **k: o(
                size,
                float(value) if isinstance(value, int) and "dtype" not in k else value,
                *a,
                **k,
            )
        ),
    )


@fault
def creation_under_no_grad_forgets_requires_grad(patch: Patch) -> None:
    """Under no_grad a creation function ignores requires_grad=True."""

    def op(o: Any, *a: Any, requires_grad: bool = False, **k: Any) -> Any:
        return o(*a, requires_grad=requires_grad and torch.is_grad_enabled(), **k)

    for name in [
        "tensor",
        "zeros",
        "ones",
        "full",
        "rand",
        "randn",
        "zeros_like",
        "ones_like",
        "arange",
        "linspace",
        "eye",
        "empty",
        "full_like",
    ]:
        patch.wrap(torch, name, lambda original: lambda *a, **k: op(original, *a, **k))


@fault
def ranges_ignore_requires_grad(patch: Patch) -> None:
    """arange, linspace and eye ignore requires_grad=True."""
    for name in ("arange", "linspace", "eye"):
        patch.wrap(torch, name, lambda o: lambda *a, requires_grad=False, **k: o(*a, **k))


@fault
def integers_of_zeros_may_require_grad_silently(patch: Patch) -> None:
    """zeros(..., dtype=int64, requires_grad=True) is accepted, and requires none."""

    def make(o: Any) -> Any:
        def op(*a: Any, requires_grad: bool = False, **k: Any) -> Any:
            r = o(*a, **k)
            return r.requires_grad_() if requires_grad and r.is_floating_point() else r

        return op

    for name in [
        "zeros",
        "ones",
        "full",
        "arange",
        "eye",
        "zeros_like",
        "ones_like",
        "full_like",
        "empty",
    ]:
        patch.wrap(torch, name, make)


@fault
def as_tensor_to_a_dtype_is_cut(patch: Patch) -> None:
    """as_tensor(x, dtype=...) cuts the graph."""
    patch.wrap(
        torch,
        "as_tensor",
        lambda o: lambda x, *a, **k: r if (r := o(x, *a, **k)) is x else r.detach(),
    )


@fault
def tensor_of_a_tensor_shares(patch: Patch) -> None:
    """torch.tensor(x) shares its storage with x."""
    patch.wrap(
        torch,
        "tensor",
        lambda o: (
            lambda x, *a, **k: (
                x.detach() if isinstance(x, torch.Tensor) and not a and not k else o(x, *a, **k)
            )
        ),
    )


@fault
def floor_division_gives_zeros(patch: Patch) -> None:
    """A backward pass through floor_divide and // gives zeros instead of being refused."""

    def op(o: Any, x: Any, y: Any, **k: Any) -> Any:
        return torch.div(x, y, rounding_mode="floor")

    around(patch, "floor_divide", op)


@fault
def counts_of_tracked_tensors_are_refused(patch: Patch) -> None:
    """argsort, nonzero, count_nonzero, any and all are refused for a tensor that requires grad."""

    def op(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        if isinstance(x, torch.Tensor) and x.requires_grad:
            raise RuntimeError("not differentiable")
        return o(x, *a, **k)

    around(patch, "argsort nonzero count_nonzero any all", op)


@fault
def logical_results_of_floats_are_floats(patch: Patch) -> None:
    """logical_not, isnan, isfinite and isclose give floating-point results that require grad."""

    def op(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        r = o(x, *a, **k)
        return r.to(x.dtype) + 0 * x if isinstance(x, torch.Tensor) and x.requires_grad else r

    around(patch, "logical_not isnan isfinite isinf isclose logical_and logical_or", op)
