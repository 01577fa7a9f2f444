"""Runs the bank of faulty engines: each in a forked process of its own, several at a time, with the
outcomes kept on disk so that a run is taken up where it stopped and only what changed is run again."""

from __future__ import annotations

import json
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gradspec.spec.model import Spec

from ...judging.judge import judge
from ...judging.verdict import FAILED
from ...running.runner import kinds_as_data
from .child import start_child, status_of
from .source_fault import Fault, reference_digest

CASE_SECONDS = 2.0
FAULT_SECONDS = 120.0
MEMORY_BYTES = 3 << 30
MAX_TIMEOUTS = 10


@dataclass(frozen=True)
class Outcome:
    """What the suite noticed of a fault: the cases that failed, or `broken`, how the faulty engine
    could not even be tried (then it is no realistic fault)."""

    fault: str
    digest: str
    noticed: tuple[str, ...]
    broken: str = ""
    seconds: float = 0.0
    thorough: bool = False


def run_bank(
    faults: Sequence[Fault],
    spec: Spec,
    store: Path,
    jobs: int,
    report: Callable[[Outcome], None],
    thorough: bool = False,
) -> list[Outcome]:
    """The outcome for each fault, in their order. `store` keeps them.

    The cases of the behaviors that a fault breaks are tried first. If they notice it, the others
    are tried only when `thorough`: then it is known of every case whether it ever notices a fault.
    """
    engine = reference_digest()
    kept = read_outcomes(store)
    outcomes: dict[str, Outcome] = {}
    waiting: list[Fault] = []
    for fault in faults:
        outcome = kept.get(fault.id)
        known = outcome is not None and outcome.digest == fault.digest(engine, spec.digest)
        if known and outcome is not None and (outcome.thorough or not thorough):
            outcomes[fault.id] = outcome
            report(outcome)
        else:
            waiting.append(fault)
    store.parent.mkdir(parents=True, exist_ok=True)
    store.write_text(
        "".join(json.dumps(asdict(item)) + "\n" for item in outcomes.values()), "utf-8"
    )
    with store.open("a", encoding="utf-8") as file:
        for outcome in _in_processes(waiting, spec, engine, max(1, jobs), thorough):
            outcomes[outcome.fault] = outcome
            file.write(json.dumps(asdict(outcome)) + "\n")
            file.flush()
            report(outcome)
    return [outcomes[fault.id] for fault in faults]


def read_outcomes(store: Path) -> dict[str, Outcome]:
    """The outcomes of an earlier run; a torn line is left out."""
    kept: dict[str, Outcome] = {}
    if store.exists():
        for line in store.read_text("utf-8").splitlines():
            try:
                value = json.loads(line)
                kept[value["fault"]] = Outcome(**{**value, "noticed": tuple(value["noticed"])})
            except (ValueError, TypeError, KeyError):
                continue
    return kept


@dataclass
class _Worker:
    fault: Fault
    process: int
    channel: int
    begun: float
    received: bytes = b""


def _in_processes(
    faults: Sequence[Fault], spec: Spec, engine: str, jobs: int, thorough: bool
) -> Iterable[Outcome]:
    waiting = list(faults)
    running: dict[int, _Worker] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            worker = _start(waiting.pop(0), spec, thorough)
            running[worker.channel] = worker
        ready, _, _ = select.select(list(running), [], [], 1.0)
        for channel in ready:
            worker = running[channel]
            chunk = os.read(channel, 1 << 16)
            worker.received += chunk
            if not chunk:
                del running[channel]
                yield _finish(worker, spec, engine)
        for worker in list(running.values()):
            if time.monotonic() - worker.begun > FAULT_SECONDS:
                os.kill(worker.process, signal.SIGKILL)


def _start(fault: Fault, spec: Spec, thorough: bool) -> _Worker:
    process, receive = start_child(lambda: json.dumps(_try_fault(fault, spec, thorough)).encode())
    return _Worker(fault, process, receive, time.monotonic())


def _finish(worker: _Worker, spec: Spec, engine: str) -> Outcome:
    os.close(worker.channel)
    status = status_of(worker.process)
    seconds = round(time.monotonic() - worker.begun, 2)
    try:
        found = json.loads(worker.received)
    except ValueError:
        found = {"noticed": [], "broken": f"its process ended with status {status}"}
    digest = worker.fault.digest(engine, spec.digest)
    tried_all = bool(found.get("thorough", False))
    return Outcome(
        worker.fault.id, digest, tuple(found["noticed"]), found["broken"], seconds, tried_all
    )


def _try_fault(fault: Fault, spec: Spec, thorough: bool) -> dict[str, object]:
    """In the child: hold the faulty engine against the suite."""
    import resource

    from .faulty_engine import FaultyEngine

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    try:
        engine = FaultyEngine(fault, kinds=kinds_as_data(spec))
    except Exception as error:
        return {"noticed": [], "broken": f"it cannot be imported: {type(error).__name__}: {error}"}
    noticed: list[str] = []
    timeouts = 0
    meant = [case for case in spec.cases if case.behavior.id in fault.breaks]
    rest = [case for case in spec.cases if case.behavior.id not in fault.breaks]
    for number, case in enumerate(meant + rest):
        if number >= len(meant) and not thorough:
            if {name.split("/")[0] for name in noticed} >= set(fault.breaks):
                break
        verdict = judge(
            case, engine.run(case.program, CASE_SECONDS), spec.kinds, engine.identity.exact_kinds
        )
        timeouts += verdict.verdict == "timeout"
        if verdict.verdict in FAILED or verdict.verdict == "unsupported":
            noticed.append(case.id)
        if timeouts > MAX_TIMEOUTS:
            break
    return {"noticed": noticed, "broken": "", "thorough": thorough}
