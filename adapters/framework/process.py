"""Runs an engine in a separate process, over the protocol of PROTOCOL.md.

If that process misbehaves (exits, hangs, prints garbage, answers twice or never, exhausts memory),
only the case that was running fails.
"""

from __future__ import annotations

import base64
import marshal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from .boundary import distrusted
from .channel import AnswerLate, Channel, ProcessDied, ProtocolError
from .engine import End, EngineUnavailable, Identity, Limits, Observations
from .growth import Growth, limit_data
from .narrow import WIDEST

PROTOCOL = 1
MAX_DEPTH = 64
"""How deeply the lists of an answer may nest; values of programs nest three or four deep."""
DEFAULT_TIMEOUT = 30.0
BYE_SECONDS = 1.0
MOST_FAILED_STARTS = 3
"""After this many failed starts in a row the engine is not started again."""
LONGEST_NAME = 200
_ENDS = ("finished", "error", "unsupported", "crash", "timeout")


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
        limits: Limits | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = list(command)
        self.name = name
        self.device = device
        self.kinds = list(kinds)
        self.limits = limits or Limits()
        self.environment = environment
        self.form = "json"
        self.same_interpreter = False
        self.number = 0
        self.answered = 0
        """How many programs the present process has answered."""
        self.failed_starts = 0
        self.channel: Channel | None = None
        self.identity = self.start()

    # --- life ---

    def start(self) -> Identity:
        """Start the process and greet it. Raises `EngineUnavailable`."""
        seconds = self.limits.start_seconds
        self.answered = 0
        self.channel = Channel(self.command, self.environment, self.limits.answer_bytes)
        try:
            hello = self.greet(seconds)
        except AnswerLate as error:
            message = self.explained(
                f"the engine {self.shown()!r} did not start in {seconds:g} s; "
                "give it more time with --start-timeout=SECONDS"
            )
            self.drop()
            raise EngineUnavailable(message) from error
        except (ProtocolError, ProcessDied) as error:
            message = self.explained(f"the engine {self.shown()!r} did not start: {error}")
            self.drop()
            raise EngineUnavailable(message) from error
        except BaseException:  # an interruption too must not leave the process behind
            self.drop()
            raise
        limit_data(self.limits.memory_mib, self.channel.pid)
        self.growth = Growth(self.limits.memory_mib << 20, self.channel.pid)
        return hello

    def greet(self, seconds: float) -> Identity:
        """Say hello; who answers."""
        assert self.channel is not None
        deadline = time.monotonic() + seconds
        greeting = {
            "ask": "hello", "gradspec": PROTOCOL, "device": self.device,
            "kinds": self.kinds, "memory_mib": self.limits.memory_mib,
        }  # fmt: skip
        self.channel.send(greeting, seconds)
        hello = self.channel.receive(max(0.0, deadline - time.monotonic()))
        if hello.get("unavailable"):
            raise EngineUnavailable(str(hello["unavailable"])[:4000])
        return self.read_hello(hello)

    def read_hello(self, hello: Mapping[str, Any]) -> Identity:
        protocol = hello.get("gradspec")
        if hello.get("answer") != "hello" or protocol != PROTOCOL or isinstance(protocol, bool):
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
        exact = hello.get("exact_kinds", False)
        if not isinstance(exact, bool):
            raise ProtocolError(
                f"expected exact_kinds to be true or false, found {shortened(exact)}"
            )
        widest = hello.get("widest_float", WIDEST)
        if widest not in (WIDEST, "float32"):
            raise ProtocolError(
                f"expected widest_float to be float64 or float32, found {shortened(widest)}"
            )
        self.form = str(hello.get("form", "json"))
        self.same_interpreter = hello.get("interpreter") == sys.version
        return Identity(
            str(hello.get("name") or self.name or "unnamed")[:LONGEST_NAME],
            str(hello.get("version", ""))[:LONGEST_NAME],
            str(hello.get("language", "unknown"))[:LONGEST_NAME],
            str(hello.get("device", self.device))[:LONGEST_NAME],
            None if features is None else frozenset(features),
            exact,
            widest_float=widest,
        )

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
        """Use a new process for the next program."""
        self.drop()
        return True

    def close(self) -> None:
        if self.channel is not None:
            self.channel.ask_to_end(BYE_SECONDS)
            self.drop()

    # --- running ---

    def run(self, program: Any, timeout: float | None = None) -> Observations:
        """Run one program; any misbehavior of the process is part of the result.

        A process that exits, breaks the protocol or runs out of memory may do so because of an earlier
        program. So if it has answered others, this program is tried once more in a new process, whose
        result counts; `retried` says how the first attempt ended. A process that leaks is replaced in time.
        """
        begun = time.monotonic()
        if program.strangers and self.form != "json" and not self.trust_words:
            return Observations([], End("unsupported", message=distrusted(program.strangers)))
        if self.channel is not None and not self.channel.usable():
            self.drop()  # what it did after its last answer is not this case's fault
        used = self.channel is not None and self.answered > 0
        found, lost = self.attempt(program, timeout or DEFAULT_TIMEOUT)
        if used and (lost or out_of_memory(found)):
            self.drop()
            first = found.end.message.split("\n", 1)[0]
            found, _ = self.attempt(program, timeout or DEFAULT_TIMEOUT)
            found.retried = first
        if found.end.how in ("crash", "timeout") and not found.seconds:
            found.seconds = time.monotonic() - begun
        if self.channel is not None and self.growth.too_much():
            self.drop()
        return found

    def attempt(self, program: Any, timeout: float) -> tuple[Observations, bool]:
        """Run one program once; with true if the process was lost on the way."""
        try:
            if self.channel is None:
                self.start_again()
            observations, died = self.ask(program, timeout)
            self.answered = 0 if died else self.answered + 1
            return observations, died
        except AnswerLate:
            end = End("timeout", message=f"no answer in {timeout:g} s")
        except ProcessDied as error:
            end = End("crash", "died", message=self.explained(str(error)))
        except ProtocolError as error:
            end = End("crash", "protocol", message=self.explained(f"the engine {error}"))
        except EngineUnavailable as error:
            end = End("crash", "died", message=f"the engine could not be started again: {error}")
        except BaseException:
            self.drop()
            raise
        self.drop()
        return Observations([], end), True

    def start_again(self) -> None:
        """Start a new process, unless that has failed too often. Raises `EngineUnavailable`."""
        if self.failed_starts >= MOST_FAILED_STARTS:
            raise EngineUnavailable(f"{self.failed_starts} starts in a row failed")
        self.failed_starts += 1
        self.check_same(self.start())
        self.failed_starts = 0

    def check_same(self, found: Identity) -> None:
        """The verdicts of a run are on one engine. Raises `ProtocolError` where another one answers."""
        for field in fields(Identity):
            before, now = getattr(self.identity, field.name), getattr(found, field.name)
            if before != now:
                raise ProtocolError(
                    f"changed its {field.name} when it was started again: "
                    f"it was {shortened(before)}, and now is {shortened(now)}"
                )

    def ask(self, program: Any, timeout: float) -> tuple[Observations, bool]:
        """Send one program and read the answer; with true if a host's worker ended on it."""
        channel = self.channel
        assert channel is not None
        self.number += 1
        channel.forget_words()
        deadline = time.monotonic() + timeout
        request = {"ask": "run", "number": self.number, "seconds": timeout, **self.written(program)}
        channel.send(request, timeout)
        while True:
            answer = channel.receive(max(0.0, deadline - time.monotonic()))
            number = answer.get("number")
            if (
                isinstance(number, int)
                and not isinstance(number, bool)
                and 0 < number < self.number
                and answer.get("answer") == "run"
            ):
                continue  # an answer to an earlier case, which has its verdict already
            break
        if answer.get("answer") == "died":
            return self.worker_died(answer), True
        observations = read_observations(answer, self.number)
        extra = channel.waiting()
        if extra:
            raise ProtocolError(f"wrote more than one answer: {extra[:200]!r}")
        return observations, False

    def worker_died(self, answer: Mapping[str, Any]) -> Observations:
        """A host's worker ended; the host itself has started another one already."""
        kind = "memory" if answer.get("memory") else "died"
        message = self.explained(str(answer.get("message", "the process ended")))
        return Observations([], End("crash", kind, message=message))

    def written(self, program: Any) -> dict[str, Any]:
        """The program in the form that the process requested."""
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
        if self.same_interpreter:  # the compiled function itself, to avoid compiling again
            code = marshal.dumps(program.mediated_code if mediated else program.code)
            written["code"] = base64.b64encode(code).decode()
        else:
            written["source"], written["lines"] = program.python(mediated)
        return {"program": written}


def out_of_memory(found: Observations) -> bool:
    """Whether a program ended at the limit of its process's memory."""
    return found.end.how == "crash" and found.end.kind == "memory"


def shortened(value: Any) -> str:
    """A value of a process, in a message."""
    if isinstance(value, frozenset):
        value = sorted(value)
    return repr(value)[:100]


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
    given = answer.get("number")
    if answer.get("answer") != "run" or given != number or isinstance(given, bool):
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
