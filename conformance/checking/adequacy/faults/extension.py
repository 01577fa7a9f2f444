"""Faults of what users build on: custom functions, saved-tensor hooks, checkpointing, anomaly mode."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, inside, torch
from .custom_functions import show_needed


@fault
def custom_functions_always_need_gradients(patch: Patch) -> None:
    """ctx.needs_input_grad is True for every input."""
    show_needed(patch, lambda ctx: (True,) * len(inside.needs_input_grad(ctx)))


@fault
def mark_non_differentiable_is_ignored(patch: Patch) -> None:
    """ctx.mark_non_differentiable has no effect."""
    patch.set(inside.function_context, "mark_non_differentiable", lambda self, *tensors: None)


@fault
def mark_dirty_is_ignored(patch: Patch) -> None:
    """ctx.mark_dirty has no effect."""
    patch.set(inside.function_context, "mark_dirty", lambda self, *tensors: None)


@fault
def set_materialize_grads_is_ignored(patch: Patch) -> None:
    """ctx.set_materialize_grads(False) has no effect."""
    patch.set(inside.function_context, "set_materialize_grads", lambda self, value: None)


@fault
def once_differentiable_is_ignored(patch: Patch) -> None:
    """A backward marked once_differentiable gives a constant silently when differentiated again."""

    def once(function: Any) -> Any:
        def backward(ctx: Any, *args: Any) -> Any:
            with torch.no_grad():
                return function(ctx, *args)

        return backward

    patch.set(torch.autograd.function, "once_differentiable", once)


@fault
def saved_tensors_are_not_checked(patch: Patch) -> None:
    """What a custom function saved may be changed in place before backward."""
    Backward: Any = inside.function_node

    def save(self: Any, *tensors: Any) -> None:
        self.kept_aside = tensors

    patch.set(inside.function_context, "save_for_backward", save)
    patch.set(Backward, "saved_tensors", property(lambda self: self.kept_aside))


@fault
def custom_forwards_are_recorded(patch: Patch) -> None:
    """The forward of a custom function runs with recording on."""

    def make(original: Any) -> Any:
        def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
            forward = cls.forward

            def recorded(*inner: Any) -> Any:
                with torch.enable_grad():
                    return forward(*inner)

            cls.forward = staticmethod(recorded)
            try:
                return original(*args, **kwargs)
            finally:
                cls.forward = staticmethod(forward)

        return apply

    original: Any = torch.autograd.Function.apply.__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        return make(lambda *a, **k: original(cls, *a, **k))(cls, *args, **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


@fault
def pack_hooks_are_not_called(patch: Patch) -> None:
    """saved_tensors_hooks does not call its hooks."""
    hooks: Any = torch.autograd.graph.saved_tensors_hooks
    patch.set(hooks, "__enter__", lambda self: None)
    patch.set(hooks, "__exit__", lambda self, *error: None)


@fault
def pack_hooks_stay(patch: Patch) -> None:
    """What saved_tensors_hooks packs is unpacked once and kept, whatever the pass."""
    hooks: Any = torch.autograd.graph.saved_tensors_hooks

    def make(original: Any) -> Any:
        def init(self: Any, pack: Any, unpack: Any) -> None:
            def both(tensor: Any) -> Any:
                return unpack(pack(tensor))

            original(self, both, lambda value: value)

        return init

    patch.wrap(hooks, "__init__", make)


@fault
def anomaly_mode_checks_nothing(patch: Patch) -> None:
    """detect_anomaly and set_detect_anomaly have no effect."""
    patch.set(torch.autograd.detect_anomaly, "__enter__", lambda self: None)
    patch.set(torch.autograd.set_detect_anomaly, "__init__", lambda self, *args, **named: None)
    patch.set(torch.autograd.set_detect_anomaly, "__exit__", lambda self, *args: None)
