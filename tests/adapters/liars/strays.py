"""An honest engine whose exceptions surface where nobody can catch them: when a tensor is freed at
once, when one in a cycle is freed at some later time, in a thread, and in a weak reference's callback
that cannot even be shown. A thread of its own goes on doing so between the cases. It also logs a
message that cannot be formatted, and warns while it is imported."""

from __future__ import annotations

import logging
import threading
import time
import warnings
import weakref
from types import SimpleNamespace
from typing import Any

import honest

warnings.warn("this engine is old", DeprecationWarning, stacklevel=1)
kept: list[Any] = []
"""What is freed when the process ends."""


class Stray:
    """Raises when it is freed."""

    def __del__(self) -> None:
        raise RuntimeError("a stray exception of __del__")


class Callback:
    """Raises when it is called, and when it is printed."""

    def __call__(self, reference: Any) -> None:
        raise RuntimeError("a stray exception of a callback")

    def __repr__(self) -> str:
        raise RuntimeError("nothing to show")


def raise_in_thread() -> None:
    raise RuntimeError("a stray exception of a thread")


def tensor(values: list[float], requires_grad: bool = False) -> honest.Tensor:
    made = honest.tensor(values, requires_grad)
    logging.getLogger("strays").warning("a message without places for", 2, "arguments")
    at_once, later = Stray(), Stray()
    kept.append(weakref.ref(at_once, Callback()))
    del at_once
    later.itself = later  # type: ignore[attr-defined]
    kept.append(Stray())
    thread = threading.Thread(target=raise_in_thread)
    thread.start()
    thread.join()
    return made


def go_on() -> None:
    while True:
        time.sleep(0.0005)
        Stray()


threading.Thread(target=go_on, daemon=True).start()
engine = SimpleNamespace(**{**vars(honest), "tensor": tensor})
