"""A limit on the time that one program takes in this process."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .engine import CaseTimeout


def _expired(signum: int, frame: FrameType | None) -> None:
    raise CaseTimeout


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise `CaseTimeout` inside the block once `seconds` have passed.

    Needs the main thread and an operating system with interval timers; elsewhere there is no
    limit. Code that never returns to the interpreter cannot be stopped so: `--isolate` can.
    """
    if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _expired)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
