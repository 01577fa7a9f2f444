"""Faults of the modes: no_grad, enable_grad, set_grad_enabled, inference mode, threads."""

from __future__ import annotations

import functools
from typing import Any

from ..breaking import Patch, around, around_pass, fault, inside, replaces, torch
from .in_place import CHANGES


@replaces("no_grad.__exit__")
def no_grad_leaks_after_an_exception(
    original: Any, self: Any, kind: Any, error: Any, traceback: Any
) -> None:
    """A no_grad block that is left by an exception stays in force."""
    if kind is None:
        original(self, kind, error, traceback)


@fault
def no_grad_always_enables_at_its_end(patch: Patch) -> None:
    """Leaving a no_grad block enables recording, even within another no_grad block."""
    patch.set(torch.no_grad, "__exit__", lambda self, *error: inside.set_recording(True) and None)


@fault
def enable_grad_always_disables_at_its_end(patch: Patch) -> None:
    """Leaving an enable_grad block disables recording."""
    patch.set(torch.enable_grad, "__exit__", lambda self, *error: inside.set_recording(False))


@fault
def enable_grad_does_nothing(patch: Patch) -> None:
    """enable_grad within no_grad does nothing."""
    patch.set(
        torch.enable_grad, "__enter__", lambda self: setattr(self, "prev", torch.is_grad_enabled())
    )


@fault
def no_grad_decorator_does_nothing(patch: Patch) -> None:
    """A function decorated with no_grad() records all the same."""
    patch.set(torch.no_grad, "__call__", lambda self, function: function)


@fault
def no_grad_without_parentheses_does_nothing(patch: Patch) -> None:
    """A function decorated with no_grad, without parentheses, records all the same."""

    def new(cls: Any, function: Any = None) -> Any:
        return object.__new__(cls) if function is None else function

    patch.set(torch.no_grad, "__new__", new)


@fault
def enable_grad_decorator_does_nothing(patch: Patch) -> None:
    """A function decorated with enable_grad() does not record within no_grad."""
    patch.set(torch.enable_grad, "__call__", lambda self, function: function)


def decorate(enter: bool) -> Any:
    """A decorator that treats generators as plain functions."""

    def call(self: Any, function: Any) -> Any:
        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            before = torch.is_grad_enabled()
            inside.set_recording(enter)
            try:
                return function(*args, **kwargs)
            finally:
                inside.set_recording(before)

        return decorated

    return call


@fault
def no_grad_decorator_misses_generators(patch: Patch) -> None:
    """A generator decorated with no_grad() records: the mode is left before it first runs."""
    patch.set(torch.no_grad, "__call__", decorate(False))


@fault
def no_grad_decorator_leaks_out_of_generators(patch: Patch) -> None:
    """A generator decorated with no_grad() leaves the mode in force while it is suspended."""
    import inspect

    def call(self: Any, function: Any) -> Any:
        if not inspect.isgeneratorfunction(function):
            return decorate(False)(self, function)

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            with torch.no_grad():
                yield from function(*args, **kwargs)

        return generator

    patch.set(torch.no_grad, "__call__", call)


@fault
def no_grad_decorator_is_used_up(patch: Patch) -> None:
    """A function decorated with no_grad() is protected in its first call only."""

    def call(self: Any, function: Any) -> Any:
        calls: list[int] = []

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            calls.append(1)
            if len(calls) > 1:
                return function(*args, **kwargs)
            with torch.no_grad():
                return function(*args, **kwargs)

        return decorated

    patch.set(torch.no_grad, "__call__", call)


@fault
def set_grad_enabled_does_nothing_as_a_function(patch: Patch) -> None:
    """set_grad_enabled(False) called as a function has no effect until entered."""

    def init(self: Any, mode: bool) -> None:
        self.prev = torch.is_grad_enabled()
        self.mode = mode

    patch.set(torch.set_grad_enabled, "__init__", init)


@fault
def what_a_hook_switches_stays_switched(patch: Patch) -> None:
    """A grad mode that a tensor hook leaves changed holds for the next hooks, and after the pass."""
    left: list[bool] = []

    def register(original: Any, x: Any, hook: Any) -> Any:
        def called(g: Any) -> Any:
            if left:
                inside.set_recording(left[-1])
            before = torch.is_grad_enabled()
            result = hook(g)
            if torch.is_grad_enabled() != before:
                left.append(torch.is_grad_enabled())
            return result

        return original(x, called)

    def passes(run: Any, options: Any) -> Any:
        found = run(options)
        if left:
            inside.set_recording(left.pop())
        return found

    around(patch, "register_hook", register)
    around_pass(patch, passes)


@fault
def set_grad_enabled_does_not_restore(patch: Patch) -> None:
    """set_grad_enabled used as a block leaves its mode in force."""
    patch.set(torch.set_grad_enabled, "__exit__", lambda self, *error: None)


@fault
def set_grad_enabled_turns_the_wrong_way(patch: Patch) -> None:
    """set_grad_enabled as a block enables whatever it is given."""
    patch.set(torch.set_grad_enabled, "__enter__", lambda self: inside.set_recording(True) and None)


@fault
def set_grad_enabled_decorator_leaks(patch: Patch) -> None:
    """Decorating with set_grad_enabled(False) leaves recording off at once."""

    def call(self: Any, function: Any) -> Any:
        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            before = torch.is_grad_enabled()
            inside.set_recording(self.mode)
            try:
                return function(*args, **kwargs)
            finally:
                inside.set_recording(before)

        return decorated

    patch.set(torch.set_grad_enabled, "__call__", call)


@fault
def inference_mode_is_no_grad(patch: Patch) -> None:
    """inference_mode makes ordinary tensors, as no_grad does."""

    class Mode(torch.no_grad):
        def __new__(cls, mode: Any = True) -> Any:
            if mode is False:
                return torch.enable_grad()
            return super().__new__(cls)

        def __init__(self, mode: Any = True) -> None:
            super().__init__()

    patch.set(torch, "inference_mode", Mode)


@fault
def inference_mode_false_is_on(patch: Patch) -> None:
    """inference_mode(False) is in force all the same."""
    patch.wrap(
        torch.inference_mode,
        "__init__",
        lambda original: lambda self, mode=True: original(self, True),
    )


@fault
def inference_tensors_may_be_changed_outside(patch: Patch) -> None:
    """An inference tensor may be changed in place outside of inference mode."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(self, torch.Tensor) and self.is_inference():
                if not torch.is_inference_mode_enabled():
                    with torch.inference_mode():
                        return original(self, *args, **kwargs)
            return original(self, *args, **kwargs)

        return operation

    for name in ("add_", "mul_", "__iadd__", "__imul__", "fill_", "zero_", "copy_", "sub_"):
        patch.wrap(torch.Tensor, name, make)


@fault
def inference_tensors_may_be_saved_for_backward(patch: Patch) -> None:
    """An inference tensor may be an operand of what is recorded: it is cloned silently."""

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any) -> Any:
            def ordinary(value: Any) -> Any:
                inference = isinstance(value, torch.Tensor) and value.is_inference()
                return value.clone() if inference else value

            if torch.is_inference_mode_enabled():
                return original(self, other)
            return original(ordinary(self), ordinary(other))

        return operation

    for name in ("__mul__", "mul", "__rmul__", "__truediv__"):
        patch.wrap(torch.Tensor, name, make)


@replaces("Tensor.requires_grad_")
def inference_tensors_may_require_grad(original: Any, self: Any, requires_grad: bool = True) -> Any:
    """requires_grad_() on an inference tensor is silently accepted outside of inference mode."""
    if self.is_inference() and not torch.is_inference_mode_enabled():
        return self
    return original(self, requires_grad)


@fault
def enable_grad_records_in_inference_mode(patch: Patch) -> None:
    """enable_grad within inference_mode makes it record."""

    def enter(self: Any) -> None:
        self.prev = torch.is_grad_enabled()
        self.guard = None
        if torch.is_inference_mode_enabled():
            self.guard = torch.inference_mode(False)
            self.guard.__enter__()
        inside.set_recording(True)

    def leave(self: Any, *error: Any) -> None:
        inside.set_recording(self.prev)
        if self.guard is not None:
            self.guard.__exit__(None, None, None)

    patch.set(torch.enable_grad, "__enter__", enter)
    patch.set(torch.enable_grad, "__exit__", leave)


@fault
def is_inference_is_always_false(patch: Patch) -> None:
    """is_inference() is False for inference tensors."""
    patch.set(torch.Tensor, "is_inference", lambda self: False)


@fault
def is_grad_enabled_is_always_true(patch: Patch) -> None:
    """is_grad_enabled() tells True within no_grad."""
    patch.set(torch, "is_grad_enabled", lambda: True)


@fault
def is_inference_mode_enabled_is_always_false(patch: Patch) -> None:
    """is_inference_mode_enabled() tells False within inference_mode."""
    patch.set(torch, "is_inference_mode_enabled", lambda: False)


@fault
def modes_are_shared_by_threads(patch: Patch) -> None:
    """A thread starts in the mode of the thread that started it."""
    import threading

    def make(original: Any) -> Any:
        def start(self: Any) -> Any:
            mode = torch.is_grad_enabled()
            run = self.run

            def in_mode() -> None:
                inside.set_recording(mode)
                run()

            self.run = in_mode
            return original(self)

        return start

    patch.wrap(threading.Thread, "start", make)


@fault
def modes_leak_out_of_threads(patch: Patch) -> None:
    """A mode that a thread leaves in force goes over to the thread that waits for it."""
    import threading

    modes: dict[int, bool] = {}

    def make_start(original: Any) -> Any:
        def start(self: Any) -> Any:
            run = self.run

            def noted() -> None:
                try:
                    run()
                finally:
                    modes[id(self)] = torch.is_grad_enabled()

            self.run = noted
            return original(self)

        return start

    def make_join(original: Any) -> Any:
        def join(self: Any, timeout: Any = None) -> Any:
            original(self, timeout)
            inside.set_recording(modes.get(id(self), True))

        return join

    patch.wrap(threading.Thread, "start", make_start)
    patch.wrap(threading.Thread, "join", make_join)


@fault
def no_grad_forbids_leaves_that_require_grad(patch: Patch) -> None:
    """A tensor made within no_grad never requires grad, even when asked to."""

    def make(original: Any) -> Any:
        def construct(*args: Any, **kwargs: Any) -> Any:
            if not torch.is_grad_enabled():
                kwargs["requires_grad"] = False
            return original(*args, **kwargs)

        return construct

    for name in ("tensor", "zeros", "ones", "rand", "randn", "full"):
        patch.wrap(torch, name, make)


@fault
def no_grad_views_may_be_changed(patch: Patch) -> None:
    """A view made within no_grad is no view for autograd: changing it later is accepted."""

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            if torch.is_grad_enabled():
                return original(self, *args, **kwargs)
            return original(self.detach(), *args, **kwargs)

        return view

    for name in ("view", "__getitem__", "narrow", "t", "reshape", "view_as", "select"):
        patch.wrap(torch.Tensor, name, make)


@fault
def in_place_on_a_leaf_is_refused_in_no_grad(patch: Patch) -> None:
    """A leaf that requires grad cannot be changed in place even within no_grad."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if self.is_leaf and self.requires_grad:
                raise RuntimeError(
                    "a leaf Variable that requires grad is being used in an in-place operation."
                )
            return original(self, *args, **kwargs)

        return operation

    for name in CHANGES:
        patch.wrap(torch.Tensor, name, make)


@fault
def no_grad_forgets_requires_grad_of_what_it_changes(patch: Patch) -> None:
    """A leaf that is changed in place within no_grad stops requiring grad."""

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if self.is_leaf and self.requires_grad and not torch.is_grad_enabled():
                self.requires_grad_(False)
            return result

        return operation

    for name in ("add_", "sub_", "mul_", "__iadd__", "__isub__", "__imul__", "copy_", "fill_"):
        patch.wrap(torch.Tensor, name, make)


@replaces("Tensor.register_hook")
def hooks_run_with_recording_on(original: Any, self: Any, hook: Any) -> Any:
    """During a plain backward pass hooks run with recording switched on."""

    def enabled(gradient: Any) -> Any:
        with torch.enable_grad():
            return hook(gradient)

    return original(self, enabled)


@fault
def a_pass_leaves_recording_off(patch: Patch) -> None:
    """A pass that a hook's error ends leaves recording switched off."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except Exception:
            inside.set_recording(False)
            raise

    around_pass(patch, around)


@fault
def create_graph_needs_recording_on(patch: Patch) -> None:
    """autograd.grad(create_graph=True) within no_grad gives detached gradients."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates or torch.is_grad_enabled():
            return found
        return tuple(None if g is None else g.detach() for g in found)

    around_pass(patch, around)


@fault
def no_grad_results_require_grad(patch: Patch) -> None:
    """Multiplication ignores no_grad."""

    def make(original: Any) -> Any:
        def mul(self: Any, other: Any) -> Any:
            with torch.enable_grad():
                return original(self, other)

        return mul

    for name in ("__mul__", "__rmul__", "mul"):
        patch.wrap(torch.Tensor, name, make)


@fault
def no_grad_object_cannot_be_used_again(patch: Patch) -> None:
    """One no_grad object entered within itself restores the wrong mode."""

    def init(self: Any) -> None:
        self.prev = torch.is_grad_enabled()

    def enter(self: Any) -> None:
        inside.set_recording(False)

    patch.set(torch.no_grad, "__init__", init)
    patch.set(torch.no_grad, "__enter__", enter)
