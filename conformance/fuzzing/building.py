"""Makes a drawn program one that an engine runs: after every statement it reports what can be seen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import CodeType

from gradspec.spec.load import load_spec
from gradspec.spec.problems import Place, Problem
from gradspec.spec.program.language import parse_program
from gradspec.spec.program.program import Program
from gradspec.spec.program.python_form import PARAMETERS
from gradspec.spec.program.vocabulary import Vocabulary

from .drawing import Drawn, Statement
from .statements import CLASSES

FILE = "generated"
_NAME = re.compile(r"\b[svmw]\d+\b")
_NUMBERS = re.compile(r"\(\[[-\d., \[\]]+\]")
"""The literal of a tensor."""
_DOTTED = re.compile(r"\bautograd(?:\.\w+)+")
"""The dotted words that statements use."""
_RETAINED = re.compile(r"\b([svmw]\d+)\.retain_grad\(")


@dataclass(frozen=True)
class Uses:
    """What statements take from the engine."""

    words: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()

    def __or__(self, other: Uses) -> Uses:
        return Uses(
            self.words | other.words, self.members | other.members, self.features | other.features
        )


FLAGS = Uses(frozenset(), frozenset({"requires_grad", "is_leaf", "grad"}), frozenset({"leaf"}))


@lru_cache(maxsize=1)
def _vocabulary() -> Vocabulary:
    return load_spec().vocabulary


@lru_cache(maxsize=4096)
def _uses_of(pattern: str) -> Uses:
    """What a statement uses, whatever variables stand in it."""
    problems: list[Problem] = []
    names = dict.fromkeys(_NAME.findall(pattern))
    head = "".join(f"{name} = tensor([0.5])\n" for name in names)
    classes = _named_in(pattern)
    place = Place(FILE, 1, 1)
    parsed = parse_program(
        f"{classes}{head}{pattern}\n", _vocabulary(), {}, lambda line, column: place, problems
    )
    if parsed is None:
        raise ValueError(f"{pattern!r} is not of the language: {problems[0]}")
    return Uses(frozenset(parsed.words), frozenset(parsed.members), frozenset(parsed.features))


def uses_of(statement: Statement) -> Uses:
    """What a drawn statement takes from the engine."""
    numbers: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        kind = match.group()[0]
        return numbers.setdefault(match.group(), f"{kind}{len(numbers)}")

    return _uses_of(_NAME.sub(renamed, _NUMBERS.sub("([0.5]", statement.written)))


def classes_of(drawn: Drawn) -> str:
    """The functions and custom functions that a program names."""
    return _named_in(drawn.text)


def _named_in(text: str) -> str:
    return "".join(
        made for name, made in CLASSES.items() if f"{name}." in text or f"{name}(" in text
    )


SEEN = """\
def seen(v):
    return (v, v.requires_grad, v.is_leaf, v.grad if v.is_leaf else None)
def retained(v):
    return (v, v.requires_grad, v.is_leaf, v.grad)
"""
RAISED = 1000
"""The number of the report of how a statement ended, beyond that of what is seen after it."""
HEAD = f"def program({', '.join(PARAMETERS)}):"


@dataclass(frozen=True)
class Generated(Program):
    """A generated program, whose tree is made only where an engine needs it."""

    drawn: Drawn = field(default_factory=Drawn, repr=False, compare=False)
    flags: bool = True

    @property
    def tree(self) -> ast.Module:
        """The lowered tree, in which each dotted word is one name."""
        lines = [line for line, _ in _listed(self.drawn, self.flags)]
        tree = ast.parse("\n".join(["", *lines, ""]))
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and "__" in node.id:
                node.id = node.id.replace("__", ".")
        return tree

    @cached_property
    def code(self) -> CodeType:
        """The function's code, with the lines of the tree. A block in a thread needs the tree."""
        if "with thread" in self.drawn.text:
            return self.compiled(mediated=False)
        lines = [line for line, _ in _listed(self.drawn, self.flags, python=True)]
        text = "\n".join([HEAD, *(f" {line}" for line in lines)])
        code = compile(text, FILE, "exec")
        return next(constant for constant in code.co_consts if isinstance(constant, CodeType))


def build(drawn: Drawn, flags: bool) -> Program:
    """The program, with reports: after a statement that makes a variable of that variable, after any
    other statement, and at the end, of all variables. What is reported is the value, and with `flags`
    also whether it requires grad, whether it is a leaf, and a leaf's or retained gradient."""
    uses = FLAGS if flags else Uses()
    for statement in drawn.statements:
        uses = uses | uses_of(statement)
    return Generated(
        "generated", FILE, tuple(sorted(uses.words)), uses.members, uses.features,
        drawn=drawn, flags=flags,
    )  # fmt: skip


def reported(drawn: Drawn, index: int) -> list[str]:
    """The variables that are reported after a statement."""
    statement = drawn.statements[index]
    if statement.name and index < len(drawn.statements) - 1:
        return [statement.name]
    return [each.name for each in drawn.statements[: index + 1] if each.name]


def lines_of(drawn: Drawn, flags: bool) -> Mapping[int, int]:
    """For each line of the built program the statement that it belongs to."""
    return {at: index for at, (_, index) in enumerate(_listed(drawn, flags), start=2)}


def _listed(drawn: Drawn, flags: bool, python: bool = False) -> Iterator[tuple[str, int]]:
    """The lines of the built program, each with the statement that it belongs to: of the lowered program,
    or as `python` of the body of its function, which has the same lines."""
    text = drawn.text
    for line in (_named_in(text) + (SEEN if flags else "")).splitlines():
        yield _flat(line), 0
    last = len(drawn.statements) - 1
    retained: set[str] = set()
    for index, statement in enumerate(drawn.statements):
        lines = [_flat(line) for line in statement.written.splitlines()]
        if statement.caught:
            number = index + RAISED
            lines = [f"    {line}" for line in lines]
            if python:
                lines.insert(0, "try:")
                lines.append(f"except Exception as _error: ended({number}, _error)")
                lines.append(f"else: ended({number}, None)")
            else:
                lines = [f"with raises({number}):", *lines, "", ""]
        for line in lines:
            yield line, index
        retained.update(_RETAINED.findall(statement.text))
        shown = "".join(
            f"{name}, " if not flags else f"{'retained' if name in retained else 'seen'}({name}), "
            for name in reported(drawn, index)
        )
        yield f"observe({index}, ({shown}))", index
    if "trace(" in text or "nested(" in text:
        yield f"observe({last + 1}, traced())", last


def _flat(line: str) -> str:
    """A line in which dotted words have underscores for their dots."""
    return _DOTTED.sub(lambda match: match.group().replace(".", "__"), line)
