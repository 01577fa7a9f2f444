"""Faults of what an operation in place refuses, and of what a refused one leaves behind."""

from __future__ import annotations

from typing import Any

from ..breaking import Marked, Patch, around, around_pass, fault, register, torch, untouched
from .detaching import SHAPES, count
from .in_place import CHANGES, changed, unrecorded
from .in_place_twins import forgiving

LEAF = (
    "leaf-in-place",
    "a leaf Variable that requires grad is being used in an in-place operation.",
)


def refusal(kind: str, text: str) -> Exception:
    """An error in PyTorch's words, and of a kind as the errors of the reference are."""
    error = RuntimeError(text)
    vars(error)["kind"] = kind
    return error


def is_advanced(index: Any) -> bool:
    """Whether an index is, or holds, a list, a mask or a tensor of several elements."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(p, list) or (isinstance(p, torch.Tensor) and p.dim()) for p in parts)


def is_basic(index: Any) -> bool:
    """Whether an index gives a view."""
    return not is_advanced(index)


def assignment(patch: Patch, assign: Any) -> None:
    """Let x[index] = value be `assign(original, x, index, value)`."""
    patch.wrap(
        torch.Tensor,
        "__setitem__",
        lambda original: lambda x, index, value: assign(original, x, index, value),
    )


def refusing(
    patch: Patch, when: Any, reason: tuple[str, str], names: tuple[str, ...] = CHANGES
) -> None:
    """Refuse in-place changes for which `when(tensor, *arguments)`, for a reason: kind and words."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if when(self, *args):
                raise refusal(*reason)
            return original(self, *args, **kwargs)

        return change

    changed(patch, make, names)


@fault
def a_changed_leaf_becomes_a_result(patch: Patch) -> None:
    """A leaf that requires grad silently becomes a non-leaf when it is changed in place."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if torch.is_grad_enabled() and self.is_leaf and self.requires_grad:
                before = untouched.detach(self).requires_grad_()
                self.requires_grad_(False)
                untouched.copy_(self, before)
            return original(self, *args, **kwargs)

        return change

    changed(patch, make)


@fault
def leaves_are_written_before_they_are_refused(patch: Patch) -> None:
    """A change in place of a leaf that requires grad is refused after the values were written."""

    def write(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        with torch.no_grad():
            original(self, *args, **kwargs)
        raise  # the refusal that is being handled

    forgiving(patch, "a leaf Variable", write)


@fault
def refused_changes_of_leaves_are_counted(patch: Patch) -> None:
    """A change in place of a leaf that is refused counts as a change."""

    def refuse(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        count(self)
        raise  # the refusal that is being handled

    forgiving(patch, "a leaf Variable", refuse)


@fault
def former_leaves_get_no_gradient_silently(patch: Patch) -> None:
    """A pass that arrives at a former leaf, which is a result by now, raises no error."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except RuntimeError as error:
            if "moved into the graph" not in str(error):
                raise
            return ()

    around_pass(patch, around)


@fault
def every_leaf_refuses_additions(patch: Patch) -> None:
    """x.add_() of a leaf is refused also where the leaf does not require grad."""
    refusing(
        patch,
        lambda x, *_: torch.is_grad_enabled() and x.is_leaf and not x._is_view(),
        LEAF,
        ("add_", "__iadd__"),
    )


@fault
def shapes_of_leaves_may_be_changed(patch: Patch) -> None:
    """The shape of a leaf that requires grad may be changed in place."""
    unrecorded(patch, lambda x: x.is_leaf and x.requires_grad, SHAPES)


@fault
def assigning_nothing_returns_early(patch: Patch) -> None:
    """Assigning to an empty slice returns before anything is checked."""

    def assign(original: Any, x: Any, index: Any, value: Any) -> None:
        if is_advanced(index) or untouched.__getitem__(untouched.detach(x), index).numel():
            original(x, index, value)

    assignment(patch, assign)


def writing_alone(kind: str, when: Any) -> None:
    """Assigning to such an index writes into the memory and nothing else."""

    def assign(original: Any, x: Any, index: Any, value: Any) -> None:
        if not when(index):
            original(x, index, value)
            return
        given = untouched.detach(value) if isinstance(value, torch.Tensor) else value
        original(untouched.data.__get__(x), index, given)

    register(
        f"assigning_to_{kind}_only_writes",
        f"Assigning to {kind.replace('_', ' ')} writes into the memory and nothing else.",
        lambda patch: assignment(patch, assign),
    )


writing_alone("an_index", is_basic)
writing_alone("a_mask_or_list", is_advanced)


def variable(patch: Patch, make: Any) -> None:
    """Let autograd.Variable(...) be `make(original, *args)`."""
    original = torch.autograd.Variable
    patch.set(torch.autograd, "Variable", lambda *args, **kwargs: make(original, *args, **kwargs))


@fault
def a_variable_is_no_leaf(patch: Patch) -> None:
    """A Variable that requires grad is no leaf, so that it may be changed in place."""

    def make(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        return result.clone() if result.requires_grad else result

    variable(patch, make)


@fault
def a_variable_cannot_be_changed(patch: Patch) -> None:
    """A Variable refuses every change in place."""
    variables: Any = Marked()

    def make(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        variables.add(result)
        return result

    variable(patch, make)
    refusing(patch, lambda x, *_: x in variables, ("read-only", "a Variable is read-only"))


@fault
def operators_in_place_rebind_under_no_grad(patch: Patch) -> None:
    """Under no_grad `w -= step` gives the name a new tensor."""

    def rebinding(name: str) -> Any:
        plain = getattr(torch.Tensor, name.replace("__i", "__"))

        def make(original: Any) -> Any:
            return lambda self, other: (
                original(self, other) if torch.is_grad_enabled() else plain(self, other)
            )

        return make

    for name in ("__iadd__", "__isub__", "__imul__", "__itruediv__"):
        patch.wrap(torch.Tensor, name, rebinding(name))


def resizing(name: str, sentence: str, when: Any) -> None:
    """resize_ of a tensor that requires grad is accepted where `when()`."""

    def resize(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if not x.requires_grad or not when():
            return original(x, *args, **kwargs)
        x.data = original(untouched.data.__get__(x), *args, **kwargs)
        return x

    register(name, sentence, lambda patch: around(patch, "resize_", resize))


resizing(
    "what_requires_grad_may_be_resized",
    "resize_ takes tensors that require grad.",
    lambda: torch.is_grad_enabled(),
)
resizing(
    "what_requires_grad_may_be_resized_under_no_grad",
    "resize_ takes tensors that require grad under no_grad.",
    lambda: not torch.is_grad_enabled(),
)


# --- dtypes and integers ---


@fault
def integers_come_to_require_grad(patch: Patch) -> None:
    """An integer tensor into which a value is written that requires grad requires grad."""
    tracked: Any = Marked()
    flag: Any = torch.Tensor.requires_grad

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            floats = [x for x in args if isinstance(x, torch.Tensor) and x.requires_grad]
            if floats and not self.is_floating_point() and not self.is_complex():
                tracked.add(self)
            return result

        return change

    changed(patch, make, ("copy_", "__setitem__"))
    patch.set(
        torch.Tensor,
        "requires_grad",
        property(lambda self: self in tracked or flag.__get__(self), flag.__set__),
    )


@fault
def integers_round_what_is_copied(patch: Patch) -> None:
    """A floating value is rounded to the nearest integer where it is copied into an integer tensor."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any) -> Any:
            *index, value = args
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                if not self.is_floating_point() and not self.is_complex():
                    value = value.round()
            return original(self, *index, value)

        return change

    changed(patch, make, ("copy_", "__setitem__"))


@fault
def the_tensor_takes_the_promoted_dtype(patch: Patch) -> None:
    """x.add_(y) gives x the dtype that x + y has."""

    def make(original: Any) -> Any:
        def change(self: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
            promoted = torch.result_type(self, other)
            if promoted != self.dtype and self.is_leaf and not self.requires_grad:
                self.data = untouched.data.__get__(self).to(promoted)
            return original(self, other, *args, **kwargs)

        return change

    changed(patch, make, ("add_", "sub_", "mul_", "div_"))
