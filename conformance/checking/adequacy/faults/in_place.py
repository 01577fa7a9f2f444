"""Faults of in-place operations and views: version checks, tracking, what is shared."""

from __future__ import annotations

from typing import Any

from ..breaking import Notes, Patch, fault, inside, miscompute, nth, replaces, torch

CHANGES = (
    "add_", "sub_", "mul_", "div_", "pow_", "__iadd__", "__isub__", "__imul__", "__itruediv__",
    "zero_", "fill_", "copy_", "neg_", "exp_", "sin_", "sigmoid_", "tanh_", "relu_", "sqrt_",
    "clamp_", "masked_fill_", "index_fill_", "index_add_", "scatter_", "scatter_add_", "square_",
    "abs_", "log_", "reciprocal_", "addcmul_", "addcdiv_", "addmm_", "lerp_", "index_copy_",
    "index_put_", "__setitem__",
)  # fmt: skip
VIEWS = (
    "view", "reshape", "__getitem__", "t", "transpose", "permute", "expand", "narrow", "select",
    "unsqueeze", "squeeze", "flatten", "diagonal", "view_as", "expand_as", "swapaxes", "movedim",
    "unfold", "as_strided",
)  # fmt: skip


def changed(patch: Patch, make: Any, names: tuple[str, ...] = CHANGES) -> None:
    """Replace methods of tensors by `make(method)`."""
    for name in names:
        patch.wrap(torch.Tensor, name, make)


def unrecorded(patch: Patch, when: Any, names: tuple[str, ...] = CHANGES) -> None:
    """In-place changes of tensors for which `when(tensor)` happen unrecorded."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not when(self):
                return original(self, *args, **kwargs)
            with torch.no_grad():
                return original(self, *args, **kwargs)

        return operation

    changed(patch, make, names)


def unless_noted(patch: Patch, when: Any) -> None:
    """In-place changes of tensors for which `when(tensor)` are not counted."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not when(self):
                return original(self, *args, **kwargs)
            with inside.keeping_version(self):
                return original(self, *args, **kwargs)

        return operation

    changed(patch, make)


@fault
def changes_are_not_counted(patch: Patch) -> None:
    """No in-place change is noticed by the version check."""
    unless_noted(patch, lambda tensor: True)


@fault
def changes_through_views_are_not_counted(patch: Patch) -> None:
    """An in-place change of a view is not noticed by the version check."""
    unless_noted(patch, lambda tensor: tensor._is_view())


@fault
def changes_within_no_grad_are_not_counted(patch: Patch) -> None:
    """An in-place change within no_grad is not noticed by the version check."""
    unless_noted(patch, lambda tensor: not torch.is_grad_enabled())


@fault
def changes_of_constants_are_not_counted(patch: Patch) -> None:
    """An in-place change of a tensor that does not require grad is not noticed."""
    unless_noted(patch, lambda tensor: not tensor.requires_grad)


@replaces("Tensor.__setitem__")
def setitem_is_not_counted(original: Any, self: Any, index: Any, value: Any) -> None:
    """Assigning to an index is not noticed by the version check."""
    with inside.keeping_version(self):
        original(self, index, value)


@fault
def changes_count_twice(patch: Patch) -> None:
    """An in-place change counts as two."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            torch.autograd.graph.increment_version(self)
            return result

        return operation

    changed(patch, make)


@fault
def leaves_may_be_changed(patch: Patch) -> None:
    """A leaf that requires grad may be changed in place: it happens unrecorded."""
    unrecorded(patch, lambda tensor: tensor.is_leaf and tensor.requires_grad)


@fault
def views_of_leaves_may_be_changed(patch: Patch) -> None:
    """A view of a leaf that requires grad may be changed in place: it happens unrecorded."""

    def when(tensor: Any) -> bool:
        base = tensor._base
        return base is not None and base.is_leaf and base.requires_grad

    unrecorded(patch, when)


@fault
def leaves_may_be_assigned_to_by_index(patch: Patch) -> None:
    """x[0] = v on a leaf that requires grad is silently accepted."""
    unrecorded(patch, lambda tensor: tensor.is_leaf and tensor.requires_grad, ("__setitem__",))


@fault
def expanded_tensors_may_be_changed(patch: Patch) -> None:
    """An in-place change of an expanded tensor, whose elements share memory, is accepted."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if any(s == 0 and n > 1 for s, n in zip(self.stride(), self.shape, strict=True)):
                for dim, stride in enumerate(self.stride()):
                    if stride == 0:
                        original(self.narrow(dim, 0, 1), *args, **kwargs)
                        return self
            return original(self, *args, **kwargs)

        return operation

    changed(patch, make, ("add_", "mul_", "__iadd__", "__imul__", "fill_", "zero_"))


@fault
def changes_of_views_are_not_recorded_in_the_base(patch: Patch) -> None:
    """Gradients through the base do not see an in-place change that was made through a view."""
    unrecorded(patch, lambda tensor: tensor._is_view() and tensor.requires_grad)


@fault
def changes_of_the_base_are_not_recorded_in_views(patch: Patch) -> None:
    """Gradients through a view do not see an in-place change that was made to the base."""
    unless_noted(patch, lambda tensor: not tensor._is_view() and tensor.requires_grad)


@replaces("Tensor.copy_")
def values_written_into_a_base_get_no_gradient(
    original: Any, self: Any, source: Any, *args: Any
) -> Any:
    """copy_() of a tensor into a buffer that does not require grad is not recorded."""
    if not self.requires_grad and source.requires_grad:
        source = source.detach()
    return original(self, source, *args)


@replaces("Tensor.__setitem__")
def values_assigned_to_an_index_get_no_gradient(
    original: Any, self: Any, index: Any, value: Any
) -> None:
    """x[i] = v sends no gradient to v."""
    original(self, index, value.detach() if isinstance(value, torch.Tensor) else value)


@replaces("Tensor.__setitem__")
def assigned_elements_keep_their_gradient(original: Any, self: Any, index: Any, value: Any) -> None:
    """x[i] = v still sends the gradient of the overwritten element to the old x."""
    original(self, index, value)
    if self.grad_fn is not None and not self._is_view():
        self.grad_fn.register_hook(
            lambda inputs, outputs: (outputs[0], *inputs[1:]) if inputs else None
        )


def copying(patch: Patch, names: tuple[str, ...]) -> None:
    """Let operations that give views give copies."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor):
                return result if result is self or not result._is_view() else result.clone()
            return result

        return operation

    for name in names:
        patch.wrap(torch.Tensor, name, make)
        if hasattr(torch, name):
            patch.wrap(torch, name, make)


@fault
def reshape_copies(patch: Patch) -> None:
    """reshape() always copies."""
    copying(patch, ("reshape",))


@fault
def view_copies(patch: Patch) -> None:
    """view() copies."""
    copying(patch, ("view", "view_as"))


@fault
def indexing_with_integers_copies(patch: Patch) -> None:
    """x[0] and x[1:] are copies."""
    copying(patch, ("__getitem__",))


@fault
def transposing_copies(patch: Patch) -> None:
    """t(), transpose() and permute() copy."""
    copying(patch, ("t", "transpose", "permute"))


@fault
def expand_copies(patch: Patch) -> None:
    """expand() copies."""
    copying(patch, ("expand", "expand_as"))


@fault
def squeezing_copies(patch: Patch) -> None:
    """squeeze() and unsqueeze() copy."""
    copying(patch, ("squeeze", "unsqueeze"))


@replaces("Tensor.contiguous")
def contiguous_always_copies(original: Any, self: Any) -> Any:
    """contiguous() of a contiguous tensor is a copy instead of the tensor itself."""
    result = original(self)
    return result.clone() if result is self else result


@replaces("Tensor.__getitem__")
def indexing_with_a_list_is_a_view(original: Any, self: Any, index: Any) -> Any:
    """x[[0, 1]] of neighbours is a view instead of a copy."""
    if isinstance(index, list) and index and all(type(i) is int for i in index):
        if index == list(range(index[0], index[0] + len(index))):
            return original(self, slice(index[0], index[0] + len(index)))
    return original(self, index)


@fault
def parts_may_be_changed(patch: Patch) -> None:
    """What unbind, split and chunk give may be changed in place."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            with torch.no_grad():
                parts = original(self, *args, **kwargs)
            strided = [
                self.as_strided(part.shape, part.stride(), part.storage_offset()) for part in parts
            ]
            return tuple(strided)

        return operation

    for name in ("unbind", "split", "chunk"):
        patch.wrap(torch.Tensor, name, make)
        patch.wrap(torch, name, make)


@fault
def views_know_no_base(patch: Patch) -> None:
    """_base of a view is the view that it was taken from, not the tensor at the bottom."""

    parents: Any = Notes()
    original_base: Any = torch.Tensor._base

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor) and result._is_view() and result is not self:
                parents[result] = self
            return result

        return operation

    changed(patch, make, VIEWS)
    patch.set(
        torch.Tensor, "_base", property(lambda self: parents.get(self, original_base.__get__(self)))
    )


@fault
def in_place_gives_a_new_tensor(patch: Patch) -> None:
    """x += y binds a new tensor instead of changing x."""
    for name, plain in (("__iadd__", "__add__"), ("__imul__", "__mul__"), ("__isub__", "__sub__")):
        patch.set(torch.Tensor, name, getattr(torch.Tensor, plain))


@fault
def methods_in_place_give_a_new_tensor(patch: Patch) -> None:
    """x.mul_(y) changes x but returns another tensor."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            return original(self, *args, **kwargs).view_as(self)

        return operation

    changed(patch, make, ("add_", "mul_", "sub_", "div_", "zero_", "fill_", "copy_"))


@fault
def in_place_widens_by_broadcasting(patch: Patch) -> None:
    """x += y with a y that broadcasts to more than x's shape gives the larger result."""

    def make(original: Any, name: str = "__add__") -> Any:
        def operation(self: Any, other: Any) -> Any:
            if isinstance(other, torch.Tensor) and torch.broadcast_shapes(
                self.shape, other.shape
            ) != tuple(self.shape):
                return self + other
            return original(self, other)

        return operation

    for name in ("__iadd__", "add_"):
        patch.wrap(torch.Tensor, name, make)


@fault
def zero_in_place_keeps_the_gradient(patch: Patch) -> None:
    """zero_() and fill_() do not stop the gradient."""
    miscompute(patch, "zero_ fill_", lambda gi, go, call: [go[0]])


@fault
def mul_in_place_ignores_its_factor(patch: Patch) -> None:
    """The gradient of mul_() by a tensor is not multiplied by it."""
    miscompute(patch, "mul_", nth(0, lambda g, cotangent, call: cotangent))


@fault
def sub_in_place_has_the_wrong_sign(patch: Patch) -> None:
    """The gradient of sub_() with respect to what is subtracted lacks its sign."""
    miscompute(patch, "sub_", nth(1, lambda g, cotangent, call: -g))


@fault
def div_in_place_divides_not(patch: Patch) -> None:
    """The gradient of div_() is not divided."""
    miscompute(patch, "div_", nth(0, lambda g, cotangent, call: cotangent))


@fault
def pow_in_place_is_linear(patch: Patch) -> None:
    """The gradient of pow_() lacks the exponent."""
    miscompute(patch, "pow_", nth(0, lambda g, c, call: g / call.args[1]))


@fault
def masked_fill_in_place_leaks(patch: Patch) -> None:
    """masked_fill_() sends gradient to the elements that it overwrote."""
    miscompute(patch, "masked_fill_", nth(0, lambda g, cotangent, call: cotangent))


@fault
def relu_in_place_passes_everything(patch: Patch) -> None:
    """relu_() passes the gradient of negative elements."""
    miscompute(patch, "relu_", nth(0, lambda g, cotangent, call: cotangent))


@fault
def clamp_in_place_passes_everything(patch: Patch) -> None:
    """clamp_() passes the gradient of clamped elements."""
    miscompute(patch, "clamp_", nth(0, lambda g, cotangent, call: cotangent))


@fault
def copy_does_not_sum_over_broadcasting(patch: Patch) -> None:
    """copy_() of what is broadcast gives the mean of the gradients instead of their sum."""
    miscompute(
        patch, "copy_",
        lambda gi, go, call: [
            gi[0],
            *(
                g if g is None or g.numel() == go[0].numel() else g * g.numel() / go[0].numel()
                for g in gi[1:]
            ),
        ],
    )  # fmt: skip


@fault
def exp_saves_its_result_by_copy(patch: Patch) -> None:
    """exp() keeps a copy of its result, so that overwriting it is not refused."""

    def make(original: Any) -> Any:
        def exp(self: Any, **kwargs: Any) -> Any:
            result = original(self, **kwargs)
            return (
                result.clone()
                if isinstance(self, torch.Tensor) and result.requires_grad
                else result
            )

        return exp

    patch.wrap(torch.Tensor, "exp", make)
    patch.wrap(torch, "exp", make)


@fault
def add_checks_versions_too(patch: Patch) -> None:
    """Addition saves its operands though it needs none, so that overwriting them is refused."""

    class Saving(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, self: Any, other: Any) -> Any:
            ctx.save_for_backward(self, other)
            return self.clone()

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:  # type: ignore[override]
            _ = ctx.saved_tensors
            return gradient, None

    def make(original: Any) -> Any:
        def add(self: Any, other: Any, **kwargs: Any) -> Any:
            if isinstance(self, torch.Tensor) and self.requires_grad and torch.is_grad_enabled():
                if self.is_floating_point():
                    return original(Saving.apply(self, self), other, **kwargs)
            return original(self, other, **kwargs)

        return add

    for owner, name in ((torch.Tensor, "__add__"), (torch.Tensor, "add"), (torch, "add")):
        patch.wrap(owner, name, make)


@fault
def requires_grad_does_not_spread_in_place(patch: Patch) -> None:
    """A buffer into which a tensor that requires grad is added does not require grad."""

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
            if not self.requires_grad and isinstance(other, torch.Tensor):
                other = other.detach()
            return original(self, other, *args, **kwargs)

        return operation

    changed(patch, make, ("__iadd__", "add_", "mul_", "__imul__"))


@fault
def in_place_on_a_non_leaf_makes_a_leaf(patch: Patch) -> None:
    """An in-place change of a non-leaf forgets its history."""

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any) -> Any:
            if self.grad_fn is not None and not self._is_view():
                self.detach_().requires_grad_()
                with torch.no_grad():
                    return original(self, other)
            return original(self, other)

        return operation

    changed(patch, make, ("__imul__", "mul_"))
