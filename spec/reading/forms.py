"""The forms of a chapter's programs: their trees, their code, their JSON.

A chapter from the cache has none of them. They are made on first use, for the whole chapter at
once, and are cached too: the trees from the text that the chapter was read from, the others from
the trees. The tree of a generated case is not kept: its text is, from which it is made again.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import marshal
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import CodeType
from typing import Any, TypeVar

from ..model import Case, Chapter
from ..program.facts import facts_of
from ..program.program import Program
from .cache import Cache

Form = TypeVar("Form")


class ChapterForms:
    """The forms of one chapter's programs, by the ids of their cases.

    `cases` are set once the chapter is there; `read` reads it again from the same text, `lower` makes
    the tree of a generated case. A program that has no such form is missing, and asking the program
    itself for it raises the reason.
    """

    cases: Sequence[Case]

    def __init__(
        self,
        name: str,
        key: str,
        cache: Cache,
        read: Callable[[], Chapter],
        lower: Callable[[Case], ast.Module],
    ) -> None:
        self.name = name
        self.key = key
        self.cache = cache
        self.read = read
        self.lower = lower
        self.asked = 0

    def tree(self, identifier: str) -> ast.Module:
        case = self._generated.get(identifier)
        return self.lower(case) if case else self._trees[identifier]

    @cached_property
    def _generated(self) -> Mapping[str, Case]:
        return {case.id: case for case in self.cases if case.generated}

    @cached_property
    def _trees(self) -> Mapping[str, ast.Module]:
        kept = self.cache.read(f"{self.name}.trees", self.key)
        with collector_paused():
            if kept is not None:
                read: dict[str, ast.Module] = pickle.loads(kept)
                return read
            cases: Iterable[Case] = self.cases
            if not all("lowered" in vars(case.program) for case in cases):  # they were unpickled
                cases = (case for item in self.read().behaviors for case in item.cases)
            made = {case.id: case.program.tree for case in cases}
            with contextlib.suppress(RecursionError):
                self.cache.write(f"{self.name}.trees", self.key, pickle.dumps(made, protocol=5))
        return made

    def leave_in_cache(self) -> None:
        """Leave what most runs and checks need in the cache while the trees are there, and forget those
        that can be made again."""
        _ = self.code, self.facts
        if self._generated:
            _ = self.json
        for case in self._generated.values():
            case.program.without_tree()

    @cached_property
    def code(self) -> Mapping[str, CodeType]:
        return self._kept("code", lambda program: program.compiled(mediated=False))

    @property
    def mediated_code(self) -> Mapping[str, CodeType]:
        """Empty while only a few programs have been asked for and nothing is cached, since few engines
        need this form: each program then compiles its own."""
        made = "_mediated_code" in vars(self) or self.cache.has(f"{self.name}.mediated", self.key)
        if made or self.asked >= len(self.cases) // 10:
            return self._mediated_code
        self.asked += 1
        return {}

    @cached_property
    def _mediated_code(self) -> Mapping[str, CodeType]:
        return self._kept("mediated", lambda program: program.compiled(mediated=True))

    @cached_property
    def json(self) -> Mapping[str, dict[str, Any]]:
        return self._kept("json", lambda program: program.written())

    @cached_property
    def facts(self) -> Mapping[str, tuple[Any, ...]]:
        return self._kept("facts", lambda program: tuple(facts_of(program.tree, program.code)))

    def _kept(self, form: str, make: Callable[[Program], Form]) -> dict[str, Form]:
        """This form of every program, from the cache if it is there."""
        name = f"{self.name}.{form}"
        kept = self.cache.read(name, self.key)
        with collector_paused():
            made: dict[str, Form] = {} if kept is None else marshal.loads(kept)
            if kept is not None:
                return made
            if len(self._generated) < len(self.cases):
                _ = self._trees  # so that they are cached for the other forms
            for program in (case.program for case in self.cases):
                with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                    made[program.id] = make(program)
        if len(made) == len(self.cases):
            self.cache.write(name, self.key, marshal.dumps(made))
        return made


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Garbage collection is paused. Nearly everything that loading creates stays alive, and
    traversing it again and again would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
