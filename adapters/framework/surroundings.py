"""Process state that a program may change, restored after each program."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # without the cost of making enumerations
import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from operator import is_not
from time import monotonic
from types import FrameType
from typing import Any

try:
    import resource
except ImportError:  # not on this operating system
    resource = None  # type: ignore[assignment]

NUMBERS = tuple(sorted(map(int, signal.valid_signals())))
INTERRUPT = int(signal.SIGINT)
WITHIN_A_PROCESS = frozenset(
    int(getattr(signal, name, 0))
    for name in ("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGIO")
).union(range(int(getattr(signal, "SIGRTMIN", 0)), int(getattr(signal, "SIGRTMAX", -1)) + 1))
"""Signals that programs send themselves. Once a program has used one, a late one must not end the
process, which is what most do by default."""
TIMERS = tuple(
    getattr(signal, name) for name in ("ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF")
    if hasattr(signal, name)
)  # fmt: skip
LIMITS = tuple(
    getattr(resource, name) for name in ("RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_CPU")
    if hasattr(resource, name)
)  # fmt: skip
MASKS = hasattr(signal, "pthread_sigmask")
MOST_TRIES = 1000


class Terminated(KeyboardInterrupt):
    """The run received SIGTERM; it is cut short as by Ctrl-C."""

    number = signal.SIGTERM


class HungUp(Terminated):
    """The terminal that the run belongs to was closed."""

    number = getattr(signal, "SIGHUP", signal.SIGTERM)


class Surroundings:
    """Records the state of this process; `restore` undoes a program's changes, so that the next
    program finds the same state as if it ran alone."""

    __slots__ = (
        "begun", "callbacks", "collects", "depth", "folder", "handler", "handlers", "interrupted",
        "limits", "mask", "process", "streams", "threshold", "timers",
    )  # fmt: skip

    def __init__(self) -> None:
        self.process = os.getpid()
        self.begun = monotonic()
        self.depth = sys.getrecursionlimit()
        self.folder = current_folder()
        self.collects = gc.isenabled()
        self.threshold = gc.get_threshold()
        self.callbacks: list[Any] | None = list(gc.callbacks)
        """None if an engine may keep its callbacks for collections."""
        self.limits = list(map(resource.getrlimit, LIMITS)) if resource else []
        self.streams = (sys.stdin, sys.stdout, sys.stderr)
        for stream in self.streams[1:]:
            keep_open(stream)
        self.interrupted = False
        """Whether somebody pressed Ctrl-C; an engine that raises KeyboardInterrupt did not."""
        self.handler: Any = None
        self.handlers: list[Any] = []
        if threading.current_thread() is threading.main_thread():
            self.note_signals()

    def note_signals(self) -> None:
        """Record the state that only the main thread can change."""
        self.timers = [signal.getitimer(timer)[0] for timer in TIMERS]
        self.mask = _signal.pthread_sigmask(signal.SIG_BLOCK, ()) if MASKS else set()
        self.handlers = list(map(_signal.getsignal, NUMBERS))
        self.handler = _signal.signal(INTERRUPT, self.interrupt)

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        self.interrupted = True
        if callable(self.handler):
            self.handler(signum, frame)

    def restore(self) -> None:
        if os.getpid() != self.process:
            # a child that the engine forked must not continue as if it were this process
            os._exit(0)
        interruption: BaseException | None = None
        for _ in range(MOST_TRIES):
            try:
                self.put_back()
                break
            except BaseException as error:  # from a handler of the engine, until all are restored
                if self.interrupted or isinstance(error, Terminated):
                    interruption = error
        if interruption is not None:
            raise interruption

    def put_back(self) -> None:
        if self.limits:
            self.put_back_limits()
        if self.handlers:
            self.put_back_signals()
        if sys.getrecursionlimit() != self.depth:
            sys.setrecursionlimit(self.depth)
        for stream in self.streams[1:]:
            let_close(stream)
        sys.stdin, sys.stdout, sys.stderr = self.streams
        if self.folder and current_folder() != self.folder:
            with suppress(OSError):  # the engine may have removed it
                os.chdir(self.folder)
        self.put_back_collection()

    def put_back_collection(self) -> None:
        """The garbage collector's settings."""
        if self.callbacks is not None and gc.callbacks != self.callbacks:
            gc.callbacks[:] = self.callbacks
        if gc.get_threshold() != self.threshold:
            gc.set_threshold(*self.threshold)
        if gc.isenabled() is not self.collects:
            (gc.enable if self.collects else gc.disable)()

    def put_back_limits(self) -> None:
        """The limits of the operating system, as far as it allows that."""
        for limit, before in zip(LIMITS, self.limits, strict=True):
            found = resource.getrlimit(limit)
            if found != before:
                try:
                    resource.setrlimit(limit, before)
                except (OSError, ValueError):  # nobody but root may raise the hard limit again
                    with suppress(OSError, ValueError):
                        resource.setrlimit(limit, (found[1], found[1]))

    def put_back_signals(self) -> None:
        """Timers first, so that none of them still fires; then handlers, then the mask."""
        for timer, left in zip(TIMERS, self.timers, strict=True):
            if left:  # somebody else's, such as pytest-timeout's
                rest = left - (monotonic() - self.begun)
                if rest > 0.0 == signal.getitimer(timer)[0]:
                    signal.setitimer(timer, rest)
            elif signal.getitimer(timer)[0]:
                signal.setitimer(timer, 0.0)
        if self.handler is not None:
            _signal.signal(INTERRUPT, self.handler)
        now = list(map(_signal.getsignal, NUMBERS))
        if any(map(is_not, now, self.handlers)):
            for number, found, before in zip(NUMBERS, now, self.handlers, strict=True):
                if found is not before:
                    put_back_handler(number, before)
        if MASKS and _signal.pthread_sigmask(signal.SIG_BLOCK, ()) != self.mask:
            signal.pthread_sigmask(signal.SIG_SETMASK, self.mask)


def put_back_handler(number: int, before: Any) -> None:
    """Restore a signal's handler."""
    if before is None:  # it was not set by Python, and cannot be set again
        return
    if before == signal.SIG_DFL and number in WITHIN_A_PROCESS:
        before = signal.SIG_IGN
    with suppress(OSError, ValueError):
        signal.signal(number, before)


def keep_open(stream: Any) -> None:
    """Keep a program from closing a stream that is not its own."""
    try:
        stream.close = stays_open
        stream.buffer.close = stays_open
    except (AttributeError, ValueError):  # it is None, or has no buffer
        return


def let_close(stream: Any) -> None:
    """Allow the owner of a stream to close it again."""
    try:
        del stream.close
        del stream.buffer.close
    except (AttributeError, ValueError):
        return


def stays_open() -> None:
    """In the place of a stream's `close`."""


def current_folder() -> str:
    """The current folder, or the empty string if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""
