"""The names that a program may use, and the kinds of errors and warnings that it may expect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

Role = Literal["function", "class", "context", "value", "method", "attribute", "keyword"]


@dataclass(frozen=True)  # no slots, so that unpickling it runs no Python code
class Word:
    """One name that a program may use, the feature it belongs to, and what it means."""

    name: str
    role: Role
    feature: str
    meaning: str
    own: bool = True
    """Whether gradspec's own vocabulary has it in the same role; a folder may bring others."""


@dataclass(frozen=True)
class Vocabulary:
    """Every name that a program may use. `names` holds names without an owner (functions, classes,
    contexts, values; dotted names included); methods, attributes and keywords need an owner."""

    names: Mapping[str, Word]
    methods: Mapping[str, Word]
    attributes: Mapping[str, Word]
    keywords: Mapping[str, Word]

    @property
    def tables(self) -> tuple[Mapping[str, Word], ...]:
        return self.names, self.methods, self.attributes, self.keywords

    @cached_property
    def strangers(self) -> tuple[str, ...]:
        """The names that gradspec's own vocabulary does not have."""
        found = {word.name for table in self.tables for word in table.values() if not word.own}
        return tuple(sorted(found))

    def beside(self, ours: Vocabulary) -> Vocabulary:
        """The same words, each with whether `ours` has it in the same role."""
        marked = [
            {
                name: replace(word, own=name in known and known[name].role == word.role)
                for name, word in table.items()
            }
            for table, known in zip(self.tables, ours.tables, strict=True)
        ]
        return Vocabulary(*marked)

    @cached_property
    def namespaces(self) -> frozenset[str]:
        """The first parts of dotted names, such as `autograd` and `nn`."""
        return frozenset(name.split(".")[0] for name in self.names if "." in name)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of error or warning: its meaning, what a good message contains, and the patterns that
    recognize it in engines without an adapter."""

    name: str
    sort: Literal["refusal", "warning"]
    meaning: str
    must_tell: str
    exceptions: tuple[str, ...]
    patterns: tuple[str, ...]

    @property
    def shown_sort(self) -> str:
        """The sort as messages name it."""
        return "error" if self.sort == "refusal" else "warning"
