"""Runs `python -m MODULE` in a new process that need not import anything: it is forked from one that
has imported the suite and pytest, which takes most of the time of a short run.

All else is as in a process of its own: the environment, the folder, the streams, threads, signals,
limits, and how it ends. What Python reads only when it starts, such as PYTHONIOENCODING, has an
effect too: such a process is started as usual.
"""

from __future__ import annotations

import atexit
import faulthandler
import gc
import importlib
import json
import os
import runpy
import select
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from _pytest.config import default_plugins

IMPORTED = (
    "gradspec.adapters.baseline_engines", "gradspec.adapters.framework.torch_like",
    "gradspec.conformance.commands.check", "gradspec.conformance.commands.run",
    "gradspec.conformance.pytest_plugin.run", "gradspec.conformance.pytest_plugin.strictness",
    "gradspec.conformance.reporting.repro", "gradspec.conformance.reporting.summary",
    "gradspec.conformance.running.parallel", "numpy", "pytest", "rich.progress",
    *(f"_pytest.{plugin}" for plugin in default_plugins),
)  # fmt: skip
"""What most runs import. No engine, and no other plugin of pytest, which wants to import it itself."""
AT_START = ("PYTHON", "LC_", "LANG")
"""How variables begin that Python reads when it starts."""
FORKS = sys.platform == "linux"  # elsewhere not every library can be used in a forked process
LONGEST = 1 << 20
"""The most bytes of a request or an answer."""


def run_module(
    arguments: list[str], cwd: Path, environment: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run `python -m` with these arguments; what it prints and how it ends, as `subprocess.run` does.

    Raises `subprocess.TimeoutExpired` after killing a process that does not end.
    """
    if FORKS and at_start(environment) == at_start(os.environ):
        return server().run(arguments, cwd, environment, timeout)
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


def at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that Python reads when it starts, but for PYTHONPATH, which `become` heeds."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(AT_START) and name != "PYTHONPATH"
    }


@cache
def server() -> Server:
    """One for all tests of this process."""
    return Server()


class Server:
    """A process that has imported everything and forks on request, as the tests see it."""

    def __init__(self) -> None:
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        atexit.register(self.close)

    def close(self) -> None:
        """End the process."""
        self.channel.close()
        self.process.wait()

    def run(
        self, arguments: list[str], cwd: Path, environment: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """As `run_module`."""
        request = json.dumps([arguments, str(cwd), dict(environment)]).encode()
        streams = [os.pipe(), os.pipe()]
        socket.send_fds(self.channel, [request], [write for _, write in streams])
        for _, write in streams:
            os.close(write)
        child = int(self.channel.recv(LONGEST))
        readers = [read for read, _ in streams]
        try:
            printed = read_to_the_end(readers, time.monotonic() + timeout)
        except TimeoutError:
            os.kill(child, signal.SIGUSR1)
            told = what_comes(readers, 1.0)
            os.kill(child, signal.SIGKILL)
            self.channel.recv(LONGEST)
            error = subprocess.TimeoutExpired(arguments, timeout)
            error.add_note(f"When it was given up, it was here:\n{told[-5000:]}")
            raise error from None
        finally:
            for read in readers:
                os.close(read)
        status = int(self.channel.recv(LONGEST))
        output, errors = (text.decode().replace("\r\n", "\n") for text in printed)
        return subprocess.CompletedProcess(arguments, status, output, errors)


def read_to_the_end(files: list[int], deadline: float) -> list[bytes]:
    """What is written to each of these pipes until nobody has them open for writing.

    Raises `TimeoutError` at the deadline.
    """
    found: dict[int, list[bytes]] = {file: [] for file in files}
    with selectors.DefaultSelector() as selector:
        for file in files:
            selector.register(file, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                part = os.read(key.fd, 1 << 16)
                found[key.fd].append(part)
                if not part:
                    selector.unregister(key.fd)
    return [b"".join(parts) for parts in found.values()]


def what_comes(files: list[int], seconds: float) -> str:
    """What is written to these pipes within this time."""
    deadline = time.monotonic() + seconds
    parts = []
    while ready := select.select(files, [], [], max(0.0, deadline - time.monotonic()))[0]:
        for file in ready:
            part = os.read(file, 1 << 16)
            parts.append(part)
            if not part:
                files = [other for other in files if other != file]
    return b"".join(parts).decode("utf-8", "replace")


# --- the other side ---


def serve(channel: socket.socket) -> list[str]:
    """Fork for each request. Returns in the forked process, with what it shall run."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests
    while True:
        request, streams, _, _ = socket.recv_fds(channel, LONGEST, 2)
        if not request:
            os._exit(0)
        child = os.fork()
        if child == 0:
            channel.close()
            return become(*json.loads(request), streams)
        for stream in streams:
            os.close(stream)
        channel.send(b"%d" % child)
        channel.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def become(
    arguments: list[str], cwd: str, environment: dict[str, str], streams: list[int]
) -> list[str]:
    """Take on what a new process would have been given."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for stream, number in zip(streams, (1, 2), strict=True):
        os.dup2(stream, number)
        os.close(stream)
    faulthandler.register(signal.SIGUSR1, file=2)  # where it hangs is printed when it is given up
    added = environment.get("PYTHONPATH", "")
    sys.path[:0] = [os.getcwd(), *filter(None, added.split(os.pathsep))]
    return arguments


if __name__ == "__main__":
    del sys.path[0]  # this folder
    for imported in IMPORTED:
        importlib.import_module(imported)
    gc.collect()
    gc.freeze()  # else each forked process copies all of this to collect it once more at its end
    sys.argv[:] = serve(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
