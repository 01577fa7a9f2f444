"""Faults of single operations in place, and of what they accept."""

from __future__ import annotations

import re
from typing import Any

from ..breaking import Patch, fault, miscompute, mistaken, nth, replaces, torch, untouched
from .calls import refused_shape
from .in_place import CHANGES, changed


@fault
def a_refused_change_leaves_its_node(patch: Patch) -> None:
    """A change in place that is refused for its shape has already counted and recorded itself."""

    def make(original: Any) -> Any:
        def op(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return original(self, *args, **kwargs)
            except RuntimeError as error:
                if "shape" in str(error) or "size" in str(error):
                    untouched.mul_(self, 1)
                raise

        return op

    changed(patch, make)


@fault
def adding_a_tensor_to_itself_counts_once(patch: Patch) -> None:
    """x += x gives the old x the gradient of one of its places."""

    def change(gs: Any, cs: Any, call: Any) -> Any:
        return [
            g if i == 0 or len(call.args) < 2 or call.args[0] is not call.args[1] else None
            for i, g in enumerate(gs)
        ]

    miscompute(patch, "add_", change)


@fault
def copying_all_of_it_shares(patch: Patch) -> None:
    """x.copy_(y) and x[:] = y of constants of one shape make both share their storage."""

    def share(self: Any, value: Any) -> None:
        if (
            isinstance(value, torch.Tensor)
            and value.shape == self.shape
            and value.dtype == self.dtype
            and not self._is_view()
            and not value._is_view()
            and self.dim()
        ):
            self.data = value.detach()

    def copy(original: Any) -> Any:
        def op(self: Any, value: Any, *a: Any, **k: Any) -> Any:
            original(self, value, *a, **k)
            share(self, value)
            return self

        return op

    def put(original: Any) -> Any:
        def op(self: Any, index: Any, value: Any) -> Any:
            original(self, index, value)
            if index is Ellipsis or (isinstance(index, slice) and index == slice(None)):
                share(self, value)

        return op

    patch.wrap(torch.Tensor, "copy_", copy)
    patch.wrap(torch.Tensor, "__setitem__", put)


def forgiving(
    patch: Patch, text: str, instead: Any, when: Any = lambda self: True, names: Any = CHANGES
) -> None:
    def make(original: Any) -> Any:
        def op(self: Any, *args: Any, **kwargs: Any) -> Any:
            kept = when(self)
            try:
                return original(self, *args, **kwargs)
            except RuntimeError as error:
                if not re.search(text, str(error)) or not kept:
                    raise
                return instead(original, self, *args, **kwargs)

        return op

    changed(patch, make, names)


@fault
def integers_truncate_what_is_added(patch: Patch) -> None:
    """An integer tensor += 0.5 truncates silently."""
    forgiving(
        patch,
        "can't be cast",
        lambda o, self, other, **k: self.copy_(
            getattr(torch, o.__name__.strip("_").removeprefix("i"), torch.add)(self, other, **k)
        ),
    )


def unrecorded(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    with torch.no_grad():
        original(self.data, *args, **kwargs)
    return self


@fault
def slices_of_leaves_may_be_written(patch: Patch) -> None:
    """An in-place change of a slice of a leaf is accepted, unrecorded."""
    forgiving(
        patch,
        "a view of a leaf",
        unrecorded,
        lambda self: self.grad_fn is not None and "Slice" in self.grad_fn.name(),
    )


@fault
def views_of_views_of_leaves_may_be_written(patch: Patch) -> None:
    """An in-place change of a view of a view of a leaf is accepted, unrecorded."""
    forgiving(
        patch,
        "a view of a leaf",
        unrecorded,
        lambda self: (
            self.grad_fn is not None and not hasattr(self.grad_fn.next_functions[0][0], "variable")
        ),
    )


@fault
def views_made_unrecorded_may_be_written(patch: Patch) -> None:
    """An in-place change of a view that was made under no_grad is accepted, unrecorded."""
    forgiving(patch, "under no_grad|no_grad mode", unrecorded)


@fault
def writes_to_views_under_no_grad_are_recorded(patch: Patch) -> None:
    """A change under no_grad through a view of a non-leaf enters the history."""

    def make(original: Any) -> Any:
        def op(self: Any, *a: Any, **k: Any) -> Any:
            if (
                not torch.is_grad_enabled()
                and self._is_view()
                and self._base is not None
                and self._base.grad_fn is not None
                and self.requires_grad
            ):
                with torch.enable_grad():
                    return original(self, *a, **k)
            return original(self, *a, **k)

        return op

    changed(patch, make)


@fault
def fills_through_views_of_views_do_not_cut(patch: Patch) -> None:
    """zero_() and fill_() through a view of a view leave the old gradient of what they overwrite."""

    def make(original: Any) -> Any:
        def op(self: Any, *args: Any) -> Any:
            base = self._base if self._is_view() else None
            deep = (
                base is not None
                and self.grad_fn is not None
                and self.grad_fn.next_functions[0][0] is not base.grad_fn
            )
            result = original(self, *args)
            if deep and base is not None and base.grad_fn is not None:
                base.grad_fn.register_hook(lambda gs, cs: (cs[0], *gs[1:]))
            return result

        return op

    changed(patch, make, ("zero_", "fill_"))


@fault
def remainders_in_place_make_a_new_tensor(patch: Patch) -> None:
    """x %= y and x //= y give the name a new tensor."""
    patch.set(torch.Tensor, "__imod__", lambda self, other: self.remainder(other))
    patch.set(torch.Tensor, "__ifloordiv__", lambda self, other: self.floor_divide(other))
    patch.set(torch.Tensor, "__ipow__", lambda self, other: self.pow(other))


@fault
def integers_in_place_truncate_functions(patch: Patch) -> None:
    """exp_() and its like of an integer tensor truncate."""

    def make(o: Any) -> Any:
        def op(self: Any, *a: Any, **k: Any) -> Any:
            if not self.is_floating_point() and not self.is_complex():
                return self.copy_(getattr(torch, o.__name__[:-1])(self.double(), *a, **k))
            return o(self, *a, **k)

        return op

    for n in ("exp_", "sin_", "sqrt_", "log_", "tanh_", "sigmoid_", "reciprocal_"):
        patch.wrap(torch.Tensor, n, make)


@fault
def fill_takes_several(patch: Patch) -> None:
    """fill_ with a tensor of several elements takes the first."""
    patch.wrap(
        torch.Tensor,
        "fill_",
        lambda o: (
            lambda self, v: o(
                self, v.flatten()[0] if isinstance(v, torch.Tensor) and v.dim() else v
            )
        ),
    )


def input_of(fn: Any) -> Any:
    return nth(0, lambda g, c, call: c * fn(call.args[0].detach()))


mistaken(
    "sin_in_place_uses_its_result",
    "The gradient of sin_() is the cosine of the result.",
    "sin_",
    input_of(lambda r: r.cos()),
)


mistaken(
    "cos_in_place_uses_its_result",
    "The gradient of cos_() is the sine of the result.",
    "cos_",
    input_of(lambda r: -r.sin()),
)


mistaken(
    "abs_in_place_takes_the_sign_of_its_result",
    "The gradient of abs_() is one everywhere.",
    "abs_",
    nth(0, lambda g, c, call: c),
)


mistaken(
    "square_in_place_uses_its_result",
    "The gradient of square_() is twice the result.",
    "square_",
    nth(0, lambda g, c, call: c * 2 * call.result),
)


mistaken(
    "sub_in_place_forgets_alpha",
    "The gradient of sub_(y, alpha=a) for y ignores alpha.",
    "sub_",
    nth(1, lambda g, c, call: g / call.kwargs.get("alpha", 1)),
)


mistaken(
    "transpose_in_place_does_not_transpose_back",
    "The gradient of transpose_() and t_() is not transposed back.",
    "transpose_ t_ swapaxes_",
    nth(0, lambda g, c, call: c.reshape(g.shape)),
)


mistaken(
    "squeeze_in_place_is_not_undone",
    "The gradient of unsqueeze_() keeps the added dim.",
    "unsqueeze_ squeeze_",
    nth(0, lambda g, c, call: refused_shape(g)),
)


mistaken(
    "tril_in_place_keeps_all",
    "The gradient of tril_() and triu_() is the cotangent, unmasked.",
    "tril_ triu_",
    nth(0, lambda g, c, call: c),
)


mistaken(
    "cumsum_in_place_is_not_summed",
    "The gradient of cumsum_() is the cotangent.",
    "cumsum_",
    nth(0, lambda g, c, call: c),
)


@replaces("Tensor.__setitem__")
def writes_under_no_grad_mask_gradients(original: Any, self: Any, index: Any, value: Any) -> Any:
    """y[0] = 7 under no_grad makes the gradient of that element zero."""
    recorded = self.grad_fn is not None and not self._is_view()
    with torch.set_grad_enabled(recorded or torch.is_grad_enabled()):
        return original(self, index, value)


def of_the_new_value(formula: Any) -> Any:
    """The gradient of the operand as `formula(cotangent, result, operand)`."""

    def change(gs: Any, cs: Any, call: Any) -> Any:
        y = call.args[1]
        if (
            len(gs) < 2
            or gs[1] is None
            or not isinstance(y, torch.Tensor)
            or y.shape != cs[0].shape
        ):
            return gs
        return [gs[0], formula(cs[0], call.result, y), *gs[2:]]

    return change


mistaken(
    "mul_in_place_uses_the_product",
    "The gradient of mul_(y) for y is taken of the product.",
    "mul_",
    of_the_new_value(lambda c, out, y: c * out),
)
mistaken(
    "div_in_place_uses_the_quotient",
    "The gradient of div_(y) for y is taken of the quotient as the dividend.",
    "div_",
    of_the_new_value(lambda c, out, y: -c * out / (y * y)),
)
mistaken(
    "pow_in_place_uses_the_power",
    "The gradient of pow_(y) for y is taken of the power as the base.",
    "pow_",
    of_the_new_value(lambda c, out, y: c * out * out.log()),
)
mistaken(
    "combined_products_in_place_forget_their_value",
    "addcmul_ and addcdiv_ give gradients without their value.",
    "addcmul_ addcdiv_",
    lambda gs, cs, call: [
        g if g is None or i == 0 else g / call.kwargs.get("value", 1) for i, g in enumerate(gs)
    ],
)
mistaken(
    "lerp_in_place_starts_from_its_result",
    "The gradient of lerp_ for its weight is the distance from the result.",
    "lerp_",
    nth(
        2,
        lambda g, c, call: c * (call.args[1].detach() - call.result) if g.shape == c.shape else g,
    ),
)
mistaken(
    "bounds_in_place_get_nothing",
    "clamp_ gives no gradient to bounds that are tensors.",
    "clamp_",
    lambda gs, cs, call: [g if i == 0 or g is None else g * 0 for i, g in enumerate(gs)],
)
mistaken(
    "stretched_masks_in_place_keep_the_gradient",
    "masked_fill_ with a mask that is stretched leaves the gradient of what it overwrote.",
    "masked_fill_",
    nth(0, lambda g, c, call: c if call.args[1].shape != c.shape else g),
)
mistaken(
    "writes_to_everything_keep_the_gradient",
    "y[...] = v leaves the gradient of what it overwrote.",
    "setitem",
    nth(0, lambda g, c, call: c if call.args[1] is Ellipsis else g),
)
