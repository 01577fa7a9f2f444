"""Switching modes: context managers that are decorators too."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

from .. import errors
from ..mode import mode

__all__ = [
    "enable_grad", "enforce_grad_layout_policy", "inference_mode", "is_grad_enabled",
    "is_inference_mode_enabled", "no_grad", "set_grad_enabled", "set_multithreading_enabled",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])


def is_grad_enabled() -> bool:
    """Whether this thread records operations."""
    return mode.grad


def is_inference_mode_enabled() -> bool:
    """Whether this thread makes inference tensors."""
    return mode.inference


def switch(grad: bool) -> None:
    """Record operations in this thread from now on, or do not."""
    mode.set(grad=grad, aside=not grad and bool(mode.pushing))


class ModeContext:
    """A context manager that decorates functions and generators as well."""

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, *exc: object) -> None:
        raise NotImplementedError

    def clone(self) -> ModeContext:
        """A fresh instance of the same kind, so that decorated functions may recurse."""
        return type(self)()

    def __call__(self, fn: F) -> F:
        """Run ``fn`` in this mode."""
        if inspect.isclass(fn):
            warnings.warn(
                f"Decorating classes with {type(self).__name__} is deprecated: only the "
                "constructor runs in that mode. Decorate the methods instead.",
                FutureWarning,
                stacklevel=2,
            )
            return cast(F, decorated(self, lambda *args, **kwargs: fn(*args, **kwargs)))
        generator = inspect.isgeneratorfunction(fn)
        return cast(F, (decorated_generator if generator else decorated)(self, fn))


def decorated(context: ModeContext, fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that runs in a mode."""

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        with context.clone():
            return fn(*args, **kwargs)

    return run


def decorated_generator(context: ModeContext, fn: Callable[..., Any]) -> Callable[..., Any]:
    """A generator function whose body runs in a mode while its consumer keeps its own."""

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        gen = fn(*args, **kwargs)
        try:
            with context.clone():
                item = gen.send(None)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    with context.clone():
                        gen.close()
                    raise
                except BaseException as error:
                    with context.clone():
                        item = gen.throw(error)
                else:
                    with context.clone():
                        item = gen.send(sent)
        except StopIteration as stop:
            return stop.value

    return run


class _Switch(ModeContext):
    """no_grad and enable_grad: they differ in what they set."""

    grad: bool

    def __new__(cls, fn: Any = None) -> Any:
        self = object.__new__(cls)
        if fn is None:
            return self
        self.stack = []
        return self(fn)

    def __init__(self, fn: Any = None) -> None:
        self.stack: list[bool] = []

    def __enter__(self) -> None:
        self.stack.append(mode.grad)
        switch(self.grad)

    def __exit__(self, *exc: object) -> None:
        switch(self.stack.pop())


class no_grad(_Switch):
    """Nothing is recorded inside."""

    grad = False


class enable_grad(_Switch):
    """Operations are recorded inside, also within no_grad."""

    grad = True


class set_grad_enabled(ModeContext):
    """Set whether operations are recorded: at once as a call, for a block as a context manager.

    Raises:
        TypeError: the argument is not a bool.
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise errors.wrong_type(
                f"set_grad_enabled(): argument 'enabled' must be bool, not {type(mode).__name__}"
            )
        self.prev = is_grad_enabled()
        self.mode = mode
        switch(mode)

    def __enter__(self) -> None:
        switch(self.mode)

    def __exit__(self, *exc: object) -> None:
        switch(self.prev)

    def __call__(self, fn: Any) -> Any:
        switch(self.prev)
        return super().__call__(fn)

    def clone(self) -> ModeContext:
        return type(self)(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.{type(self).__name__}(mode={self.mode})"


class inference_mode(ModeContext):
    """Nothing is recorded inside, and new tensors carry no version counter.
    ``inference_mode(False)`` undoes it."""

    def __new__(cls, mode: Any = True) -> Any:
        self = object.__new__(cls)
        if isinstance(mode, bool):
            return self
        self.flag = True
        return self(mode)

    def __init__(self, mode: Any = True) -> None:
        self.flag = mode
        self.stack: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        self.stack.append((mode.grad, mode.inference))
        mode.set(grad=not self.flag, inference=self.flag)

    def __exit__(self, *exc: object) -> None:
        grad, inference = self.stack.pop()
        mode.set(grad=grad, inference=inference)

    def clone(self) -> ModeContext:
        return type(self)(self.flag)


class _WithoutEffect(ModeContext):
    """A setting that is accepted and changes nothing."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        pass

    def clone(self) -> ModeContext:
        return type(self)(self.mode)


class set_multithreading_enabled(_WithoutEffect):
    """Accepted: a backward pass runs in the thread that calls it, whatever is set."""


class enforce_grad_layout_policy(_WithoutEffect):
    """Accepted: a new gradient has the strides of its leaf, whatever is set. Without the policy it may
    have other ones, but need not."""

    def __init__(self, enable: bool = True) -> None:
        super().__init__(enable)
