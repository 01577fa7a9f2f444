"""What the check of a program yields, and what its case's table gives it."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ..problems import Place
from .vocabulary import Word


@dataclass
class Parsed:
    """A checked program: its tree, and what it takes from the engine.

    `words` are vocabulary names without an owner, `members` the methods and attributes, and
    `features` all that these and the language's own constructs need.
    """

    tree: ast.Module
    words: dict[str, Word] = field(default_factory=dict)
    members: set[str] = field(default_factory=set)
    features: set[str] = field(default_factory=set)
    strangers: set[str] = field(default_factory=set)
    """The words and members that gradspec's own vocabulary does not have."""
    too_large: list[ast.BinOp] = field(default_factory=list)
    """Operations on literals whose value would take all memory."""
    names_either: bool = False


@dataclass(frozen=True)
class Bound:
    """The value of a name of a case's table: an expression, its text and its place."""

    expression: ast.expr
    text: str
    place: Place


class Enough(Exception):
    """A program has too many problems to report more."""
