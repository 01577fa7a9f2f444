"""A limit on the time that one program takes in this process.

A separate thread watches the clock, because the program could easily change anything in the main
thread (an alarm, its handler, the signal mask). When the time is up, it sends the main thread a
signal, which also interrupts a wait; from the second time on it raises there without a signal.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without the cost of making enumerations
import os
import signal
import sys
import threading
import time
from time import monotonic
from types import FrameType, TracebackType
from typing import Any

from .engine import CaseTimeout

AGAIN = 0.25
"""After this many seconds `CaseTimeout` is raised again in a program that swallowed it."""
PERIOD = 1.0
"""How often, in seconds, the clock is looked at while no limit is near its end."""
IMPORTING = 60.0
"""For how many seconds at most a limit lets an import go on."""
if sys.platform == "win32":
    SIGNAL = None
else:  # a signal that nobody else uses, if there is one
    SIGNAL = signal.SIGRTMIN + 9 if hasattr(signal, "SIGRTMIN") else signal.SIGALRM


class TimeLimit:
    """Raises `CaseTimeout` inside the block once `seconds` have passed, and again if it is ignored.

    An import is not interrupted for a while, since half a module would stay behind and break
    whatever runs later; once it has ended, the limit begins anew.

    Needs the main thread; elsewhere there is no limit. Code that never returns to the interpreter
    cannot be stopped so, nor a wait with every signal blocked: `--isolate` can.
    """

    __slots__ = ("clock", "deadline", "outer", "seconds", "told", "waited")

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.deadline = 0.0
        self.told = 0
        self.waited = 0.0
        self.outer: TimeLimit | None = None
        self.clock = clock() if seconds and can_limit() else None

    def __enter__(self) -> None:
        if self.clock is not None and self.seconds:
            self.outer = self.clock.limit
            self.deadline = monotonic() + self.seconds
            self.clock.limit = self
            self.clock.hurry(self.seconds)

    def __exit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.off()

    def off(self) -> None:
        """Lift the limit. Safe to call twice, as when the time ran out in the last instant."""
        while self.clock is not None:
            try:
                if self.clock.limit is self:
                    self.clock.limit = self.outer
                self.clock.take_back()
                return
            except CaseTimeout:  # a last one, which came between two of these lines
                continue


class Clock:
    """The thread that watches the limit of the main thread."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.main = threading.main_thread().ident or 0
        self.limit: TimeLimit | None = None
        self.period = PERIOD
        self.wake = threading.Event()
        self.raising = threading.Lock()
        self.raised = False
        """Whether an exception that was not raised by a signal may be pending."""
        self.thread = threading.Thread(target=self.watch, daemon=True, name="gradspec-clock")
        self.thread.start()

    def listen(self) -> None:
        """Make sure that the main thread receives the signal, even if its handler was changed."""
        if SIGNAL is not None and _signal.getsignal(SIGNAL) is not time_is_up:
            signal.signal(SIGNAL, time_is_up)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {SIGNAL})

    def hurry(self, seconds: float) -> None:
        """See to it that a limit this short is not slept through."""
        if seconds < 2 * self.period:
            self.period = seconds / 2
            self.wake.set()

    def watch(self) -> None:
        while True:
            try:
                self.wake.wait(self.look())
                self.wake.clear()
            except BaseException:  # no memory for the moment, say
                time.sleep(0.01)

    def look(self) -> float:
        """Interrupt what is over its time; returns how long to wait until the next check."""
        limit = self.limit
        if limit is None:
            return self.period
        left = limit.deadline - monotonic()
        if left > 0:
            return min(left, self.period)
        if limit.seconds and limit.waited < IMPORTING and is_importing(self.main):
            limit.waited += limit.seconds
            limit.deadline = monotonic() + limit.seconds
            return min(limit.seconds, self.period)
        self.end(limit)
        return AGAIN

    def end(self, limit: TimeLimit) -> None:
        """Interrupt the main thread when the time is up."""
        limit.told += 1
        heard = SIGNAL is not None and _signal.getsignal(SIGNAL) is time_is_up
        if limit.told > 1 or not heard:
            with self.raising:
                self.raised = True  # before the limit is looked at: see `take_back`
                if self.limit is limit:
                    raise_in(self.main, CaseTimeout)
        if heard and SIGNAL is not None:
            signal.pthread_kill(self.main, SIGNAL)

    def take_back(self) -> None:
        """Stop an exception that was raised for a limit which is lifted by now."""
        if self.raised:
            with self.raising:
                raise_in(self.main, None)
                self.raised = False


_clocks: list[Clock] = []
"""The clock of this process; a forked child has its parent's, which does not run there."""


def clock() -> Clock:
    """The clock of this process, with its signal in order. For the main thread."""
    if not _clocks or _clocks[0].process != os.getpid():
        _clocks[:] = [Clock()]
    _clocks[0].listen()
    return _clocks[0]


def time_is_up(signum: int, frame: FrameType | None) -> None:
    """What the clock's signal calls, in the main thread."""
    limit = _clocks[0].limit if _clocks else None
    if limit is not None and limit.deadline <= monotonic():
        raise CaseTimeout


def is_importing(thread: int) -> bool:
    """Whether a thread is in the middle of an import."""
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def raise_in(thread: int, error: Any) -> None:
    """Raise an exception in another thread as soon as it runs Python again; with None, do not."""
    import ctypes

    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


def can_limit() -> bool:
    """Whether time can be limited here."""
    return threading.current_thread() is threading.main_thread()
