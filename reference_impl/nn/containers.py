"""Modules made of modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .. import errors
from .module import Module

__all__ = ["ModuleList", "Sequential"]


class _Ordered(Module):
    """Modules numbered from 0."""

    def __getitem__(self, index: int) -> Any:
        return list(self._modules.values())[index]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())


class Sequential(_Ordered):
    """Modules run one after another, given one by one or as a dict with their names."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        items = args[0].items() if len(args) == 1 and isinstance(args[0], dict) else enumerate(args)
        for name, module in items:
            self.register_module(str(name), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Ordered):
    """A list of modules that parameters() finds.

    Raises:
        TypeError: nothing to iterate over.
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None and not isinstance(modules, Iterable):
            raise errors.wrong_type(
                f"ModuleList(): expected an iterable of modules, got {type(modules).__name__}"
            )
        for module in modules or ():
            self.append(module)

    def append(self, module: Module) -> ModuleList:
        """Add one at the end."""
        self.register_module(str(len(self._modules)), module)
        return self
