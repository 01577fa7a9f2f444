"""Runs cases in several processes at once, each with the engine, the specification and the judge."""

from __future__ import annotations

import queue
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from gradspec.adapters.framework.channel import AnswerLate, Channel, ProcessDied, ProtocolError
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.spec.model import Case

from ..judging.known import apply_known
from ..judging.verdict import Verdict
from .repeating import BLOCK, repeated
from .runner import Session, lost_verdict

COMMAND = (sys.executable, "-m", "gradspec.conformance.running.worker")
GRACE = 30.0
"""How much longer than its own limit a case may take before the process counts as hanging."""
LONGEST = 256 << 20
"""How many bytes a verdict may have; values were bounded when they were reported."""
Found: TypeAlias = "queue.SimpleQueue[Verdict | BaseException | None]"


@dataclass(frozen=True)
class Sources:
    """Where another process finds what this one has loaded."""

    spec: Path | None
    known: Path | None


class Worker:
    """A worker process, started on demand, and again after a case took it down."""

    def __init__(self, session: Session, sources: Sources) -> None:
        self.session = session
        self.sources = sources
        self.channel: Channel | None = None

    def start(self) -> Channel:
        """Start the process. Raises `EngineUnavailable`."""
        seconds = self.session.options.limits.start_seconds + GRACE
        channel = self.channel = Channel(COMMAND, longest=LONGEST)
        order = {
            "options": asdict(self.session.options),
            "spec": self.sources.spec and str(self.sources.spec),
            "known": self.sources.known and str(self.sources.known),
        }
        try:
            channel.send(order, seconds)
            answer = channel.receive(seconds)
        except (AnswerLate, ProcessDied, ProtocolError) as error:
            why = str(error) or f"no answer in {seconds:g} s"
            raise EngineUnavailable(f"a process of -j did not start: {why}") from error
        if "error" in answer:
            raise EngineUnavailable(str(answer["error"]))
        return channel

    def run_case(self, case: Case) -> Verdict:
        """The verdict on one case. One that takes the process down is tried once more, in a new one."""
        first = self.attempt(case)
        if not isinstance(first, str):
            return first
        verdict = self.attempt(case)
        if isinstance(verdict, str):
            verdict = apply_known(lost_verdict(case, verdict), self.session.known)
        verdict.retried = verdict.retried or first
        return verdict

    def attempt(self, case: Case) -> Verdict | str:
        """The verdict, or how the process was lost."""
        channel = self.channel or self.start()
        seconds = 2 * self.session.options.case_timeout + GRACE
        try:
            channel.send({"case": case.id}, seconds)
            return Verdict.from_json(channel.receive(seconds))
        except AnswerLate:
            lost = f"the process gave no verdict in {seconds:g} s"
        except (ProcessDied, ProtocolError) as error:
            lost = str(error)
        self.close()
        return lost

    def close(self) -> None:
        """End the process, and the processes that the engine started."""
        channel, self.channel = self.channel, None
        if channel is not None:
            channel.kill()


def verdicts_in_parallel(
    cases: Sequence[Case], session: Session, sources: Sources, count: int
) -> Iterator[Verdict]:
    """The verdicts on these cases, as they come, of `count` processes.

    Raises `EngineUnavailable` where one cannot be started.
    """
    times = session.options.repeat or 1
    size = 1 if times == 1 else BLOCK
    waiting = deque(cases[start : start + size] for start in range(0, len(cases), size))
    found: Found = queue.SimpleQueue()
    workers = [Worker(session, sources) for _ in range(count)]

    def work(worker: Worker) -> None:
        try:
            while True:
                for verdict in repeated(waiting.popleft(), worker.run_case, times):
                    found.put(verdict)
        except IndexError:  # no case is left
            pass
        except BaseException as error:
            found.put(error)
        finally:
            found.put(None)

    threads = [threading.Thread(target=work, args=[worker], daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        while count:
            answer = found.get()
            if answer is None:
                count -= 1
            elif isinstance(answer, BaseException):
                raise answer
            else:
                yield answer
    finally:
        waiting.clear()
        for worker in workers:
            with suppress(OSError):
                worker.close()
