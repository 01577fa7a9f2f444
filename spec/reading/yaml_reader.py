"""Reads the YAML that specifications are written in: a small, safe and strict part of YAML.

Every value keeps its place, so that each problem can name file, line and column. Anchors,
aliases, tags, merge keys, duplicate keys, tabs and anything that is not UTF-8 are rejected; scalars
follow YAML 1.2 (`yes` and `on` are strings).
"""

from __future__ import annotations

import codecs
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from ..problems import Place, Problem, SpecError
from .yaml_faults import explain

try:
    from yaml import CLoader as _Loader
except ImportError:  # libyaml is missing: slower, same result
    from yaml import Loader as _Loader  # type: ignore[assignment]

# libyaml since 0.2.6 gives up beyond 1,000 open brackets, before the first event that shows them.
# The parser in Python has no such limit, so it names the bracket that is one too deep.
LIBYAML_TOO_DEEP = "exceeded maximum nesting depth"
MAX_BYTES = 1024 * 1024
MAX_DEPTH = 60
MAX_LINE = 4000
MAX_INTEGER = 2**63

_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_STRANGE = re.compile(
    "[^\\t\\n\\r\\x20-\\x7e\\xa0-\\u2027\\u202f-\\u2065\\u206a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]"
)
_LEAVES = (yaml.ScalarEvent, yaml.AliasEvent)
_CONSTANTS: dict[str, Any] = {
    "true": True, "True": True, "false": False, "False": False,
    "null": None, "~": None, "": None,
    ".inf": math.inf, "-.inf": -math.inf, ".nan": math.nan,
}  # fmt: skip


class Located:
    """A YAML value with its place.

    `value` is None, bool, int, float or str for a scalar, a list of `Located` for a sequence, and
    a dict from str to `Located` for a mapping, whose keys' own places are in `keys`.
    `joined` is whether the text of several lines was joined to one, as that without quotes is.
    `text_line` is the line on which the text of a literal block starts, `text_indent` how far it is
    indented.
    """

    __slots__ = ("joined", "keys", "place", "text_indent", "text_line", "value")

    def __init__(self, value: Any, place: Place) -> None:
        self.value = value
        self.place = place
        self.keys: dict[str, Place] = {}
        self.joined = False
        self.text_line = place.line
        self.text_indent = 0


def read_yaml(path: Path, name: str | None = None) -> Located:
    """Read one file.

    Raises `SpecError` with the place of the fault when the file is missing, too large, not UTF-8,
    not YAML, or uses a part of YAML that specifications may not use.
    """
    shown = name or str(path)
    return read_yaml_text(read_bytes(path, shown), shown)


def read_bytes(path: Path, shown: str) -> bytes:
    """The bytes of one file, called `shown` in every complaint. Raises `SpecError`."""
    try:
        if path.exists() and not path.is_file():  # a pipe, say, would be waited for
            raise _error(Place(shown, 1, 1), "expected a file, found something else of that name")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
            size = max(len(raw), os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise _error(Place(shown, 1, 1), f"the file cannot be read: {error.strerror}") from error
    if len(raw) > MAX_BYTES:
        raise _error(Place(shown, 1, 1), f"the file has {size} bytes; {MAX_BYTES} are allowed")
    return raw


def read_yaml_text(raw: bytes, shown: str) -> Located:
    """Read the bytes of one file, called `shown` in every complaint."""
    if len(raw) > MAX_BYTES:
        raise _error(Place(shown, 1, 1), f"the file has {len(raw)} bytes; {MAX_BYTES} are allowed")
    text = _decoded(raw.removeprefix(codecs.BOM_UTF8), shown)
    _refuse_hostile_text(text, shown)
    try:
        try:
            return _Builder(shown, text, _Loader).document()
        except yaml.MarkedYAMLError as error:
            if error.problem != LIBYAML_TOO_DEEP:
                raise
            return _Builder(shown, text, yaml.Loader).document()
    except yaml.MarkedYAMLError as error:
        found = explain(error, text)
        place = Place(shown, found.line, found.column)
        raise _error(place, f"this is not YAML: {found.message}", found.hint) from error
    except yaml.YAMLError as error:
        raise _error(Place(shown, 1, 1), f"this is not YAML: {error}") from error


def _error(place: Place, message: str, hint: str = "") -> SpecError:
    return SpecError([Problem(place, message, hint)])


def _decoded(raw: bytes, shown: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        message = "expected UTF-8 text, found a byte that is not"
        raise _error(Place(shown, line, column), message, "save the file as UTF-8") from error


def _refuse_hostile_text(text: str, shown: str) -> None:
    """Reject characters that editors do not show, and overlong lines."""
    strange = _STRANGE.search(text)
    if strange:
        before = text[: strange.start()]
        place = Place(shown, before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise _error(
            place, f"found the character U+{ord(strange.group()):04X}, which is not allowed in text"
        )
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MAX_LINE:
            message = f"the line has {len(line)} characters; {MAX_LINE} are allowed"
            raise _error(Place(shown, number, MAX_LINE), message)


class _Builder:
    """Builds `Located` values directly from the parser's events, so that an alias, a tag or too
    deep a nesting is rejected at its place, before memory grows."""

    def __init__(self, shown: str, text: str, loader: Any) -> None:
        self.shown = shown
        self.lines = text.splitlines()
        self.events: Iterator[Any] = yaml.parse(text, Loader=loader)

    def document(self) -> Located:
        """The only document of the file."""
        next(self.events)  # the stream's start
        if isinstance(next(self.events), yaml.StreamEndEvent):
            raise _error(Place(self.shown, 1, 1), "the file is empty")
        located = self.value(next(self.events), 0)
        next(self.events)  # the document's end
        following = next(self.events)
        if not isinstance(following, yaml.StreamEndEvent):
            message = "expected one document, found the start of a second"
            raise _error(
                self.place(following), message, "a file holds one document; remove the `---`"
            )
        return located

    def place(self, event: Any) -> Place:
        return Place(self.shown, event.start_mark.line + 1, event.start_mark.column + 1)

    def value(self, event: Any, depth: int) -> Located:
        place = self.place(event)
        if isinstance(event, yaml.AliasEvent):
            hint = "write the value out; if it is text, put all of it in quotes"
            raise _error(place, "expected a value, found an alias (`*name`)", hint)
        if event.anchor is not None:
            hint = "remove it; if it is text, put all of it in quotes"
            raise _error(place, "expected a value, found an anchor (`&name`)", hint)
        if event.tag is not None:
            raise _error(
                place,
                f"expected a plain value, found the tag {event.tag!r}",
                "remove the tag; if it is text, put all of it in quotes",
            )
        if depth > MAX_DEPTH:
            raise _error(place, f"values are nested more than {MAX_DEPTH} deep")
        located = Located(None, place)
        if isinstance(event, yaml.ScalarEvent):
            located.value = self.scalar(event, place)
            if event.style == "|":
                self.block_text(event, located)
            elif not event.style:
                located.joined = event.end_mark.line + 1 > place.line  # type: ignore[union-attr]
        elif isinstance(event, yaml.SequenceStartEvent):
            located.value = []
            while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
                located.value.append(self.value(event, depth + 1))
        else:
            located.value = self.mapping(located, depth)
        return located

    def block_text(self, event: Any, located: Located) -> None:
        """Find where the text of a literal block begins."""
        located.text_line = located.place.line + 1
        first = next((line for line in self.lines[located.place.line :] if line.strip()), "")
        located.text_indent = len(first) - len(first.lstrip(" "))

    def scalar(self, event: Any, place: Place) -> Any:
        text: str = event.value
        if event.style:  # quoted or a block; a plain scalar has None, or "" from the parser in C
            if strange := _STRANGE.search(text):  # which an escape may give
                code = ord(strange.group())
                raise _error(
                    place, f"found the character U+{code:04X}, which is not allowed in text"
                )
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.match(text):
            if len(text) > 20 or abs(int(text)) >= MAX_INTEGER:
                message = f"the integer {text[:24]}... does not fit 64 bits"
                raise _error(place, message, "quote it, if it is text")
            return int(text)
        if _FLOAT.match(text):
            number = float(text)
            if math.isinf(number):
                raise _error(
                    place, f"the number {text[:24]} is too large for a float", "write .inf"
                )
            return number
        return text

    def mapping(self, located: Located, depth: int) -> dict[str, Located]:
        values: dict[str, Located] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            place = self.place(event)
            key = self.key(event, place)
            if key in values:
                first = located.keys[key].line
                message = f"the key {key!r} occurs twice; first on line {first}"
                raise _error(place, message, "merge the two, or rename one")
            located.keys[key] = place
            values[key] = self.value(next(self.events), depth + 1)
        return values

    def key(self, event: Any, place: Place) -> str:
        key = self.value(event, MAX_DEPTH).value if isinstance(event, _LEAVES) else None
        if isinstance(key, bool | int | float):
            key = event.value
        if not isinstance(key, str):
            raise _error(place, "expected a key that is text, found another kind of value")
        if key == "<<" and not event.style:
            raise _error(place, "expected a key, found the merge key `<<`", "write the fields out")
        return key
