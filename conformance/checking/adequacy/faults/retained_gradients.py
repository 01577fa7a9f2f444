"""Faults of retain_grad(): what it does to the tensor, which gradient is kept, and for how long."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    around_pass,
    fault,
    inside,
    leaves_below,
    nodes_below,
    replaces,
    retaining,
    torch,
    untouched,
)
from .gradient_attribute import held, store
from .hooks import changed_hook, watched
from .leaves import attribute
from .stored_gradients import is_alike

After = Callable[[Any, Any, Any], None]


def after_retaining(patch: Patch, change: After) -> None:
    """Call `change(tensor, before, options)` after a pass for every non-leaf that retains its
    gradient, `before` being what that was."""
    retained = retaining(patch)

    def around_it(run: Any, options: Any) -> Any:
        earlier = [(tensor, held(tensor)) for tensor in retained]
        found = run(options)
        for tensor, before in earlier:
            change(tensor, before, options)
        return found

    around_pass(patch, around_it)


def retained_by(patch: Patch, function: Callable[[Any, Any], None]) -> None:
    """Let `function(original, tensor)` stand for retain_grad() of a non-leaf."""

    def make(original: Any) -> Any:
        def retain_grad(self: Any) -> None:
            if self.is_leaf:
                original(self)
            else:
                function(original, self)

        return retain_grad

    patch.wrap(torch.Tensor, "retain_grad", make)


# --- what it does to the tensor ---


@fault
def a_pass_ends_at_a_copy_that_retains_its_gradient(patch: Patch) -> None:
    """A pass ends at a copy that retains its gradient."""

    def stopping(original: Any, tensor: Any) -> None:
        original(tensor)
        if tensor.grad_fn.name() == "CloneBackward0":
            tensor.grad_fn.register_hook(lambda operands, results: (None,) * len(operands))

    retained_by(patch, stopping)


@fault
def retain_grad_of_a_view_does_nothing(patch: Patch) -> None:
    """retain_grad() of a view sets the flag, but no pass looks at it."""

    def change(tensor: Any, before: Any, options: Any) -> None:
        if tensor._is_view():
            store(tensor, before)

    after_retaining(patch, change)


@fault
def retain_grad_makes_a_leaf(patch: Patch) -> None:
    """retain_grad() makes a leaf of the tensor."""

    def cut(original: Any, tensor: Any) -> None:
        if tensor._is_view():
            original(tensor)
        else:
            untouched.detach_(tensor).requires_grad_()

    retained_by(patch, cut)


@fault
def retain_grad_puts_in_a_node(patch: Patch) -> None:
    """retain_grad() puts an identity behind the tensor and keeps the gradient there."""

    def behind(original: Any, tensor: Any) -> None:
        with inside.keeping_version(tensor), torch.enable_grad():
            untouched.mul_(tensor, 1)
        original(tensor)

    retained_by(patch, behind)


@fault
def retain_grad_is_a_hook(patch: Patch) -> None:
    """Each call of retain_grad() registers a hook that adds to the gradient."""
    asked = Marked()

    def hooked(original: Any, tensor: Any) -> None:
        asked.add(tensor)
        own: Any = weakref.ref(tensor)

        def keep(gradient: Any) -> None:
            if own() is not None and gradient is not None:
                before = held(own())
                store(own(), gradient.clone() if before is None else before + gradient)

        tensor.register_hook(keep)

    def retains(self: Any) -> Any:
        return self in asked or untouched.retains_grad.__get__(self)

    def get(self: Any) -> Any:
        return held(self) if self in asked else untouched.grad.__get__(self)

    attribute(patch, "retains_grad", retains)
    attribute(patch, "grad", get)
    retained_by(patch, hooked)


@fault
def retain_grad_puts_zeros(patch: Patch) -> None:
    """retain_grad() puts zeros into .grad."""

    def filled(original: Any, tensor: Any) -> None:
        original(tensor)
        if held(tensor) is None:
            store(tensor, torch.zeros_like(untouched.detach(tensor)))

    retained_by(patch, filled)


@replaces("Tensor.retain_grad")
def retain_grad_of_a_leaf_stores_twice(original: Any, self: Any) -> None:
    """retain_grad() of a leaf stores its gradient once more."""
    if self.is_leaf and self.requires_grad:
        own: Any = weakref.ref(self)

        def keep(gradient: Any) -> None:
            if own() is not None:
                store(own(), gradient.clone())

        self.register_hook(keep)
    original(self)


@fault
def retains_grad_tells_of_arrival(patch: Patch) -> None:
    """retains_grad tells whether a gradient has arrived."""

    def get(self: Any) -> Any:
        return untouched.retains_grad.__get__(self) and held(self) is not None

    attribute(patch, "retains_grad", get)


@fault
def retains_grad_is_always_true(patch: Patch) -> None:
    """retains_grad is True of every non-leaf."""

    def get(self: Any) -> Any:
        if inside.is_reading(sys._getframe(1)):
            return untouched.retains_grad.__get__(self)
        return not self.is_leaf

    attribute(patch, "retains_grad", get)


@fault
def retains_grad_can_be_assigned(patch: Patch) -> None:
    """retains_grad can be assigned."""
    given = Notes()

    def get(self: Any) -> Any:
        return given[self] if self in given else untouched.retains_grad.__get__(self)

    attribute(patch, "retains_grad", get, given.__setitem__)


def inherited(patch: Patch, operations: str) -> None:
    """Let the results of operations retain their gradient if the first operand does."""

    def derived(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(self, *args, **kwargs)
        if isinstance(found, torch.Tensor) and self.retains_grad and found.requires_grad:
            found.retain_grad()
        return found

    around(patch, operations, derived)


@fault
def copies_retain_their_gradient_too(patch: Patch) -> None:
    """clone() of a tensor that retains its gradient retains its own."""
    inherited(patch, "clone")


@fault
def views_retain_their_gradient_too(patch: Patch) -> None:
    """A view of a tensor that retains its gradient retains its own."""
    inherited(patch, "reshape view getitem")


# --- which gradient is kept ---


@fault
def gradients_are_retained_before_the_hooks(patch: Patch) -> None:
    """A result retains the gradient from before all its hooks."""
    arrived = Notes()
    state = watched(patch)

    def change(hook: Any, tensor: Any) -> Any:
        own: Any = weakref.ref(tensor)

        def noted(gradient: Any) -> Any:
            if own() is not None and state.running and not own().is_leaf:
                arrived.setdefault(own(), gradient)
            return hook(gradient)

        return noted

    def restore(tensor: Any, before: Any, options: Any) -> None:
        gradient = arrived.pop(tensor)
        if gradient is not None and held(tensor) is not before:
            store(tensor, gradient if before is None else before + gradient)

    changed_hook(patch, change)
    after_retaining(patch, restore)


@fault
def the_root_does_not_retain_its_gradient(patch: Patch) -> None:
    """At the root of a pass neither hooks nor retain_grad() have an effect."""
    roots: list[Any] = []

    def change(hook: Any, tensor: Any) -> Any:
        own: Any = weakref.ref(tensor)

        def below(gradient: Any) -> Any:
            return None if any(each is own() for each in roots) else hook(gradient)

        return below

    def around_it(run: Any, options: Any) -> Any:
        outer, roots[:] = list(roots), list(options.roots)
        try:
            return run(options)
        finally:
            roots[:] = outer

    def forget(tensor: Any, before: Any, options: Any) -> None:
        if any(each is tensor for each in options.roots):
            store(tensor, before)

    changed_hook(patch, change)
    around_pass(patch, around_it)
    after_retaining(patch, forget)


@fault
def retained_gradients_are_added_in_place(patch: Patch) -> None:
    """A later pass adds to a retained gradient in place."""

    def change(tensor: Any, before: Any, options: Any) -> None:
        gradient = held(tensor)
        if before is not None and gradient is not before and not gradient.requires_grad:
            store(tensor, before.copy_(gradient))

    after_retaining(patch, change)


@fault
def retained_gradients_are_not_copied(patch: Patch) -> None:
    """What a result retains is the tensor that is passed on, not a copy of it."""
    retained = retaining(patch)

    def around_it(run: Any, options: Any) -> Any:
        fresh = [tensor for tensor in retained if held(tensor) is None]
        found = run(options)
        others = [seed for seed in options.seeds if seed is not None]
        leaves = leaves_below(options.roots) if options.accumulates else []
        others += [held(leaf) for leaf in leaves if held(leaf) is not None]
        for tensor in [] if options.create_graph else fresh:
            gradient = held(tensor)
            same = [] if gradient is None else [g for g in others if is_alike(g, gradient)]
            if same:
                store(tensor, untouched.detach(same[-1]))
        return found

    around_pass(patch, around_it)


@fault
def only_inputs_keep_a_gradient(patch: Patch) -> None:
    """In a pass that is given inputs, only these keep a gradient."""

    def change(tensor: Any, before: Any, options: Any) -> None:
        if options.inputs and not any(each is tensor for each in options.inputs):
            store(tensor, before)

    after_retaining(patch, change)


@fault
def of_several_results_the_last_is_retained(patch: Patch) -> None:
    """Of several results of an operation the one that was asked last takes the place of the others."""
    latest = Notes()

    def asked(original: Any, tensor: Any) -> None:
        original(tensor)
        latest[tensor.grad_fn] = weakref.ref(tensor)

    def change(tensor: Any, before: Any, options: Any) -> None:
        last = latest.get(tensor.grad_fn)
        if last is not None and last() is not tensor:
            store(tensor, before)

    retained_by(patch, asked)
    after_retaining(patch, change)


@fault
def a_result_that_is_gone_fails_the_pass(patch: Patch) -> None:
    """A pass fails where a result that is to retain its gradient is no longer there."""
    asked = Notes()

    def noted(original: Any, tensor: Any) -> None:
        original(tensor)
        asked[tensor.grad_fn] = weakref.ref(tensor)

    def around_it(run: Any, options: Any) -> Any:
        for node in nodes_below(options.roots):
            if asked.get(node, int)() is None:
                raise AttributeError("'NoneType' object has no attribute 'grad'")
        return run(options)

    retained_by(patch, noted)
    around_pass(patch, around_it)


@fault
def clearing_grad_ends_retention(patch: Patch) -> None:
    """Assigning None to the .grad of a tensor ends its retention."""
    ended = Marked()

    def put(self: Any, value: Any) -> None:
        if value is None and untouched.retains_grad.__get__(self):
            ended.add(self)
        store(self, value)

    def forget(tensor: Any, before: Any, options: Any) -> None:
        if tensor in ended:
            store(tensor, before)

    attribute(patch, "grad", None, put)
    attribute(
        patch, "retains_grad",
        lambda self: untouched.retains_grad.__get__(self) and self not in ended,
    )  # fmt: skip
    after_retaining(patch, forget)


# --- changes in place ---


class Old:
    """For each non-leaf that was asked to retain its gradient: that of its old value, once changed."""

    def __init__(self, patch: Patch) -> None:
        self.direct = Marked()
        self.versions = Notes()
        self.gradients = Notes()
        retained_by(patch, self.asked)
        around(patch, "add_ mul_", self.changed)

    def changed(self, original: Any, tensor: Any, *args: Any, **kwargs: Any) -> Any:
        self.direct.add(tensor)
        return original(tensor, *args, **kwargs)

    def asked(self, original: Any, tensor: Any) -> None:
        original(tensor)
        own: Any = weakref.ref(tensor)
        self.versions[tensor] = tensor._version

        def note(gradient: Any) -> None:
            if own() is not None:
                self.gradients[own()] = gradient

        untouched.register_hook(tensor, note)

    def is_changed(self, tensor: Any) -> bool:
        """Whether a tensor was changed since."""
        return bool(self.versions.get(tensor) != tensor._version)


@fault
def both_values_retain_their_gradient(patch: Patch) -> None:
    """After an in-place change the gradients of the old and of the new value are both retained."""
    old = Old(patch)

    def change(tensor: Any, before: Any, options: Any) -> None:
        gradient = old.gradients.pop(tensor)
        if gradient is not None and old.is_changed(tensor) and held(tensor) is not None:
            store(tensor, held(tensor) + gradient)

    after_retaining(patch, change)


@fault
def views_forget_to_retain_when_their_base_changes(patch: Patch) -> None:
    """A view no longer retains its gradient once its base was changed in place."""
    old = Old(patch)

    def change(tensor: Any, before: Any, options: Any) -> None:
        if tensor._is_view() and old.is_changed(tensor) and tensor not in old.direct:
            store(tensor, before)

    after_retaining(patch, change)


@fault
def bases_retain_the_gradient_of_their_old_value(patch: Patch) -> None:
    """After a change through a view its base retains the gradient of the value before it."""
    old = Old(patch)

    def change(tensor: Any, before: Any, options: Any) -> None:
        gradient = old.gradients.pop(tensor)
        through_a_view = old.is_changed(tensor) and tensor not in old.direct
        if gradient is not None and through_a_view and not tensor._is_view():
            store(tensor, gradient)

    after_retaining(patch, change)
