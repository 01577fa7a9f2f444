"""Tells the kind of a refusal or warning from an engine's exception."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .engine import ProgramError, Unsupported

REFUSED = "refused"
"""The kind of a refusal whose reason its message does not tell."""

# Exceptions by which an ordinary engine refuses. Any other type is a fault of the engine.
_REFUSALS = ("RuntimeError", "ValueError", "TypeError", "IndexError", "AttributeError", "ArithmeticError")
_FAULTS = ("RecursionError", "NotImplementedError", "UnboundLocalError", "NameError", "SystemError", "MemoryError")
_UNEXPECTED_KEYWORD = re.compile(r"unexpected keyword argument '?(\w+)")


@dataclass(frozen=True)
class Pattern:
    """One rule: an exception of this type (or any) whose message matches is of this kind."""

    kind: str
    message: re.Pattern[str] | None = None
    exception: str = ""

    def matches(self, names: Iterable[str], text: str) -> bool:
        if self.exception and self.exception not in names:
            return False
        return self.message is None or self.message.search(text) is not None


def pattern(kind: str, message: str = "", exception: str = "") -> Pattern:
    """A rule for an adapter's own table; `message` is a regular expression, case ignored."""
    return Pattern(kind, re.compile(message, re.IGNORECASE | re.DOTALL) if message else None, exception)


def patterns_of(kinds: Sequence[Mapping[str, Any]]) -> list[Pattern]:
    """The general rules, from the entries of spec/errors.yaml."""
    rules = []
    for kind in kinds:
        for exception in kind["exceptions"] or ("",):
            rules += [pattern(kind["name"], message, exception) for message in kind["patterns"] or ("",)]
    return rules


class Classifier:
    """Maps exceptions to kinds: an adapter's own rules first, then the general ones."""

    def __init__(self, own: Sequence[Pattern], general: Sequence[Pattern]) -> None:
        self.own = own
        self.general = general

    def kind(self, error: BaseException, members: frozenset[str] = frozenset()) -> str:
        """The kind of a refusal. Raises `Unsupported` when the engine merely lacks something.

        Returns "refused" for an ordinary refusal whose reason its message does not tell, and
        "broken" for an exception that no engine raises on purpose.
        """
        if isinstance(error, Unsupported):
            raise error
        if isinstance(error, ProgramError):
            return "user"
        names = [base.__name__ for base in type(error).__mro__]
        text = str(error)
        for rule in self.own:
            if rule.matches(names, text):
                return rule.kind
        missing = missing_member(error, members)
        if missing:
            raise Unsupported(missing)
        if any(name in names for name in _FAULTS):
            return "broken"
        exact = [rule for rule in self.general if rule.exception]
        if any(name in names for name in ("TypeError", "IndexError", "AttributeError")):
            return next((rule.kind for rule in exact if rule.matches(names, text)), "broken")
        for rule in self.general:
            if rule.matches(names, text):
                return rule.kind
        if any(name in names for name in _REFUSALS) or not _is_builtin(error):
            return REFUSED
        return "broken"

    def warning(self, category: type[Warning], text: str) -> str:
        """The kind of a warning, or its category's name if no rule knows it."""
        names = [base.__name__ for base in category.__mro__]
        for rule in (*self.own, *self.general):
            if rule.matches(names, text):
                return rule.kind
        return category.__name__


def _is_builtin(error: BaseException) -> bool:
    return type(error).__module__ == "builtins"


def missing_member(error: BaseException, members: frozenset[str]) -> str:
    """What the engine lacks, if the error says that it lacks a word of the program; else ""."""
    if isinstance(error, NotImplementedError):
        return str(error) or "NotImplementedError"
    if isinstance(error, AttributeError):
        name, owner = error.name, error.obj
        if name in members and owner is not None and not hasattr(owner, name):
            home = type(owner).__module__.split(".")[0]
            if home not in ("builtins", "numpy"):
                return f"{type(owner).__name__}.{name}"
    if isinstance(error, TypeError):
        found = _UNEXPECTED_KEYWORD.search(str(error))
        if found and found.group(1) in members:
            return f"the keyword {found.group(1)}"
    return ""
