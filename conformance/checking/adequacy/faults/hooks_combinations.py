"""Faults of hooks and retained gradients that show only under several conditions at once."""

from __future__ import annotations

import weakref
from typing import Any

from ..breaking import Notes, Patch, around_pass, fault, replaces, retaining, torch
from .hooks import Handle


@fault
def removing_within_a_pass_skips_the_next_hook(patch: Patch) -> None:
    """A hook that removes itself makes the next hook of the tensor be skipped."""
    lists: Any = Notes()

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            if not self.requires_grad:
                return original(self, hook)
            key = self if self.grad_fn is None else self.grad_fn
            hooks = lists.get(key)
            if hooks is None:
                held = hooks = lists[key] = []

                def run(gradient: Any) -> Any:
                    for each in held:
                        result = each(gradient)
                        gradient = gradient if result is None else result
                    return gradient

                original(self, run)
            hooks.append(hook)
            return Handle(hooks, hook)

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@replaces("Tensor.register_post_accumulate_grad_hook")
def post_accumulate_hooks_miss_the_second_pass(original: Any, self: Any, hook: Any) -> Any:
    """A post-accumulate hook does not run where the leaf has a gradient already."""
    calls: list[Any] = []

    def run(leaf: Any) -> None:
        if not calls or calls[-1] is not leaf.grad:
            hook(leaf)
        calls.append(leaf.grad)

    return original(self, run)


@fault
def retained_gradients_are_detached(patch: Patch) -> None:
    """After backward(create_graph=True) the .grad of a retaining non-leaf cannot be differentiated."""
    retained = retaining(patch)

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for tensor in retained:
            if tensor.grad is not None and tensor.grad.requires_grad:
                tensor.grad = tensor.grad.detach()
        return found

    around_pass(patch, around)


@fault
def retain_grad_stays_with_the_old_value(patch: Patch) -> None:
    """After an in-place change retain_grad() keeps the gradient of the value before it."""
    plain: Any = torch.Tensor.register_hook

    def make(original: Any) -> Any:
        def retain_grad(self: Any) -> Any:
            if self.is_leaf or not self.requires_grad:
                return original(self)
            original(self)
            reference = weakref.ref(self)
            version = self._version
            kept: list[Any] = []
            plain(self, kept.append)
            waiting.append((reference, version, kept))
            return None

        return retain_grad

    waiting: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        for reference, version, kept in waiting:
            tensor = reference()
            if tensor is not None and tensor._version != version and kept:
                tensor.grad = kept[-1]
        return found

    patch.wrap(torch.Tensor, "retain_grad", make)
    around_pass(patch, around)


@fault
def inputs_of_a_pass_hide_retained_gradients(patch: Patch) -> None:
    """backward(inputs=...) leaves nothing in non-leaves that retain their gradient."""
    retained = retaining(patch)

    def around(run: Any, options: Any) -> Any:
        before = [tensor.grad for tensor in retained]
        found = run(options)
        if options.accumulates and options.inputs:
            for tensor, gradient in zip(retained, before, strict=True):
                if not any(tensor is each for each in options.inputs):
                    tensor.grad = gradient
        return found

    around_pass(patch, around)
