"""Modules made of modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .module import Module, Parameter

__all__ = ["ModuleDict", "ModuleList", "ParameterList", "Sequential"]


class Sequential(Module):
    """Modules run one after another."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        items = args[0].items() if len(args) == 1 and isinstance(args[0], dict) else enumerate(args)
        for name, module in items:
            self.register_module(str(name), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, index: Any) -> Any:
        items = list(self._modules.values())[index]
        return Sequential(*items) if isinstance(index, slice) else items

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())


class ModuleList(Module):
    """A list of modules that parameters() finds."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> ModuleList:
        """Add one at the end."""
        self.register_module(str(len(self._modules)), module)
        return self

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

    def __getitem__(self, index: int) -> Module:
        return list(self._modules.values())[index]  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules: dict[str, Module] | None = None) -> None:
        super().__init__()
        for name, module in (modules or {}).items():
            self.register_module(name, module)

    def __getitem__(self, name: str) -> Module:
        return self._modules[name]  # type: ignore[no-any-return]

    def __setitem__(self, name: str, module: Module) -> None:
        self.register_module(name, module)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)


class ParameterList(Module):
    """A list of parameters that parameters() finds."""

    def __init__(self, values: Iterable[Parameter] = ()) -> None:
        super().__init__()
        for value in values:
            self.append(value)

    def append(self, value: Parameter) -> ParameterList:
        """Add one at the end."""
        self.register_parameter(str(len(self._parameters)), value)
        return self

    def extra_repr(self) -> str:
        return "\n".join(
            f"  ({i}): Parameter containing: [{p.dtype} of size {'x'.join(map(str, p.shape))}]"
            for i, p in enumerate(self)
        )

    def __getitem__(self, index: int) -> Parameter:
        return list(self._parameters.values())[index]  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self._parameters.values())
