"""Reads the YAML that specifications are written in: a small, safe and strict part of YAML.

Every value keeps its place, so that each later complaint can name file, line and column. Aliases,
tags, duplicate keys, tabs and anything that is not UTF-8 are refused; scalars follow YAML 1.2
(`yes` and `on` are strings).
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import yaml

from .problems import Place, Problem, SpecError

try:
    from yaml import CLoader as _Loader
except ImportError:  # libyaml is missing: slower, same result
    from yaml import Loader as _Loader  # type: ignore[assignment]

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 60
MAX_LINE = 4000
MAX_INTEGER = 2**63

_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_CONSTANTS: dict[str, Any] = {
    "true": True, "True": True, "false": False, "False": False,
    "null": None, "~": None, "": None,
    ".inf": math.inf, "-.inf": -math.inf, ".nan": math.nan,
}  # fmt: skip


class Located:
    """A YAML value with its place.

    `value` is None, bool, int, float or str for a scalar, a list of `Located` for a sequence, and
    a dict from str to `Located` for a mapping, whose keys' own places are in `keys`.
    `text_line` is the line on which the text of a block scalar starts.
    """

    __slots__ = ("keys", "place", "text_indent", "text_line", "value")

    def __init__(self, value: Any, place: Place) -> None:
        self.value = value
        self.place = place
        self.keys: dict[str, Place] = {}
        self.text_line = place.line
        self.text_indent = 0


def read_yaml(path: Path, name: str | None = None) -> Located:
    """Read one file.

    Raises `SpecError` with the place of the fault when the file is missing, too large, not UTF-8,
    not YAML, or uses a part of YAML that specifications may not use.
    """
    shown = name or str(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise _error(Place(shown, 1, 1), f"the file cannot be read: {error.strerror}") from error
    return read_yaml_text(raw, shown)


def read_yaml_text(raw: bytes, shown: str) -> Located:
    """Read the bytes of one file, called `shown` in every complaint."""
    if len(raw) > MAX_BYTES:
        raise _error(Place(shown, 1, 1), f"the file has {len(raw)} bytes; {MAX_BYTES} are allowed")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise _error(
            Place(shown, line, column), "expected UTF-8 text, found a byte that is not", "save the file as UTF-8"
        ) from error
    _refuse_hostile_shapes(text, shown)
    try:
        node = _Loader(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(shown, mark.line + 1, mark.column + 1) if mark else Place(shown, 1, 1)
        message = f"this is not YAML: {error.problem or error.context}"
        hint = "indent with spaces; YAML allows no tabs" if _tab_near(text, place.line) else ""
        raise _error(place, message, hint) from error
    except yaml.YAMLError as error:
        line = text[: getattr(error, "position", 0) or 0].count("\n") + 1
        raise _error(Place(shown, line, 1), f"this is not YAML: {error}") from error
    except RecursionError as error:
        raise _error(Place(shown, 1, 1), "values are nested too deeply to read") from error
    if node is None:
        raise _error(Place(shown, 1, 1), "the file is empty")
    return _Constructor(shown, text).construct(node, 0)


def _error(place: Place, message: str, hint: str = "") -> SpecError:
    return SpecError([Problem(place, message, hint)])


def _tab_near(text: str, line: int) -> bool:
    lines = text.splitlines()
    return any("\t" in part for part in lines[max(0, line - 2) : line + 1])


def _refuse_hostile_shapes(text: str, shown: str) -> None:
    """Refuse what could exhaust the parser itself, before the parser sees it."""
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > MAX_LINE:
            raise _error(
                Place(shown, number, MAX_LINE), f"the line has {len(line)} characters; {MAX_LINE} are allowed"
            )
        if line.count("- ") > MAX_DEPTH and line.lstrip().startswith("- - "):
            raise _error(Place(shown, number, 1), "lists are nested too deeply")
        depth += line.count("[") + line.count("{") - line.count("]") - line.count("}")
        if depth > 4 * MAX_DEPTH:
            raise _error(Place(shown, number, 1), "brackets are nested too deeply, or never closed")


class _Constructor:
    """Turns the parser's nodes into `Located` values."""

    def __init__(self, shown: str, text: str) -> None:
        self.shown = shown
        self.lines = text.splitlines()
        self.seen: set[int] = set()

    def place(self, node: yaml.Node) -> Place:
        return Place(self.shown, node.start_mark.line + 1, node.start_mark.column + 1)

    def construct(self, node: yaml.Node, depth: int) -> Located:
        place = self.place(node)
        if id(node) in self.seen:
            raise _error(place, "expected a value, found an alias (`*name`)", "write the value out")
        self.seen.add(id(node))
        if depth > MAX_DEPTH:
            raise _error(place, f"values are nested more than {MAX_DEPTH} deep")
        located = Located(None, place)
        if isinstance(node, yaml.ScalarNode):
            located.value = self.scalar(node, place)
            if node.style in ("|", ">"):
                self.block_text(node, located)
        elif isinstance(node, yaml.SequenceNode):
            self.refuse_tag(node, "tag:yaml.org,2002:seq", place)
            located.value = [self.construct(item, depth + 1) for item in node.value]
        elif isinstance(node, yaml.MappingNode):
            self.refuse_tag(node, "tag:yaml.org,2002:map", place)
            located.value = self.mapping(node, located, depth)
        return located

    def refuse_tag(self, node: yaml.Node, plain: str, place: Place) -> None:
        if node.tag != plain:
            raise _error(place, f"expected a plain value, found the tag {node.tag!r}", "remove the tag")

    def block_text(self, node: yaml.ScalarNode, located: Located) -> None:
        """Find where the text of a block scalar starts, past comments after its indicator."""
        located.text_line = located.place.line + 1
        for number in range(located.place.line, len(self.lines)):
            line = self.lines[number]
            if line.strip():
                located.text_indent = len(line) - len(line.lstrip(" "))
                break
            if not node.value.startswith("\n"):
                located.text_line += 1

    def scalar(self, node: yaml.ScalarNode, place: Place) -> Any:
        text: str = node.value
        if node.style:  # a plain scalar has None, or "" from the parser in C
            if not node.tag.startswith("tag:yaml.org,2002:str"):
                raise _error(place, f"expected a plain value, found the tag {node.tag!r}", "remove the tag")
            return text
        if not node.tag.startswith("tag:yaml.org,2002:"):
            raise _error(place, f"expected a plain value, found the tag {node.tag!r}", "remove the tag")
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.match(text):
            if len(text) > 20 or abs(int(text)) >= MAX_INTEGER:
                raise _error(place, f"the integer {text[:24]}... does not fit 64 bits", "quote it, if it is text")
            return int(text)
        if _FLOAT.match(text):
            return float(text)
        return text

    def mapping(self, node: yaml.MappingNode, located: Located, depth: int) -> dict[str, Located]:
        values: dict[str, Located] = {}
        for key_node, value_node in node.value:
            place = self.place(key_node)
            key = self.scalar(key_node, place) if isinstance(key_node, yaml.ScalarNode) else None
            if isinstance(key, bool | int | float):
                key = key_node.value
            if not isinstance(key, str):
                raise _error(place, "expected a key that is text, found another kind of value")
            if key in values:
                first = located.keys[key].line
                raise _error(place, f"the key {key!r} stands twice; first on line {first}", "merge the two, or rename one")
            located.keys[key] = place
            values[key] = self.construct(value_node, depth + 1)
        return values
