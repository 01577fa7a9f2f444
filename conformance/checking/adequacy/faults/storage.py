"""Faults of memory that is shared, and of what counts as a change."""

from __future__ import annotations

from typing import Any

from ..breaking import Notes, Patch, around, fault, inside, replaces, tensors_in, torch, untouched
from .in_place import changed, unless_noted
from .leaves import attribute
from .storage_combinations import missing_operand_check


@fault
def detach_of_what_is_not_contiguous_copies(patch: Patch) -> None:
    """detach() of a tensor that is not contiguous has a storage of its own."""
    around(patch, "detach", lambda o, x: o(x) if x.is_contiguous() else o(x).contiguous())


@fault
def detach_of_a_constant_is_the_constant(patch: Patch) -> None:
    """detach() of what requires no gradient is the tensor itself."""
    around(patch, "detach", lambda o, x: o(x) if x.requires_grad else x)


@fault
def detached_views_count_alone(patch: Patch) -> None:
    """detach() of a view has a version counter of its own."""
    around(patch, "detach", lambda o, x: x.data if x._is_view() else o(x))


@fault
def assigning_data_copies(patch: Patch) -> None:
    """x.data = y copies the values into the storage of x."""

    def put(self: Any, value: Any) -> None:
        data = original.__get__(self)
        if data.shape == value.shape and data.dtype == value.dtype:
            data.copy_(value)
        else:
            original.__set__(self, value)

    original: Any = torch.Tensor.data
    attribute(patch, "data", None, put)


@fault
def assigning_data_forgets_the_gradient(patch: Patch) -> None:
    """x.data = y sets x.grad to None."""

    def put(self: Any, value: Any) -> None:
        original.__set__(self, value)
        if self.is_leaf:
            self.grad = None

    original: Any = torch.Tensor.data
    attribute(patch, "data", None, put)


@fault
def data_of_another_shape_is_refused(patch: Patch) -> None:
    """x.data = y is refused where the shapes differ."""

    def put(self: Any, value: Any) -> None:
        if isinstance(value, torch.Tensor) and self.shape != value.shape:
            raise RuntimeError("shape mismatch")
        original.__set__(self, value)

    original: Any = torch.Tensor.data
    attribute(patch, "data", None, put)


@fault
def earlier_data_follows_an_assignment(patch: Patch) -> None:
    """What x.data gave before x.data = y shows y afterwards."""
    original: Any = torch.Tensor.data
    given: Any = Notes()

    def get(self: Any) -> Any:
        d = original.__get__(self)
        given[self] = d
        return d

    def put(self: Any, value: Any) -> None:
        old = given.get(self)
        original.__set__(self, value)
        if old is not None and old.shape == value.shape and old.dtype == value.dtype:
            original.__set__(old, value)

    attribute(patch, "data", get, put)


@fault
def data_counts_changes_with_its_tensor(patch: Patch) -> None:
    """Changes of x.data are counted as changes of x."""

    def get(self: Any) -> Any:
        return untouched.detach(self)

    attribute(patch, "data", get)


@replaces("Tensor.detach_")
def views_may_be_detached_in_place(original: Any, self: Any) -> Any:
    """detach_() of a view is accepted, and does nothing."""
    return self if self._is_view() else original(self)


@fault
def view_of_the_same_shape_is_the_tensor(patch: Patch) -> None:
    """view() and expand() to the shape that a tensor has give the tensor itself."""

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any) -> Any:
            result = original(self, *args)
            return self if result.shape == self.shape and result.dtype == self.dtype else result

        return view

    for name in ("view", "view_as", "expand", "expand_as"):
        patch.wrap(torch.Tensor, name, make)


@fault
def transposes_by_attribute_copy(patch: Patch) -> None:
    """x.T, x.mT and x.H are copies."""
    for name in ("T", "mT", "H", "mH"):
        original: Any = getattr(torch.Tensor, name)
        patch.set(
            torch.Tensor,
            name,
            property(lambda self, original=original: original.__get__(self).clone()),
        )


@fault
def view_copies_where_it_cannot_view(patch: Patch) -> None:
    """view() of what is not contiguous copies instead of being refused."""
    patch.wrap(
        torch.Tensor,
        "view",
        lambda o: (
            lambda self, *args: (
                o(self, *args)
                if self.is_contiguous() or any(isinstance(a, torch.dtype) for a in args)
                else self.reshape(*args)
            )
        ),
    )


@fault
def clones_of_expanded_tensors_are_expanded(patch: Patch) -> None:
    """clone() of an expanded tensor still have one place for several elements."""

    def op(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        r = o(x, *a, **k)
        if r is x or 0 not in [s for s, n in zip(x.stride(), x.shape, strict=False) if n > 1]:
            return r
        t = r
        for dim, (s, n) in enumerate(zip(x.stride(), x.shape, strict=False)):
            if n > 1 and s == 0:
                t = t.narrow(dim, 0, 1)
        t = o(t.contiguous()) if t.requires_grad else t.contiguous()
        return t.expand(x.shape)

    around(patch, "clone", op)


@fault
def iterating_cuts_the_graph(patch: Patch) -> None:
    """for row in x gives rows without history."""
    patch.wrap(
        torch.Tensor, "__iter__", lambda o: lambda self: iter([each.detach() for each in o(self)])
    )


@fault
def changes_of_scalars_are_not_counted(patch: Patch) -> None:
    """In-place changes of a tensor without dimensions are not counted."""
    unless_noted(patch, lambda tensor: tensor.dim() == 0)


@fault
def fills_are_not_counted(patch: Patch) -> None:
    """zero_() and fill_() are not counted as changes."""

    def make(original: Any) -> Any:
        def op(self: Any, *a: Any) -> Any:
            with inside.keeping_version(self):
                return original(self, *a)

        return op

    changed(patch, make, ("zero_", "fill_"))


@replaces("Tensor.__setitem__")
def writes_by_a_mask_are_not_counted(original: Any, self: Any, index: Any, value: Any) -> Any:
    """x[mask] = value is not counted as a change."""
    if isinstance(index, torch.Tensor) and index.dtype == torch.bool:
        with inside.keeping_version(self):
            return original(self, index, value)
    return original(self, index, value)


@fault
def changed_conditions_are_used(patch: Patch) -> None:
    """A condition of where or a mask that was changed in place is used as it is now, without refusal."""
    around(patch, "where", lambda o, c, *a, **k: o(c.data, *a, **k))
    around(patch, "masked_fill", lambda o, x, m, *a, **k: o(x, m.data, *a, **k))
    around(patch, "masked_select", lambda o, x, m, *a, **k: o(x, m.data, *a, **k))


@replaces("Tensor.__getitem__")
def changed_indices_of_getitem_are_used(original: Any, self: Any, index: Any) -> Any:
    """x[index] gives its gradient to where the index points now, if it was changed in place."""
    return original(self, index.data if isinstance(index, torch.Tensor) else index)


@fault
def changed_indices_of_writes_are_used(patch: Patch) -> None:
    """index_add, index_copy, scatter, scatter_add and put use an index as it is after it was changed."""

    def make(o: Any) -> Any:
        return lambda x, dim, index, *a, **k: o(x, dim, index.data, *a, **k)

    for name in ["index_add", "index_copy", "scatter", "scatter_add"]:
        patch.wrap(torch, name, make)
        patch.wrap(torch.Tensor, name, make)
        patch.wrap(torch.Tensor, f"{name}_", make)


def copied(original: Any, *args: Any, **kwargs: Any) -> Any:
    """A copy of the result: the operation keeps the one that it saved to itself."""
    result = original(*args, **kwargs)
    return result.clone() if isinstance(result, torch.Tensor) and result.requires_grad else result


@fault
def results_of_reductions_are_not_checked(patch: Patch) -> None:
    """A result that amax, norm, logsumexp, cumprod, std or prod saved may be changed in place."""
    around(
        patch,
        "amax amin norm logsumexp cumprod std prod linalg.vector_norm softmax log_softmax cummax",
        copied,
    )


@fault
def results_of_square_roots_are_not_checked(patch: Patch) -> None:
    """A result that sqrt, rsqrt, reciprocal, tan or expm1 saved may be changed in place."""
    around(patch, "sqrt rsqrt reciprocal tan expm1 exp2", copied)


@fault
def operands_of_two_operands_are_not_checked(patch: Patch) -> None:
    """Operands of maximum, atan2, hypot, where, lerp and addcmul may be changed in place."""
    names = "maximum minimum atan2 hypot lerp addcmul addcdiv fmod remainder xlogy logaddexp"
    for index in range(3):
        missing_operand_check(patch, index, tuple(names.split()))


@fault
def inputs_of_linear_operations_are_checked(patch: Patch) -> None:
    """A change of an input of cat, stack, cumsum, flip and their like is refused, though not saved."""

    def op(o: Any, *a: Any, **k: Any) -> Any:
        r = o(*a, **k)
        if isinstance(r, torch.Tensor) and r.grad_fn is not None:
            saved = [(x, x._version) for x in tensors_in(a)]

            def check(gs: Any) -> None:
                if any(x._version != v for x, v in saved):
                    raise RuntimeError("a variable has been modified by an inplace operation")

            r.grad_fn.register_prehook(check)
        return r

    around(patch, "cat stack cumsum flip where index_select gather roll masked_fill tril", op)


@fault
def detach_of_scalars_copies(patch: Patch) -> None:
    """detach() of a tensor without dimensions has memory of its own."""
    around(patch, "detach", lambda o, x: o(x).clone() if x.requires_grad and not x.dim() else o(x))


@replaces("Tensor.__setitem__")
def writes_to_elements_of_rows_are_not_counted(
    original: Any, self: Any, index: Any, value: Any
) -> Any:
    """x[0][1] = 5 is not counted as a change of x."""
    if not self._is_view():
        return original(self, index, value)
    with inside.keeping_version(self):
        return original(self, index, value)


@fault
def pieces_of_constants_count_alone(patch: Patch) -> None:
    """A change of a piece of split, chunk or unbind of a constant is not one of the whole."""

    def pieces(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        return result if x.requires_grad else tuple(piece.data for piece in result)

    around(patch, "split chunk unbind", pieces)
