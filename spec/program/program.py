"""A program: what an engine runs, and what the judge compares with what it reports."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType
from typing import Any, Literal, Protocol

from .facts import Facts, facts_of
from .precision import in_double_precision
from .python_form import compile_program, program_source

Relation = Literal[
    "equal", "different", "less", "at most", "greater", "at least", "contains", "lacks",
    "is", "is not", "refused", "may be refused", "warned", "quiet",
]  # fmt: skip


@dataclass(frozen=True)  # no slots, so that unpickling it runs no Python code
class Expectation:
    """What the judge compares with observation number `index` of a case.

    `expected` is a plain value (see `values.py`), or for a block a tuple of kinds; if `pair` is
    true, the engine reports both sides and `expected` is unused. `within` is the index of the
    enclosing `may_raise` block, which leaves it unreached if it raises; -1 if there is none.
    """

    index: int
    relation: Relation
    expected: Any
    pair: bool
    line: int
    source: str
    within: int = -1


class Forms(Protocol):
    """The forms of several programs, by their ids; one is missing where it cannot be made."""

    @property
    def key(self) -> str:
        """A digest of all that the programs were made from."""

    def tree(self, identifier: str) -> ast.Module: ...

    @property
    def code(self) -> Mapping[str, CodeType]: ...

    @property
    def mediated_code(self) -> Mapping[str, CodeType]: ...

    @property
    def json(self) -> Mapping[str, dict[str, Any]]: ...

    @property
    def facts(self) -> Mapping[str, tuple[Any, ...]]: ...


@dataclass(frozen=True)
class Program:
    """What an engine runs: no trace of what is expected of it.

    `words` are the vocabulary names that it takes from the engine, `members` the methods,
    attributes and keywords it uses, `features` what all these need. `strangers` are those of its
    words and members that gradspec's own vocabulary does not have. `double` says that all its
    floating-point tensors are float64 or complex128. The Python form is `code`, one
    function `program(observe, ended, recorded, run_in_thread, trace, traced)`; `json` is the form
    for other languages. `file` is the chapter's path, whose line numbers the code has.
    """

    id: str
    file: str
    words: tuple[str, ...]
    members: frozenset[str]
    features: frozenset[str]
    strangers: tuple[str, ...] = ()
    double: bool = False
    forms: Forms | None = field(default=None, repr=False, compare=False)
    """Where the chapter's forms are made and kept; None for a program on its own."""

    @classmethod
    def of_tree(
        cls,
        tree: ast.Module,
        id: str,
        file: str,
        words: tuple[str, ...],
        members: frozenset[str],
        features: frozenset[str],
        strangers: tuple[str, ...] = (),
    ) -> Program:
        """A program whose lowered tree is available."""
        double = in_double_precision(tree, words, members)
        program = cls(id, file, words, members, features, strangers, double)
        program.__dict__["lowered"] = tree
        return program

    @property
    def tree(self) -> ast.Module:
        """The lowered tree. Made again where the program came from a cache."""
        own: ast.Module | None = self.__dict__.get("lowered")
        if own is not None:
            return own
        assert self.forms is not None, "a program has a tree, or forms to take it from"
        return self.forms.tree(self.id)

    def without_tree(self) -> None:
        """Forget the tree, which takes much memory; `forms` make it again on demand."""
        self.__dict__.pop("lowered", None)

    @cached_property
    def code(self) -> CodeType:
        """The function's code, whose line numbers are those of the YAML file."""
        kept = self.forms.code.get(self.id) if self.forms else None
        return kept or self.compiled(mediated=False)

    @cached_property
    def mediated_code(self) -> CodeType:
        """As `code`, with each attribute and method looked up through the adapter."""
        kept = self.forms.mediated_code.get(self.id) if self.forms else None
        return kept or self.compiled(mediated=True)

    def compiled(self, mediated: bool) -> CodeType:
        """The function's code, compiled from the tree."""
        return compile_program(self.tree, self.file, mediated)

    def python(self, mediated: bool) -> tuple[str, list[int]]:
        """The function as text, and for each of its lines the line of the YAML file."""
        return program_source(self.tree, mediated)

    @cached_property
    def json(self) -> dict[str, Any]:
        """The form for engines in other languages; its schema is `schema/program.json`."""
        kept = self.forms.json.get(self.id) if self.forms else None
        return kept or self.written()

    def written(self) -> dict[str, Any]:
        """The JSON form, written from the tree."""
        from .json_form import program_json

        return program_json(self)

    @property
    def facts(self) -> Facts:
        """What the checks of the specification ask of it."""
        kept = self.forms.facts.get(self.id) if self.forms else None
        return Facts(*kept) if kept else facts_of(self.tree, self.code)

    def __getstate__(self) -> dict[str, Any]:
        """The pickled state: without the forms, which are made on demand."""
        kept = ("id", "file", "words", "members", "features", "strangers", "double")
        return {name: self.__dict__[name] for name in kept}
