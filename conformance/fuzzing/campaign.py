"""A campaign: draws programs until time or examples are up, and keeps one shrunk program per cause."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from unittest import SkipTest

import hypothesis
from gradspec.adapters.framework.engine import Engine
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    InMemoryExampleDatabase,
)

from . import consistency
from .building import build
from .comparing import Divergence, divergence
from .drawing import CONSTANT, LEAF, OF, Drawn, Statement, leaf_text, programs
from .statements import BLOCKS, SHAPES, TABLES, Template, templates

QUICK = 6
CHOICES = 600
"""How many bytes a program is drawn from at most."""
TIMEOUT = 10.0
FUNCTIONAL = frozenset({"operations", "bent", "views", "derivatives"})
"""Tables of statements that need no tape."""
OPERATIONS = frozenset(each.shown for each in templates() if each.table in ("operations", "bent"))
FLAGS = ("requires_grad", "is_leaf")
ENOUGH = 3
"""After this many findings a flag is no longer compared, nor what an operation gives."""


@dataclass(frozen=True)
class Finding:
    """A shrunk program on which the engines differ."""

    drawn: Drawn
    divergence: Divergence

    @property
    def operation(self) -> str:
        """The operation at fault, if that can be told."""
        return operation_at(self.drawn, self.divergence)


@dataclass
class Campaign:
    """Searches for programs on which `engine` differs from `oracle`; without an oracle, for functions
    whose derivatives contradict their values."""

    engine: Engine
    oracle: Engine | None
    statements: int = QUICK
    database: KeptExamples | None = None
    findings: list[Finding] = field(default_factory=list)
    explained: dict[int, int] = field(default_factory=dict)
    """How many further programs differ in the same way, and contain the statements of the finding."""
    muted: set[str] = field(default_factory=set)
    """Flags and operations that are wrong too often to be looked at any longer."""
    flags: bool = False
    """Whether the engine has a tape, so that flags and gradients of tensors are compared."""
    run: int = 0
    unsupported: int = 0

    def __post_init__(self) -> None:
        self.flags = any(
            self.offers(template) for template in templates() if template.table == "ends"
        )
        if self.oracle is None:
            self.flags, keep = False, consistency.TABLES
        else:
            keep = frozenset(TABLES) if self.flags else FUNCTIONAL
        known = [each if self.flags else each.bare() for each in templates() if each.table in keep]
        self.templates = [each for each in known if self.offers(each)]
        self.simplest = frozenset(
            next((each.shown for each in self.templates if each.table == table), "")
            for table in ("operations", "ends")
        )
        tangent = Template("derivatives", "x", "jvp(lambda p: p * p, ({x},), ({x},))")
        self.tangents = self.offers(tangent)
        blocks = [block for block in BLOCKS if block and self.flags and self.offers_block(block)]
        self.strategy = programs(self.templates, blocks, self.statements, self.flags)

    def offers(self, template: Template) -> bool:
        """Whether the engine and the oracle have what a statement needs: they are asked to run it."""
        drawn = Drawn()
        names = {}
        for place in template.places:
            if place in CONSTANT:
                names[place] = leaf_text("v", 0, False)
                continue
            if place == "f":
                names[place] = "p * 2.0"
                continue
            holds = place if place in SHAPES else "v"
            name = f"{holds}{len(drawn.statements)}"
            flag = template.table in ("passes", "ends", "flags", "custom")
            drawn.statements.append(Statement(leaf_text(holds, 0, flag), LEAF, name, holds))
            names[place] = name
        holds = template.makes if template.makes in SHAPES else "v" if template.makes else ""
        made = f"{holds}{len(drawn.statements)}" if holds else ""
        drawn.statements.append(Statement(template.written(names), template.shown, made, holds))
        needs_flags = template.table not in FUNCTIONAL
        return self.supported(drawn, self.flags or needs_flags)

    def offers_block(self, block: str) -> bool:
        drawn = Drawn([Statement(leaf_text("v", 0, True), LEAF, "v0", "v")])
        drawn.statements.append(Statement("v0 * 2.0", "", "v1", "v", block))
        return self.supported(drawn, True)

    def supported(self, drawn: Drawn, flags: bool) -> bool:
        program = build(drawn, flags)
        engines = [engine for engine in (self.oracle, self.engine) if engine is not None]
        return all(
            engine.run(program, TIMEOUT).end.how not in ("unsupported", "crash")
            for engine in engines
        )

    def check(self, drawn: Drawn) -> Divergence | None:
        """Run one program on both engines."""
        self.run += 1
        if self.oracle is None:
            return self.check_alone(drawn)
        program = build(drawn, self.flags)
        expected = self.oracle.run(program, TIMEOUT)
        observed = self.engine.run(program, TIMEOUT)
        if "unsupported" in (expected.end.how, observed.end.how):
            self.unsupported += 1
        exact = self.oracle.identity.exact_kinds and self.engine.identity.exact_kinds
        return divergence(drawn, expected, observed, exact, self.flags)

    def check_alone(self, drawn: Drawn) -> Divergence | None:
        if not drawn.templates:
            return None
        observations = self.engine.run(consistency.build_function(drawn, self.tangents), TIMEOUT)
        return consistency.inconsistency(drawn, observations)

    def cause(self, drawn: Drawn, found: Divergence) -> int | None:
        """The finding that a program differs by as well: in the same part, after the same statements.
        A shrunk program has the simplest operation and the simplest pass where any would do."""
        for number, finding in enumerate(self.findings):
            needed = finding.drawn.templates
            needed = needed - self.simplest or needed
            if finding.divergence.part == found.part and needed <= drawn.templates:
                return number
        return None

    def fails(self, drawn: Drawn) -> Divergence | None:
        """How the engines differ on a program, unless by the cause of an earlier finding."""
        found = self.check(drawn)
        if found is None or self.muted & {found.part, operation_at(drawn, found)}:
            return None
        known = self.cause(drawn, found)
        if self.database is not None:
            self.database.replaying = known is not None
        if known is None:
            return found
        self.explained[known] = self.explained.get(known, 0) + 1
        return None

    def go(
        self,
        seconds: float | None,
        examples: int | None,
        seed: int,
        told: Callable[[Finding], None] = lambda finding: None,
    ) -> None:
        """Search until the time or the examples are up. Each finding is told as it is made.

        Hypothesis runs each program from random bytes, as an external fuzzer would; what fails goes into
        its database, from which it is replayed and shrunk.
        """
        begun = time.monotonic()
        last: list[Finding] = []

        @settings(
            database=self.database or InMemoryExampleDatabase(),
            deadline=None,
            phases=(Phase.reuse, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
        )
        @given(self.strategy)
        def differs(drawn: Drawn) -> None:
            found = self.fails(drawn)
            if found is not None:
                last[:] = [Finding(drawn, found)]
                raise Differs

        def shrink() -> None:
            """Shrink what the database has, one program for each cause."""
            while True:
                last.clear()
                with suppress(Differs, hypothesis.errors.Flaky, SkipTest):  # nothing to replay
                    differs()
                if not last:
                    return
                finding = self.without_needless(last[0])
                self.keep(finding)
                told(finding)

        shrink()
        source = random.Random(seed)
        run_one = differs.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
        while (seconds is None or time.monotonic() - begun < seconds) and (
            examples is None or self.run < examples
        ):
            try:
                run_one(source.randbytes(CHOICES))
            except (Differs, hypothesis.errors.Flaky):
                shrink()

    def without_needless(self, finding: Finding) -> Finding:
        """The finding without the statements that it does not need. Hypothesis leaves some: what it drops
        changes what the rest is drawn from."""
        at = len(finding.drawn.statements) - 1
        while at >= 0:
            statements = list(finding.drawn.statements)
            dropped = statements.pop(at)
            needed = any(re.search(rf"\b{dropped.name}\b", each.text) for each in statements)
            if statements and not (dropped.name and needed):
                found = self.check(Drawn(statements))
                if found is not None and found.part == finding.divergence.part:
                    finding = Finding(Drawn(statements), found)
            at -= 1
        return finding

    def keep(self, finding: Finding) -> None:
        self.findings.append(finding)
        self.mute(finding)

    def again(self, drawn: Drawn) -> Finding | None:
        """Check a program that an earlier run found, and keep it if the engines still differ."""
        found = self.check(drawn)
        if found is None:
            return None
        finding = Finding(drawn, found)
        self.keep(finding)
        return finding

    def mute(self, finding: Finding) -> None:
        """Stop looking at a flag that is wrong everywhere, or at an operation that is wrong whatever
        leads to it, which would hide all else."""
        part = finding.divergence.part
        count = sum(each.divergence.part == part for each in self.findings)
        if part in FLAGS and count >= ENOUGH:
            self.muted.add(part)
        operation = finding.operation
        if operation and sum(each.operation == operation for each in self.findings) >= ENOUGH:
            self.muted.add(operation)


def operation_at(drawn: Drawn, found: Divergence) -> str:
    """The operation whose value or derivative differs where engines do; empty where another statement
    shows it, such as a pass."""
    if found.part != "value":
        return ""
    operation = drawn.statements[found.statement].template.split(OF)[-1]
    return operation if operation in OPERATIONS else ""


class Differs(Exception):
    """The two engines differ on a program."""


class KeptExamples(DirectoryBasedExampleDatabase):
    """Hypothesis' database of failing examples, which forgets none that fails for a known cause."""

    replaying = False

    def delete(self, key: bytes, value: bytes) -> None:
        if not self.replaying:
            super().delete(key, value)


def database_in(folder: Path, names: Sequence[str]) -> KeptExamples:
    """Where failing examples of these engines are kept, so that another run begins with them."""
    safe = "-".join("".join(c if c.isalnum() else "_" for c in name) for name in names)
    return KeptExamples(folder / safe)
