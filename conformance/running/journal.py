"""The journal: one JSON line for each case, written during the run.

The first line is a header (`{"gradspec": 1, "engine": ...}`), the last a footer with the counts.
A run that was killed has no footer, and loses at most the line that was being written. Beside the
journal a small file names the case that is running, so that a resumed run knows which case took
the process down with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from gradspec.spec.values import show

from ..files import file_name
from ..judging.verdict import LONGEST, Verdict
from ..text import encodable, storable
from .journal_reading import FORMAT, Journal, JournalError, merge, read_journal

__all__ = [
    "Journal",
    "JournalError",
    "header_of",
    "journal_path",
    "line_of",
    "line_of_verdict",
    "merge",
    "part_of",
    "read_journal",
]

LONGEST_LINE = 1 << 20
_as_json = json.JSONEncoder(allow_nan=False).encode
_as_text = json.encoder.encode_basestring_ascii


def header_of(
    identity: Any, spec: Any, options: dict[str, Any], known: Collection[str]
) -> dict[str, Any]:
    """The header of a run. The engine's own strings are sanitized for storage.

    `known` are the ids of the cases that are known to fail; the header has a digest of them.
    """
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
        "known": digest_of(known),
    }


def digest_of(names: Collection[str]) -> str:
    """A digest of a set of names; nothing for none."""
    text = "\n".join(sorted(names))
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text else ""


def journal_path(identity: Any, part: bool = False) -> Path:
    """Where a run's journal goes when no path is given. A run of only a part of the suite has a file
    of its own, so that it never replaces a whole one."""
    device = "" if identity.device == "cpu" else f"-{file_name(identity.device)}"
    whole = Path("results") / f"{file_name(identity.name)}{device}.jsonl"
    return part_of(whole) if part else whole


def part_of(whole: Path) -> Path:
    """Where the journal of a part of the suite goes, beside that of a whole run."""
    return whole.with_name(f"{whole.name.removesuffix('.jsonl')}.part.jsonl")


def line_of_verdict(verdict: Verdict) -> bytes:
    """The line of a verdict. Most cases pass, and only say how long they took."""
    only = Verdict(verdict.case, "pass", seconds=verdict.seconds, must=verdict.must)
    if verdict != only or not 0 <= verdict.seconds < LONGEST:
        return line_of(verdict.to_json())
    must = "true" if verdict.must else "false"
    text = (
        f'{{"case": {_as_text(verdict.case)}, "verdict": "pass", "kind": "", "message": "", '
        f'"expected": null, "observed": null, "seconds": {round(verdict.seconds, 6)!r}, "must": {must}}}\n'
    )
    return text.encode()


def line_of(value: dict[str, Any]) -> bytes:
    """A line of the journal. Observed values are kept only if JSON can represent them."""
    try:
        text = _as_json(value)
    except (TypeError, ValueError, RecursionError):
        text = ""
    if not text or len(text) > LONGEST_LINE:
        text = json.dumps(
            {**value, "observed": {"object": show(value.get("observed"))}}, default=str
        )
    return text.encode() + b"\n"
