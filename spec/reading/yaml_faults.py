"""Explains in plain words why text is not valid YAML.

A parser reports where it had to stop, in its own terms, which is often a line after the mistake.
This module looks at the lines around that place instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import yaml

TABS = "indent with spaces; YAML allows no tabs"
QUOTES = "put the whole text in quotes"
_HEADER = re.compile(r"(^|.*[:-] +)[|>][-+0-9]*\s*(#.*)?")
_KEY = re.compile(r"(?:- +)*([^\s:#'\"\[{][^:#]*?|'[^']*'|\"[^\"]*\"):(?=\s|$)")
_BRACKET = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|(?<!\S)#.*|[\[\]{}]")
_OPENED = re.compile(r"(?:^\s*|[:-]\s+)([\"'\[{*&!])")


@dataclass(frozen=True)
class Found:
    """What is wrong, where (line and column from 1), and what to do."""

    line: int
    column: int
    message: str
    hint: str = ""


@dataclass(frozen=True)
class Line:
    """A line that gives the file its structure: no comment, and not within a block of text.

    `text` is the block of text that ends right above it, if one does.
    """

    number: int
    indent: int
    words: str
    text: Block | None = None


@dataclass(frozen=True)
class Block:
    """A block of text below a `|`: its first line, and how far that is indented."""

    number: int
    indent: int


@dataclass(frozen=True)
class Stop:
    """Where the parser stopped, why, and what it was reading since where."""

    lines: list[str]
    line: int
    column: int
    problem: str
    context: str
    start: tuple[int, int]

    @property
    def words(self) -> str:
        return self.at(self.line)

    def at(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def structure(self, last: int) -> list[Line]:
        return list(_structure(self.lines[:last]))


def explain(error: yaml.MarkedYAMLError, text: str) -> Found:
    """What an error of the parser comes from."""
    mark = error.problem_mark or error.context_mark
    begun = error.context_mark or mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    start = (begun.line + 1, begun.column + 1) if begun else (line, column)
    problem, context = str(error.problem or error.context), str(error.context or "")
    stop = Stop(text.splitlines(), line, column, problem, context, start)
    for rule in RULES:
        found = rule(stop)
        if found is not None:
            return found
    return Found(line, column, problem)


def _structure(lines: list[str]) -> Iterator[Line]:
    header = -1  # how far the line above is indented, if a block of text begins below it
    block: Block | None = None
    for number, line in enumerate(lines, start=1):
        words = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if not words:
            continue
        if block is None and header >= 0 and indent > header:
            block = Block(number, indent)
        if block is not None and indent >= block.indent:
            continue
        if words.startswith("#"):
            continue
        yield Line(number, indent, words, block)
        block = None
        header = indent if _HEADER.fullmatch(line) else -1


def _tab(stop: Stop) -> Found | None:
    for number in (stop.line, stop.line - 1, stop.line + 1):
        found = re.match(r" *\t", stop.at(number))
        if found:
            return Found(number, found.end(), "found a tab in the indentation", TABS)
    if "\\t" in stop.problem:
        return Found(stop.line, stop.column, "expected a space, found a tab", TABS)
    return None


def _open_quote(stop: Stop) -> Found | None:
    if "quoted scalar" not in stop.context:
        return None
    if "end of" not in stop.problem and "separator" not in stop.problem:
        message = "the escape in this quoted text is unknown, or is not a character"
        return Found(
            stop.line, stop.column, message, "write the character itself, or use 'single quotes'"
        )
    line, column = stop.start
    return Found(line, column, "the quote that opens here is never closed", "close it")


def _open_bracket(stop: Stop) -> Found | None:
    if "flow" not in stop.context:
        return None
    line, column = _unclosed(stop)
    opened = stop.at(line)[column - 1 : column]
    closing = {"[": "]", "{": "}"}.get(opened, opened)
    message = (
        f"expected `,` or `{closing}` at {stop.line}:{stop.column}, "
        f"because of the `{opened}` that opens here"
    )
    return Found(line, column, message, f"close it with `{closing}`, or {QUOTES}")


def _unclosed(stop: Stop) -> tuple[int, int]:
    """Where the innermost bracket opens in which the parser stopped, or where its context began."""
    opened: list[tuple[int, int]] = []
    for number, line in enumerate(stop.lines[: stop.line], start=1):
        end = stop.column - 1 if number == stop.line else len(line)
        for found in _BRACKET.finditer(line[:end]):
            if found[0] in "[{" and _begins_a_value(line, found.start(), bool(opened)):
                opened.append((number, found.start() + 1))
            elif found[0] in "]}" and opened:
                opened.pop()
    return opened[-1] if opened else stop.start


def _begins_a_value(line: str, at: int, within: bool) -> bool:
    """Whether a bracket begins a value: elsewhere it is a character of a text."""
    before = line[:at].rstrip()
    return not before or before.endswith((":", "-", "[", "{") + ((",",) if within else ()))


def _first_character(stop: Stop) -> Found | None:
    if "cannot start any token" not in stop.problem:
        return None
    character = stop.words[stop.column - 1 : stop.column]
    return Found(stop.line, stop.column, f"text cannot begin with {character!r}", QUOTES)


def _after_bar(stop: Stop) -> Found | None:
    if "block scalar" not in stop.context:
        return None
    message = "found something after the `|` or `>` that begins a block of text"
    return Found(stop.line, stop.column, message, "begin the text on the next line, indented")


def _dash_without_space(stop: Stop) -> Found | None:
    for number in (stop.line - 1, stop.line):
        found = re.match(r"\s*-(?=[A-Za-z])", stop.at(number))
        if found and "mapping values" in stop.problem:
            return Found(number, found.end(), "expected a space after the `-`", "write `- id: ...`")
    return None


def _second_colon(stop: Stop) -> Found | None:
    """A colon where a key is not possible: in the middle of a text, or in a line indented too far."""
    if "mapping values" not in stop.problem:
        return None
    word = stop.words[: stop.column - 1].strip()
    above = [line for line in stop.structure(stop.line - 1) if _KEY.match(line.words)]
    if re.fullmatch(r"[\w-]+", word) and above:
        indent = len(stop.words) - len(stop.words.lstrip(" "))
        message = f"`{word}:` is indented by {_spaces(indent)}, so it continues the text above it"
        hint = f"indent it like {_example(above[-1])}; if it is text, {QUOTES}"
        return Found(stop.line, indent + 1, message, hint)
    message = "found a colon followed by a space in text without quotes"
    return Found(stop.line, stop.column, message, QUOTES)


def _no_key(stop: Stop) -> Found | None:
    """A line that is not `key: value`."""
    if "simple key" not in stop.context:
        return None
    number, column = stop.start
    *above, line = stop.structure(number) or [Line(number, column - 1, stop.at(number).strip())]
    if line.text is not None:
        return _outside(line, line.text)
    joined = re.match(r"([\w-]+):(\S.*)", line.words)
    if joined:
        message = f"expected a space after the colon of `{joined[1]}:`"
        return Found(
            number, column + len(joined[1]), message, f"write `{joined[1]}: {joined[2][:60]}`"
        )
    parent = next((each for each in reversed(above) if each.indent < line.indent), None)
    hint = "write a colon and a space between key and value"
    if parent is not None and parent.words.endswith(":"):
        hint = f"a program goes below a `|`: write `{parent.words.removeprefix('- ')} |`"
    return Found(number, column, f"expected `key: value`, found {line.words[:60]!r}", hint)


def _outside(line: Line, text: Block) -> Found:
    message = (
        f"this line is indented by {_spaces(line.indent)}, and the text that begins "
        f"on line {text.number} by {text.indent}, so it is not part of that text"
    )
    hint = f"indent every line of a text at least like its first, by {_spaces(text.indent)}"
    return Found(line.number, line.indent + 1, message, hint)


def _more_after_value(stop: Stop) -> Found | None:
    if "block" not in stop.context or not stop.words[: stop.column - 1].strip():
        return None
    opened = _OPENED.search(stop.words[: stop.column - 1])
    if opened is None:
        return None
    message = f"found more after the end of the value that begins with `{opened[1]}`"
    hint = f"{QUOTES} of the other kind" if opened[1] in "\"'" else QUOTES
    return Found(stop.line, stop.column, message, hint)


def _indentation(stop: Stop) -> Found | None:
    """A line whose indentation fits none above it."""
    if "block" not in stop.context:
        return None
    *above, line = stop.structure(stop.line) or [Line(stop.line, stop.column - 1, "")]
    if line.number != stop.line:
        return None
    if line.text is not None and not _KEY.match(line.words):
        return _outside(line, line.text)
    dashed = line.words.startswith("- ")
    alike = [each for each in above if each.words.startswith("- ") is dashed]
    if not alike:
        return None
    fitting = min(reversed(alike), key=lambda each: abs(each.indent - line.indent))
    message = f"the indentation of {_spaces(line.indent)} does not fit the lines above"
    hint = f"indent it like {_example(fitting, dashed)}"
    return Found(line.number, line.indent + 1, message, hint)


def _example(line: Line, dashed: bool = False) -> str:
    """A line as something to go by: its dash, or the key that follows it."""
    key = _KEY.match(line.words)
    named = key[0] if key else line.words[:20]
    indent = line.indent
    if key and not dashed:
        named = f"{key[1]}:"
        indent += key.start(1)
    return f"`{named}` on line {line.number}, by {_spaces(indent)}"


def _spaces(count: int) -> str:
    return f"{count} space{'' if count == 1 else 's'}"


RULES: tuple[Callable[[Stop], Found | None], ...] = (
    _tab, _open_quote, _open_bracket, _first_character, _after_bar, _dash_without_space,
    _second_colon, _no_key, _more_after_value, _indentation,
)  # fmt: skip
