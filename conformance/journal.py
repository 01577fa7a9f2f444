"""The journal: one JSON line for each case, written as the run goes.

The first line is a header (`{"gradspec": 1, "engine": ...}`), the last a footer with the counts.
A run that was killed has no footer, and loses at most the line that was being written. Beside the
journal a small file names the case that is running, so that a resumed run knows which case took
the process down with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gradspec.spec.values import show

from .verdict import NAMES, Verdict

FORMAT = 1
LONGEST_LINE = 1 << 20
LONGEST_NAME = 60


class JournalError(Exception):
    """A journal cannot be read or resumed; the message says why and what to do."""


@dataclass
class Journal:
    """A journal as it was read: header, verdicts in order, and the footer if the run ended."""

    header: dict[str, Any]
    verdicts: list[Verdict] = field(default_factory=list)
    footer: dict[str, Any] | None = None
    path: Path | None = None

    @property
    def complete(self) -> bool:
        """Whether the run ended, and left out no case that it was meant to run."""
        return self.footer is not None and not (
            self.footer.get("cut_short") or self.footer.get("deselected")
        )

    @property
    def name(self) -> str:
        return str(self.header.get("engine", {}).get("name", "unnamed"))


def header_of(identity: Any, spec: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The header of a run."""
    from importlib.metadata import version

    return {
        "gradspec": FORMAT,
        "version": version("gradspec"),
        "engine": {
            "name": identity.name,
            "version": identity.version,
            "language": identity.language,
            "device": identity.device,
            "features": None if identity.features is None else sorted(identity.features),
        },
        "spec": {"digest": spec.digest, "behaviors": len(spec.behaviors), "cases": len(spec.cases)},
        "options": options,
    }


def journal_path(identity: Any, part: bool = False) -> Path:
    """Where a run's journal goes when no path is given. A run of only a part of the suite has a file
    of its own, so that it never replaces a whole one."""
    device = "" if identity.device == "cpu" else f"-{file_name(identity.device)}"
    return Path("results") / f"{file_name(identity.name)}{device}{'.part' if part else ''}.jsonl"


def file_name(name: str) -> str:
    """A name as part of a file's name, whatever an engine calls itself."""
    return re.sub(r"[^\w.-]+", "_", name)[:LONGEST_NAME].lstrip(".") or "unnamed"


def line_of(value: dict[str, Any]) -> bytes:
    """A line of the journal. What an engine observed is kept only where JSON can hold it."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        text = ""
    if not text or len(text) > LONGEST_LINE:
        text = json.dumps(
            {**value, "observed": {"object": show(value.get("observed"))}}, default=str
        )
    return text.encode() + b"\n"


def read_journal(path: Path) -> Journal:
    """Read a journal, whole or torn. Raises `JournalError` when it is none."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise JournalError(
            f"{path} cannot be read: {error.strerror}; is it the path of a journal?"
        ) from error
    journal: Journal | None = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            if number == len(lines) and journal is not None:
                break  # the line that was being written when the run was killed
            raise JournalError(
                f"{path}:{number}: expected a line of JSON, found {line[:80]!r}"
            ) from error
        if journal is None:
            if (
                not isinstance(value, dict)
                or value.get("gradspec") != FORMAT
                or "engine" not in value
            ):
                raise JournalError(
                    f"{path}:1: expected the header of a journal in format {FORMAT}, found {line[:80]!r}"
                )
            journal = Journal(value, path=path)
        elif (
            isinstance(value, dict)
            and isinstance(value.get("case"), str)
            and value.get("verdict") in NAMES
        ):
            journal.verdicts.append(Verdict.from_json(value))
            journal.footer = None
        elif isinstance(value, dict) and "counts" in value:
            journal.footer = value
        else:
            raise JournalError(
                f"{path}:{number}: expected a verdict or a footer, found {line[:80]!r}"
            )
    if journal is None:
        raise JournalError(f"{path} is empty; the run ended before it began")
    return journal


def merge(journals: Iterable[Journal]) -> Journal:
    """Parts of one run (from several machines, say) as one journal. Raises `JournalError` when
    they are not of the same engine and specification, or give one case two different verdicts."""
    parts = list(journals)
    first = parts[0]
    seen: dict[str, Verdict] = {}
    for part in parts:
        for key in ("engine", "spec"):
            if part.header.get(key) != first.header.get(key):
                raise JournalError(
                    f"{part.path} and {first.path} differ in {key}; they are not parts of one run"
                )
        for verdict in part.verdicts:
            other = seen.setdefault(verdict.case, verdict)
            if other.verdict != verdict.verdict:
                raise JournalError(
                    f"{verdict.case} is {other.verdict} in one journal and {verdict.verdict} in {part.path}"
                )
    total = first.header.get("spec", {}).get("cases")
    footer = {"gradspec": FORMAT, "written": len(seen), "collected": total}
    if len(seen) != total:
        footer["cut_short"] = True
    return Journal(first.header, list(seen.values()), footer, first.path)
