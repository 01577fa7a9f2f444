"""What an engine built with pybind11 or nanobind says of arguments that fit no signature.

Both raise a TypeError that lists the signatures and what was passed. A keyword that none of them
has, or more arguments than any takes, is missing from the engine. Any other mismatch is left to be
judged: an argument of the wrong type may well be the engine's own result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_REPORT = re.compile(
    r"(\w+)\(\): incompatible (?:function|constructor) arguments\. The following argument types "
    r"are supported:\n(.*?)\n\nInvoked with(?: types)?:(.*)",
    re.DOTALL,
)
_SIGNATURE = re.compile(r"^ *\d+\. \w*(\(.*)$", re.MULTILINE)
_NANOBIND_KEYWORDS = re.compile(r",? *kwargs = \{(.*)\}\s*$", re.DOTALL)
_NAME = re.compile(r"\*{0,2}(\w+)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Signature:
    """The parameters that one overload takes."""

    names: frozenset[str]
    places: int
    """How many arguments it takes by position."""
    needed: int
    """How many of its parameters have no default."""
    any_keyword: bool
    any_number: bool


def too_few(message: str) -> str:
    """The number of arguments, if every signature needs more; "" otherwise, or if the message is another.
    Where a tensor prints brackets that do not close, the arguments cannot be counted."""
    function, signatures, positional, keywords = _read(message)
    given = len(positional) + len(keywords)
    closed = all(each.count("(") == each.count(")") for each in positional)
    if signatures and closed and all(given < each.needed for each in signatures):
        return f"{given} arguments of {function}"
    return ""


def missing_parameter(message: str, asked: frozenset[str]) -> str:
    """The keyword or the number of arguments that no signature takes; "" where there is none, or the
    message is another. Only keywords in `asked`, the words of the program, count."""
    function, signatures, positional, keywords = _read(message)
    if not signatures:
        return ""
    for name in keywords:
        known = any(name in each.names or each.any_keyword for each in signatures)
        if name in asked and not known:
            return f"the keyword {name} of {function}"
    if all(len(positional) > each.places and not each.any_number for each in signatures):
        return f"{len(positional)} arguments of {function}"
    return ""


def _read(message: str) -> tuple[str, list[Signature], list[str], list[str]]:
    """The function, its signatures, and what was passed by position and by keyword; no signatures where the
    message is another."""
    report = _REPORT.search(message)
    if report is None:
        return "", [], [], []
    function, listed, passed = report.groups()
    return function, [_signature(line) for line in _SIGNATURE.findall(listed)], *_passed(passed)


def _signature(text: str) -> Signature:
    parameters = list(_parts(text[1 : _end(text)]))
    names = [match.group(1) for part in parameters if (match := _NAME.match(part))]
    starred = [number for number, part in enumerate(parameters) if part.startswith("*")]
    places = parameters[: starred[0]] if starred else parameters
    needed = [part for part in parameters if part not in ("/", "*") and part[0] != "*" and "=" not in part]
    return Signature(
        frozenset(names),
        len([part for part in places if part != "/"]),
        len(needed),
        any(part.startswith("**") for part in parameters),
        any(re.match(r"\*\w", part) for part in parameters),
    )


def _passed(text: str) -> tuple[list[str], list[str]]:
    """The positional arguments, and the names of the keywords."""
    nanobind = _NANOBIND_KEYWORDS.search(text)
    if nanobind:
        return list(_parts(text[: nanobind.start()])), _names(nanobind.group(1), ":")
    positional, _, keywords = text.partition("; kwargs: ")
    return list(_parts(positional)), _names(keywords, "=")


def _names(text: str, mark: str) -> list[str]:
    return [part.partition(mark)[0].strip() for part in _parts(text)]


def _end(text: str) -> int:
    """Where the bracket that opens a text closes."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character in _CLOSING) - (character in _CLOSING.values())
        if depth == 0:
            return at
    return len(text)


def _parts(text: str) -> Iterator[str]:
    """The parts of a list, separated by the commas that stand in no brackets and no quotes."""
    depth, quote, begun = 0, "", 0
    for at, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character in _CLOSING) - (character in _CLOSING.values())
            if character == "," and depth == 0:
                yield text[begun:at].strip()
                begun = at + 1
    if text[begun:].strip():
        yield text[begun:].strip()
