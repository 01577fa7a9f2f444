"""What the bank tells: faults that no case notices, and behaviors that never noticed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gradspec.spec.model import Spec

CANNOT_BE_BROKEN = {
    "leaf.another-name": "a second name is given by the language, without asking the engine",
    "graph.rebuilt-on-each-run": "an engine that breaks this keeps the graph of the first run",
    "func.grad-of-one-element-with-dimensions": "an engine may do either",
    "func.aux-that-is-no-tensor": "an engine may do either",
}
"""Behaviors that no change of one piece of an engine breaks, and why."""


@dataclass
class Findings:
    """Holes in the specification, as far as the bank of faults shows them.

    `unnoticed`: faults that no case noticed. `elsewhere`: faults that only cases of other behaviors
    noticed. `broken`: faults whose engine could not be tried. `untried`: behaviors that no fault is
    meant to break, although one could. `blind`: behaviors that never noticed a fault.
    """

    faults: int = 0
    unnoticed: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    blind: list[str] = field(default_factory=list)

    @property
    def adequate(self) -> bool:
        return not (self.unnoticed or self.elsewhere or self.broken)


def findings_of(
    faults: Sequence[Any], outcomes: Sequence[Any], spec: Spec, healthy: frozenset[str]
) -> Findings:
    """Compare what the faults are meant to break with what noticed them. `healthy` are the cases that
    the reference itself passes: another case notices nothing by failing."""
    found = Findings(len(faults))
    noticing: set[str] = set()
    for fault, outcome in zip(faults, outcomes, strict=True):
        behaviors = {case.split("/")[0] for case in outcome.noticed if case in healthy}
        noticing |= behaviors
        if outcome.broken:
            found.broken.append(f"{fault.id}: {outcome.broken} ({fault.place})")
        elif not behaviors:
            found.unnoticed.append(f"{fault.id}: {fault.sentence} ({fault.place})")
        else:
            missed = [name for name in fault.breaks if name not in behaviors]
            if missed:
                found.elsewhere.append(
                    f"{fault.id}: {fault.sentence} Not noticed by {', '.join(missed)}, "
                    f"but by {', '.join(sorted(behaviors)[:4])} ({fault.place})"
                )
    meant = {name for fault in faults for name in fault.breaks}
    found.untried = [
        behavior.id
        for behavior in spec.behaviors
        if behavior.id not in meant and behavior.id not in CANNOT_BE_BROKEN
    ]
    found.blind = [behavior.id for behavior in spec.behaviors if behavior.id not in noticing]
    return found
