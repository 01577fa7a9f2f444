"""Runs cases on one engine: the part that the pytest plugin and the command have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gradspec.adapters.framework.engine import (
    End,
    Engine,
    EngineUnavailable,
    Limits,
    Observations,
)
from gradspec.adapters.framework.narrow import NAMES as FLOAT64_NAMES
from gradspec.adapters.framework.narrow import WIDEST
from gradspec.adapters.framework.process import ProcessEngine
from gradspec.adapters.framework.registry import open_engine
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case, Spec
from gradspec.spec.problems import nearest
from gradspec.spec.reading.folder import ROOT

from ..judging.judge import judge
from ..judging.known import Divergence, apply_known, known_file, read_known
from ..judging.verdict import ATTEMPTED, FAILED, Verdict
from ..judging.witness import Witness
from ..text import engine_argument
from .leaving import Leftovers

DEFAULT_TIMEOUT = 10.0
BOUNDS = {
    "case_timeout": (0.001, 10**6, "seconds"),
    "start_timeout": (0.001, 10**6, "seconds"),
    "case_memory": (1, 2**24, "MiB"),
    "case_answer": (0.001, 2**20, "MiB"),
    "repeat": (1, 10**6, "times"),
}
"""The least and the most of each option that is a number."""
ENOUGH = 5
"""This many cases without a pass show that a declared feature is missing."""


@dataclass(frozen=True)
class Options:
    """How to run: the same names as the options of pytest and of the command."""

    impl: str
    device: str = "cpu"
    imported: str | None = None
    """A module or file that is imported before the engine, such as one that registers a device."""
    python: str | None = None
    isolate: bool = False
    case_timeout: float = DEFAULT_TIMEOUT
    case_memory: int | None = None
    case_answer: float | None = None
    start_timeout: float | None = None
    profile: str | None = None
    trust_words: bool = False
    repeat: int | None = None
    """How often each case runs; None is once."""

    @property
    def limits(self) -> Limits:
        """The limits of an engine in a separate process."""
        chosen = {
            "memory_mib": self.case_memory,
            "answer_mib": self.case_answer,
            "start_seconds": self.start_timeout,
        }
        return Limits(**{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]

    @property
    def engine(self) -> str:
        """What follows `--impl=` in a command that is about the same engine on the same device."""
        return engine_argument(self.impl, self.device, self.imported, self.python)

    def check(self) -> None:
        """Raise `ValueError` for a number that no machine can use."""
        for option, (least, most, unit) in BOUNDS.items():
            value = getattr(self, option)
            if value is not None and not least <= value <= most:  # NaN is neither
                raise ValueError(
                    f"--{option.replace('_', '-')} must be from {least} to {most} {unit}, "
                    f"found {value}"
                )

    def shown(self) -> dict[str, Any]:
        """The options that may change a verdict, for the journal's header."""
        return {key: value for key, value in asdict(self).items() if value not in (None, False)}


@dataclass
class Session:
    """One engine, the specification, and the engine's known failures."""

    options: Options
    spec: Spec
    engine: Engine
    known: dict[str, Divergence] = field(default_factory=dict)
    known_strictly: bool = True
    """Whether a listed case that passes fails the run. Our lists are about the CPU; another device may
    well pass what is listed."""
    wanted: frozenset[str] | None = None
    leftovers: Leftovers | None = None
    narrow: Any = None
    """The reference without float64, once it was needed."""

    def __post_init__(self) -> None:
        self.witness = Witness(self.try_case)

    @property
    def identity(self) -> Any:
        return self.engine.identity

    @property
    def in_this_process(self) -> bool:
        """Whether the engine runs in this process, which it can then take down with it."""
        return not isinstance(self.engine, ProcessEngine)

    def run_case(self, case: Case) -> Verdict:
        """Run one case; returns exactly one verdict, whatever the engine does."""
        if missing := self.missing_features(case):
            observations = Observations([], End("unsupported", message=missing))
            verdict = judge(case, observations, self.spec.kinds)
        else:
            verdict = self.try_case(case)
            verdict.spoils = self.witness.missed_after(case, verdict)
            if verdict.spoils:
                self.witness.watching = self.engine.renew() or self.isolate()
        return apply_known(verdict, self.known, self.known_strictly)

    def try_case(self, case: Case) -> Verdict:
        """The verdict on a case all of whose features the engine declares."""
        observations = self.engine.run(case.program, self.options.case_timeout)
        verdict = self.judged(case, observations, self.engine)
        verdict.retried = observations.retried
        if verdict.verdict == "fail" and self.needs_float64(case):
            return Verdict(case.id, "unsupported", message=WIDEST, must=verdict.must)
        return verdict

    def isolate(self) -> bool:
        """Continue with a fresh engine in a separate process, since a case left state behind in the one in
        this process. False if that is not possible."""
        if not self.in_this_process:
            return False
        try:
            engine = engine_of(replace(self.options, isolate=True), self.spec)
        except EngineUnavailable:
            return False
        with suppress(BaseException):
            self.engine.close()
        self.engine = engine
        return True

    def needs_float64(self, case: Case) -> bool:
        """Whether the engine has no float64, and even the reference fails this case without it."""
        if self.identity.widest_float == WIDEST or FLOAT64_NAMES.isdisjoint(case.program.words):
            return False
        if self.narrow is None:
            self.narrow = open_engine("reference", kinds=kinds_as_data(self.spec))
            self.narrow.narrow_to(self.identity.widest_float)
        found = self.narrow.run(case.program, self.options.case_timeout)
        return self.judged(case, found, self.narrow).verdict != "pass"

    def judged(self, case: Case, observations: Observations, engine: Engine) -> Verdict:
        identity = engine.identity
        return judge(
            case, observations, self.spec.kinds, identity.exact_kinds, identity.widest_float
        )

    def crashed(self, case: Case) -> Verdict:
        """The verdict on a case that took the whole process down with it."""
        return apply_known(crash_verdict(case), self.known, self.known_strictly)

    def missing_features(self, case: Case) -> str:
        """Which features the case needs that the engine does not declare, in words."""
        declared = self.engine.identity.features
        if declared is None or case.program.features <= declared:
            return ""
        return "needs " + ", ".join(sorted(case.program.features - declared))

    def cases(self) -> Sequence[Case]:
        """The cases to run: all, or those of one profile."""
        if self.wanted is None:
            return self.spec.cases
        return [case for case in self.spec.cases if case.program.features <= self.wanted]

    def close(self) -> None:
        """Close the engine, and end the processes that it left running."""
        with suppress(
            BaseException
        ):  # one that cannot be closed, or exits, is through all the same
            self.engine.close()
        if self.leftovers is not None:
            self.leftovers.kill()


def open_session(
    options: Options, spec_root: Path | None = None, known: Path | None = None
) -> Session:
    """Load the specification, open the engine and read its list of divergences.

    Raises `SpecError` for a faulty specification or list, `EngineUnavailable` for an engine that
    cannot be opened, `ValueError` for an unknown profile or a number out of bounds.
    """
    options.check()
    spec = load_spec(spec_root) if spec_root else load_spec()
    wanted = None
    if options.profile:
        if options.profile not in spec.profiles:
            hint = nearest(options.profile, spec.profiles)
            raise ValueError(
                f"unknown profile {options.profile!r}; {hint + ' ' if hint else ''}"
                f"known: {', '.join(sorted(spec.profiles))}"
            )
        wanted = spec.profiles[options.profile].features
    leftovers = Leftovers()
    engine: Engine | None = None
    try:
        engine = engine_of(options, spec)
        if known is None:  # our own list, of which another specification has but a part, or nothing
            path = known_file(engine.identity.name)
            listed = read_known(path, spec, whole=spec_root in (None, ROOT))
        else:
            listed = read_known(known, spec)
    except BaseException:
        if engine is not None:
            engine.close()
        leftovers.kill()
        raise
    strictly = known is not None or options.device == "cpu"
    return Session(options, spec, engine, listed, strictly, wanted, leftovers)


def engine_of(options: Options, spec: Spec) -> Engine:
    """The engine of a run. Raises `EngineUnavailable`."""
    return open_engine(
        options.impl,
        device=options.device,
        imported=options.imported,
        kinds=kinds_as_data(spec),
        python=options.python,
        isolate=options.isolate,
        limits=options.limits,
        trust_words=options.trust_words,
    )


def kinds_as_data(spec: Spec) -> list[dict[str, Any]]:
    """The kinds of errors and warnings as plain data, for engines in other processes."""
    return [asdict(kind) for kind in spec.kinds.values()]


def crash_verdict(case: Case) -> Verdict:
    """The verdict on a case during which the whole process ended."""
    why = "the process ended while this case ran; use --isolate to keep the other cases running"
    return lost_verdict(case, why)


def lost_verdict(case: Case, why: str) -> Verdict:
    """The verdict on a case during which the process that ran it was lost."""
    return Verdict(case.id, "crash", "process", why, must=case.behavior.scored_as_must)


def blame(verdicts: Sequence[Verdict], spec: Spec) -> None:
    """Mark failures whose prerequisite behavior failed too, so that one fault is counted once. A law on an
    operation needs the operation's own behavior."""
    failed = {verdict.case.split("/")[0] for verdict in verdicts if verdict.verdict in FAILED}
    needs = {behavior.id: behavior.needs for behavior in spec.behaviors}
    for verdict in verdicts:
        if verdict.verdict == "fail":
            behavior, _, case = verdict.case.partition("/")
            wanted = (*needs.get(behavior, ()), case.partition("[")[0])
            culprits = [needed for needed in wanted if needed in failed and needed != behavior]
            verdict.blamed_on = ", ".join(culprits)


def undeclared_but_working(session: Session, limit: int = 3) -> dict[str, int]:
    """Features that the engine does not declare although the simplest cases that need them pass.

    For each undeclared feature up to `limit` cases that need nothing else undeclared are tried;
    a feature is named, with the number tried, when all of them pass.
    """
    declared = session.engine.identity.features
    if declared is None:
        return {}
    by_feature: dict[str, list[Case]] = {}
    for case in session.spec.cases:
        missing = case.program.features - declared
        if len(missing) == 1:
            by_feature.setdefault(next(iter(missing)), []).append(case)
    working: dict[str, int] = {}
    for feature, cases in by_feature.items():
        simplest = sorted(
            cases, key=lambda case: (len(case.program.words) + len(case.program.members), case.id)
        )[:limit]
        results = [
            session.judged(
                case, session.engine.run(case.program, session.options.case_timeout), session.engine
            )
            for case in simplest
        ]
        if all(result.verdict == "pass" for result in results):
            working[feature] = len(results)
    return working


def declared_but_broken(session: Session, verdicts: Iterable[Verdict]) -> list[str]:
    """Declared features of which not one case passes, although some were attempted, or although
    there are `ENOUGH` cases that need them. A run of only some cases shows nothing."""
    declared = session.engine.identity.features
    verdicts = list(verdicts)
    ran = {verdict.case for verdict in verdicts}
    if declared is None or any(case.id not in ran for case in session.spec.cases):
        return []
    features = {case.id: case.program.features for case in session.spec.cases}
    tried: Counter[str] = Counter()
    passed: set[str] = set()
    for verdict in verdicts:
        needed = features.get(verdict.case, frozenset())
        if needed <= declared:
            tried.update(dict.fromkeys(needed, ENOUGH if verdict.verdict in ATTEMPTED else 1))
            if verdict.verdict in ("pass", "unexpected-pass", "known"):
                passed |= needed
    return sorted(name for name in tried.keys() - passed if tried[name] >= ENOUGH)
