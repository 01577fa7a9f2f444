"""Runs the suite against one broken PyTorch, in this process."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gradspec.adapters.torch_engine import TorchEngine
from gradspec.conformance.judging.judge import judge
from gradspec.conformance.judging.known import apply_known, known_file, read_known
from gradspec.conformance.judging.verdict import FAILED
from gradspec.conformance.running.runner import kinds_as_data
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case

from .framework import Fault, broken

SPEC = load_spec()
KINDS = kinds_as_data(SPEC)
KNOWN = read_known(known_file("torch"), SPEC)
CASE_SECONDS = 5.0
TorchEngine(kinds=KINDS).resolve("jvp")  # loads the rules of forward mode while PyTorch is whole
MAX_TIMEOUTS = 3


@dataclass
class Noticed:
    """The cases that failed: those that are scored as MUST, and those scored separately."""

    must: list[str] = field(default_factory=list)
    apart: list[str] = field(default_factory=list)
    tried: int = 0
    timeouts: int = 0

    @property
    def behaviors(self) -> list[str]:
        """The behaviors that noticed with a case that is scored as MUST, in order."""
        return list(dict.fromkeys(case.split("/")[0] for case in self.must))


def try_fault(fault: Fault, cases: Iterable[Case], enough: int = 0) -> Noticed:
    """Run cases on PyTorch with a fault, until `enough` that are scored as MUST failed (0: all).

    Known divergences count as failures of nobody.
    """
    found = Noticed()
    with broken(fault):
        engine = TorchEngine(kinds=KINDS)
        for case in cases:
            observed = engine.run(case.program, CASE_SECONDS)
            verdict = apply_known(judge(case, observed, SPEC.kinds, True), KNOWN)
            found.tried += 1
            if verdict.verdict in FAILED or verdict.verdict in ("unsupported", "unexpected-pass"):
                (found.must if verdict.must else found.apart).append(case.id)
            found.timeouts += verdict.verdict == "timeout"
            if found.timeouts >= MAX_TIMEOUTS or (enough and len(found.must) >= enough):
                break
    return found


def focused(fault: Fault) -> list[Case]:
    """The cases that use a word that the fault is about; all, where it is about none."""
    if not fault.words:
        return SPEC.cases
    return [
        case for case in SPEC.cases if fault.words & ({*case.program.words} | case.program.members)
    ]


def ordered(fault: Fault) -> list[Case]:
    """Every case, those that use a word that the fault is about first."""
    first = {case.id for case in focused(fault)}
    return sorted(SPEC.cases, key=lambda case: case.id not in first)


def cases_of(behaviors: Iterable[str]) -> list[Case]:
    """The cases of some behaviors."""
    wanted = set(behaviors)
    return [case for case in SPEC.cases if case.behavior.id in wanted]
