"""Faults of several hooks on one module, and of when a module's hooks run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, register, torch
from .module_hooks import changed


def in_a_row(name: str, sentence: str, kind: str, place: int) -> None:
    """Put into the bank an engine whose hooks of one kind are all given at `place` of their arguments what
    the first one was given."""

    def install(patch: Patch) -> None:
        first: dict[int, int] = {}
        seen: dict[int, Any] = {}

        def make(original: Any) -> Any:
            def register_hook(self: Any, hook: Any, **options: Any) -> Any:
                if options:
                    return original(self, hook, **options)
                number = len(first)
                leader = first.setdefault(id(self), number)

                def called(module: Any, *given: Any) -> Any:
                    if leader == number:
                        seen[id(module)] = given[place]
                    changed = list(given)
                    changed[place] = seen.get(id(module), given[place])
                    return hook(module, *changed)

                return original(self, called)

            return register_hook

        patch.wrap(torch.nn.Module, kind, make)
        patch.at_end(first.clear)
        patch.at_end(seen.clear)

    register(name, sentence, install)


in_a_row(
    "each_forward_hook_sees_the_first_output",
    "Each forward hook is given what forward returned, whatever the hooks before it returned.",
    "register_forward_hook",
    -1,
)
in_a_row(
    "each_forward_pre_hook_sees_the_arguments_of_the_call",
    "Each forward pre-hook is given the arguments of the call, whatever the hooks before it returned.",
    "register_forward_pre_hook",
    0,
)
in_a_row(
    "each_full_backward_hook_sees_the_first_gradients",
    "Each full backward hook is given the gradients of the inputs as they were before all hooks.",
    "register_full_backward_hook",
    0,
)
in_a_row(
    "each_full_backward_pre_hook_sees_the_first_gradients",
    "Each full backward pre-hook is given the gradients of the outputs as they were before all hooks.",
    "register_full_backward_pre_hook",
    0,
)


def around_forward_hooks(patch: Patch, change: Callable[[Any, Any], Any]) -> None:
    """Register `change(hook, options)` in the place of every forward hook."""

    def make(original: Any) -> Any:
        return lambda self, hook, **kw: original(self, change(hook, kw), **kw)

    patch.wrap(torch.nn.Module, "register_forward_hook", make)


@fault
def forward_hooks_rest_in_evaluation(patch: Patch) -> None:
    """Forward hooks do not run in evaluation mode."""

    def change(hook: Any, options: Any) -> Any:
        return lambda module, *given: hook(module, *given) if module.training else None

    around_forward_hooks(patch, change)


@fault
def a_failing_hook_is_called_again(patch: Patch) -> None:
    """A forward hook with always_call=True that fails itself is called a second time."""

    def change(hook: Any, options: Any) -> Any:
        def called(module: Any, *given: Any) -> Any:
            try:
                return hook(module, *given)
            except Exception:
                hook(module, *given[:-1], None)
                raise

        return called if options.get("always_call") else hook

    around_forward_hooks(patch, change)


@fault
def one_function_has_one_handle(patch: Patch) -> None:
    """Where a function is registered twice as a forward hook, both handles remove the first one."""
    handles: list[tuple[Any, Any, Any]] = []

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any, **options: Any) -> Any:
            handle = original(self, hook, **options)
            for module, known, former in handles:
                if module is self and known is hook:
                    return former
            handles.append((self, hook, handle))
            return handle

        return register_hook

    patch.wrap(torch.nn.Module, "register_forward_hook", make)
    patch.at_end(handles.clear)


@fault
def none_in_a_result_leaves_the_gradient(patch: Patch) -> None:
    """None in the tuple that a full backward hook returns leaves that gradient as it is."""

    def change(hook: Any) -> Any:
        def called(module: Any, inputs: Any, outputs: Any) -> Any:
            found = hook(module, inputs, outputs)
            if found is None or len(found) != len(inputs):
                return found
            return tuple(g if r is None else r for g, r in zip(inputs, found, strict=True))

        return called

    changed(patch, change)


@fault
def forward_runs_the_hooks_too(patch: Patch) -> None:
    """Calling the method forward of a linear layer runs the hooks of the layer."""
    inside_of: list[Any] = []

    def call(original: Any) -> Any:
        def run(self: Any, *args: Any, **kwargs: Any) -> Any:
            inside_of.append(self)
            try:
                return original(self, *args, **kwargs)
            finally:
                inside_of.pop()

        return run

    def forward(original: Any) -> Any:
        return lambda self, x: original(self, x) if self in inside_of else self(x)

    patch.wrap(torch.nn.Module, "__call__", call)
    patch.wrap(torch.nn.Linear, "forward", forward)


@fault
def backward_hooks_see_the_module_without_forward_hooks(patch: Patch) -> None:
    """A full backward hook is given the gradient of what forward returned, not of what a forward hook
    made of it."""
    later: list[tuple[Any, Any]] = []

    def registering(original: Any) -> Any:
        def register_hook(self: Any, hook: Any, **options: Any) -> Any:
            handle = original(self, (lambda *given: None) if not options else hook, **options)
            if not options:
                later.append((self, hook))
            return handle

        return register_hook

    def calling(original: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            output = original(self, *args, **kwargs)
            for module, hook in later:
                found = hook(self, args, output) if module is self else None
                output = output if found is None else found
            return output

        return call

    patch.wrap(torch.nn.Module, "register_forward_hook", registering)
    patch.wrap(torch.nn.Module, "__call__", calling)
    patch.at_end(later.clear)
