"""Runs the bank: each fault in a forked process of its own, several at a time, with the outcomes kept
on disk so that a run is taken up where it stopped and only what changed is run again."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .bank import Entry, bank_digest
from .child import start_child, status_of
from .trial import Trial

__all__ = ["Outcome", "read_outcomes", "run_bank"]

FAULT_SECONDS = 120.0


@dataclass(frozen=True)
class Outcome:
    """What the suite noticed of a fault: the cases that failed, apart from MUST or not, or `broken`,
    how the faulty engine could not even be tried."""

    fault: str
    digest: str
    must: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    broken: str = ""
    seconds: float = 0.0
    thorough: bool = False

    @property
    def noticed(self) -> tuple[str, ...]:
        return self.must + self.apart


def run_bank(
    entries: Sequence[Entry],
    trial: Trial,
    store: Path,
    jobs: int,
    report: Callable[[Outcome], None],
    thorough: bool = False,
) -> list[Outcome]:
    """The outcome for each fault, in their order. `store` keeps them.

    The cases of the behaviors that a fault breaks are tried first. If they notice it, the others
    are tried only when `thorough`: then it is known of every case whether it ever notices a fault.
    """
    digests = {entry.id: _digest(entry, trial) for entry in entries}
    kept = read_outcomes(store)
    outcomes = {
        name: kept[name] for name, digest in digests.items()
        if name in kept and kept[name].digest == digest and (kept[name].thorough or not thorough)
    }  # fmt: skip
    for outcome in outcomes.values():
        report(outcome)
    store.parent.mkdir(parents=True, exist_ok=True)
    with store.open("w", encoding="utf-8") as file:
        for outcome in outcomes.values():
            file.write(json.dumps(asdict(outcome)) + "\n")
        waiting = [entry for entry in entries if entry.id not in outcomes]
        for entry, found, seconds in _in_processes(waiting, trial, max(1, jobs), thorough):
            outcome = outcome_of(entry, digests[entry.id], found, seconds)
            outcomes[entry.id] = outcome
            file.write(json.dumps(asdict(outcome)) + "\n")
            file.flush()
            report(outcome)
    return [outcomes[entry.id] for entry in entries]


def read_outcomes(store: Path) -> dict[str, Outcome]:
    """The outcomes of an earlier run; a torn line is left out."""
    kept: dict[str, Outcome] = {}
    if store.exists():
        for line in store.read_text("utf-8").splitlines():
            try:
                value = json.loads(line)
                lists = {name: tuple(value[name]) for name in ("must", "apart")}
                kept[value["fault"]] = Outcome(**{**value, **lists})
            except (ValueError, TypeError, KeyError):
                continue
    return kept


def outcome_of(entry: Entry, digest: str, found: dict[str, Any], seconds: float) -> Outcome:
    """What a process found out about a fault."""
    must, apart = (tuple(found.get(name, ())) for name in ("must", "apart"))
    broken, thorough = found.get("broken", ""), bool(found.get("thorough"))
    return Outcome(entry.id, digest, must, apart, broken, round(seconds, 2), thorough)


def _digest(entry: Entry, trial: Trial) -> str:
    """What the outcome of a fault depends on."""
    parts = [entry.id, list(entry.breaks), bank_digest(), trial.digest]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@dataclass
class _Worker:
    entry: Entry
    process: int
    channel: int
    begun: float
    received: bytes = b""


def _in_processes(
    entries: Sequence[Entry], trial: Trial, jobs: int, thorough: bool
) -> Iterator[tuple[Entry, dict[str, Any], float]]:
    waiting = list(reversed(entries))
    running: dict[int, _Worker] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            worker = _start(waiting.pop(), trial, thorough)
            running[worker.channel] = worker
        ready, _, _ = select.select(list(running), [], [], 1.0)
        for channel in ready:
            worker = running[channel]
            chunk = os.read(channel, 1 << 16)
            worker.received += chunk
            if not chunk:
                del running[channel]
                os.close(channel)
                status = status_of(worker.process)
                found = json.loads(worker.received) if worker.received else {
                    "broken": f"its process ended with status {status}"
                }  # fmt: skip
                yield worker.entry, found, time.monotonic() - worker.begun
        for worker in running.values():
            if time.monotonic() - worker.begun > FAULT_SECONDS:
                os.kill(worker.process, signal.SIGKILL)


def _start(entry: Entry, trial: Trial, thorough: bool) -> _Worker:
    def work() -> bytes:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        seconds = int(FAULT_SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        try:
            return json.dumps(try_fault(entry, trial, thorough)).encode()
        except Exception as error:
            return json.dumps({"broken": f"{type(error).__name__}: {error}"}).encode()

    process, receive = start_child(work)
    return _Worker(entry, process, receive, time.monotonic())


def try_fault(entry: Entry, trial: Trial, thorough: bool) -> dict[str, Any]:
    """Run the cases that are meant to notice a fault; then, if they do not or if `thorough`, the others."""
    found = trial.run(entry, trial.cases_of(entry.breaks))
    if thorough or not {case.split("/")[0] for case in found.cases} >= set(entry.breaks):
        others = [item.id for item in trial.spec.behaviors if item.id not in entry.breaks]
        rest = trial.run(entry, trial.cases_of(others))
        found.must += rest.must
        found.apart += rest.apart
        found.crashes += rest.crashes
    if found.crashes:
        return {"broken": f"the fault itself fails, {found.crashes[0]}"}
    return {"must": found.must, "apart": found.apart, "thorough": thorough}
