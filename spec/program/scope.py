"""The names that a program binds, and where they can be seen."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .keywords import Signature


class Scope:
    """The names bound in one function, class body or at the top level."""

    def __init__(
        self,
        names: set[str],
        outer: Scope | None,
        functions: Mapping[str, Signature] = MappingProxyType({}),
    ) -> None:
        self.names = names
        self.outer = outer
        self.functions = functions

    def binds(self, name: str) -> bool:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.outer
        return False

    def function(self, name: str) -> Signature | None:
        """The program's own function that a name refers to, or None if it may be another."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.functions.get(name)
            scope = scope.outer
        return None
