"""Runs cases of the suite against an engine with one fault, in this process."""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gradspec.adapters.framework.torch_like import TorchLikeEngine
from gradspec.spec.model import Case, Spec

from ...judging.judge import judge
from ...judging.known import apply_known, known_file, read_known
from ...judging.verdict import FAILED
from ...running.runner import kinds_as_data
from .bank import Entry
from .breaking import broken, use
from .source import reference_digest

__all__ = ["Noticed", "Trial"]

FAULTS = Path(__file__).with_name("faults")
CASE_SECONDS = 3.0
MAX_TIMEOUTS = 3


@dataclass
class Noticed:
    """The cases that failed: those that are scored as MUST, and those scored apart. `crashes` are errors
    of the fault itself: it makes another mistake than it says."""

    must: list[str] = field(default_factory=list)
    apart: list[str] = field(default_factory=list)
    crashes: list[str] = field(default_factory=list)
    tried: int = 0

    @property
    def cases(self) -> list[str]:
        return self.must + self.apart


class Trial:
    """An engine that is broken and mended again, one fault after the other: `torch` or `reference`."""

    def __init__(self, engine: str, spec: Spec) -> None:
        self.spec = spec
        self.kinds = kinds_as_data(spec)
        self.cases = {behavior.id: behavior.cases for behavior in spec.behaviors}
        self.engine_class: Any
        if engine == "torch":
            from gradspec.adapters.torch_engine import TorchEngine

            self.engine_class = TorchEngine
        else:
            from gradspec.adapters.reference_engine import ReferenceEngine

            self.engine_class = ReferenceEngine
        listed = known_file(engine)
        self.known = read_known(listed, spec) if listed.exists() else None
        self.use()
        healthy = self.make_engine()
        healthy.resolve("jvp")  # PyTorch loads the rules of forward mode while it is whole
        source = reference_digest() if engine == "reference" else healthy.identity.version
        self.digest = f"{engine} {source} {spec.digest}"

    def use(self) -> None:
        """Break this engine from now on."""
        use(importlib.import_module(self.engine_class.module_name))

    def make_engine(self) -> TorchLikeEngine:
        made: TorchLikeEngine = self.engine_class(kinds=self.kinds)
        return made

    def run(self, entry: Entry, cases: Iterable[Case], until: Collection[str] = ()) -> Noticed:
        """Run cases while the engine has a fault, all of them or until each of some behaviors has noticed
        it. Known differences count as nobody's failures."""
        self.use()
        found = Noticed()
        timeouts = 0
        blind = set(until)
        lacking: list[Case] = []
        with broken(entry.fault):
            engine = self.make_engine()
            watch(engine, found.crashes)
            for case in cases:
                verdict = judge(case, engine.run(case.program, CASE_SECONDS), self.spec.kinds, True)
                if self.known is not None:
                    verdict = apply_known(verdict, self.known)
                found.tried += 1
                if verdict.verdict == "unsupported" and not verdict.reason:  # or it is known to be
                    lacking.append(case)
                elif verdict.verdict in (*FAILED, "unexpected-pass"):
                    (found.must if verdict.must else found.apart).append(case.id)
                    blind.discard(case.behavior.id)
                timeouts += verdict.verdict == "timeout"
                if timeouts >= MAX_TIMEOUTS or (until and not blind):
                    break
        if lacking:
            whole = self.make_engine()
            for case in lacking:  # what the engine lacks without the fault too shows nothing
                verdict = judge(case, whole.run(case.program, CASE_SECONDS), self.spec.kinds, True)
                if verdict.verdict != "unsupported":
                    (found.must if verdict.must else found.apart).append(case.id)
        return found

    def cases_of(self, behaviors: Collection[str]) -> list[Case]:
        """The cases of some behaviors."""
        return [case for name in behaviors for case in self.cases.get(name, ())]


def watch(engine: TorchLikeEngine, crashes: list[str]) -> None:
    """Note errors that come from the code of a fault, and that it does not raise on purpose. What
    PyTorch raises in C++ seems to come from there too, so of its types only those of slips count."""
    slips: tuple[type[Exception], ...] = (AttributeError, NameError)
    if engine.name == "reference":
        slips += (LookupError, TypeError)
    classify = engine.classifier.kind

    def kind(error: BaseException, members: frozenset[str] = frozenset()) -> str:
        place = crash_of(error) if isinstance(error, slips) else ""
        if place:
            crashes.append(f"{place}: {type(error).__name__}: {error}")
        return classify(error, members)

    engine.classifier.kind = kind  # type: ignore[method-assign]


def crash_of(error: BaseException) -> str:
    """Where in the code of a fault an error comes from, "" where from elsewhere or on purpose."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    file, line, _, text = frames[-1]
    ours = Path(file).parent in (FAULTS, FAULTS.with_name("breaking"))
    return f"{Path(file).name}:{line}" if ours and not (text or "").startswith("raise") else ""
