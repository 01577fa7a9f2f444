"""The journal: one JSON line for each case, written as the run goes.

The first line is a header (`{"gradspec": 1, "engine": ...}`), the last a footer with the counts.
A run that was killed has no footer, and loses at most the line that was being written. Beside the
journal a small file names the case that is running, so that a resumed run knows which case took
the process down with it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gradspec.spec.values import show

from .journal_reading import FORMAT, Journal, JournalError, merge, read_journal
from .text import encodable, storable
from .verdict import NAMES, Verdict

__all__ = [
    "Journal",
    "JournalError",
    "JournalWriter",
    "header_of",
    "journal_path",
    "line_of",
    "merge",
    "read_journal",
]

LONGEST_LINE = 1 << 20


def header_of(identity: Any, spec: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The header of a run. What the engine says of itself is made storable, as it is read again."""
    from importlib.metadata import version

    return {
        "gradspec": FORMAT,
        "version": version("gradspec"),
        "engine": {
            "name": encodable(identity.name) or "unnamed",
            "version": encodable(str(identity.version)),
            "language": encodable(identity.language),
            "device": encodable(identity.device),
            "features": None
            if identity.features is None
            else sorted(map(encodable, identity.features)),
        },
        "spec": {"digest": spec.digest, "behaviors": len(spec.behaviors), "cases": len(spec.cases)},
        "options": storable(options),
    }


def journal_path(identity: Any, part: bool = False) -> Path:
    """Where a run's journal goes when no path is given. A run of only a part of the suite has a file
    of its own, so that it never replaces a whole one."""
    name = identity.name.replace(":", "_").replace("/", "_")
    device = "" if identity.device == "cpu" else f"-{identity.device}".replace(":", "_")
    return Path("results") / f"{name}{device}{'.part' if part else ''}.jsonl"


class JournalWriter:
    """Appends to a journal. Every line is handed to the operating system at once. An engine in this
    process may step to another folder or write into the file: neither harms the journal."""

    def __init__(self, path: Path, header: dict[str, Any], resume: bool = False) -> None:
        path = self.path = path.absolute()
        self.header = header
        self.footer: dict[str, Any] = {}
        self.size = 0
        self.done: dict[str, Verdict] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self.marker = path.with_suffix(path.suffix + ".running")
        if resume and path.exists() and path.stat().st_size:
            self.done = self._resumed(header)
            self.file = os.open(path, os.O_WRONLY | os.O_APPEND)
            self.size = path.stat().st_size
        else:
            self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
            self._line(header)
        self.marking = -1

    def _resumed(self, header: dict[str, Any]) -> dict[str, Verdict]:
        """Take up an earlier journal: check that it is of the same run, and drop a torn last line."""
        journal = read_journal(self.path)
        for key in ("engine", "spec", "version"):
            if journal.header.get(key) != header.get(key):
                raise JournalError(
                    f"{self.path} cannot be resumed: its {key} is {journal.header.get(key)}, "
                    f"this run's is {header.get(key)}; run without --resume, or name another --journal"
                )
        done = {verdict.case: verdict for verdict in journal.verdicts}
        self.header = journal.header
        self._whole([self.header, *(verdict.to_json() for verdict in done.values())])
        return done

    def _whole(self, lines: Iterable[dict[str, Any]]) -> None:
        """Put a journal of these lines in place of the one that is there."""
        temporary = self.path.with_suffix(self.path.suffix + ".resuming")
        temporary.write_bytes(b"".join(map(line_of, lines)))
        temporary.replace(self.path)

    def crashed_case(self) -> str:
        """The case that was running when an earlier run of this journal died, or ""."""
        try:
            return self.marker.read_text("utf-8").strip()
        except OSError:
            return ""

    def begin(self, case: str) -> None:
        """Note which case runs now."""
        if self.marking < 0:
            self.marking = os.open(self.marker, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.pwrite(self.marking, case.encode().ljust(240)[:400] + b"\n", 0)

    def write(self, verdict: Verdict) -> None:
        """Add one verdict."""
        self._line(verdict.to_json())
        self.done[verdict.case] = verdict

    def finish(
        self, collected: int, cut_short: bool = False, deselected: int = 0
    ) -> dict[str, Any]:
        """Add the footer, whose counts must add up. A second call changes nothing.

        `deselected` counts the cases that the caller chose not to run; such a run is not complete.
        """
        if self.footer:
            return self.footer
        counts = Counter(verdict.verdict for verdict in self.done.values())
        footer: dict[str, Any] = {
            "gradspec": FORMAT,
            "counts": {name: counts.get(name, 0) for name in NAMES},
            "collected": collected,
            "written": len(self.done),
        }
        if cut_short or collected != len(self.done):
            footer["cut_short"] = True
        if deselected > 0:
            footer["deselected"] = deselected
        self._line(footer)
        self.footer = footer
        self.close()
        return footer

    def _untouched(self) -> bool:
        """Whether the file is still the one that was opened, and nobody else has written to it."""
        try:
            found = os.stat(self.path)
        except OSError:
            return False
        return (found.st_ino, found.st_size) == (os.fstat(self.file).st_ino, self.size)

    def close(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1
        if self.marking >= 0:
            os.close(self.marking)
            self.marking = -1
        self.marker.unlink(missing_ok=True)

    def _mend(self) -> None:
        """Write all that is known once more, in place of what became of the file."""
        os.close(self.file)
        self._whole([self.header, *(verdict.to_json() for verdict in self.done.values())])
        self.file = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        self.size = self.path.stat().st_size

    def _line(self, value: dict[str, Any]) -> None:
        if self.size and not self._untouched():
            self._mend()
        line = line_of(value)
        os.write(self.file, line)
        self.size += len(line)


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
