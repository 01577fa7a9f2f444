"""Modules made of modules or of parameters."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from .. import errors
from .module import Module

__all__ = ["ModuleList", "Sequential"]

Own = TypeVar("Own", bound="_Ordered")


def sequence(container: Module, values: Any) -> list[Any]:
    """What to add to a container.

    Raises:
        TypeError: no sequence.
    """
    if not isinstance(values, Iterable):
        raise errors.wrong_type(
            f"{type(container).__name__}.extend should be called with an iterable, but got "
            f"{type(values).__name__}"
        )
    return list(values)


class _Ordered(Module):
    """Modules numbered from 0."""

    def position(self, index: Any) -> str:
        """The name of the module at an index, which may count from the end.

        Raises:
            IndexError: there is none.
            TypeError: no whole number.
        """
        i, n = operator.index(index), len(self._modules)
        if not -n <= i < n:
            raise errors.wrong_index(f"index {i} is out of range")
        return list(self._modules)[i]

    def renumber(self, modules: Iterable[Module]) -> None:
        """Hold these modules alone, numbered anew."""
        self._modules = {str(i): m for i, m in enumerate(modules)}

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(*self.some(list(self._modules.items())[index]))
        return self._modules[self.position(index)]

    def some(self, items: list[tuple[str, Any]]) -> tuple[Any, ...]:
        """The arguments that make a container of some of these modules."""
        """The arguments that make a container of a part of this one."""
        return ([m for _, m in items],)

    def __setitem__(self, index: Any, module: Module) -> None:
        self.register_module(self.position(index), module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        gone = names[index] if isinstance(index, slice) else [self.position(index)]
        self.renumber(m for k, m in self._modules.items() if k not in gone)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self: Own, module: Module) -> Own:
        """Add one at the end."""
        self.register_module(str(len(self._modules)), module)
        return self

    def insert(self: Own, index: int, module: Module) -> Own:
        """Add one before the one at ``index``."""
        held = list(self._modules.values())
        held.insert(index, module)
        self.renumber(held)
        return self

    def extend(self: Own, modules: Iterable[Module]) -> Own:
        """Add several at the end."""
        for module in sequence(self, modules):
            self.append(module)
        return self

    def pop(self, key: int) -> Any:
        """Take one out."""
        module = self[key]
        del self[key]
        return module


class Sequential(_Ordered):
    """Modules run one after another."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        items = args[0].items() if len(args) == 1 and isinstance(args[0], dict) else enumerate(args)
        for name, module in items:
            self.register_module(str(name), module)

    def some(self, items: list[tuple[str, Any]]) -> tuple[Any, ...]:
        """The arguments that make a container of some of these modules."""
        return (dict(items),)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *other)

    def __iadd__(self, other: Sequential) -> Sequential:
        return self.extend(list(other))

    def __mul__(self, times: int) -> Sequential:
        """These modules, the very same, several times over.

        Raises:
            ValueError: less than once.
        """
        if times <= 0:
            raise errors.wrong_value(f"a Sequential can be repeated once or more; got {times}")
        return Sequential(*(list(self) * times))

    __rmul__ = __mul__


class ModuleList(_Ordered):
    """A list of modules that parameters() finds."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def insert(self, index: int, module: Module) -> None:  # type: ignore[override]
        """Add one before the one at ``index``."""
        super().insert(index, module)

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __repr__(self) -> str:
        """Equal neighbours are printed once, with their number."""
        groups: list[tuple[int, int, str]] = []
        for i, module in enumerate(self):
            text = repr(module)
            if groups and groups[-1][2] == text:
                groups[-1] = (groups[-1][0], i, text)
            else:
                groups.append((i, i, text))
        lines = [
            f"({a}): {text}" if a == b else f"({a}-{b}): {b - a + 1} x {text}"
            for a, b, text in groups
        ]
        body = "\n".join("  " + line.replace("\n", "\n  ") for line in lines)
        return f"{type(self).__name__}(\n{body}\n)" if lines else f"{type(self).__name__}()"
