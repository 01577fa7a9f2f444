"""Text from engines, journals and specifications, made safe to store and to show.

Such text may contain anything: terminal escape sequences, characters that reverse the reading
direction, lone surrogates that cannot be encoded. It is escaped here, in one place.
"""

from __future__ import annotations

import json
import re
import shlex
from typing import Any

from gradspec.spec.values import Plain, show


class Heading(str):
    """A line that terminals show in bold."""

    __slots__ = ()


DEEPEST = 60
"""How deep lists within lists may go in a value that is stored; a deeper one is stored as text."""
LARGEST_INTEGER = 10**300
"""Larger integers do not fit a float, and some JSON readers fail on them; they are stored as text."""

_CONTROLS = re.compile(r"[^\n -~]")


def printable(text: object) -> str:
    """A text of any kind as a terminal, a file or a page can show it: line breaks and tabs stay, and
    whatever else cannot be printed (escape sequences, bidirectional overrides, lone surrogates) is
    written as an escape such as \\x1b."""
    text = str(text)
    if text.replace("\n", "").isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _escape(c) for c in text)


def one_line(text: object) -> str:
    """As `printable`, with line breaks and tabs escaped too: for names, paths and ids."""
    text = str(text)
    return (
        text if text.isprintable() else "".join(c if c.isprintable() else _escape(c) for c in text)
    )


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode()


def encodable(text: str) -> str:
    """A text in which lone surrogates, which UTF-8 cannot hold, are written as escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def storable(value: Plain, depth: int = 0) -> Plain:
    """A plain value in a form that JSON and other transports can represent. Anything else, and what is
    nested too deeply or too large, becomes text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return encodable(str.__str__(value))  # an engine's own subclass of str becomes a str
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, int) and abs(int.__int__(value)) <= LARGEST_INTEGER:
        return int.__int__(value)
    if depth < DEEPEST and isinstance(value, list | tuple):
        return [storable(item, depth + 1) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        if depth < DEEPEST or (value.keys() == {"object"} and isinstance(value["object"], str)):
            return {encodable(key): storable(item, depth + 1) for key, item in value.items()}
    return {"object": encodable(show(value))}


def json_text(value: Any, **options: Any) -> str:
    """A value as JSON in which no character needs care: text stays readable, and whatever cannot be
    printed is written as \\uXXXX."""
    text = json.dumps(value, ensure_ascii=False, **options)
    if text.replace("\n", "").isprintable():
        return text
    return _CONTROLS.sub(_escaped_in_json, text)


def _escaped_in_json(found: re.Match[str]) -> str:
    character = found.group()
    return character if character.isprintable() else json.dumps(character)[1:-1]


def engine_argument(
    impl: str, device: str = "cpu", imported: str | None = None, python: str | None = None
) -> str:
    """What follows `--impl=` in a command that is about the same engine on the same device."""
    words = [shlex.quote(impl)]
    words += [f"--device={shlex.quote(device)}"] if device != "cpu" else []
    words += [f"--import={shlex.quote(imported)}"] if imported else []
    words += [f"--python={shlex.quote(python)}"] if python else []
    return " ".join(words)
