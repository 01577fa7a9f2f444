"""Faults of the blocks and decorators that switch modes: entering, leaving, nesting, generators."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

from ..breaking import Patch, fault, inside, register, replaces, torch
from .modes import decorate


@fault
def recording_is_off_at_first(patch: Patch) -> None:
    """Recording is off until someone switches it on."""
    inside.set_recording(False)


@fault
def no_recording_is_taken_for_inference_mode(patch: Patch) -> None:
    """is_inference_mode_enabled() tells whether recording is off."""
    patch.set(torch, "is_inference_mode_enabled", lambda: not torch.is_grad_enabled())


# --- blocks ---


@fault
def enable_grad_always_enables_at_its_end(patch: Patch) -> None:
    """Leaving an enable_grad block leaves recording on, even within a no_grad block."""
    patch.set(
        torch.enable_grad, "__exit__", lambda self, *error: inside.set_recording(True) and None
    )


@replaces("enable_grad.__exit__")
def enable_grad_leaks_after_an_exception(original: Any, self: Any, *error: Any) -> None:
    """An enable_grad block that is left by an exception stays in force."""
    original(self, *error)
    if error[0] is not None:
        inside.set_recording(True)


@replaces("no_grad.__exit__")
def no_grad_swallows_exceptions(original: Any, self: Any, *error: Any) -> bool:
    """A no_grad block swallows the exception that leaves it."""
    original(self, *error)
    return True


@replaces("no_grad.__enter__")
def no_grad_objects_serve_once(original: Any, self: Any) -> None:
    """A no_grad object can be entered only once."""
    if hasattr(self, "was_entered"):
        raise RuntimeError("cannot enter the context twice")
    self.was_entered = True
    original(self)


@fault
def no_grad_objects_act_when_made(patch: Patch) -> None:
    """Making a no_grad object switches recording off, before its block begins."""

    def make_init(original: Any) -> Any:
        def init(self: Any, *args: Any) -> None:
            original(self, *args)
            self.before = torch.is_grad_enabled()
            inside.set_recording(False)

        return init

    def make_exit(original: Any) -> Any:
        def leave(self: Any, *error: Any) -> None:
            original(self, *error)
            inside.set_recording(self.before)

        return leave

    def make_call(original: Any) -> Any:
        def call(self: Any, function: Any) -> Any:
            inside.set_recording(self.before)
            return original(self, function)

        return call

    patch.wrap(torch.no_grad, "__init__", make_init)
    patch.wrap(torch.no_grad, "__exit__", make_exit)
    patch.wrap(torch.no_grad, "__call__", make_call)


@fault
def inference_mode_within_itself_is_off(patch: Patch) -> None:
    """An inference_mode block within another one ends inference mode for its time."""

    def make_enter(original: Any) -> Any:
        def enter(self: Any) -> None:
            before = torch.is_inference_mode_enabled()
            original(self)
            self.opposite = None
            if before and torch.is_inference_mode_enabled():
                self.opposite = torch.inference_mode(False)
                original(self.opposite)

        return enter

    def make_exit(original: Any) -> Any:
        def leave(self: Any, *error: Any) -> None:
            if self.opposite is not None:
                original(self.opposite, None, None, None)
            original(self, *error)

        return leave

    patch.wrap(torch.inference_mode, "__enter__", make_enter)
    patch.wrap(torch.inference_mode, "__exit__", make_exit)


@fault
def blocks_leave_a_mode_that_was_changed_within(patch: Patch) -> None:
    """A block restores nothing if set_grad_enabled was called within it."""

    def make(mode: bool) -> Callable[[Any], Any]:
        def make_exit(original: Any) -> Any:
            def leave(self: Any, *error: Any) -> None:
                within = torch.is_grad_enabled()
                original(self, *error)
                if within is not mode:
                    inside.set_recording(within)

            return leave

        return make_exit

    patch.wrap(torch.no_grad, "__exit__", make(False))
    patch.wrap(torch.enable_grad, "__exit__", make(True))


# --- decorators ---


@fault
def decorated_functions_leave_no_grad_by_returning_only(patch: Patch) -> None:
    """A function decorated with no_grad() that raises leaves the mode in force."""

    def call(self: Any, function: Any) -> Any:
        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            before = torch.is_grad_enabled()
            inside.set_recording(False)
            found = function(*args, **kwargs)
            inside.set_recording(before)
            return found

        return decorated

    patch.set(torch.no_grad, "__call__", call)


@fault
def enable_grad_without_parentheses_does_nothing(patch: Patch) -> None:
    """A function decorated with enable_grad, without parentheses, is returned as it is."""

    def new(cls: Any, function: Any = None) -> Any:
        return object.__new__(cls) if function is None else function

    patch.set(torch.enable_grad, "__new__", new)


@fault
def decorated_functions_lose_their_name(patch: Patch) -> None:
    """A function decorated with no_grad or inference_mode has the name of its wrapper."""

    def make(original: Any) -> Any:
        def call(self: Any, function: Any) -> Any:
            right = original(self, function)
            return lambda *args, **kwargs: right(*args, **kwargs)

        return call

    for kind in (torch.no_grad, torch.inference_mode):
        patch.wrap(kind, "__call__", make)


@fault
def decorated_functions_remember_their_first_mode(patch: Patch) -> None:
    """A decorated function restores the mode of its first call, whatever it finds."""

    def call(self: Any, function: Any) -> Any:
        first: list[bool] = []

        @functools.wraps(function)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            first.append(torch.is_grad_enabled())
            inside.set_recording(isinstance(self, torch.enable_grad))
            try:
                return function(*args, **kwargs)
            finally:
                inside.set_recording(first[0])

        return decorated

    for kind in (torch.no_grad, torch.enable_grad):
        patch.set(kind, "__call__", call)


@replaces("no_grad.__call__")
def decorating_a_class_decorates_its_methods(original: Any, self: Any, function: Any) -> Any:
    """Decorating a class with no_grad() puts all its methods into the mode."""
    if inspect.isclass(function):
        for name, value in list(vars(function).items()):
            if inspect.isfunction(value):
                setattr(function, name, original(self, value))
    return original(self, function)


# --- generators ---

STEPS = {"start", "send", "throw", "close"}


def relayed(unrecorded: set[str], dropped: str, patch: Patch) -> None:
    """Let a decorated generator be in the mode in some steps only; what is sent to it, or thrown into
    it, may be `dropped`."""

    def call(self: Any, function: Any) -> Any:
        if not inspect.isgeneratorfunction(function):
            return decorate(isinstance(self, torch.enable_grad))(self, function)

        @functools.wraps(function)
        def generator(*args: Any, **kwargs: Any) -> Any:
            right = function(*args, **kwargs)

            def step(name: str, action: Any, *given: Any) -> Any:
                with type(self)() if name in unrecorded else contextlib.nullcontext():
                    return action(*given)

            try:
                item = step("start", next, right)
                while True:
                    try:
                        sent = yield item
                    except GeneratorExit:
                        step("close", right.close)
                        raise
                    except BaseException as error:
                        if dropped == "throw":
                            raise
                        item = step("throw", right.throw, error)
                    else:
                        item = step("send", right.send, None if dropped == "send" else sent)
            except StopIteration as stop:
                return stop.value

        return generator

    for kind in (torch.no_grad, torch.enable_grad):
        patch.set(kind, "__call__", call)


for word, sentence, steps, lost in (
    ("decorated_generators_drop_what_is_sent",
     "What is sent into a decorated generator is dropped.", STEPS, "send"),
    ("decorated_generators_drop_errors",
     "An error thrown into a decorated generator does not reach its body.", STEPS, "throw"),
    ("decorated_generators_are_resumed_outside",
     "A decorated generator is resumed in the mode of its caller.", STEPS - {"send"}, ""),
    ("decorated_generators_are_closed_outside",
     "A decorated generator is closed in the mode of its caller.", STEPS - {"close"}, ""),
):  # fmt: skip
    register(word, sentence, partial(relayed, steps, lost))


@fault
def enable_grad_decorator_misses_generators(patch: Patch) -> None:
    """A generator decorated with enable_grad() runs in the mode of its caller."""
    patch.set(torch.enable_grad, "__call__", decorate(True))


@replaces("enable_grad.__call__")
def enable_grad_decorator_leaks_out_of_generators(original: Any, self: Any, function: Any) -> Any:
    """A generator decorated with enable_grad() leaves the mode in force while it is suspended."""
    if not inspect.isgeneratorfunction(function):
        return original(self, function)

    @functools.wraps(function)
    def generator(*args: Any, **kwargs: Any) -> Any:
        with torch.enable_grad():
            yield from function(*args, **kwargs)

    return generator


# --- set_grad_enabled ---


@fault
def set_grad_enabled_always_enables_at_its_end(patch: Patch) -> None:
    """Leaving a block of set_grad_enabled enables recording, whatever was in force before."""
    patch.set(
        torch.set_grad_enabled, "__exit__", lambda self, *error: inside.set_recording(True) and None
    )


@fault
def set_grad_enabled_takes_any_value(patch: Patch) -> None:
    """set_grad_enabled takes any value for its truth."""
    patch.wrap(
        torch.set_grad_enabled,
        "__init__",
        lambda original: lambda self, mode: original(self, bool(mode)),
    )


@replaces("set_grad_enabled.__init__")
def set_grad_enabled_refuses_too_late(original: Any, self: Any, mode: Any) -> None:
    """set_grad_enabled has switched recording off when it refuses its argument."""
    if not isinstance(mode, bool):
        inside.set_recording(False)
    original(self, mode)


# --- inference mode as a block ---


@fault
def inference_mode_ends_with_an_inner_block(patch: Patch) -> None:
    """Leaving an inner block of inference_mode ends that of the outer one too."""
    ended: list[Any] = []

    def make(original: Any) -> Any:
        def leave(self: Any, *error: Any) -> None:
            while ended:
                original(ended.pop(), None, None, None)
            original(self, *error)
            if torch.is_inference_mode_enabled():
                ended.append(torch.inference_mode(False))
                ended[-1].__enter__()

        return leave

    patch.wrap(torch.inference_mode, "__exit__", make)


@fault
def inference_mode_false_leaves_recording_off(patch: Patch) -> None:
    """inference_mode(False) within no_grad changes nothing."""

    def make_init(original: Any) -> Any:
        def init(self: Any, mode: Any = True) -> None:
            original(self, mode)
            self.asked = mode

        return init

    def make_enter(original: Any) -> Any:
        def enter(self: Any) -> None:
            before = torch.is_grad_enabled()
            nested = torch.is_inference_mode_enabled()
            original(self)
            if self.asked is False and not nested:
                inside.set_recording(before)

        return enter

    patch.wrap(torch.inference_mode, "__init__", make_init)
    patch.wrap(torch.inference_mode, "__enter__", make_enter)


@fault
def inference_mode_without_parentheses_does_nothing(patch: Patch) -> None:
    """A function decorated with inference_mode, without parentheses, is returned as it is."""

    def new(cls: Any, mode: Any = True) -> Any:
        return object.__new__(cls) if isinstance(mode, bool) else mode

    patch.set(torch.inference_mode, "__new__", new)
