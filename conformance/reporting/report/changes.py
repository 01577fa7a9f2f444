"""What changed between two runs, for `gradspec diff` and `gradspec report --against`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...judging.verdict import FAILED
from ...running.journal import Journal, JournalError
from ...text import one_line

Data = dict[str, Any]


def compare_with(
    earlier: Journal, journals: Sequence[Journal], keys: Sequence[str]
) -> list[tuple[Data, list[Data]]]:
    """For each run of the earlier run's engine: what was compared, and the cases whose verdict
    changed. Raises `JournalError` when there is nothing that can be compared in earnest."""
    check_complete(earlier)
    same = [
        (key, journal)
        for key, journal in zip(keys, journals, strict=True)
        if (journal.name, journal.device) == (earlier.name, earlier.device)
    ]
    if not same:
        found = ", ".join(sorted({_told(journal) for journal in journals}))
        raise JournalError(
            f"{one_line(earlier.path)} is of {_told(earlier)}, and of these journals none is; they are "
            f"of {found}. Compare engines with `gradspec diff`"
        )
    for _, journal in same:
        check_profiles(earlier, journal)
    return [_compared(earlier, journal, key) for key, journal in same]


def check_complete(journal: Journal) -> None:
    """Raise `JournalError` for a run that was cut short or left out cases."""
    if not journal.complete:
        left_out = (journal.footer or {}).get("deselected")
        how = "left out some cases" if left_out else "was cut short"
        raise JournalError(
            f"{one_line(journal.path)} is of a run that {how}; finish it with --resume, then compare"
        )


def check_profiles(earlier: Journal, later: Journal) -> None:
    """Raise `JournalError` when the two runs chose their cases by different profiles."""
    profiles = [journal.header.get("options", {}).get("profile") for journal in (earlier, later)]
    if profiles[0] != profiles[1]:
        told = " and ".join(
            f"the profile {one_line(name)}" if name else "all cases" for name in profiles
        )
        raise JournalError(
            f"{one_line(earlier.path)} and {one_line(later.path)} are of different cases ({told}); "
            "compare runs of the same"
        )


def _told(journal: Journal) -> str:
    return one_line(f"{journal.name} on {journal.device}" if journal.device else journal.name)


def _compared(earlier: Journal, later: Journal, key: str) -> tuple[Data, list[Data]]:
    """One run compared with an earlier one. Cases that an unfinished run did not reach are unchanged."""
    changes = changes_since(earlier, later)
    if not later.complete:
        changes = [change for change in changes if change["after"] != "absent"]
    ran = {verdict.case for verdict in later.verdicts}
    about = {
        "engine": key,
        "version": earlier.header.get("engine", {}).get("version", ""),
        "same_spec": earlier.header.get("spec") == later.header.get("spec"),
        "compared": len(ran),
        "not_run": sum(verdict.case not in ran for verdict in earlier.verdicts),
    }
    return about, [{"engine": key, **change} for change in changes]


def changes_since(earlier: Journal, later: Journal) -> list[Data]:
    """Cases whose verdict differs between two runs; of cases in one only, the verdict is absent."""
    before = {verdict.case: verdict.verdict for verdict in earlier.verdicts}
    after = {verdict.case: verdict.verdict for verdict in later.verdicts}
    return [
        {"case": case, "before": before.get(case, "absent"), "after": after.get(case, "absent")}
        for case in _in_order(after, before)
        if before.get(case) != after.get(case)
    ]


def _in_order(*tables: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name for table in tables for name in table))


def transitions_of(changes: Iterable[Data]) -> list[Data]:
    """Changes by what became of what: first what fails now, then most cases first; within each, cases by
    chapter."""
    groups: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        groups.setdefault((change["before"], change["after"]), []).append(change["case"])
    found = []
    for (before, after), cases in groups.items():
        chapters: dict[str, list[str]] = {}
        for case in cases:
            chapters.setdefault(case.partition(".")[0], []).append(case)
        found.append({"before": before, "after": after, "count": len(cases), "chapters": chapters})
    return sorted(found, key=lambda group: (group["after"] not in FAILED, -group["count"]))
