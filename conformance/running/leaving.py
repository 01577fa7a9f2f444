"""How a run ends: never with status 0 too early, not delayed by threads that the engine left running,
and with no process left behind."""

from __future__ import annotations

import atexit
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
from gradspec.adapters.framework.surroundings import HungUp, Terminated

try:
    import resource
except ImportError:  # not on this operating system
    resource = None  # type: ignore[assignment]

REALLY_EXIT = os._exit
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM
GRACE = 0.2
"""How long threads that are about to end are waited for."""
PATIENCE = 5.0
"""How long processes that start others are gone after."""
MOST_TRIES = 1000


class ExitGuard:
    """Sees to it that an engine in this process which leaves by `os._exit(0)`, or by replacing the
    process, does not make a run look like a success. `status` is how the run ended, once it has."""

    REPLACING = ("execv", "execve")
    """What every function of `os` that replaces the process ends up calling."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self.status: int | None = None
        self.kept: dict[str, Any] = {}
        self.threads = frozenset(threading.enumerate())

    def start(self) -> None:
        self.kept = {name: getattr(os, name) for name in ("_exit", *self.REPLACING)}
        os._exit = self.exit
        for name in self.REPLACING:
            setattr(os, name, self.refuse)
        if resource is not None:
            self.kept["setrlimit"] = resource.setrlimit
            resource.setrlimit = self.limit

    def stop(self) -> None:
        for name, function in self.kept.items():
            setattr(resource if name == "setrlimit" else os, name, function)
        self.kept = {}

    def strangers(self) -> list[threading.Thread]:
        """Threads that are neither ours nor older than this guard, so perhaps the engine's."""
        return [
            thread
            for thread in threading.enumerate()
            if thread not in self.threads and not thread.name.startswith("gradspec-")
        ]

    def limit(self, which: int, limits: tuple[int, int]) -> None:
        """In the place of `resource.setrlimit`: a hard limit stays, since it could never be raised
        again. Soft limits are restored after each case."""
        if os.getpid() == self.process:
            limits = (limits[0], resource.getrlimit(which)[1])
        self.kept["setrlimit"](which, limits)

    def exit(self, status: int) -> NoReturn:
        """In the place of `os._exit`. A forked child may leave as it likes."""
        if os.getpid() == self.process:
            if self.status is None:
                told = f"gradspec: the engine ended this process (os._exit({status})); run it with --isolate\n"
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
    """The exit status of a run that was interrupted, by the user or by SIGTERM or SIGHUP."""
    number = interruption.number if isinstance(interruption, Terminated) else signal.SIGINT
    return 128 + number


def leave(status: int, guard: ExitGuard) -> NoReturn:
    """Exit with this status, even if threads of the engine are still running."""
    guard.status = status
    for _ in range(MOST_TRIES):
        try:
            settle()
            if guard.strangers():  # one of them may raise SystemExit in this thread until the end
                exit_now(status)
            break
        except BaseException:
            continue
    sys.exit(status)


def settle() -> None:
    """Write what was printed, and give threads that are about to end the time for it."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    deadline = time.monotonic() + GRACE
    while threads_stay() and time.monotonic() < deadline:
        time.sleep(0.01)


def exit_now(status: int) -> NoReturn:
    """Exit with this status, without waiting for any thread. What was arranged for the end of the
    process is done, unless threads stay that it may wait for."""
    if not threads_stay():
        with contextlib.suppress(BaseException):
            atexit._run_exitfuncs()
    REALLY_EXIT(status)
    raise AssertionError("os._exit came back")


def threads_stay() -> bool:
    """Whether there are threads that the interpreter would wait for."""
    return any(
        not thread.daemon and not thread.name.startswith("gradspec-")
        for thread in threading.enumerate()
        if thread is not threading.main_thread()
    )


def leave_when_main_thread_ends(guard: ExitGuard) -> None:
    """For a process that we do not end ourselves: once its main thread is done, exit with the guard's
    status at once, without waiting for threads of the engine and ignoring their exceptions."""
    ended = threading.Event()

    def hold() -> None:
        """Keep the main thread from waiting for the threads of a pool, and from any other end."""
        ended.set()
        while True:
            with contextlib.suppress(BaseException):
                time.sleep(60)

    def watch() -> None:
        while threading.main_thread().is_alive() and not ended.wait(0.05):
            pass
        settle()
        exit_now(guard.status if guard.status is not None else 1)

    # As concurrent.futures does, which waits for its threads in this way before any other is looked at.
    register = getattr(threading, "_register_atexit", None)
    if register is not None:
        register(hold)
    threading.Thread(target=watch, daemon=False, name="gradspec-leave").start()


@contextlib.contextmanager
def ends_on_sigterm() -> Iterator[None]:
    """Within the block SIGTERM raises `Terminated` and SIGHUP `HungUp`, so that a run can write its
    last line. A handler that somebody else has set stays, as does everything where this is not the
    main thread."""
    ours: list[type[Terminated]] = []
    if threading.current_thread() is threading.main_thread():
        kinds = {kind.number: kind for kind in (HungUp, Terminated)}
        ours = [
            kind for number, kind in kinds.items() if signal.getsignal(number) is signal.SIG_DFL
        ]
    for kind in ours:
        signal.signal(kind.number, _terminate)
    try:
        yield
    finally:
        for kind in ours:
            signal.signal(kind.number, signal.SIG_DFL)


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated if number == signal.SIGTERM else HungUp


class Leftovers:
    """The processes that an engine starts from this process and leaves running; earlier ones are left
    alone. Their orphans become children of this process, if the system supports it."""

    def __init__(self) -> None:
        prctl(SET_SUBREAPER, 1)
        self.before = frozenset(children())
        self.opened: frozenset[int] | None = None
        self.own: frozenset[int] | None = None

    def no_more(self) -> None:
        """From now on this process starts its own children, such as the workers of pytest-xdist: only
        existing ones are the engine's."""
        self.opened = frozenset(children()) - self.before

    def spare_what_is_here(self) -> None:
        """Those that this process has started by now are its own; what comes later is what one of
        them left behind when it ended."""
        if self.opened is not None:
            self.own = frozenset(children()) - self.opened

    def spare(self, process: int) -> None:
        """This process too is one of our own."""
        if self.own is not None:
            self.own |= {process}

    def kill(self) -> None:
        """End them all. Safe to call twice."""
        spared = self.before
        if self.own is not None:
            spared |= self.own
        elif self.opened is not None:
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
