"""A limit on the time that one program takes in this process."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from .engine import CaseTimeout

AGAIN = 0.25
"""After so many seconds a program that swallowed `CaseTimeout` is told once more."""


class TimeLimit:
    """Raises `CaseTimeout` inside the block once `seconds` have passed, and again if it is ignored.

    Needs the main thread and an operating system with interval timers; elsewhere there is no
    limit. Code that never returns to the interpreter cannot be stopped so: `--isolate` can.
    """

    __slots__ = ("before", "seconds")

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.before: Any = None

    def __enter__(self) -> None:
        if self.seconds and can_limit():
            self.before = signal.signal(signal.SIGALRM, self.expired)
            signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def __exit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.off()

    def expired(self, signum: int, frame: FrameType | None) -> None:
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
        raise CaseTimeout

    def off(self) -> None:
        """Lift the limit. Safe to call twice, as when the time ran out in the last instant."""
        if self.before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, self.before)
            self.before = None


def can_limit() -> bool:
    """Whether time can be limited here."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
