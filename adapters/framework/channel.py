"""One engine process, and lines of JSON to and from it, each in bounded time and space."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .engine import EngineUnavailable, Limits

GUARDIAN = Path(__file__).with_name("guardian.py")
PATROL = 0.25
"""How often, in seconds, a silent process is checked for whether it still runs."""
LAST_WORDS = 2000
"""How many bytes of the process's standard error are kept."""
CHUNK = 1 << 16
GUARDIAN_SECONDS = 8.0
"""How long the guardian may take to kill what the process left behind."""


class ProtocolError(Exception):
    """The process broke the protocol; the message says how."""


class ProcessDied(Exception):
    """The process ended; the message says how."""


class AnswerLate(Exception):
    """No answer came in time, or the process did not read what it was sent."""


class Channel:
    """One running process. `longest` is the size in bytes that one answer may have.

    The process runs under a guardian (see guardian.py), so that it and all that it starts end with
    the channel, however the channel ends. Raises `EngineUnavailable` if it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        longest: int = Limits().answer_bytes,
    ) -> None:
        self.longest = longest
        self.buffer = bytearray()
        self.errors = bytearray()
        self.pid = 0
        hear_of_children()
        self.control, theirs = socket.socketpair()
        guardian = [sys.executable, "-I", "-S", str(GUARDIAN), str(theirs.fileno()), "--", *command]
        try:
            self.process = subprocess.Popen(
                guardian,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=None if environment is None else dict(environment),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            self.control.close()
            raise EngineUnavailable(f"cannot start {' '.join(command)!r}: {error}") from error
        finally:
            theirs.close()
        streams = (self.process.stdin, self.process.stdout, self.process.stderr)
        self.input, self.output, self.error_output = streams
        self.selector = selectors.DefaultSelector()
        for stream in (self.output, self.error_output):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, selectors.EVENT_READ)
        assert self.input is not None
        os.set_blocking(self.input.fileno(), False)
        try:
            self.pid = self.started(command)
        except BaseException:
            self.kill()
            raise

    def started(self, command: Sequence[str]) -> int:
        """The process id that the guardian reports. Raises `EngineUnavailable`."""
        self.control.settimeout(GUARDIAN_SECONDS)
        try:
            told = self.control.recv(64).decode().split()
        except OSError:
            told = []
        if len(told) == 2 and told[0] == "started":
            return int(told[1])
        why = self.last_words() or "its guardian did not start"
        if len(told) == 2:
            why = os.strerror(int(told[1]))
        raise EngineUnavailable(f"cannot start {' '.join(command)!r}: {why}")

    # --- talking ---

    def send(self, message: Mapping[str, Any], seconds: float) -> None:
        """Send one object as a line. Raises `AnswerLate` or `ProcessDied`."""
        assert self.input is not None
        rest = memoryview(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        deadline = time.monotonic() + seconds
        try:
            rest = rest[os.write(self.input.fileno(), rest) :]  # a pipe takes most programs whole
        except BlockingIOError:
            pass
        except OSError as error:
            raise ProcessDied(self.how_it_ended()) from error
        if not rest:
            return
        self.selector.register(self.input, selectors.EVENT_WRITE)
        try:
            while rest:
                if self.wait(deadline):
                    with contextlib.suppress(BlockingIOError):
                        rest = rest[os.write(self.input.fileno(), rest[:CHUNK]) :]
        except OSError as error:
            raise ProcessDied(self.how_it_ended()) from error
        finally:
            self.selector.unregister(self.input)

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next line, as an object. Raises `AnswerLate`, `ProcessDied` or `ProtocolError`."""
        deadline = time.monotonic() + seconds
        end = self.buffer.find(b"\n")
        while end < 0:
            read = len(self.buffer)
            self.wait(deadline)
            end = self.buffer.find(b"\n", read)
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 1]
        try:
            message = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise ProtocolError(f"printed a line that is not JSON: {line[:200]!r}") from error
        if not isinstance(message, dict):
            raise ProtocolError(
                f"answered with {type(message).__name__} instead of an object: {line[:200]!r}"
            )
        return message

    def wait(self, deadline: float) -> bool:
        """Wait for the process to write or, while something is being sent, to read; whether it is
        ready to read. Its output is buffered. Raises `AnswerLate` at the deadline."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise AnswerLate
        ready = self.selector.select(min(left, PATROL))
        if not ready and self.process.poll() is not None and not self.selector.select(0):
            raise ProcessDied(self.how_it_ended())
        return self.take_in(ready)

    def take_in(self, ready: list[tuple[selectors.SelectorKey, int]]) -> bool:
        """Read from the streams that are ready; whether the process's input is among them."""
        for key, _ in ready:
            if key.fileobj is self.error_output:
                self.read_errors()
        for key, _ in ready:
            if key.fileobj is self.output:
                self.read_some()
        return any(key.fileobj is self.input for key, _ in ready)

    def read_some(self) -> None:
        assert self.output is not None
        try:
            chunk = os.read(self.output.fileno(), CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            raise ProcessDied(self.how_it_ended())
        self.buffer += chunk
        if len(self.buffer) > self.longest:
            del self.buffer[:]
            raise ProtocolError(f"answered with more than {self.longest} bytes")

    def read_errors(self) -> None:
        """Keep the last part of the process's standard error."""
        assert self.error_output is not None
        try:
            chunk = os.read(self.error_output.fileno(), CHUNK)
        except OSError:
            return
        if not chunk:
            self.selector.unregister(self.error_output)
        self.errors += chunk
        del self.errors[:-LAST_WORDS]

    def waiting(self) -> bytes:
        """What was written beyond the answer already read."""
        while ready := self.selector.select(0):
            try:
                self.take_in(ready)
            except (ProcessDied, ProtocolError):
                break
            if len(self.buffer) > CHUNK:
                break
        return bytes(self.buffer[:CHUNK])

    def usable(self) -> bool:
        """Whether the process is alive and has no more output for earlier requests."""
        return not self.waiting() and self.process.poll() is None

    # --- the end ---

    def how_it_ended(self) -> str:
        try:
            status = self.process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            return "the process closed its output"
        if status < 0:
            try:
                return f"the process was killed by {signal.Signals(-status).name}"
            except ValueError:
                return f"the process was killed by signal {-status}"
        return f"the process exited with status {status}"

    def last_words(self) -> str:
        """The last lines that the process wrote on standard error."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            for _ in range(64):  # a process that never stops writing has no last words
                if not self.errors_wait():
                    break
                self.read_errors()
        return self.errors.decode("utf-8", "replace").strip()

    def forget_words(self) -> None:
        """Begin anew with standard error, so that `last_words` quotes the next request's only."""
        self.last_words()
        self.errors.clear()

    def errors_wait(self) -> bool:
        """Whether there is more on standard error now."""
        return any(key.fileobj is self.error_output for key, _ in self.selector.select(0))

    def ask_to_end(self, seconds: float) -> None:
        """Say goodbye, and give the process this much time to exit."""
        with contextlib.suppress(ProcessDied, AnswerLate, subprocess.TimeoutExpired):
            self.send({"ask": "bye"}, seconds)
            self.process.wait(timeout=seconds)

    def kill(self) -> None:
        """End the process and all that it started. Safe to call twice."""
        self.selector.close()
        self.control.close()  # which the guardian notices
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.process.pid, signal.SIGCONT)  # unless the engine stopped it
        try:
            self.process.wait(timeout=GUARDIAN_SECONDS)
        except subprocess.TimeoutExpired:
            for leader in (self.pid, self.process.pid):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    if leader:
                        os.killpg(leader, signal.SIGKILL)
            self.process.wait()
        for stream in (self.input, self.output, self.error_output):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()


def hear_of_children() -> None:
    """Stop ignoring SIGCHLD, which a process inherits: the exit status of a child would be lost."""
    usable = hasattr(signal, "SIGCHLD") and threading.current_thread() is threading.main_thread()
    if usable and signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def _refuse(constant: str) -> None:
    raise ValueError(f"JSON has no {constant}")
