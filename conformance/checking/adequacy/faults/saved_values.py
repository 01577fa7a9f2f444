"""Faults of what operations save, and of how a pass tells that it was changed since."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    around_pass,
    edge_of,
    fault,
    inside,
    instead,
    leaves_below,
    miscompute,
    nodes_below,
    register,
    torch,
    untouched,
)
from .in_place import VIEWS, changed, unless_noted
from .in_place_refusals import refusal
from .storage_combinations import missing_operand_check

MODIFIED = (
    "saved-modified",
    "one of the variables needed for gradient computation has been modified by an inplace operation",
)
RESULTS: dict[str, Any] = {
    "exp": lambda y: y,
    "sigmoid": lambda y: y * (1 - y),
    "tanh": lambda y: 1 - y * y,
    "sqrt": lambda y: 0.5 / y,
    "relu": lambda y: (y > 0).to(y.dtype),
}
"""Derivatives as functions of the result."""


@fault
def changed_results_are_used(patch: Patch) -> None:
    """exp, sigmoid, tanh, sqrt and relu use their result as it is now, without a word, if it was changed."""

    def saving(name: str) -> Any:
        def operation(original: Any, *args: Any, **kwargs: Any) -> Any:
            saved = original(*args, **kwargs)
            if not saved.requires_grad:
                return saved
            result = untouched.clone(saved)
            now = untouched.detach(result)

            def hook(gradients: Any, cotangents: Any) -> Any:
                if cotangents[0] is None or now._version == 0:
                    return None
                return (cotangents[0] * RESULTS[name](now),)

            saved.grad_fn.register_hook(hook)
            return result

        return operation

    for name in RESULTS:
        around(patch, name, saving(name))


@fault
def results_in_place_are_not_checked(patch: Patch) -> None:
    """What exp_, sigmoid_, tanh_, sqrt_ and relu_ save of their result may be changed in place."""

    def make(original: Any) -> Any:
        plain = getattr(torch.Tensor, original.__name__.rstrip("_"))

        def change(self: Any) -> Any:
            if not self.requires_grad or self.is_leaf or not torch.is_grad_enabled():
                return original(self)
            return untouched.copy_(self, plain(self))

        return change

    changed(patch, make, tuple(f"{name}_" for name in RESULTS))


def copying_constants(operands: Any) -> Any:
    """The operands, with a copy in the place of each that does not require grad."""
    return [
        untouched.clone(x) if isinstance(x, torch.Tensor) and not x.requires_grad else x
        for x in operands
    ]


for what, operations in (("factors", "mul"), ("matrices", "matmul mm")):
    instead(
        f"constant_{what}_are_not_checked",
        f"Changing a constant {'factor' if what == 'factors' else 'matrix'} of a product in place"
        " is not refused.",
        operations,
        lambda original, *operands, **options: original(*copying_constants(operands), **options),
    )


@fault
def both_factors_are_copied(patch: Patch) -> None:
    """A product saves copies of its factors, so that no change of them is noticed."""
    for index in (0, 1):
        missing_operand_check(patch, index, ("__mul__", "mul"))


def guarded(patch: Patch, operations: str, choose: Any) -> None:
    """Let the backward of operations refuse when a tensor of `choose(result, operands)` was changed."""

    def operation(original: Any, *operands: Any, **options: Any) -> Any:
        result = original(*operands, **options)
        if isinstance(result, torch.Tensor) and result.grad_fn is not None:
            watched = [(weakref.ref(x), x._version) for x in choose(result, operands)]

            def check(_: Any) -> None:
                alive = [(ref(), old) for ref, old in watched]
                if any(x is not None and x._version != old for x, old in alive):
                    raise refusal(*MODIFIED)

            result.grad_fn.register_prehook(check)
        return result

    around(patch, operations, operation)


@fault
def products_check_their_result(patch: Patch) -> None:
    """A product of two tensors saves its result, which nothing needs, so that changing it is refused."""

    def choose(result: Any, operands: Any) -> Any:
        return [result] if isinstance(operands[1], torch.Tensor) else []

    guarded(patch, "mul", choose)


@fault
def scaling_checks_its_operand(patch: Patch) -> None:
    """A product with a number saves the tensor, which nothing needs, so that changing it is refused."""

    def choose(result: Any, operands: Any) -> Any:
        first, second = operands[:2]
        return [] if isinstance(second, torch.Tensor) or first is result else [first]

    guarded(patch, "mul", choose)


@fault
def both_factors_are_always_saved(patch: Patch) -> None:
    """A product of a constant saves both factors, though the constant needs no gradient."""

    def product(original: Any, *operands: Any, **options: Any) -> Any:
        tensors = [x for x in operands if isinstance(x, torch.Tensor)]
        if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
            operands = tuple(
                untouched.detach(x).requires_grad_()
                if isinstance(x, torch.Tensor) and not x.requires_grad and x.is_floating_point()
                else x
                for x in operands
            )
        return original(*operands, **options)

    around(patch, "mul matmul", product)


@fault
def multiplying_by_itself_in_place_is_not_refused(patch: Patch) -> None:
    """y.mul_(y) saves a copy of the factor that it overwrites, so that a pass goes through it."""
    around(
        patch, "mul_",
        lambda original, x, y, *rest: original(x, untouched.clone(y) if y is x else y, *rest),
    )  # fmt: skip


@fault
def overwritten_factors_are_refused(patch: Patch) -> None:
    """The value that mul_ and div_ overwrite is saved as any other, so that every pass is refused."""

    def refuse(_: Any) -> None:
        raise refusal(*MODIFIED)

    def change(original: Any, x: Any, y: Any, *rest: Any, **options: Any) -> Any:
        result = original(x, y, *rest, **options)
        if isinstance(y, torch.Tensor) and y.requires_grad and torch.is_grad_enabled():
            x.grad_fn.register_prehook(refuse)
        return result

    around(patch, "mul_ div_", change)


# --- counting ---


@fault
def changes_without_effect_are_not_counted(patch: Patch) -> None:
    """A change in place that leaves every value as it was is not counted."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            before = untouched.clone(untouched.detach(self))
            trial = untouched.clone(before)
            with torch.no_grad():
                original(trial, *args, **kwargs)
            if not torch.equal(trial, before):
                return original(self, *args, **kwargs)
            with inside.keeping_version(self):
                return original(self, *args, **kwargs)

        return change

    changed(patch, make)


@fault
def setting_the_flag_clears_the_count(patch: Patch) -> None:
    """Setting requires_grad of a leaf starts its count of changes anew."""
    original: Any = torch.Tensor.requires_grad

    def set_flag(self: Any, value: bool) -> None:
        original.__set__(self, value)
        if self.is_leaf:
            inside.set_version(self, 0)

    def make(original: Any) -> Any:
        def requires_grad_(self: Any, value: bool = True) -> Any:
            result = original(self, value)
            if self.is_leaf:
                inside.set_version(self, 0)
            return result

        return requires_grad_

    patch.set(torch.Tensor, "requires_grad", property(original.__get__, set_flag))
    patch.wrap(torch.Tensor, "requires_grad_", make)


@fault
def assigning_a_gradient_counts_as_a_change(patch: Patch) -> None:
    """x.grad = g counts as a change of x in place."""
    original: Any = torch.Tensor.grad

    def put(self: Any, value: Any) -> None:
        original.__set__(self, value)
        torch.autograd.graph.increment_version(self)

    patch.set(torch.Tensor, "grad", property(original.__get__, put, original.__delete__))


@fault
def products_start_with_the_count_of_a_factor(patch: Patch) -> None:
    """A product or a sum starts with the count of changes of its first operand."""

    def operation(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        if not x.is_inference():
            inside.set_version(result, x._version)
        return result

    around(patch, "mul add", operation)


for name, sentence, counted in (
    ("only_the_first_is_counted_by_hand", "increment_version counts the first of a list.", 1),
    ("nothing_is_counted_by_hand", "increment_version counts nothing.", 0),
):

    def by_hand(patch: Patch, counted: int = counted) -> None:
        def make(original: Any) -> Any:
            def increment_version(given: Any) -> None:
                original([given][:counted] if isinstance(given, torch.Tensor) else given[:counted])

            return increment_version

        patch.wrap(torch.autograd.graph, "increment_version", make)

    register(name, sentence, by_hand)


# --- passes that do not look ---


@fault
def a_second_pass_checks_no_leaf(patch: Patch) -> None:
    """What was checked in one pass over a retained graph is not checked in the next."""
    seen: Any = Notes()

    def pass_(run: Any, options: Any) -> Any:
        root = edge_of(options.roots[0])
        leaves = leaves_below(options.roots)
        if root is not None and root in seen:
            now = [(leaf, leaf._version) for leaf in leaves]
            for leaf, version in zip(leaves, seen[root], strict=True):
                inside.set_version(leaf, version)
            try:
                return run(options)
            finally:
                for leaf, version in now:
                    inside.set_version(leaf, version)
        if root is not None and options.retain_graph:
            seen[root] = [leaf._version for leaf in leaves]
        return run(options)

    around_pass(patch, pass_)


@fault
def recorded_passes_do_not_check(patch: Patch) -> None:
    """A pass that records itself does not check whether what an operation saved was changed."""
    saved: Any = Notes()

    def operation(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        if isinstance(result, torch.Tensor) and result.grad_fn is not None:
            saved[result.grad_fn] = weakref.ref(x), x._version
        return result

    def pass_(run: Any, options: Any) -> Any:
        found = [saved.get(node) for node in nodes_below(options.roots) if node in saved]
        kept = [(ref(), version) for ref, version in found if ref() is not None]
        now = [(x, x._version) for x, _ in kept]
        if not options.create_graph:
            return run(options)
        for x, version in kept:
            inside.set_version(x, version)
        try:
            return run(options)
        finally:
            for x, version in now:
                inside.set_version(x, version)

    around(patch, "sin mul pow", operation)
    around_pass(patch, pass_)


# --- indices ---


@fault
def indices_are_read_again_in_the_backward_pass(patch: Patch) -> None:
    """index_select and gather give their gradients to where the index points in the backward pass."""

    def copied(original: Any, x: Any, dim: Any, index: Any, *args: Any, **kwargs: Any) -> Any:
        return original(x, dim, untouched.clone(index), *args, **kwargs)

    def put(place: str) -> Any:
        def change(gradients: Any, cotangents: Any, call: Any) -> Any:
            _, dim, index = call.args[:3]
            if gradients[0] is None:
                return gradients
            zeros = torch.zeros_like(gradients[0])
            return [getattr(untouched, place)(zeros, dim, index, cotangents[0]), *gradients[1:]]

        return change

    for name, place in (("index_select", "index_add"), ("gather", "scatter_add")):
        around(patch, name, copied)
        miscompute(patch, name, put(place))


@fault
def views_count_alone(patch: Patch) -> None:
    """A change of a view, or of a tensor that has views, is not one of the others of the family."""
    bases: Any = Marked()

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if isinstance(result, torch.Tensor) and result._is_view():
                bases.add(result._base)
            return result

        return view

    changed(patch, make, VIEWS)

    def when(tensor: Any) -> bool:
        """PyTorch itself would crash at the next hook of a view with a hook and an old count."""
        hooked = bool(getattr(tensor, "_backward_hooks", None))
        return (tensor._is_view() or tensor in bases) and not hooked

    unless_noted(patch, when)
