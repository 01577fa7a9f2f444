"""Groups the failures of a run by their likely causes, so that an author fixes one bug instead of
forty cases: the same exception at the same line of the engine, the same error that is not raised,
the same pattern of wrong values at the same attribute."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gradspec.adapters.framework.engine import UNTRACKED
from gradspec.spec.model import Case, Spec
from gradspec.spec.reading.forms import collector_paused
from gradspec.spec.values import Plain, number_of

from ..judging.compare import nested_shape
from ..judging.verdict import FAILED, Verdict
from ..running.runner import blame
from ..text import printable

Key = tuple[str, ...]
_NUMBERS = re.compile(r"0x[0-9a-f]+|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_RUNS = re.compile(r"N(?:[\s,x]+N)*,?")
_FACTORS = ((-1.0, "of the opposite sign"), (2.0, "twice as large"), (0.5, "half as large"))
_ZERO = "zero instead of another value"
OF_NUMBERS = frozenset({_ZERO, *(told for _, told in _FACTORS)})
"""Patterns of wrong numbers in a value of the right form."""
# What reading a value of the wrong form may raise, or one beyond all floats.
_GARBAGE = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
_DERIVATIVES = ("vjp(", "jvp(", "autograd.grad(")
_NO_TENSOR = re.compile(r"'[\w.]+' object has no attribute")
_ITEM = re.compile(r"item (\d+): ")
LONGEST_TITLE = 150
LONGEST_READING = 40


@dataclass
class Cause:
    """Failures with the same likely cause. `follow` are cases whose prerequisite fails here."""

    title: str
    """Where messages differ, what they have in common."""
    cases: list[Verdict] = field(default_factory=list)
    follow: list[Verdict] = field(default_factory=list)

    @property
    def example(self) -> Verdict:
        """The first case in the order of the chapters, preferring MUST."""
        return next((verdict for verdict in self.cases if verdict.must), self.cases[0])

    @property
    def must(self) -> int:
        """How many cases of the main score it affects."""
        return sum(verdict.must for verdict in (*self.cases, *self.follow))

    @property
    def behaviors(self) -> list[str]:
        """The behaviors that fail because of it, in order."""
        return list(dict.fromkeys(verdict.case.split("/")[0] for verdict in self.cases))

    def count(self) -> str:
        """How many cases, in words."""
        one, follow = len(self.cases) == 1, len(self.follow)
        more = (
            f", and {follow} that depend{'s' * (follow == 1)} on {'it' if one else 'them'}"
            if follow
            else ""
        )
        return f"{len(self.cases)} case{'s' * (not one)}{more}"


def causes_of(
    verdicts: Iterable[Verdict], spec: Spec, known: Mapping[str, Case] | None = None
) -> list[Cause]:
    """Every failure in exactly one cause, largest first: by the number of MUST cases affected, then
    by the number of all cases. `known` are the cases of the specification by their ids, where the caller
    has them already."""
    known = known or {case.id: case for case in spec.cases}
    found = [verdict for verdict in verdicts if verdict.verdict in FAILED and verdict.case in known]
    failing = {verdict.case for verdict in found}
    place = {name: index for index, name in enumerate(known) if name in failing}
    found.sort(key=lambda v: place[v.case])
    blame(found, spec)
    roots = {verdict.case: root_of(verdict, known[verdict.case]) for verdict in found}
    attribute_setup(found, {case: key for case, (key, _) in roots.items()}, known)
    causes: dict[Key, Cause] = {}
    titles: dict[Key, dict[str, None]] = {}
    home: dict[str, Cause] = {}
    for verdict in sorted(found, key=lambda v: bool(v.blamed_on)):
        key, title = roots[verdict.case]
        culprit = home.get(verdict.blamed_on.split(", ")[0])
        if (
            culprit is not None
            and culprit is causes.get(key, culprit)
            and (key not in causes or verdict.setup)
        ):  # a cause of its own would say more
            culprit.follow.append(verdict)
            continue
        titles.setdefault(key, {})[printable(" ".join(title.split()))] = None
        cause = causes.setdefault(key, Cause(""))
        cause.cases.append(verdict)
        home.setdefault(verdict.case.split("/")[0], cause)
    for key, cause in causes.items():
        cause.cases.sort(key=lambda v: place[v.case])
        if key[0] == "unexpected-error":
            title = in_common(list(titles[key]))
        else:
            title = printable(" ".join(roots[cause.example.case][1].split()))
        cause.title = shortened(title)
    return sorted(
        causes.values(), key=lambda cause: (-cause.must, -len(cause.cases) - len(cause.follow))
    )


def attribute_setup(
    found: Sequence[Verdict], keys: Mapping[str, Key], known: Mapping[str, Case]
) -> None:
    """Attribute what broke before a case's own subject to the behavior that owns it: one that fails of the
    same cause at an assertion, if there is one, in the shortest program."""
    groups: dict[Key, list[Verdict]] = {}
    for verdict in found:
        groups.setdefault(keys[verdict.case], []).append(verdict)
    for group in groups.values():
        owner = min(group, key=lambda v: (v.setup, known[v.case].text.count("\n")))
        behavior = known[owner.case].behavior.id
        for verdict in group:
            if verdict.setup and not owner.setup and known[verdict.case].behavior.id != behavior:
                verdict.blamed_on = behavior


def in_common(titles: Sequence[str]) -> str:
    """One title for several: the words that all begin and end with, and dots for the rest."""
    words = [title.split() for title in titles]
    start = shared(words)
    end = shared([list(reversed(title[start:])) for title in words])
    if len(titles) == 1:
        return titles[0]
    return " ".join([*words[0][:start], "...", *words[0][len(words[0]) - end :]])


def shared(lists: Sequence[Sequence[str]]) -> int:
    """With how many items all of these lists begin."""
    together = zip(*lists, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda items: len(set(items)) == 1, together))


def root_of(verdict: Verdict, case: Case) -> tuple[Key, str]:
    """The key that failures of one cause share, and the cause's title."""
    kind = verdict.kind
    if verdict.verdict == "flaky":
        rest = verdict.message.partition("): ")[2]
        return ("flaky", case.behavior.id), f"changes from run to run: {rest or verdict.rounds}"
    if verdict.verdict in ("crash", "timeout"):
        what = {"crash": "crashes", "timeout": "does not end"}[verdict.verdict]
        return (verdict.verdict, kind, gist(verdict.message)), f"{what}: {verdict.message}"
    if kind == "unexpected-error":
        end = verdict.observed["ended"] if isinstance(verdict.observed, dict) else {}
        name, text = str(end.get("type", "")), str(end.get("message", ""))
        where = verdict.where
        if name == "RecursionError":  # the line is wherever the stack happened to be full
            where = where.rpartition(":")[0]
        title = f"{where + ' ' if where else ''}raises {name}: {text}"
        stranger = _NO_TENSOR.match(text)  # one cause, whichever attribute a program asks for first
        return (kind, name, where or (stranger.group() if stranger else gist(text))), title
    if kind == "did-not-raise":
        wanted = re.sub(r"^expected an? (?:error|refusal) \((.*)\), but .*", r"\1", verdict.message)
        return (kind, wanted), f"does not raise: {wanted}"
    if kind == "wrong-error":
        sorts = re.sub(r" \(.*", "", verdict.message, flags=re.DOTALL)
        return (kind, sorts), f"raises another error: {sorts}"
    if kind == "wrong-warning":
        wanted, _, found = verdict.message.partition(", found ")
        wanted = wanted.removeprefix("expected a warning of kind ")
        what = "does not warn" if found == "none" else "gives another warning"
        return (kind, wanted, what), f"{what}: {wanted}"
    what = reading(verdict, case)
    brief = what and len(what) <= LONGEST_READING and not what.startswith(_DERIVATIVES)
    try:
        place, expected, observed = part_that_differs(verdict)
        pattern = pattern_of(expected, observed)
    except _GARBAGE:
        pattern = ""
    if pattern == _ZERO and what and verdict.message.endswith(UNTRACKED):
        called = what if brief else call_of(what)
        return (kind, UNTRACKED, called), f"`{called}`: {UNTRACKED}"
    if pattern and what:
        # Of a long expression the call alone is told. What is wrong in form has one root wherever it
        # is; wrong numbers of two functions rarely have.
        called = what if brief else call_of(what)
        title = f"`{called}{place}` is {pattern}"
        if not brief and pattern in OF_NUMBERS:
            return (kind, called, pattern, case.behavior.id), f"{case.behavior.id}: {title}"
        return (kind, called, pattern, place), title
    told = verdict.message.partition("; the whole is ")[0]
    subject = f"`{what}`" if brief else case.behavior.id
    return (kind, case.behavior.id), f"{subject}: {told}"


def shortened(title: str) -> str:
    """A title of at most `LONGEST_TITLE` characters."""
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 3].rstrip()}..."


@lru_cache(maxsize=1 << 12)
def call_of(what: str) -> str:
    """An expression's outermost call without its arguments; another expression as it is."""
    tree = _parsed(what)
    return f"{ast.unparse(tree.func)}(...)" if isinstance(tree, ast.Call) else what


def part_that_differs(verdict: Verdict) -> tuple[str, Plain, Plain]:
    """The item of a result that the message names, as an index, with what was expected of it and what
    was found; the whole where the message names none."""
    place, message = "", verdict.message
    expected, observed = verdict.expected, verdict.observed
    while found := _ITEM.match(message):
        index = int(found.group(1))
        place, message = f"{place}[{index}]", message[found.end() :]
        expected, observed = items_of(expected)[index], items_of(observed)[index]
    return place, expected, observed


def items_of(value: Plain) -> Sequence[Plain]:
    """The items of a list or tuple. Raises `KeyError` or `TypeError` for anything else."""
    items: Sequence[Plain] = value["list"] if "list" in value else value["tuple"]
    return items


def gist(text: str) -> str:
    """A message without what varies from case to case: numbers, shapes, addresses, arguments."""
    text = text.partition("Invoked with")[0]  # of pybind11 and nanobind
    return _RUNS.sub("N", _NUMBERS.sub("N", text))[:300]


def _parsed(expression: str) -> ast.expr:
    """An expression's tree. Nothing is collected meanwhile: Python 3.11 fails to parse if a destructor of
    the engine's parses something too, as showing a traceback does."""
    with collector_paused():
        return ast.parse(expression, mode="eval").body


def reading(verdict: Verdict, case: Case) -> str:
    """The engine's side of the assert that failed, with variables called x, y, z."""
    return _reading_at(case, verdict.line)


@lru_cache(maxsize=1 << 14)  # engines fail at the same asserts
def _reading_at(case: Case, line: int) -> str:
    for expectation in case.expectations:
        if expectation.line == line and expectation.source.startswith("assert "):
            return _reading(expectation.source.removeprefix("assert "), tuple(case.program.words))
    return ""


@lru_cache(maxsize=1 << 14)  # generated programs have the same ones
def _reading(source: str, named_words: tuple[str, ...]) -> str:
    test = _parsed(source)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    if isinstance(test, ast.Compare):
        if isinstance(test.ops[0], ast.In | ast.NotIn):
            test = test.comparators[0]
        elif isinstance(test.comparators[0], ast.Constant) or not isinstance(test.ops[0], ast.Is):
            test = test.left  # `a is b` stays whole: it is the identity that is wrong
    words = {word.split(".")[0] for word in named_words} | {"traced"}
    named: dict[str, str] = {}
    names = [node for node in ast.walk(test) if isinstance(node, ast.Name)]
    for node in sorted(names, key=lambda name: (name.lineno, name.col_offset)):
        if node.id not in words:
            node.id = named.setdefault(node.id, "xyzuvw"[min(len(named), 5)])
    return ast.unparse(test)


def pattern_of(expected: Plain, observed: Plain) -> str:
    """In which recognisable way a value is wrong, or the empty string."""
    if isinstance(observed, dict) and "pair" in observed:
        observed, expected = observed["pair"]
    if isinstance(expected, bool) and isinstance(observed, bool):
        return f"{observed} instead of {expected}"
    if observed is None and expected is not None:
        return "None instead of a value"
    if expected is None:
        return "a value instead of None"
    dtypes = [
        value.get("dtype") if isinstance(value, dict) else None for value in (expected, observed)
    ]
    if all(dtypes):
        return f"{dtypes[1]} instead of {dtypes[0]}"
    return _pattern_of_numbers(expected, observed)


def _pattern_of_numbers(expected: Plain, observed: Plain) -> str:
    (shape, wanted), (found_shape, found) = _numbers(expected), _numbers(observed)
    if not wanted or not found:
        return ""
    if None not in (shape, found_shape) and shape != found_shape:
        return "of another shape"
    if any(math.isnan(number) for number in found) and not any(map(math.isnan, wanted)):
        return "nan instead of a number"
    if any(wanted) and not any(found):
        return _ZERO
    for factor, told in _FACTORS:
        if any(wanted) and all(
            math.isclose(number * factor, other, rel_tol=1e-5)
            for number, other in zip(wanted, found, strict=True)
        ):
            return told
    return ""


def _numbers(value: Plain) -> tuple[Sequence[int] | None, list[float]]:
    """The shape and the numbers of a tensor, of nested lists or of a number; nothing else has any. The
    shape is None if there is none."""
    if isinstance(value, dict) and "tensor" in value:
        content = value["tensor"]
        shape: Sequence[int] | None = content.get("shape", ())
        shape = None if shape is None else tuple(shape)
        flat = content.get("values", [])
    else:
        shape, flat = nested_shape(value)
    if shape is not None and all(isinstance(item, float) for item in flat):
        return shape, list(flat)
    numbers = [number_of(item) for item in flat]
    if shape is None or any(number is None or isinstance(number, complex) for number in numbers):
        return None, []
    return shape, [float(number) for number in numbers if isinstance(number, int | float)]
