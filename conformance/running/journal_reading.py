"""Reading journals: every line is checked, so that users of a `Journal` can trust its types.

A journal may have been cut off by a crash, edited, or be another file altogether. Reading it gives
a `Journal`, or a `JournalError` that names the line, what was expected and what was found. Only a
torn last line, as a killed run leaves it, is ignored.
"""

from __future__ import annotations

import io
import json
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from gradspec.spec.model import Spec

from ..judging.verdict import LONGEST, NAMES, Name, Verdict
from ..text import DEEPEST, one_line, storable

FORMAT = 1
LONGEST_READ = 1 << 24
"""More bytes than any line has that a run writes."""
BLOCK = 1 << 20
"""How many bytes of a journal are read at once."""
LONGEST_ID = 2000
SHOWN = 80

Line = dict[str, Any]


RENAMED = {
    "fixed": "unexpected-pass",
    "missing-refusal": "did-not-raise",
    "wrong-refusal": "wrong-error",
}
"""Verdicts and kinds of failure as journals called them before, and their names now."""


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

    @property
    def device(self) -> str:
        return str(self.header.get("engine", {}).get("device", ""))

    def same_spec(self, spec: Spec) -> bool:
        """Whether the run was against this specification."""
        return bool(self.header.get("spec", {}).get("digest") == spec.digest)

    def score_by(self, spec: Spec) -> None:
        """Take from the specification which verdicts count in the main score, if the run was against
        it. A journal is text that anyone can edit."""
        if self.same_spec(spec):
            must = {behavior.id: behavior.scored_as_must for behavior in spec.behaviors}
            for verdict in self.verdicts:
                verdict.must = must.get(verdict.case.partition("/")[0], verdict.must)


def read_journal(path: Path) -> Journal:
    """Read a journal, whole or torn. Raises `JournalError` when it is none."""
    journal: Journal | None = None
    first: dict[str, tuple[Verdict, int]] = {}
    for number, found in _lines(path):
        if isinstance(found, re.Match):
            case, passed, message, seconds, must = found.groups()
            if journal is not None and case not in first:
                name: Name = "pass" if passed == "pass" else "unsupported"
                plain = Verdict(
                    case, name, "", message, None, None, 0, "", float(seconds), must == "true"
                )
                first[case] = (plain, number)
                journal.verdicts.append(plain)
                journal.footer = None
                continue
            line = found.group().encode()
        else:
            line = found
        torn = not line.endswith(b"\n")
        place = f"{one_line(path)}:{number}"
        value = _parsed(line, place, "a verdict or a footer" if journal else "a journal's header",
                        torn=torn and journal is not None)  # fmt: skip
        if value is None:
            break  # the line that was being written when the run was killed
        value = in_present_words(value)
        if journal is None:
            _check_header(value, line, place)
            journal = Journal(value, path=path)
        elif "case" in value:
            _check_fields(value, _VERDICT, place)
            verdict = Verdict.from_json(value)
            earlier, line_of_earlier = first.setdefault(verdict.case, (verdict, number))
            if earlier.verdict != verdict.verdict:
                raise JournalError(
                    f"{place}: {one_line(verdict.case)} is {verdict.verdict} here and "
                    f"{earlier.verdict} in line {line_of_earlier}; run it again"
                )
            if earlier is verdict:
                journal.verdicts.append(verdict)
                journal.footer = None
        elif "engine" in value:
            raise JournalError(
                f"{place}: expected a verdict or a footer, found a second header; "
                "keep one run in each file"
            )
        elif "counts" in value:
            _check_footer(value, journal, place)
            journal.footer = value
        else:
            _refuse(place, "a verdict or a footer", line)
    if journal is None:
        raise JournalError(f"{one_line(path)} is empty; the run ended before it began")
    return journal


_PLAIN = re.compile(
    rf'^\{{"case": "([ !#-\[\]-~]{{1,{LONGEST_ID}}})", "verdict": "(pass|unsupported)", "kind": "", '
    r'"message": "([ !#-\[\]-~]*)", "expected": null, "observed": null, '
    r'"seconds": ((?:0|[1-9][0-9]{0,8})(?:\.[0-9]+)?(?:e-[0-9]+)?), "must": (true|false)\}\n',
    re.MULTILINE,
)
"""The lines of which journals mostly consist, as we write them. They need no parser and no checks."""


def in_present_words(line: Line) -> Line:
    """A line of a journal that was written before some verdicts and kinds of failure were renamed."""
    for name in ("verdict", "kind"):
        if isinstance(line.get(name), str):
            line[name] = RENAMED.get(line[name], line[name])
    if isinstance(counts := line.get("counts"), dict):
        line["counts"] = {RENAMED.get(name, name): count for name, count in counts.items()}
    return line


def _lines(path: Path) -> Iterator[tuple[int, re.Match[str] | bytes]]:
    """The lines that are not blank, with their numbers. A plain one is given as the match of `_PLAIN`: nearly
    all are, and are found many at a time."""
    shown, number = one_line(path), 0
    for block in _blocks(path, shown):
        # as many characters as bytes; what is plain is ASCII
        text, place = block.decode("latin-1"), 0
        for found in (*_PLAIN.finditer(text), None):
            start = found.start() if found else len(text)
            if start > place:
                for line in io.BytesIO(block[place:start]):
                    number += 1
                    if len(line) >= LONGEST_READ:
                        raise JournalError(
                            f"{shown}:{number}: expected a line of a journal, found one of more than "
                            f"{LONGEST_READ >> 20} MiB"
                        )
                    if not line.isspace():
                        yield number, line
            if found:
                number += 1
                place = found.end()
                yield number, found


def _blocks(path: Path, shown: str) -> Iterator[bytes]:
    """The bytes of a file, about a megabyte at a time, which ends with a line; of a line that is too long
    its beginning, as long as that may be."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise JournalError(
                f"{shown} is not a regular file; expected the journal of a run (results/NAME.jsonl)"
            )
        with path.open("rb") as file:
            rest = b""
            while len(rest) < LONGEST_READ and (read := file.read(BLOCK)):
                whole = read.rfind(b"\n") + 1
                if whole:
                    yield rest + read[:whole]
                    rest = b""
                rest += read[whole:]
            if rest:
                yield rest
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        why = error.strerror if isinstance(error, OSError) else error
        raise JournalError(
            f"{shown} cannot be read: {why}; is it the path of a journal?"
        ) from error


def _parsed(line: bytes, place: str, wanted: str, torn: bool) -> Line | None:
    """The object in a line. None if the line is torn: without an end, and not JSON."""
    try:
        value = _DECODER.decode(line.decode())
    except _KeyTwice as error:
        raise JournalError(
            f"{place}: expected each key once, found {one_line(error)} twice; the line was edited"
        ) from error
    except (ValueError, RecursionError) as error:
        if torn:
            return None
        _refuse(place, wanted, line, error)
    if not isinstance(value, dict):
        _refuse(place, wanted, line)
    if b"\\u" in line or line.count(b"[") + line.count(b"{") > DEEPEST:
        value = {name: storable(item) for name, item in value.items()}
    return value


class _KeyTwice(Exception):
    """An object has a duplicate key, which readers interpret differently."""


def _object(pairs: Sequence[tuple[str, Any]]) -> Line:
    value = dict(pairs)
    if len(value) < len(pairs):
        counted = Counter(key for key, _ in pairs)
        raise _KeyTwice(repr(max(counted, key=lambda key: counted[key])[:SHOWN]))
    return value


def _no_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_json, object_pairs_hook=_object)


def _refuse(place: str, wanted: str, line: bytes, error: Exception | None = None) -> NoReturn:
    text = line.strip().decode("utf-8", "backslashreplace")
    shown = repr(text[:SHOWN]) + ("..." if len(text) > SHOWN else "")
    raise JournalError(f"{place}: expected {wanted}, found {shown}") from error


# --- what each kind of line holds ---


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < LONGEST


def _seconds(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < LONGEST


def _names(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(v, str) for v in value))


def _counts(value: Any) -> bool:
    return isinstance(value, dict) and all(_count(number) for number in value.values())


@dataclass(frozen=True)
class _Field:
    """A field: a check, its description, and whether the field is optional."""

    holds: Callable[[Any], bool]
    wanted: str
    optional: bool = False


_TEXT = _Field(_text, "text", optional=True)
_COUNT = _Field(_count, "a count", optional=True)
_FLAG = _Field(_flag, "true or false", optional=True)
_OBJECT = _Field(lambda value: isinstance(value, dict), "an object")
_VERDICT: Mapping[str, _Field] = {
    "case": _Field(lambda value: _text(value) and 0 < len(value) <= LONGEST_ID, "a case's id"),
    "verdict": _Field(lambda value: _text(value) and value in NAMES, f"one of {', '.join(NAMES)}"),
    "kind": _Field(_text, "text"),
    "message": _Field(_text, "text"),
    "expected": _Field(lambda value: True, "a value"),
    "observed": _Field(lambda value: True, "a value"),
    "seconds": _Field(_seconds, "a number of seconds"),
    "must": _Field(_flag, "true or false"),
    "line": _COUNT,
    "setup": _FLAG,
    "where": _TEXT,
    "blamed_on": _TEXT,
    "reason": _TEXT,
    "spoils": _TEXT,
    "retried": _TEXT,
    "rounds": _TEXT,
}
_HEADER: Mapping[str, _Field] = {
    "version": _Field(_text, "text"),
    "engine": _OBJECT,
    "spec": _OBJECT,
    "options": _OBJECT,
    "known": _TEXT,
}
_ENGINE: Mapping[str, _Field] = {
    "name": _Field(lambda value: _text(value) and value != "", "an engine's name"),
    "version": _TEXT,
    "language": _TEXT,
    "device": _TEXT,
    "features": _Field(_names, "null or a list of names", optional=True),
}
_SPEC: Mapping[str, _Field] = {"digest": _TEXT, "behaviors": _COUNT, "cases": _COUNT}
_OPTIONS: Mapping[str, _Field] = {"impl": _TEXT}
_FOOTER: Mapping[str, _Field] = {
    "gradspec": _Field(lambda value: value == FORMAT and not _flag(value), f"{FORMAT}"),
    "counts": _Field(_counts, "an object of counts"),
    "collected": _Field(_count, "a count"),
    "written": _Field(_count, "a count"),
    "cut_short": _FLAG,
    "deselected": _COUNT,
}


def _check_fields(value: Line, fields: Mapping[str, _Field], place: str, of: str = "") -> None:
    for name, wanted in fields.items():
        if name not in value:
            if not wanted.optional:
                raise JournalError(
                    f"{place}: expected {of}{name} to be {wanted.wanted}, found none"
                )
        elif not wanted.holds(value[name]):
            shown = one_line(repr(value[name])[:SHOWN])
            raise JournalError(f"{place}: expected {of}{name} to be {wanted.wanted}, found {shown}")


def _check_header(header: Line, line: bytes, place: str) -> None:
    form = header.get("gradspec")
    if form != FORMAT or isinstance(form, bool) or "engine" not in header:
        _refuse(place, f"the header of a journal in format {FORMAT}", line)
    _check_fields(header, _HEADER, place)
    for name, fields in (("engine", _ENGINE), ("spec", _SPEC), ("options", _OPTIONS)):
        _check_fields(header[name], fields, place, f"{name}.")


def _check_footer(footer: Line, journal: Journal, place: str) -> None:
    _check_fields(footer, _FOOTER, place)
    verdicts = len(journal.verdicts)
    written, counted = footer["written"], sum(footer["counts"].values())
    if not verdicts == written == counted:
        raise JournalError(
            f"{place}: expected the footer to count the {verdicts} verdicts above it, found "
            f"written {written} and counts of {counted} together; lines were lost or added"
        )
    above = Counter(verdict.verdict for verdict in journal.verdicts)
    for name in {**above, **footer["counts"]}:
        told = footer["counts"].get(name, 0)
        if told != above[name]:
            raise JournalError(
                f"{place}: expected counts.{one_line(name)[:SHOWN]} to be {above[name]}, as in the "
                f"verdicts above, found {told}; lines were changed"
            )
    _check_totals(footer, journal, place)


def _check_totals(footer: Line, journal: Journal, place: str) -> None:
    """What was collected is what was written, and together with what was left out it is the whole
    specification; of a profile only the run knows how many cases it has."""
    collected, left_out = footer["collected"], footer.get("deselected", 0)
    if collected != footer["written"] and not footer.get("cut_short"):
        raise JournalError(
            f"{place}: expected a run that is not cut_short to have written all it collected, found "
            f"collected {collected} and written {footer['written']}; run it again"
        )
    cases = journal.header["spec"].get("cases")
    if cases is None:
        return
    whole = "profile" not in journal.header["options"]
    if collected > cases or (whole and collected + left_out < cases):
        raise JournalError(
            f"{place}: expected collected and deselected to come to the {cases} cases of spec.cases, "
            f"found {collected} and {left_out}; run it again"
        )


def merge(journals: Iterable[Journal]) -> Journal:
    """Parts of one run (from several machines, say) as one journal. Raises `JournalError` when
    they are not of the same engine and specification, or give one case two different verdicts."""
    parts = list(journals)
    first = parts[0]
    seen: dict[str, Verdict] = {}
    for part in parts:
        for key in ("engine", "spec", "known"):
            if part.header.get(key) != first.header.get(key):
                raise JournalError(
                    f"{one_line(part.path)} and {one_line(first.path)} differ in {key}; "
                    "they are not parts of one run"
                )
        for verdict in part.verdicts:
            other = seen.setdefault(verdict.case, verdict)
            if other.verdict != verdict.verdict:
                raise JournalError(
                    f"{one_line(verdict.case)} is {other.verdict} in one journal and "
                    f"{verdict.verdict} in {one_line(part.path)}"
                )
    total = first.header.get("spec", {}).get("cases")
    footer = {"gradspec": FORMAT, "written": len(seen), "collected": total}
    if len(seen) != total:
        footer["cut_short"] = True
    return Journal(first.header, list(seen.values()), footer, first.path)
