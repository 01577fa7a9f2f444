"""Makes a list of known failures from a run, or brings one up to date.

What a person wrote stays as it is, comments included: an entry with a `reason` or a `link` goes only
when its cases pass. Entries with a `cause` alone are made anew from the run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from gradspec.spec.model import Behavior, Spec

from ..text import one_line
from .known import Entry
from .verdict import FAILED, Verdict

FAILS = FAILED | {"known"}
PASSES = frozenset({"pass", "unexpected-pass"})
UNSTABLE = frozenset({"flaky", "timeout"})
"""Failures that the next run may not have: a timeout depends on the machine."""
MOST_CAUSES = 3
"""How many causes an entry of a behavior tells."""
LONGEST_CAUSE = 200


@dataclass
class Update:
    """A list of known failures after a run: its text, and what has changed."""

    text: str
    entries: int
    added: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    """Ids that were listed and pass now."""


@dataclass
class _Block:
    """The lines of an entry, with the comments and blank lines above it."""

    above: list[str]
    lines: list[str]


def updated(
    entries: Sequence[Entry],
    text: str,
    verdicts: Sequence[Verdict],
    causes: Mapping[str, str],
    spec: Spec,
    repeated: bool = False,
) -> Update:
    """The list with these `entries`, whose file is `text`, after a run with these verdicts. `causes` says
    of each case why it fails; `repeated` whether each case ran several times."""
    found = {verdict.case: verdict for verdict in verdicts}
    blocks, tail = _blocks(text, [entry.divergence.place.line for entry in entries])
    lines: list[str] = []
    covered: set[str] = set()
    update = Update("", 0)
    for entry, block in zip(entries, blocks, strict=True):
        failing = [case for case in entry.cases if _is(found, case, FAILS)]
        passing = [case for case in entry.cases if _is(found, case, PASSES)]
        lines += block.above
        fate = _fate(entry, failing, passing, repeated)
        if fate == "keep":
            lines += block.lines
            covered.update(entry.cases)
            update.entries += 1
            continue
        update.dropped += passing
        if fate == "split":
            why = entry.divergence
            for case in failing:
                lines += _written("case", case, found[case], why.reason, "reason", why.link)
            covered.update(failing)
            update.entries += len(failing)
    made = _made_anew(found, covered, causes, spec)
    listed = {case for entry in entries for case in entry.cases}
    update.added = [
        case for case, verdict in found.items() if verdict.verdict in FAILS and case not in listed
    ]
    update.entries += len(made)
    lines += [*tail, *(line for block in made for line in block)]
    update.text = "".join(f"{line}\n" for line in lines) if update.entries else _emptied(lines)
    return update


def _fate(
    entry: Entry, failing: Sequence[str], passing: Sequence[str], repeated: bool
) -> Literal["keep", "split", "renew"]:
    """What becomes of an entry: it stays, it is left with its cases that fail, or it goes, to be made
    anew if anything of it fails."""
    if failing and not entry.by_hand:
        return "renew"
    if entry.divergence.partial:
        silent = len(passing) < len(entry.cases)
        now_and_then = entry.names == "case" and not repeated  # it passed once, and may fail again
        return "keep" if failing or silent or now_and_then else "renew"
    if not passing:
        return "keep"
    return "split" if failing else "renew"


def _is(found: Mapping[str, Verdict], case: str, names: frozenset[str]) -> bool:
    return case in found and found[case].verdict in names


def _emptied(lines: Sequence[str]) -> str:
    """A list without entries, which YAML needs to be told."""
    comments = [line for line in lines if _is_remark(line) and line]
    return "".join(f"{line}\n" for line in [*comments, "[]"])


def _blocks(text: str, starts: Sequence[int]) -> tuple[list[_Block], list[str]]:
    """The lines of each entry, which begin at these lines, and what comes after the last."""
    lines = [line for line in text.split("\n") if line.strip() != "[]"]
    if not lines[-1]:
        del lines[-1]
    for start in starts:
        if not re.match("- +[a-z]+:", lines[start - 1]):
            raise ValueError(
                f"line {start} of the list: expected an entry that begins with `- case:` or `- behavior:`, "
                f"found {lines[start - 1][:60]!r}; write one key on each line"
            )
    blocks: list[_Block] = []
    at = 0
    for start, end in zip(starts, [*starts, len(lines) + 1][1:], strict=True):
        above = lines[at : start - 1]
        at = end - 1
        while at > start and _is_remark(lines[at - 1]):  # these belong to the next entry
            at -= 1
        blocks.append(_Block(above, lines[start - 1 : at]))
    return blocks, lines[at:]


def _is_remark(line: str) -> bool:
    return not line.strip() or line.startswith("#")


def _made_anew(
    found: Mapping[str, Verdict], covered: set[str], causes: Mapping[str, str], spec: Spec
) -> list[list[str]]:
    """Entries for the failures that no entry covers: of a behavior if all its cases fail that were
    attempted, else of each case."""
    made = []
    for behavior in spec.behaviors:
        failing = [
            case.id
            for case in behavior.cases
            if case.id not in covered and _is(found, case.id, FAILS)
        ]
        if not failing:
            continue
        unstable = any(found[case].verdict in UNSTABLE for case in failing)
        if not unstable and _fails_wholly(behavior, found, covered):
            told = list(dict.fromkeys(_cause_of(found[case], causes) for case in failing))
            more = f"; and {len(told) - MOST_CAUSES} more" if len(told) > MOST_CAUSES else ""
            cause = "; ".join(told[:MOST_CAUSES]) + more
            made.append(_written("behavior", behavior.id, found[failing[0]], cause))
        else:
            made += [
                _written("case", case, found[case], _cause_of(found[case], causes))
                for case in failing
            ]
    return made


def _fails_wholly(behavior: Behavior, found: Mapping[str, Verdict], covered: set[str]) -> bool:
    """Whether the run says of every case of a behavior that it fails or is unsupported."""
    ids = [case.id for case in behavior.cases]
    return not covered.intersection(ids) and all(
        _is(found, case, FAILS | {"unsupported"}) for case in ids
    )


def _cause_of(verdict: Verdict, causes: Mapping[str, str]) -> str:
    """Why a case fails: what a list said already, else the cause that its run was given."""
    cause = verdict.reason or causes.get(verdict.case) or verdict.message or verdict.verdict
    cause = one_line(" ".join(cause.split()))
    return cause if len(cause) <= LONGEST_CAUSE else f"{cause[: LONGEST_CAUSE - 3]}..."


def _written(
    names: str, identifier: str, verdict: Verdict, cause: str, key: str = "cause", link: str = ""
) -> list[str]:
    """An entry as lines of YAML."""
    lines = [f"- {names}: {_text(identifier)}", f"  {key}: {_text(cause)}"]
    lines += [f"  link: {link}"] if link else []
    lines += ["  partial: true"] if verdict.verdict in UNSTABLE else []
    return lines


def _text(value: str) -> str:
    """A text as YAML; JSON's form of it is one."""
    return json.dumps(value, ensure_ascii=False)


def read_text(path: Path) -> str:
    """The text of a list that may not exist yet."""
    return path.read_text("utf-8") if path.exists() else ""
