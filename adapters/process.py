"""Drives an engine that runs in a process of its own, over the protocol of PROTOCOL.md.

Whatever that process does (exits, hangs, prints junk, answers twice or never, eats memory) costs
the case that was running one verdict, and nothing else.
"""

from __future__ import annotations

import base64
import contextlib
import json
import marshal
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any

from .boundary import distrusted
from .engine import End, EngineUnavailable, Identity, Observations

PROTOCOL = 1
MAX_ANSWER = 64 * 1024 * 1024
MAX_DEPTH = 64
"""How deeply the lists of an answer may nest; values of programs nest three or four deep."""
START_SECONDS = 120.0
PATROL = 0.25
"""So often, in seconds, a silent process is looked after."""
DEFAULT_TIMEOUT = 30.0
_ENDS = ("finished", "error", "unsupported", "crash", "timeout")


class ProtocolError(Exception):
    """The process broke the protocol; the message says how."""


class ProcessDied(Exception):
    """The process ended; the message says how."""


class AnswerLate(Exception):
    """No answer came in time."""


class Channel:
    """One running process, and lines of JSON to and from it."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> None:
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by kill)
        self.buffer = bytearray()
        try:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                env=None if environment is None else dict(environment),
                start_new_session=True,
            )
        except OSError as error:
            self.errors.close()
            raise EngineUnavailable(
                f"cannot start {' '.join(command)!r}: {error.strerror or error}"
            ) from error
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.output, selectors.EVENT_READ)

    def send(self, message: Mapping[str, Any]) -> None:
        try:
            self.input.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self.input.flush()
        except (BrokenPipeError, OSError) as error:
            raise ProcessDied(self.how_it_ended()) from error

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next line, as an object. Raises `AnswerLate`, `ProcessDied` or `ProtocolError`."""
        deadline = time.monotonic() + seconds
        end = self.buffer.find(b"\n")
        while end < 0:
            left = deadline - time.monotonic()
            if left <= 0:
                raise AnswerLate
            read = len(self.buffer)
            if self.selector.select(min(left, PATROL)):
                self.read_some()
            elif self.process.poll() is not None and not self.selector.select(0):
                raise ProcessDied(self.how_it_ended())  # though a child of it holds its output open
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

    def read_some(self) -> None:
        chunk = os.read(self.output.fileno(), 1 << 16)
        if not chunk:
            raise ProcessDied(self.how_it_ended())
        self.buffer += chunk
        if len(self.buffer) > MAX_ANSWER:
            raise ProtocolError(f"answered with more than {MAX_ANSWER} bytes")

    def waiting(self) -> bytes:
        """What was written beyond the answer already read."""
        while self.selector.select(0):
            try:
                self.read_some()
            except (ProcessDied, ProtocolError):
                break
        return bytes(self.buffer)

    def usable(self) -> bool:
        """Whether the process lives and has nothing more to say about what it was asked before."""
        return not self.waiting() and self.process.poll() is None

    def how_it_ended(self) -> str:
        try:
            status = self.process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            return "the process closed its output"
        if status < 0:
            try:
                return f"the process was ended by {signal.Signals(-status).name}"
            except ValueError:
                return f"the process was ended by signal {-status}"
        return f"the process exited with status {status}"

    def last_words(self) -> str:
        """The last lines that the process wrote on standard error."""
        try:
            self.errors.seek(0, os.SEEK_END)
            self.errors.seek(max(0, self.errors.tell() - 2000))
            return self.errors.read().decode("utf-8", "replace").strip()
        except ValueError:
            return ""

    def kill(self) -> None:
        self.selector.close()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait()
        for stream in (self.input, self.output, self.errors):
            with contextlib.suppress(OSError):
                stream.close()


class ProcessEngine:
    """An engine behind the protocol. Started at once, and again after each crash."""

    trust_words = False
    """Whether a process that runs the Python form gets programs that use names which gradspec's own
    vocabulary does not have. In the JSON form they are names, of which the process has a table."""

    def __init__(
        self,
        command: Sequence[str],
        name: str = "",
        device: str = "cpu",
        kinds: Sequence[Mapping[str, Any]] = (),
        memory_mib: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = list(command)
        self.name = name
        self.device = device
        self.kinds = list(kinds)
        self.memory_mib = memory_mib
        self.environment = environment
        self.form = "json"
        self.same_interpreter = False
        self.number = 0
        self.channel: Channel | None = None
        self.identity = self.start()

    # --- life ---

    def start(self) -> Identity:
        """Start the process and greet it. Raises `EngineUnavailable`."""
        self.channel = Channel(self.command, self.environment)
        try:
            self.channel.send({
                "ask": "hello", "gradspec": PROTOCOL, "device": self.device,
                "kinds": self.kinds, "memory_mib": self.memory_mib,
            })  # fmt: skip
            hello = self.channel.receive(START_SECONDS)
            if hello.get("unavailable"):
                raise EngineUnavailable(str(hello["unavailable"]))
            identity = self.read_hello(hello)
        except (ProtocolError, ProcessDied) as error:
            message = self.explained(f"the engine {self.shown()!r} did not start: {error}")
            self.drop()
            raise EngineUnavailable(message) from error
        except AnswerLate as error:
            self.drop()
            raise EngineUnavailable(
                f"the engine {self.shown()!r} did not answer in {START_SECONDS:g} s"
            ) from error
        except EngineUnavailable:
            self.drop()
            raise
        self.limit_memory()
        return identity

    def read_hello(self, hello: Mapping[str, Any]) -> Identity:
        if hello.get("answer") != "hello" or hello.get("gradspec") != PROTOCOL:
            raise ProtocolError(
                f"expected an answer to hello in protocol {PROTOCOL}, found {str(hello)[:200]}"
            )
        features = hello.get("features")
        if features is not None and not (
            isinstance(features, list) and all(isinstance(item, str) for item in features)
        ):
            raise ProtocolError(
                f"expected features to be a list of names or null, found {str(features)[:100]}"
            )
        self.form = str(hello.get("form", "json"))
        self.same_interpreter = hello.get("interpreter") == sys.version
        return Identity(
            str(hello.get("name") or self.name or "unnamed"),
            str(hello.get("version", "unknown")),
            str(hello.get("language", "unknown")),
            str(hello.get("device", self.device)),
            None if features is None else frozenset(features),
            bool(hello.get("exact_kinds", False)),
        )

    def limit_memory(self) -> None:
        """Let the process grow by `memory_mib` from where it stands after its start."""
        if not self.memory_mib or self.channel is None:
            return
        try:
            import resource

            pid = self.channel.process.pid
            with open(f"/proc/{pid}/statm", "rb") as statm:
                pages = int(statm.read().split()[0])
            limit = pages * resource.getpagesize() + self.memory_mib * 1024 * 1024
            resource.prlimit(pid, resource.RLIMIT_AS, (limit, limit))
        except (ImportError, OSError, AttributeError, ValueError):
            return  # not on this operating system

    def shown(self) -> str:
        return self.name or " ".join(self.command)

    def explained(self, message: str) -> str:
        words = self.channel.last_words() if self.channel else ""
        return f"{message}\n{words}" if words else message

    def drop(self) -> None:
        if self.channel is not None:
            self.channel.kill()
            self.channel = None

    def renew(self) -> bool:
        """Let the next program have a new process."""
        self.drop()
        return True

    def close(self) -> None:
        if self.channel is None:
            return
        try:
            self.channel.send({"ask": "bye"})
            self.channel.process.wait(timeout=1.0)
        except (ProcessDied, subprocess.TimeoutExpired):
            pass
        self.drop()

    # --- running ---

    def run(self, program: Any, timeout: float | None = None) -> Observations:
        """Run one program; whatever the process does is in the result."""
        begun = time.monotonic()
        if program.strangers and self.form != "json" and not self.trust_words:
            return Observations([], End("unsupported", message=distrusted(program.strangers)))
        try:
            if self.channel is not None and not self.channel.usable():
                self.drop()  # what it did after its last answer is not this case's fault
            if self.channel is None:
                self.start()
            return self.ask(program, timeout or DEFAULT_TIMEOUT)
        except AnswerLate:
            self.drop()
            end = End("timeout", message=f"no answer in {timeout or DEFAULT_TIMEOUT:g} s")
        except ProcessDied as error:
            end = End("crash", "died", message=self.explained(str(error)))
            self.drop()
        except ProtocolError as error:
            end = End("crash", "protocol", message=self.explained(f"the engine {error}"))
            self.drop()
        except EngineUnavailable as error:
            self.drop()
            end = End("crash", "died", message=f"the engine could not be started again: {error}")
        return Observations([], end, time.monotonic() - begun)

    def ask(self, program: Any, timeout: float) -> Observations:
        channel = self.channel
        assert channel is not None
        self.number += 1
        channel.send(
            {"ask": "run", "number": self.number, "seconds": timeout, **self.written(program)}
        )
        deadline = time.monotonic() + timeout
        while True:
            answer = channel.receive(max(0.0, deadline - time.monotonic()))
            number = answer.get("number")
            if (
                isinstance(number, int)
                and 0 < number < self.number
                and answer.get("answer") == "run"
            ):
                continue  # an answer to an earlier case, which has its verdict already
            break
        if answer.get("answer") == "died":
            return self.worker_died(answer)
        observations = read_observations(answer, self.number)
        extra = channel.waiting()
        if extra:
            raise ProtocolError(f"wrote more than its one answer: {extra[:200]!r}")
        return observations

    def worker_died(self, answer: Mapping[str, Any]) -> Observations:
        """A host's worker ended; the host itself has started another one already."""
        kind = "memory" if answer.get("memory") else "died"
        message = self.explained(str(answer.get("message", "the process ended")))
        return Observations([], End("crash", kind, message=message))

    def written(self, program: Any) -> dict[str, Any]:
        """The program in the form that the process asked for."""
        if self.form == "json":
            return {"program": program.json}
        mediated = self.form == "python-mediated" or bool(program.strangers)
        written: dict[str, Any] = {
            "id": program.id,
            "words": list(program.words),
            "members": sorted(program.members),
            "features": sorted(program.features),
        }
        if program.strangers:
            written["strangers"] = list(program.strangers)
        if self.same_interpreter:  # the compiled function itself, so that nothing is made anew
            code = marshal.dumps(program.mediated_code if mediated else program.code)
            written["code"] = base64.b64encode(code).decode()
        else:
            written["source"], written["lines"] = program.python(mediated)
        return {"program": written}


def _refuse(constant: str) -> None:
    raise ValueError(f"JSON has no {constant}")


def _depth(value: Any) -> int:
    """How deeply a value of an answer nests, as far as that matters."""
    level, depth = [value], 0
    while level and depth <= MAX_DEPTH:
        depth += 1
        lists = [
            item.values() if isinstance(item, dict) else item
            for item in level
            if isinstance(item, dict | list)
        ]
        level = [item for items in lists for item in items if isinstance(item, dict | list)]
    return depth


def read_observations(answer: Mapping[str, Any], number: int) -> Observations:
    """The observations of an answer. Raises `ProtocolError` when it is not well formed."""
    if answer.get("answer") != "run" or answer.get("number") != number:
        raise ProtocolError(f"expected the answer to run {number}, found {str(answer)[:200]}")
    observed, end, seconds = answer.get("observed"), answer.get("end"), answer.get("seconds", 0.0)
    if not isinstance(observed, list) or not all(
        isinstance(item, list)
        and len(item) == 2
        and isinstance(item[0], int)
        and not isinstance(item[0], bool)
        for item in observed
    ):
        raise ProtocolError(
            f"expected observed to be a list of [number, value], found {str(observed)[:200]}"
        )
    if _depth(observed) > MAX_DEPTH:
        raise ProtocolError(f"reported a value that nests more than {MAX_DEPTH} deep")
    if not isinstance(end, dict) or end.get("how") not in _ENDS:
        raise ProtocolError(f"expected end to say how the program ended, found {str(end)[:200]}")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e9:
        raise ProtocolError(f"expected seconds to be a number, found {str(seconds)[:100]}")
    line = end.get("line", 0)
    return Observations(
        [(index, value) for index, value in observed],
        End(
            end["how"],
            str(end.get("kind", "")),
            str(end.get("type", "")),
            str(end.get("message", ""))[:2000],
            line if isinstance(line, int) else 0,
            str(end.get("where", ""))[:200],
        ),
        float(seconds),
    )
