"""Faults of the backward hooks of modules."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, register, replaces, torch
from .hooks import watched


def changed(patch: Patch, change: Any) -> None:
    """Register `change(hook)` in the place of every full backward hook."""

    def make(original: Any) -> Any:
        return lambda self, hook, **kw: original(self, change(hook), **kw)

    patch.wrap(torch.nn.Module, "register_full_backward_hook", make)


@fault
def full_backward_hooks_see_tensors_only(patch: Patch) -> None:
    """A full backward hook has no place for the inputs that are not tensors."""

    def change(hook: Any) -> Any:
        def called(module: Any, inputs: Any, outputs: Any) -> Any:
            found = hook(module, tuple(i for i in inputs if i is not None), outputs)
            if found is None:
                return None
            rest = iter(found)
            return tuple(None if i is None else next(rest, None) for i in inputs)

        return called

    changed(patch, change)


@fault
def full_backward_hooks_run_in_backward_only(patch: Patch) -> None:
    """Full backward hooks of modules do not run under autograd.grad."""
    state = watched(patch)
    changed(
        patch,
        lambda hook: lambda module, gi, go: hook(module, gi, go) if state.accumulates else None,
    )


@fault
def full_backward_hooks_are_never_recorded(patch: Patch) -> None:
    """What a full backward hook returns is detached, in a recorded pass too."""

    def change(hook: Any) -> Any:
        def called(module: Any, inputs: Any, outputs: Any) -> Any:
            found = hook(module, inputs, outputs)
            if found is None:
                return None
            return tuple(None if g is None else g.detach() for g in found)

        return called

    changed(patch, change)


def after_calls(patch: Patch, change: Any) -> None:
    """Let every call of a module with backward hooks give `change(result)`."""

    def make(original: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(self, *args, **kwargs)
            hooked = bool(vars(self)["_backward_hooks"]) and isinstance(found, torch.Tensor)
            return change(found) if hooked else found

        return call

    patch.wrap(torch.nn.Module, "__call__", make)


@fault
def modules_with_backward_hooks_require_grad(patch: Patch) -> None:
    """The result of a module with a full backward hook requires grad, recorded or not."""
    after_calls(patch, lambda found: found if found.requires_grad else found.requires_grad_())


@fault
def outputs_of_hooked_modules_may_be_changed(patch: Patch) -> None:
    """The output of a module with a full backward hook may be changed in place."""
    after_calls(patch, lambda found: found.clone())


KINDS = (
    "register_forward_pre_hook", "register_forward_hook", "register_full_backward_hook",
    "register_full_backward_pre_hook",
)  # fmt: skip


def without(option: str, name: str, doc: str) -> None:
    """Put into the bank an engine whose module hooks ignore one option."""

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any, **options: Any) -> Any:
            options.pop(option, None)
            return original(self, hook, **options)

        return register_hook

    def change(patch: Patch) -> None:
        for kind in KINDS:
            patch.wrap(torch.nn.Module, kind, make)

    register(name, doc, change)


without("prepend", "module_hooks_never_come_first", "Hooks of modules ignore prepend=True.")
without("with_kwargs", "module_hooks_see_no_keywords", "Hooks of modules ignore with_kwargs=True.")
without("always_call", "module_hooks_miss_errors", "Forward hooks ignore always_call=True.")


@fault
def forward_hooks_run_after_errors(patch: Patch) -> None:
    """Forward hooks of modules run after an error too, whether or not they were asked to."""

    def make(original: Any) -> Any:
        return lambda self, hook, **kw: original(self, hook, **{**kw, "always_call": True})

    patch.wrap(torch.nn.Module, "register_forward_hook", make)


@replaces("nn.Module.register_forward_pre_hook")
def keyword_arguments_of_hooks_are_dropped(original: Any, self: Any, hook: Any, **kw: Any) -> Any:
    """What a forward pre-hook makes of the keyword arguments is ignored."""

    def keeping(module: Any, args: Any, kwargs: Any) -> Any:
        found = hook(module, args, kwargs)
        return None if found is None else (found[0], kwargs)

    return original(self, keeping if kw.get("with_kwargs") else hook, **kw)


class Late:
    """The handle of a hook that runs once more after it was removed."""

    def __init__(self) -> None:
        self.removed = False
        self.handle: Any = None

    def remove(self) -> None:
        self.removed = True

    def __enter__(self) -> Late:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


@fault
def backward_pre_hooks_of_all_modules_run_once_more(patch: Patch) -> None:
    """A full backward pre-hook of all modules runs once more after it was removed."""

    def make(original: Any) -> Any:
        def registered(hook: Any) -> Late:
            late = Late()

            def called(module: Any, grads: Any) -> Any:
                if late.removed:
                    late.handle.remove()
                return hook(module, grads)

            late.handle = original(called)
            return late

        return registered

    patch.wrap(torch.nn.modules.module, "register_module_full_backward_pre_hook", make)


@fault
def gradients_for_constant_inputs_are_ignored(patch: Patch) -> None:
    """What a full backward hook returns is ignored if no input of its module requires grad."""

    def change(hook: Any) -> Any:
        def called(module: Any, inputs: Any, outputs: Any) -> Any:
            found = hook(module, inputs, outputs)
            return None if all(i is None for i in inputs) else found

        return called

    changed(patch, change)
