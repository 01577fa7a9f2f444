"""Which cases to run, and in which order: `-k` as in pytest, and what failed in the last run."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from gradspec.spec.model import Case

from ..judging.verdict import FAILED
from .journal_reading import JournalError, read_journal

FILE = "test_behaviors.py"
"""The file of the suite's items, which pytest's own -k compares with as well."""
_TOKEN = re.compile(r"\s*(?:([()])|([\w:+\-.\[\]\\/]+))")
Matches = Callable[[str], bool]


class NoExpression(ValueError):
    """A text is not an expression as pytest's -k takes it."""


def selected(cases: Iterable[Case], expressions: Sequence[str]) -> list[Case]:
    """The cases that match any of the expressions; all of them if there is no expression."""
    matchers = [matcher(expression) for expression in expressions if expression.strip()]
    if not matchers:
        return list(cases)
    return [case for case in cases if any(matches(case.id) for matches in matchers)]


def matcher(expression: str) -> Matches:
    """Whether an id matches `hooks and not threads`, as pytest understands it. A text that is no such
    expression, such as `sum[dim=0]`, matches the ids that contain it."""
    try:
        return _Parser(expression).parsed()
    except NoExpression:
        return _contains(expression.strip())


def _contains(text: str) -> Matches:
    wanted = text.lower()
    if wanted in FILE:
        return lambda name: True
    return lambda name: wanted in name.lower()


class _Parser:
    """Reads `or`, `and`, `not`, parentheses and names, by recursive descent."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        text, at = text.rstrip(), 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise NoExpression(text)
            self.tokens.append(found.group(1) or found.group(2))
            at = found.end()

    def parsed(self) -> Matches:
        """The whole expression. Raises `NoExpression`."""
        found = self.any_of()
        if self.tokens:
            raise NoExpression(self.tokens[0])
        return found

    def takes(self, token: str) -> bool:
        """Whether the next token is this one, which is then taken."""
        if self.tokens[:1] != [token]:
            return False
        del self.tokens[0]
        return True

    def any_of(self) -> Matches:
        parts = [self.all_of()]
        while self.takes("or"):
            parts.append(self.all_of())
        return lambda name: any(part(name) for part in parts)

    def all_of(self) -> Matches:
        parts = [self.one()]
        while self.takes("and"):
            parts.append(self.one())
        return lambda name: all(part(name) for part in parts)

    def one(self) -> Matches:
        if self.takes("not"):
            inner = self.one()
            return lambda name: not inner(name)
        if self.takes("("):
            found = self.any_of()
            if not self.takes(")"):
                raise NoExpression("expected )")
            return found
        if not self.tokens or self.tokens[0] in ("and", "or", ")"):
            raise NoExpression("expected a name")
        return _contains(self.tokens.pop(0))


def failed_before(whole: Path, part: Path) -> frozenset[str]:
    """The ids of the cases that failed in the last run: in the journal of the whole suite, brought up to
    date by a later run of a part of it. Raises `JournalError` if there is no journal to read."""
    if not whole.exists() and not part.exists():
        raise JournalError(
            f"there is no journal of an earlier run at {whole}; run the suite once, or name it "
            "with --journal"
        )
    paths = sorted(
        (path for path in (whole, part) if path.exists()), key=lambda path: path.stat().st_mtime_ns
    )
    if paths[-1] == whole:
        paths = [whole]
    found = {}
    for path in paths:
        found.update({verdict.case: verdict.verdict for verdict in read_journal(path).verdicts})
    return frozenset(
        name for name, verdict in found.items() if verdict in FAILED or verdict == "unexpected-pass"
    )


def failed_first(cases: Sequence[Case], failed: Collection[str]) -> list[Case]:
    """The cases in their order, those that failed before the others."""
    return sorted(cases, key=lambda case: case.id not in failed)


def joined(expressions: Sequence[str]) -> str:
    """Several expressions as one, which matches what any of them matches."""
    if len(expressions) == 1:
        return expressions[0]
    return " or ".join(f"({expression})" for expression in expressions if expression.strip())
