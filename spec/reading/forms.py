"""The forms of a chapter's programs: their trees, their code, their JSON.

A chapter from the cache has none of them. They are made on first use, for the whole chapter at
once, and are cached too: the trees from the text that the chapter was read from, the others from
the trees.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import marshal
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import CodeType
from typing import Any, TypeVar

from ..model import Chapter
from ..program.facts import facts_of
from ..program.program import Program
from .cache import Cache

Form = TypeVar("Form")


class ChapterForms:
    """The forms of one chapter's programs, by the ids of their cases.

    `programs` are set once the chapter is there; `read` reads it again from the same text. A program
    that has no such form is missing, and asking the program itself for it raises the reason.
    """

    programs: Sequence[Program]

    def __init__(self, name: str, key: str, cache: Cache, read: Callable[[], Chapter]) -> None:
        self.name = name
        self.key = key
        self.cache = cache
        self.read = read

    @cached_property
    def trees(self) -> Mapping[str, ast.Module]:
        kept = self.cache.read(f"{self.name}.trees", self.key)
        with collector_paused():
            if kept is not None:
                read: dict[str, ast.Module] = pickle.loads(kept)
                return read
            programs = self.programs
            if not all("tree" in vars(program) for program in programs):  # they were unpickled
                programs = [case.program for item in self.read().behaviors for case in item.cases]
            made = {program.id: program.tree for program in programs}
            if self.name.startswith("laws."):  # whose trees are as large as all others together
                return made
            with contextlib.suppress(RecursionError):
                self.cache.write(f"{self.name}.trees", self.key, pickle.dumps(made, protocol=5))
        return made

    @cached_property
    def code(self) -> Mapping[str, CodeType]:
        return self._kept("code", lambda program: program.compiled(mediated=False))

    @cached_property
    def mediated_code(self) -> Mapping[str, CodeType]:
        return self._kept("mediated", lambda program: program.compiled(mediated=True))

    @cached_property
    def json(self) -> Mapping[str, dict[str, Any]]:
        return self._kept("json", lambda program: program.written())

    @cached_property
    def facts(self) -> Mapping[str, tuple[Any, ...]]:
        return self._kept("facts", lambda program: tuple(facts_of(program.tree)))

    def _kept(self, form: str, make: Callable[[Program], Form]) -> dict[str, Form]:
        """This form of every program, from the cache if it is there."""
        name = f"{self.name}.{form}"
        kept = self.cache.read(name, self.key)
        with collector_paused():
            made: dict[str, Form] = {} if kept is None else marshal.loads(kept)
            if kept is not None:
                return made
            _ = self.trees  # so that they are cached for the other forms
            for program in self.programs:
                with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                    made[program.id] = make(program)
        if len(made) == len(self.programs):
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
