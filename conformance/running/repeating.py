"""Runs each case several times, to find those whose verdict changes from run to run."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from gradspec.spec.model import Case

from ..judging.verdict import FAILED, Verdict

BLOCK = 50
"""So many cases are run once, then all of them again in another order, and so on. A run that is
killed loses the verdicts of one block."""


def repeated(
    cases: Sequence[Case], run: Callable[[Case], Verdict], times: int
) -> Iterator[Verdict]:
    """One verdict for each case, each of which is run so many times."""
    if times == 1:
        yield from map(run, cases)
        return
    for start in range(0, len(cases), BLOCK):
        block = cases[start : start + BLOCK]
        found: dict[str, list[Verdict]] = {case.id: [] for case in block}
        for number in range(times):
            for case in in_order(block, number):
                found[case.id].append(run(case))
        for case in block:
            yield combined(found[case.id])


def in_order(cases: Sequence[Case], number: int) -> list[Case]:
    """The cases in the order of this round: as they are, backwards, then shuffled, always in the same
    way, so that a run can be repeated."""
    ordered = list(cases)
    if number == 1:
        ordered.reverse()
    elif number > 1:
        random.Random(number).shuffle(ordered)
    return ordered


def combined(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict of a case that was run several times: the one it always got, else `flaky`.

    A listed case that may pass now and then (`partial: true`) is known if it failed at all.
    """
    names = Counter(verdict.verdict for verdict in verdicts)
    worst = min(verdicts, key=_goodness)
    worst.seconds = sum(verdict.seconds for verdict in verdicts)
    if len(names) == 1 or set(names) == {"known", "pass"}:
        return worst
    worst.rounds = ", ".join(f"{count} {name}" for name, count in names.most_common())
    worst.message = f"changes from run to run ({worst.rounds})" + (
        f": {worst.message}" if worst.message else ""
    )
    worst.verdict = "flaky"
    return worst


def _goodness(verdict: Verdict) -> int:
    """Verdicts that failed come first, and those with something to tell before those without."""
    if verdict.verdict in FAILED:
        return 0
    return {"known": 1, "unexpected-pass": 2, "unsupported": 3}.get(verdict.verdict, 4)
