"""Words of programs that a Python host answers itself: they need nothing of the engine."""

from __future__ import annotations

import copy
import gc
import math
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .classify import message_of
from .concurrency import concurrently, meet, this_thread
from .engine import ProgramError, Unsupported


def stop(text: str = "stopped") -> None:
    """Raise the program's own error."""
    raise ProgramError(text)


@contextmanager
def afterwards(function: Callable[[], Any]) -> Iterator[None]:
    """A block at whose end `function` is called, however it ends."""
    try:
        yield
    finally:
        function()


def weak(value: Any) -> Callable[[], Any]:
    """A weak reference."""
    try:
        return weakref.ref(value)
    except TypeError as error:
        raise Unsupported(f"weak references to {type(value).__name__}") from error


@contextmanager
def without_collector() -> Iterator[None]:
    """A block in which no garbage is collected: what is freed there was freed at once."""
    if sys.implementation.name != "cpython":
        raise Unsupported("a Python with reference counting")
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def messages() -> Iterator[list[str]]:
    """A block that gives the texts of the warnings and of the error raised in it, which pass on."""
    texts: list[str] = []
    caught: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield texts
    except Exception as error:
        texts.append(message_of(error))
        raise
    finally:
        texts[:0] = [str(item.message) for item in caught]
        for item in caught:
            warnings.warn_explicit(item.message, item.category, item.filename, item.lineno)


HOST_WORDS: dict[str, Any] = {
    "stop": stop,
    "afterwards": afterwards,
    "throw_into": lambda generator, text: generator.throw(ProgramError(text)),
    "weak": weak,
    "alive": lambda reference: reference() is not None,
    "collect": gc.collect,
    "without_collector": without_collector,
    "messages": messages,
    "deepcopy": copy.deepcopy,
    "concurrently": concurrently,
    "meet": meet,
    "this_thread": this_thread,
    "call": lambda function, *arguments, **keywords: function(*arguments, **keywords),
    "inf": math.inf,
    "nan": math.nan,
    "pi": math.pi,
}
