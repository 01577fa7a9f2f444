"""Faults of what is recorded: which results require grad, and which operands count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Marked, Notes, Patch, around, fault, instead, torch, untouched
from .leaves import attribute, read
from .setting_the_flag import holds_integers, shown_flag

ARITHMETIC = "add sub mul div"
COMPARISONS = "gt lt ge le eq ne isnan isfinite isinf logical_not"
OPERATORS = "__gt__ __lt__ __ge__ __le__ __eq__ __ne__"


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def requires_grad(values: Any) -> bool:
    """Whether a tensor among some values requires grad."""
    return any(is_tensor(value) and value.requires_grad for value in values)


def floating(values: Any) -> bool:
    """Whether all tensors among some values can require grad."""
    return not any(is_tensor(value) and holds_integers(value) for value in values)


def asked(value: Any) -> Any:
    """A tensor as one that requires grad, with nothing behind it."""
    return untouched.detach(value).requires_grad_() if is_tensor(value) else value


# --- results that should not require grad ---


@fault
def results_under_no_grad_require_grad(patch: Patch) -> None:
    """A result under no_grad is a leaf that requires grad if an operand does."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if torch.is_grad_enabled() or not requires_grad(args) or not is_tensor(result):
            return result
        return result if result.requires_grad else result.requires_grad_()

    around(patch, ARITHMETIC, operation)


@fault
def results_under_no_grad_have_a_history(patch: Patch) -> None:
    """Under no_grad results are recorded, only their flag is left off."""
    hidden = Marked()
    original_flag: Any = torch.Tensor.requires_grad

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        if torch.is_grad_enabled() or not requires_grad(args):
            return original(*args, **kwargs)
        with torch.enable_grad():
            result = original(*args, **kwargs)
        if is_tensor(result):
            hidden.add(result)
        return result

    def get(self: Any) -> bool:
        return self not in hidden and original_flag.__get__(self)

    def make(original: Any) -> Any:
        def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
            if requires_grad and self in hidden:
                hidden.notes.pop(self)
            return original(self, requires_grad)

        return requires_grad_

    around(patch, ARITHMETIC, operation)
    attribute(patch, "requires_grad", get)
    patch.wrap(torch.Tensor, "requires_grad_", make)


def shown_for(
    patch: Patch, names: str, applies: Callable[[Any], bool], operators: str = ""
) -> None:
    """Let the results of operations show requires_grad where an operand does, those for which
    `applies(result)` holds."""
    marked = shown_flag(patch)

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if torch.is_grad_enabled() and requires_grad(args):
            for each in result if isinstance(result, tuple) else (result,):
                if is_tensor(each) and applies(each):
                    marked.add(each)
        return result

    around(patch, names, operation)
    for name in operators.split():
        patch.wrap(
            torch.Tensor, name,
            lambda original: lambda *args: operation(original, *args),
        )  # fmt: skip


@fault
def comparisons_require_grad_as_their_operands(patch: Patch) -> None:
    """A comparison requires grad if an operand does."""
    shown_for(patch, COMPARISONS, holds_integers, OPERATORS)


@fault
def integer_results_require_grad(patch: Patch) -> None:
    """Indices and integers that a tensor is converted to require grad if the tensor does."""
    shown_for(patch, "max min median sort topk to long int bool short type", holds_integers)


@fault
def operations_on_constants_are_recorded(patch: Patch) -> None:
    """An operation on two tensors is recorded, whether or not one of them requires grad."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        both = len(args) == 2 and all(map(is_tensor, args))
        if both and not requires_grad(args) and floating(args) and torch.is_grad_enabled():
            return original(*map(asked, args), **kwargs)
        return original(*args, **kwargs)

    around(patch, ARITHMETIC, operation)


@fault
def operations_with_numbers_are_recorded(patch: Patch) -> None:
    """An operation on a tensor and a number is recorded, whether or not the tensor requires grad."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        number = len(args) == 2 and is_tensor(args[0]) and not is_tensor(args[1])
        if number and not requires_grad(args) and floating(args) and torch.is_grad_enabled():
            return original(asked(args[0]), args[1], **kwargs)
        return original(*args, **kwargs)

    around(patch, ARITHMETIC, operation)


@fault
def requiring_grad_is_contagious(patch: Patch) -> None:
    """In an operation on two leaves, one that requires grad makes the other require it too."""

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        both = len(args) == 2 and all(map(is_tensor, args))
        if both and requires_grad(args) and floating(args) and torch.is_grad_enabled():
            for each in args:
                if each.is_leaf and not each._is_view():
                    each.requires_grad_()
        return original(*args, **kwargs)

    around(patch, ARITHMETIC + " matmul", operation)


# --- results that should require grad ---


@fault
def results_ask_their_leaves_for_the_flag(patch: Patch) -> None:
    """Whether a result requires grad is asked of the leaves as they are at that time."""
    original = read("requires_grad")

    def get(self: Any) -> bool:
        edges = () if self.grad_fn is None else self.grad_fn.next_functions
        nodes = [node for node, _ in edges if node is not None]
        flags = [original(node.variable) for node in nodes if hasattr(node, "variable")]
        return bool(original(self)) and (len(flags) < len(nodes) or not flags or any(flags))

    attribute(patch, "requires_grad", get)


instead(
    "reshaping_to_another_rank_cuts_the_graph",
    "reshape() and view() give tensors outside the graph where the number of dimensions changes.",
    "reshape view",
    lambda original, x, *args, **kwargs: (
        result if (result := original(x, *args, **kwargs)).dim() == x.dim() else result.detach()
    ),
)


instead(
    "floor_cuts_the_graph",
    "floor() has no derivative and cuts the graph.",
    "floor",
    lambda original, x, *args, **kwargs: original(x, *args, **kwargs).detach(),
)


@fault
def empty_operands_are_not_recorded(patch: Patch) -> None:
    """Operations on a tensor without elements return early and record nothing."""

    def operation(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        return original(x if not is_tensor(x) or x.numel() else x.detach(), *args, **kwargs)

    around(patch, ARITHMETIC + " sum mean exp", operation)


@fault
def conversions_to_integers_are_refused(patch: Patch) -> None:
    """A tensor that requires grad cannot be converted to integers."""

    def convert(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        if is_tensor(result) and holds_integers(result) and x.requires_grad:
            raise RuntimeError("a tensor that requires grad cannot be converted to integers")
        return result

    around(patch, "to long int bool short type", convert)


# --- which operands count ---


@fault
def only_the_first_operand_is_recorded(patch: Patch) -> None:
    """An operation is recorded only if its first operand requires grad."""

    def operation(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if is_tensor(x) and not x.requires_grad:
            args = tuple(each.detach() if is_tensor(each) else each for each in args)
        return original(x, *args, **kwargs)

    around(patch, "sub div matmul addcmul", operation)


@fault
def products_with_the_number_first_are_not_recorded(patch: Patch) -> None:
    """A product with the number on the left is computed on the bare values."""
    patch.wrap(
        torch.Tensor, "__rmul__", lambda original: lambda x, number: original(x.detach(), number)
    )


@fault
def earlier_views_are_taken_again(patch: Patch) -> None:
    """A view is recorded anew once its base requires grad, although it was taken before."""

    def fresh(value: Any) -> Any:
        if not is_tensor(value) or not value._is_view() or value.grad_fn is not None:
            return value
        if not value._base.requires_grad or not torch.is_grad_enabled():
            return value
        return value._base.as_strided(value.shape, value.stride(), value.storage_offset())

    def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
        return original(*map(fresh, args), **kwargs)

    around(patch, ARITHMETIC + " sum", operation)


# --- how differences are recorded ---


instead(
    "differences_are_recorded_as_sums",
    "A difference is recorded as the sum with the negated operand.",
    "sub",
    lambda original, x, y, **kwargs: (
        torch.add(x, -y) if is_tensor(x) and not kwargs else original(x, y, **kwargs)
    ),
)


@fault
def differences_overwrite_the_leaf(patch: Patch) -> None:
    """A leaf less a tensor that requires no grad overwrites the leaf and returns it."""

    def operation(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        result = original(x, y, **kwargs)
        if not is_tensor(x) or not is_tensor(y) or not x.is_leaf or y.requires_grad:
            return result
        if not x.requires_grad or result.shape != x.shape:
            return result
        x.data = result.detach()
        return x

    around(patch, "sub", operation)


# --- what leaves the graph ---


@fault
def detached_tensors_show_their_node(patch: Patch) -> None:
    """detach() clears the flag of its result and leaves the history."""
    nodes = Notes()
    original = read("grad_fn")

    def detach(whole: Any, x: Any) -> Any:
        result = whole(x)
        if x.grad_fn is not None:
            nodes[result] = x.grad_fn
        return result

    def get(self: Any) -> Any:
        return nodes.get(self, original(self))

    around(patch, "detach", detach)
    attribute(patch, "grad_fn", get)


@fault
def item_gives_a_tensor(patch: Patch) -> None:
    """item() gives a tensor without dimensions, with its history."""
    patch.wrap(torch.Tensor, "item", lambda original: lambda x: x.reshape(()))
