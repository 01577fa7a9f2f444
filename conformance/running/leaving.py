"""How a run ends: never with status 0 before its time, not held up by what the engine left running,
and with no process left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any, NoReturn

from gradspec.adapters.framework.guardian import SET_SUBREAPER, children, prctl
from gradspec.adapters.framework.surroundings import Terminated

INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
GRACE = 0.2
"""How long threads that are about to end are waited for."""
PATIENCE = 5.0
"""How long processes that start others are gone after."""


class ExitGuard:
    """Sees to it that an engine in this process which leaves by `os._exit(0)`, or by replacing the
    process, does not make a run look like a success. `status` is how the run ended, once it has."""

    REPLACING = ("execv", "execve")
    """What every function of `os` that replaces the process ends up calling."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.status: int | None = None
        self.kept: dict[str, Any] = {}

    def start(self) -> None:
        self.kept = {name: getattr(os, name) for name in ("_exit", *self.REPLACING)}
        os._exit = self.exit
        for name in self.REPLACING:
            setattr(os, name, self.refuse)

    def stop(self) -> None:
        for name, function in self.kept.items():
            setattr(os, name, function)
        self.kept = {}

    def exit(self, status: int) -> NoReturn:
        """In the place of `os._exit`. A forked child may leave as it likes."""
        if os.getpid() == self.process:
            if self.status is None:
                told = f"gradspec: the engine ended this process (os._exit({status})); see --isolate\n"
                with contextlib.suppress(OSError):
                    os.write(2, told.encode())
            status = (status or 1) if self.status is None else self.status
        self.kept["_exit"](status)
        raise AssertionError("os._exit came back")

    def refuse(self, *arguments: Any) -> NoReturn:
        """In the place of what replaces the process."""
        if os.getpid() != self.process:
            name = "execv" if len(arguments) == 2 else "execve"
            self.kept[name](*arguments)
        raise PermissionError("an engine may not replace the process that runs the suite")


def status_of(interruption: KeyboardInterrupt) -> int:
    """The exit status of a run that was interrupted, by the user or by SIGTERM."""
    return TERMINATED if isinstance(interruption, Terminated) else INTERRUPTED


def leave(status: int, guard: ExitGuard) -> NoReturn:
    """Exit with this status, though the engine may have left threads behind that never end."""
    guard.status = status
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    deadline = time.monotonic() + GRACE
    while threads_stay() and time.monotonic() < deadline:
        time.sleep(0.01)
    if threads_stay():
        os._exit(status)
    sys.exit(status)


def threads_stay() -> bool:
    """Whether there are threads that the interpreter would wait for."""
    main = threading.main_thread()
    return any(not thread.daemon for thread in threading.enumerate() if thread is not main)


def leave_when_main_thread_ends(guard: ExitGuard) -> None:
    """For a process whose end is not ours to call: once its main thread is through, do not wait for
    the threads that an engine left behind."""

    def watch() -> None:
        threading.main_thread().join()
        time.sleep(GRACE)
        leave(guard.status if guard.status is not None else 1, guard)

    if threads_stay():
        threading.Thread(target=watch, daemon=True, name="gradspec-leave").start()


@contextlib.contextmanager
def ends_on_sigterm() -> Iterator[None]:
    """Within the block SIGTERM raises `Terminated`, so that a run can write its last line. A handler
    that somebody else has set stays, as does everything where this is not the main thread."""
    usable = threading.current_thread() is threading.main_thread()
    if not usable or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


class Leftovers:
    """The processes that an engine starts in this process and leaves running; those that were here
    before are let be. Orphans of such processes come to this one, where the system can do that."""

    def __init__(self) -> None:
        prctl(SET_SUBREAPER, 1)
        self.before = frozenset(children())
        self.opened: frozenset[int] | None = None

    def no_more(self) -> None:
        """From now on this process starts others of its own, such as the workers of pytest-xdist: only
        what is here already is the engine's."""
        self.opened = frozenset(children()) - self.before

    def kill(self) -> None:
        """End them all. Safe to call twice."""
        spared = self.before
        if self.opened is not None:
            spared |= frozenset(children()) - self.opened
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            left = [child for child in children() if child not in spared]
            if not left:
                return
            for child in left:
                with contextlib.suppress(OSError):
                    os.kill(child, signal.SIGKILL)
            for child in left:
                with contextlib.suppress(OSError):
                    os.waitpid(child, 0)
