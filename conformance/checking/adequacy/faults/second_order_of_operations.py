"""Second derivatives and tangents that are wrong for some ways to call an operation."""

from __future__ import annotations

import math
from typing import Any

from ..breaking import Patch, around, each, fault, inside, mistaken, nth, torch
from .in_place import changed
from .second_order import flat


def constant_second(name: str, sentence: str, operations: str, formula: Any) -> None:
    """First derivatives are right; as functions of the input they are `formula(x, c, call)`."""

    def change(g: Any, c: Any, call: Any) -> Any:
        if not g.requires_grad:
            return g
        wrong = formula(g, c, call)
        return wrong + (g - wrong).detach()

    mistaken(name, sentence, operations, nth(0, change))


constant = each(lambda g, call: g.detach())


constant_second(
    "the_mean_within_var_is_a_constant",
    "The second derivative of var takes the mean for a constant.",
    "var",
    lambda g, c, call: (
        g
        if len(call.args) > 1 or call.kwargs
        else c * 2 * (call.args[0] - call.args[0].mean().detach()) / (call.args[0].numel() - 1)
    ),
)


constant_second(
    "the_norm_within_its_gradient_is_a_constant",
    "The second derivative of the norm takes the norm itself for a constant.",
    "norm linalg.vector_norm",
    lambda g, c, call: g if len(call.args) > 1 or call.kwargs else c * call.args[0] / call.result,
)


constant_second(
    "products_with_a_zero_are_flat",
    "The second derivative of a product with a factor of zero is zero.",
    "prod",
    lambda g, c, call: g if bool((call.args[0] != 0).all()) else g.detach() + 0 * c.sum(),
)


constant_second(
    "cumulated_products_with_a_zero_are_flat",
    "The second derivative of cumprod with a factor of zero is zero.",
    "cumprod",
    lambda g, c, call: g if bool((call.args[0] != 0).all()) else g.detach() + 0 * c.sum(),
)


constant_second(
    "powers_do_not_depend_on_the_exponent",
    "The gradient of x ** y for x, taken as a function of y, is flat.",
    "pow",
    lambda g, c, call: (
        g
        if not isinstance(call.args[1], torch.Tensor)
        or not isinstance(call.args[0], torch.Tensor)
        or call.args[0].shape != g.shape
        else c * call.args[1].detach() * call.args[0] ** (call.args[1].detach() - 1)
        if c.shape == g.shape
        else g
    ),
)


mistaken(
    "second_order_of_a_stretched_factor_is_doubled",
    "The second derivative of a product is doubled where a factor was stretched.",
    "mul",
    each(
        lambda g, call: (
            flat().apply(g, 2.0)
            if g.requires_grad
            and all(isinstance(a, torch.Tensor) for a in call.args[:2])
            and call.args[0].shape != call.args[1].shape
            else g
        )
    ),
)


mistaken(
    "second_order_of_lerp_forgets_the_weight",
    "The gradients of lerp for its ends, taken as functions of the weight, are flat.",
    "lerp",
    lambda gs, cs, call: [
        g
        if g is None or i == 2 or not g.requires_grad or not isinstance(call.args[2], torch.Tensor)
        else g.detach()
        + (cs[0] - cs[0].detach()) * (call.args[2] if i else 1 - call.args[2]).detach()
        if g.shape == cs[0].shape
        else g
        for i, g in enumerate(gs)
    ],
)


@fault
def second_order_of_numbers_divided_is_doubled(patch: Patch) -> None:
    """The second derivative of 6 / x is doubled."""

    class Through(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return flat().apply(g, 2.0) if g.requires_grad else g

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return t.clone()

    patch.wrap(
        torch.Tensor,
        "__rtruediv__",
        lambda o: (
            lambda self, other: (
                Through.apply(o(self, other)) if self.requires_grad else o(self, other)
            )
        ),
    )


bent2 = each(lambda g, call: flat().apply(g, 2.0) if g.requires_grad else g)


mistaken(
    "second_order_in_place_is_doubled",
    "The second derivative through a function in place is doubled.",
    "exp_ sin_ cos_ sqrt_ sigmoid_ tanh_ square_ pow_ log_ reciprocal_",
    bent2,
)


mistaken(
    "second_order_of_products_in_place_is_doubled",
    "The second derivative through mul_, div_ and addcmul_ is doubled.",
    "mul_ div_ addcmul_ addcdiv_ lerp_",
    bent2,
)


@fault
def second_order_through_views_is_cut(patch: Patch) -> None:
    """The gradient through a change of a view is a constant in a recorded pass."""

    def make(original: Any) -> Any:
        def op(self: Any, *a: Any, **k: Any) -> Any:
            base = self._base
            result = original(self, *a, **k)
            if (
                base is not None
                and base.grad_fn is not None
                and "CopySlices" in base.grad_fn.name()
            ):
                base.grad_fn.register_hook(
                    lambda gs, cs: tuple(None if g is None else g.detach() for g in gs)
                )
            return result

        return op

    changed(patch, make)


def stiff(name: str, what: str, operations: str) -> None:
    mistaken(
        name,
        f"The gradient of {what} does not depend on the cotangent in a recorded pass.",
        operations,
        constant,
    )


stiff(
    "second_order_through_reads_by_index_is_cut",
    "reading by index",
    "index_select gather take masked_select take_along_dim",
)


stiff(
    "second_order_through_writes_by_index_is_cut",
    "writing by index",
    "index_add index_copy index_fill scatter scatter_add index_put masked_scatter",
)


stiff("second_order_through_setitem_is_cut", "x[index] = v", "setitem")


stiff("second_order_through_joins_is_cut", "joining", "cat stack")


stiff("second_order_through_pieces_is_cut", "taking apart", "split chunk unbind tensor_split")


stiff(
    "second_order_through_order_is_cut",
    "sort, topk, kthvalue and median",
    "sort topk kthvalue median mode",
)


stiff(
    "second_order_through_extrema_is_cut",
    "max, min, amax and amin",
    "max min amax amin aminmax maximum minimum",
)


stiff(
    "second_order_through_cumsum_is_cut",
    "cumsum, cummax, flip and roll",
    "cumsum cummax cummin flip roll rot90",
)


stiff(
    "second_order_through_triangles_is_cut",
    "tril, triu, diag and trace",
    "tril triu diag trace diagonal diag_embed",
)


stiff("second_order_through_conversion_is_cut", "conversion", "to double float")


stiff(
    "second_order_through_expansion_is_cut",
    "expand and repeat",
    "expand broadcast_to repeat tile repeat_interleave expand_as",
)


stiff("second_order_through_clone_is_cut", "clone, contiguous and copy_", "clone contiguous copy_")


stiff("second_order_through_windows_is_cut", "unfold and as_strided", "unfold as_strided")


stiff(
    "second_order_through_clamps_is_cut",
    "clamp, abs, relu and masked_fill",
    "clamp abs relu masked_fill",
)


stiff(
    "second_order_through_shapes_is_cut",
    "squeeze, unsqueeze, permute, movedim, flatten and narrow",
    "squeeze unsqueeze permute movedim flatten narrow select transpose t reshape view",
)


def tangent(patch: Patch, operations: str, change: Any) -> None:
    def op(o: Any, *a: Any, **k: Any) -> Any:
        r = o(*a, **k)
        if isinstance(r, torch.Tensor):
            t = torch.autograd.forward_ad.unpack_dual(r).tangent
            if t is not None:
                with torch.no_grad():
                    new = change(t, a, k)
                return torch.autograd.forward_ad.make_dual(r.detach(), new)
        return r

    around(patch, operations, op)


@fault
def tangents_stay_as_they_were_in_place(patch: Patch) -> None:
    """A change in place leaves the tangent of the tensor as it was."""

    def make(original: Any) -> Any:
        def op(self: Any, *a: Any, **k: Any) -> Any:
            t = (
                torch.autograd.forward_ad.unpack_dual(self).tangent
                if inside.forward_level() >= 0 and not self.is_inference()
                else None
            )
            kept = None if t is None else t.clone()
            r = original(self, *a, **k)
            if kept is not None:
                torch.autograd.forward_ad.unpack_dual(self).tangent.copy_(kept)
            return r

        return op

    changed(patch, make)


@fault
def tangents_of_joined_constants_are_ones(patch: Patch) -> None:
    """The tangent of cat and stack is lost where one piece has none."""

    def op(o: Any, xs: Any, *a: Any, **k: Any) -> Any:
        r = o(xs, *a, **k)
        if inside.forward_level() >= 0 and any(
            torch.autograd.forward_ad.unpack_dual(x).tangent is None for x in xs
        ):
            return torch.autograd.forward_ad.unpack_dual(r).primal.detach()
        return r

    around(patch, "cat stack", op)


@fault
def tangents_of_means_are_sums(patch: Patch) -> None:
    """The tangent of mean along a dim is the sum."""
    tangent(
        patch,
        "mean",
        lambda t, a, k: t * a[0].numel() / max(t.numel(), 1) if len(a) > 1 or k else t,
    )


@fault
def tangents_of_clamps_pass(patch: Patch) -> None:
    """The tangent of clamp passes where the value is clamped."""

    def op(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        r = o(x, *a, **k)
        if (
            inside.forward_level() >= 0
            and isinstance(x, torch.Tensor)
            and (t := torch.autograd.forward_ad.unpack_dual(x).tangent) is not None
            and t.shape == r.shape
        ):
            return torch.autograd.forward_ad.make_dual(r.detach(), t)
        return r

    around(patch, "clamp", op)


@fault
def tangents_of_cumulated_products_divide(patch: Patch) -> None:
    """The tangent of cumprod and prod is NaN where a factor is zero."""

    def op(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        r = o(x, *a, **k)
        if (
            inside.forward_level() >= 0
            and (t := torch.autograd.forward_ad.unpack_dual(r).tangent) is not None
            and bool((x == 0).any())
        ):
            return torch.autograd.forward_ad.make_dual(r.detach(), t * math.nan)
        return r

    for n in ("cumprod", "prod"):
        around(patch, n, op)


@fault
def tangents_of_sorted_elements_stay(patch: Patch) -> None:
    """The tangent of sort is in the old order."""

    def op(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        r = o(x, *a, **k)
        if (
            inside.forward_level() >= 0
            and (t := torch.autograd.forward_ad.unpack_dual(x).tangent) is not None
        ):
            return (torch.autograd.forward_ad.make_dual(r[0].detach(), t.clone()), r[1])
        return r

    around(patch, "sort", op)
