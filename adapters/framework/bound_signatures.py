"""What an engine built with pybind11 or nanobind says of arguments that fit no signature.

Both raise a TypeError that lists the signatures and what was passed. A keyword that none of them
has, or more arguments than any takes, is missing from the engine, and so is an argument of a type that
none of them names, unless an error is expected. What a signature does name is left to be judged.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_REPORT = re.compile(
    r"(\w+)\(\): incompatible (?:function|constructor) arguments\. The following argument types "
    r"are supported:\n(.*?)\n\nInvoked with(?: types)?:(.*)",
    re.DOTALL,
)
_SIGNATURE = re.compile(r"^ *\d+\. [\w.]*(\(.*)$", re.MULTILINE)
_NANOBIND_KEYWORDS = re.compile(r",? *kwargs = \{(.*)\}\s*$", re.DOTALL)
_NAME = re.compile(r"\*{0,2}(\w+)")
_ANNOTATION = re.compile(r"\w+: *([^=]+)")
_TAKEN_AS: dict[type, frozenset[str]] = {
    bool: frozenset({"bool", "int", "float", "complex"}), int: frozenset({"int", "float", "complex"}),
    float: frozenset({"float", "complex"}), complex: frozenset({"complex"}), str: frozenset({"str"}),
    list: frozenset({"list", "tuple", "Sequence", "Iterable"}),
    tuple: frozenset({"list", "tuple", "Sequence", "Iterable"}),
}  # fmt: skip
"""The names of types that take a Python value."""
_OF_PYTHON = frozenset({"Optional", "None"}).union(*_TAKEN_AS.values())
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Signature:
    """The parameters that one overload takes."""

    names: frozenset[str]
    places: int
    """How many arguments it takes by position."""
    needed: int
    """How many of its parameters have no default."""
    types: tuple[frozenset[str], ...]
    """What each of them is annotated with, as the names in it."""
    by_name: Mapping[str, frozenset[str]]
    """The same for all parameters, by their names."""
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


def missing_type(message: str, asked: frozenset[str]) -> str:
    """The function of the program that by its signatures takes no argument of a type that was passed; ""
    where there is none, or the message is another."""
    function, signatures, positional, keywords = _read(message)
    if function not in asked | {"__init__"} or not signatures:
        return ""
    if all(
        any(map(_is_other, each.types, positional))
        or any(
            _is_other(each.by_name.get(name, frozenset()), value)
            for name, value in keywords.items()
        )
        for each in signatures
    ):
        return f"{function} of arguments of other types"
    return ""


def _is_other(annotation: frozenset[str], passed: str) -> bool:
    """Whether an argument, as it was printed, is of none of the types of an annotation. What is no Python
    value is an object of the engine, or its type, as nanobind prints."""
    kinds = {kind.__name__: kind for kind in _TAKEN_AS}
    try:
        kind = kinds[passed] if passed in kinds else type(ast.literal_eval(passed))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return bool(annotation) and annotation <= _OF_PYTHON
    known = _TAKEN_AS.get(kind)  # None may be what the engine itself returned
    return bool(annotation) and known is not None and not annotation & (known | {"Any", "object"})


def _read(message: str) -> tuple[str, list[Signature], list[str], dict[str, str]]:
    """The function, its signatures, and what was passed by position and by keyword; no signatures where the
    message is another."""
    report = _REPORT.search(message)
    if report is None:
        return "", [], [], {}
    function, listed, passed = report.groups()
    return function, [_signature(line) for line in _SIGNATURE.findall(listed)], *_passed(passed)


def _signature(text: str) -> Signature:
    parameters = list(_parts(text[1 : _end(text)]))
    names = [match.group(1) for part in parameters if (match := _NAME.match(part))]
    starred = [number for number, part in enumerate(parameters) if part.startswith("*")]
    places = parameters[: starred[0]] if starred else parameters
    needed = [
        part for part in parameters if part not in ("/", "*") and part[0] != "*" and "=" not in part
    ]
    return Signature(
        frozenset(names),
        len([part for part in places if part != "/"]),
        len(needed),
        tuple(frozenset(_names_in(part)) for part in places if part != "/"),
        {
            match.group(1): frozenset(_names_in(part))
            for part in parameters
            if (match := _NAME.match(part))
        },
        any(part.startswith("**") for part in parameters),
        any(re.match(r"\*\w", part) for part in parameters),
    )


def _names_in(parameter: str) -> list[str]:
    annotation = _ANNOTATION.match(parameter)
    return re.findall(r"[^\W\d]\w*(?![\w.])", annotation.group(1)) if annotation else []


def _passed(text: str) -> tuple[list[str], dict[str, str]]:
    """The positional arguments, and the keywords with what was passed for them."""
    nanobind = _NANOBIND_KEYWORDS.search(text)
    if nanobind:
        return list(_parts(text[: nanobind.start()])), _pairs(nanobind.group(1), ":")
    positional, _, keywords = text.partition("; kwargs: ")
    return list(_parts(positional)), _pairs(keywords, "=")


def _pairs(text: str, mark: str) -> dict[str, str]:
    pairs = (part.partition(mark) for part in _parts(text))
    return {name.strip(): value.strip() for name, _, value in pairs}


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
