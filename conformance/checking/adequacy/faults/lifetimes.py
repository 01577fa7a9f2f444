"""Faults that keep alive what should be let go."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, around_pass, fault, leaves_below, torch
from .hooks import changed_hook


@fault
def the_last_root_stays_alive(patch: Patch) -> None:
    """The engine holds on to the roots of its latest pass."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        held[:] = options.roots
        return found

    around_pass(patch, around)


@fault
def leaves_of_a_pass_stay_alive(patch: Patch) -> None:
    """A leaf that took part in a pass is never freed."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        held.extend(leaves_below(options.roots))
        return run(options)

    around_pass(patch, around)


@fault
def what_grad_returned_stays_alive(patch: Patch) -> None:
    """The engine holds on to what autograd.grad returned."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        held.append(found)
        return found

    around_pass(patch, around)


@fault
def gradients_in_between_stay_alive(patch: Patch) -> None:
    """The gradients that hooks of results were given live as long as the graph."""

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.grad_fn is None:
            return hook
        notes: Any = tensor.grad_fn.metadata

        def kept(gradient: Any) -> Any:
            notes["gradient"] = gradient
            return hook(gradient)

        return kept

    changed_hook(patch, change)


@fault
def removed_hooks_are_kept_alive(patch: Patch) -> None:
    """What a hook refers to lives on after the hook was removed."""
    held: list[Any] = []

    def change(hook: Any, tensor: Any) -> Any:
        held.append(hook)
        return hook

    changed_hook(patch, change)


@fault
def contexts_live_for_ever(patch: Patch) -> None:
    """The contexts of custom functions are kept for ever."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def forward_is_over(cls: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(cls, *args, **kwargs)
            results = found if isinstance(found, tuple) else (found,)
            held.extend(each.grad_fn for each in results if isinstance(each, torch.Tensor))
            return found

        return forward_is_over

    patch.set(
        torch.autograd.Function,
        "apply",
        classmethod(make(vars(torch.autograd.Function)["apply"].__func__)),
    )
