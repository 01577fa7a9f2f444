"""Starts an engine's process and makes sure that nothing it started outlives the run.

    PYTHON -I -S adapters/framework/guardian.py CONTROL -- COMMAND ARGUMENT ...

Runs between the suite and the process, with the standard library alone. CONTROL is the number of an
inherited socket: the guardian writes one line to it (`started PID` or `failed ERRNO`) and then
watches it. When the other end is closed, because the suite is done or was killed, or when the command exits,
the guardian kills everything that the command started,
and ends as the command did. On Linux that includes processes that left the group or the session:
orphans become children of the guardian, which is a subreaper. Elsewhere it is the process group.

Standard input and output are the command's own: the guardian neither reads nor delays them.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import time
from typing import Any

PATIENCE = 5.0
"""For this many seconds the guardian keeps killing processes that start others."""
SET_DEATH_SIGNAL, SET_SUBREAPER = 1, 36
"""Options of prctl, from linux/prctl.h."""


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process; elsewhere than on Linux nothing happens."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def children() -> list[int]:
    """The child processes of this process; empty without /proc."""
    if sys.platform != "linux":
        return []
    found: list[int] = []
    try:
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    except OSError:  # a thread that ended meanwhile, or a kernel that does not list children
        return children_by_status()
    return found


def children_by_status() -> list[int]:
    """As `children`, by asking every process for its parent."""
    found: list[int] = []
    own = str(os.getpid())
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdecimal():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                if file.read().rpartition(b")")[2].split()[1].decode() == own:
                    found.append(int(name))
    return found


def start(command: list[str], control: socket.socket) -> int:
    """Start the command as the leader of a group of its own; its process id."""
    reading, writing = os.pipe()  # closed without a word where the command was started
    process = os.fork()
    if process == 0:
        os.close(reading)
        prctl(SET_DEATH_SIGNAL, signal.SIGKILL)  # if something kills the guardian itself
        os.setpgid(0, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        try:
            os.execvp(command[0], command)
        except OSError as error:
            os.write(writing, str(error.errno or 1).encode())
        os._exit(127)
    os.close(writing)
    failed = os.read(reading, 16).decode()
    os.close(reading)
    control.sendall(f"failed {failed}\n".encode() if failed else f"started {process}\n".encode())
    return process


def reap(process: int) -> tuple[int | None, bool]:
    """Reap every child that has ended: the wait status of `process` if it is among them, and
    whether there is no child any more."""
    status = None
    while True:
        try:
            ended, found = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status, True
        if ended == 0:
            return status, False
        if ended == process:
            status = found


def watch(process: int, control: socket.socket) -> int | None:
    """Wait until the command exits or the suite closes the socket; its wait status in the first case."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    while True:
        status, _ = reap(process)
        if status is not None:
            return status
        sockets: list[Any] = [control, reading]
        ready, _, _ = select.select(sockets, [], [])
        if reading in ready:
            os.read(reading, 512)
        if control in ready and not control.recv(512):
            return None


def kill_all(process: int) -> int | None:
    """Kill the command and all that it left; the command's wait status where it is known now."""
    deadline = time.monotonic() + PATIENCE
    status = None
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)
    while time.monotonic() < deadline:
        found, alone = reap(process)
        status = found if found is not None else status
        if alone:
            break
        for child in children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        time.sleep(0.002)
    return status


def leave_as(status: int) -> None:
    """End this process as the command ended."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(OSError, ValueError):  # those that nothing can be set for
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    os._exit(128 - code)


def main(arguments: list[str]) -> None:
    control = socket.socket(fileno=int(arguments[0]))
    control.set_inheritable(False)
    prctl(SET_SUBREAPER, 1)
    for deaf in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(deaf, signal.SIG_IGN)
    # one that is ignored is inherited, here and beyond
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    process = start(arguments[2:], control)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # else the suite would not see that the command closed them
        os.dup2(nowhere, number)
    status = watch(process, control)
    late = kill_all(process)
    ends = [found for found in (status, late) if found is not None]
    leave_as(ends[0] if ends else int(signal.SIGKILL))


if __name__ == "__main__":
    main(sys.argv[1:])
